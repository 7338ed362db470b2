package keelscope.model;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import keelscope.model.Architecture.Parameter;

/**
 * The model and its recipe once more, from single NDArray operations and without a trick: the readable reference that the step
 * program must equal, and what the benchmark compares it with. The residual schemes are written out from the specification,
 * not taken from {@link Scheme}.
 */
final class PlainModel implements AutoCloseable {

    private final Architecture a;
    private final NDManager manager;
    private final Map<String, NDArray> parameters = new LinkedHashMap<>();
    /** The parameters as the leaves of this step's graph: the same memory, each with a gradient that starts at nothing. */
    private final Map<String, NDArray> weights = new LinkedHashMap<>();
    private final Map<String, NDArray> mean = new LinkedHashMap<>();
    private final Map<String, NDArray> square = new LinkedHashMap<>();
    private final DataType type;

    PlainModel(Architecture architecture, DataType type, Function<Parameter, float[]> values) {
        this.a = architecture;
        this.type = type;
        manager = Engine.getEngine("PyTorch").newBaseManager(Device.cpu());
        for (Parameter p : a.parameters()) {
            Shape shape = new Shape(p.shape().stream().mapToLong(Integer::longValue).toArray());
            // mul(1) copies: what stands on a Java buffer goes with it
            NDArray weight = manager.create(values.apply(p), shape).toType(type, false).mul(1);
            parameters.put(p.name(), weight);
            mean.put(p.name(), manager.zeros(shape, type));
            square.put(p.name(), manager.zeros(shape, type));
        }
    }

    /** Loss, total gradient norm before clipping, and the gradient norm of every parameter. */
    record Result(double loss, double gradNorm, Map<String, Double> gradNorms) {}

    /** One step of section 5 on ids and targets of shape (batch, sequence). */
    Result step(int[] ids, int[] targets, int batch, StepSettings s) {
        try (NDManager scope = manager.newSubManager()) {
            parameters.forEach((name, parameter) -> {
                NDArray leaf = parameter.stopGradient();
                leaf.attach(scope);
                leaf.setRequiresGradient(true);
                weights.put(name, leaf);
            });
            Map<String, NDArray> gradients = new LinkedHashMap<>();
            double loss;
            try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
                NDArray l = loss(scope, ids, targets, batch);
                collector.backward(l);
                loss = l.toType(DataType.FLOAT64, false).getDouble();
            }
            Map<String, Double> norms = new LinkedHashMap<>();
            double total = 0;
            for (Map.Entry<String, NDArray> e : weights.entrySet()) {
                NDArray g = e.getValue().getGradient();
                g.attach(scope);
                gradients.put(e.getKey(), g);
                double norm = g.norm().toType(DataType.FLOAT64, false).getDouble();
                norms.put(e.getKey(), norm);
                total += norm * norm;
            }
            total = Math.sqrt(total);
            if (s.update()) {
                double clip = Math.min(1, s.clipNorm() / (total + 1e-6));
                gradients.forEach((name, g) -> adamw(scope, name, g.mul(clip), s));
            }
            return new Result(loss, total, norms);
        }
    }

    private void adamw(NDManager scope, String name, NDArray g, StepSettings s) {
        NDArray w = parameters.get(name);
        NDArray m = mean.get(name);
        NDArray v = square.get(name);
        m.muli(s.beta1()).addi(g.mul(1 - s.beta1()));
        v.muli(s.beta2()).addi(g.mul(g).muli(1 - s.beta2()));
        double correction1 = 1 - Math.pow(s.beta1(), s.time());
        double correction2 = 1 - Math.pow(s.beta2(), s.time());
        if (w.getShape().dimension() == 2) {
            w.muli(1 - s.lr() * s.weightDecay());
        }
        w.subi(m.div(v.div(correction2).sqrt().addi(s.eps())).muli(s.lr() / correction1));
    }

    private NDArray loss(NDManager scope, int[] ids, int[] targets, int batch) {
        Shape shape = new Shape(batch, ids.length / batch);
        NDArray x = logits(scope.create(ids, shape)).reshape(-1, a.vocabulary());
        NDArray chosen = x.logSoftmax(-1).get(new ai.djl.ndarray.index.NDIndex().addAllDim()
                .addPickDim(scope.create(targets, new Shape(targets.length, 1)).toType(DataType.INT64, false)));
        return chosen.mean().neg();
    }

    private NDArray logits(NDArray ids) {
        NDArray x = weights.get("tok_embeddings.weight").get(ids.flatten().toType(DataType.INT64, false))
                .reshape(ids.getShape().get(0), ids.getShape().get(1), a.dModel());
        for (int l = 0; l < a.layers(); l++) {
            x = subLayer(l, x);
        }
        return linear(norm(x, "norm.weight"), "output.weight");
    }

    private NDArray subLayer(int l, NDArray x) {
        String p = "blocks." + l / 2 + (l % 2 == 0 ? ".attention." : ".feed_forward.");
        double alpha = l < 2 ? 1 : Double.isNaN(a.alpha()) ? a.layers() : a.alpha();
        boolean first = l == 0;
        return switch (a.scheme()) {
            case PRE_LN -> x.add(branch(l, inner(x, p)));
            case POST_LN -> outer(x.add(branch(l, x)), p);
            case KEEL -> first ? x.add(branch(l, inner(x, p))) : outer(x.mul(alpha).add(branch(l, inner(x, p))), p);
            case HIGHWAY -> {
                NDArray h = inner(x, p);
                NDArray t = sigmoid(linear(h, p + "gate.weight").add(weights.get(p + "gate.bias")));
                NDArray z = t.mul(branch(l, h)).add(t.mul(-1).add(1).mul(x));
                yield first ? z : outer(z, p);
            }
            case DEEPNORM -> outer(x.mul(Math.pow(a.layers(), 0.25)).add(branch(l, x)), p);
            case MIX_LN -> l / 2 < a.layers() / 2 / 4 ? outer(x.add(branch(l, x)), p) : x.add(branch(l, inner(x, p)));
            case HYBRID_NORM -> {
                NDArray u = l % 2 == 0 ? x : inner(x, p);
                yield u.add(branch(l, u));
            }
            case KEEL_NO_INNER -> first ? x.add(branch(l, x)) : outer(x.mul(alpha).add(branch(l, x)), p);
            case KEEL_SCALED_INPUT -> {
                NDArray f = branch(l, x.mul(weights.get(p + "input_scale.weight")));
                yield first ? x.add(f) : outer(x.mul(alpha).add(f), p);
            }
            case KEEL_SCALED_NORM -> {
                NDArray f = branch(l, inner(x, p).mul(weights.get(p + "input_scale.weight")));
                yield first ? x.add(f) : outer(x.mul(alpha).add(f), p);
            }
        };
    }

    private NDArray branch(int l, NDArray h) {
        return l % 2 == 0 ? attention("blocks." + l / 2 + ".attention.", h) : feedForward("blocks." + l / 2 + ".feed_forward.", h);
    }

    private NDArray attention(String p, NDArray h) {
        long batch = h.getShape().get(0);
        long tokens = h.getShape().get(1);
        long size = a.dModel() / a.heads();
        Shape split = new Shape(batch, tokens, a.heads(), size);
        NDArray q = linear(h, p + "wq.weight").reshape(split);
        NDArray k = linear(h, p + "wk.weight").reshape(split);
        NDArray v = linear(h, p + "wv.weight").reshape(split);
        if (a.scheme() == Scheme.HYBRID_NORM) {
            q = norm(q, p + "q_norm.weight");
            k = norm(k, p + "k_norm.weight");
            v = norm(v, p + "v_norm.weight");
        }
        q = rotate(q).transpose(0, 2, 1, 3);
        k = rotate(k).transpose(0, 2, 1, 3);
        NDArray scores = q.matMul(k.transpose(0, 1, 3, 2)).div(Math.sqrt(size)).add(causal(h.getManager(), tokens));
        NDArray y = scores.softmax(-1).matMul(v.transpose(0, 2, 1, 3));
        return linear(y.transpose(0, 2, 1, 3).reshape(batch, tokens, a.dModel()), p + "wo.weight");
    }

    private NDArray causal(NDManager scope, long tokens) {
        float[] mask = new float[(int) (tokens * tokens)];
        for (int i = 0; i < tokens; i++) {
            for (int j = i + 1; j < tokens; j++) {
                mask[(int) (i * tokens + j)] = Float.NEGATIVE_INFINITY;
            }
        }
        return scope.create(mask, new Shape(tokens, tokens)).toType(type, false);
    }

    private NDArray rotate(NDArray x) {
        int tokens = (int) x.getShape().get(1);
        int half = a.dModel() / a.heads() / 2;
        double[] cos = new double[tokens * 2 * half];
        double[] sin = new double[tokens * 2 * half];
        for (int t = 0; t < tokens; t++) {
            for (int i = 0; i < 2 * half; i++) {
                double angle = t * Math.pow(10000, -2.0 * (i % half) / (2 * half));
                cos[t * 2 * half + i] = Math.cos(angle);
                sin[t * 2 * half + i] = Math.sin(angle);
            }
        }
        Shape shape = new Shape(tokens, 1, 2L * half);
        NDArray c = x.getManager().create(cos, shape).toType(type, false);
        NDArray s = x.getManager().create(sin, shape).toType(type, false);
        NDList halves = x.split(2, 3);
        return x.mul(c).add(halves.get(1).neg().concat(halves.get(0), 3).mul(s));
    }

    private NDArray feedForward(String p, NDArray h) {
        NDArray gate = linear(h, p + "w1.weight");
        return linear(gate.mul(sigmoid(gate)).mul(linear(h, p + "w3.weight")), p + "w2.weight");
    }

    private static NDArray sigmoid(NDArray x) {
        return ai.djl.nn.Activation.sigmoid(x);
    }

    private NDArray linear(NDArray x, String weight) {
        return x.matMul(weights.get(weight).transpose());
    }

    private NDArray inner(NDArray x, String p) {
        return norm(x, p + "inner_norm.weight");
    }

    private NDArray outer(NDArray x, String p) {
        return norm(x, p + "outer_norm.weight");
    }

    private NDArray norm(NDArray x, String gain) {
        return x.div(x.square().mean(new int[] {-1}, true).add(1e-6).sqrt()).mul(weights.get(gain));
    }

    @Override
    public void close() {
        manager.close();
    }
}
