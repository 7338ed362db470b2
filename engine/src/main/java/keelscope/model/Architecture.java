package keelscope.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A model to build: its sizes, its scheme, and, following from them, every parameter in order.
 *
 * @param scheme residual scheme
 * @param layers L, sub-layers; even
 * @param dModel width D
 * @param heads attention heads
 * @param ffHidden hidden width F of the feed-forward
 * @param vocabulary number of tokens V
 * @param alpha α set by hand, NaN for the scheme's own
 * @param trainedAlpha whether α is trained
 */
public record Architecture(
        Scheme scheme, int layers, int dModel, int heads, int ffHidden, int vocabulary, double alpha, boolean trainedAlpha) {

    /** How a parameter starts. */
    public enum Kind {
        EMBEDDING,
        LINEAR,
        NORM_GAIN,
        INPUT_SCALE,
        GATE_WEIGHT,
        GATE_BIAS,
        ALPHA
    }

    /**
     * A named parameter.
     *
     * @param name the name of the specification, section 7.1
     * @param kind how it starts
     * @param shape sizes; empty for a scalar
     * @param subLayer l, or −1 for embedding, final norm and output
     * @param start what the kind needs besides the shape: the factor on a linear weight, α of a gate or of a trained α
     */
    public record Parameter(String name, Kind kind, List<Integer> shape, int subLayer, double start) {
        /** Number of elements. */
        public long size() {
            return shape.stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
        }
    }

    /** Parameters of equal shape that are stored stacked in one tensor, so that one product serves them all. */
    public record Stack(List<Parameter> parts) {
        static Stack of(Parameter... parts) {
            return new Stack(List.of(parts));
        }

        /** Shape of the tensor. */
        public long[] shape() {
            long[] shape = parts.get(0).shape().stream().mapToLong(Integer::longValue).toArray();
            if (shape.length > 0) {
                shape[0] *= parts.size();
            }
            return shape;
        }
    }

    /** The rule of sub-layer l. */
    public SubLayerRule rule(int l) {
        return scheme.rule(l, new Scheme.Depth(layers, alpha, trainedAlpha));
    }

    /** The stacks of sub-layer l, in the order in which its rule's method takes them. */
    List<Stack> stacks(int l) {
        SubLayerRule rule = rule(l);
        boolean attention = l % 2 == 0;
        String prefix = "blocks." + l / 2 + (attention ? ".attention." : ".feed_forward.");
        List<Stack> stacks = new ArrayList<>();
        if (attention) {
            stacks.add(Stack.of(linear(prefix, "wq", l, dModel, dModel), linear(prefix, "wk", l, dModel, dModel),
                    linear(prefix, "wv", l, dModel, dModel)));
            stacks.add(Stack.of(linear(prefix, "wo", l, dModel, dModel)));
        } else {
            stacks.add(Stack.of(linear(prefix, "w1", l, ffHidden, dModel), linear(prefix, "w3", l, ffHidden, dModel)));
            stacks.add(Stack.of(linear(prefix, "w2", l, dModel, ffHidden)));
        }
        if (rule.headNorms()) {
            for (String norm : List.of("q_norm", "k_norm", "v_norm")) {
                stacks.add(Stack.of(new Parameter(prefix + norm + ".weight", Kind.NORM_GAIN, List.of(dModel / heads), l, 1)));
            }
        }
        if (rule.innerNorm()) {
            stacks.add(Stack.of(new Parameter(prefix + "inner_norm.weight", Kind.NORM_GAIN, List.of(dModel), l, 1)));
        }
        if (rule.outerNorm()) {
            stacks.add(Stack.of(new Parameter(prefix + "outer_norm.weight", Kind.NORM_GAIN, List.of(dModel), l, 1)));
        }
        if (rule.inputScale()) {
            stacks.add(Stack.of(new Parameter(prefix + "input_scale.weight", Kind.INPUT_SCALE, List.of(dModel), l, 1)));
        }
        if (rule.gate()) {
            stacks.add(Stack.of(
                    new Parameter(prefix + "gate.weight", Kind.GATE_WEIGHT, List.of(dModel, dModel), l, rule.alpha())));
            stacks.add(Stack.of(new Parameter(prefix + "gate.bias", Kind.GATE_BIAS, List.of(dModel), l, rule.alpha())));
        }
        if (rule.trainedAlpha()) {
            stacks.add(Stack.of(new Parameter(prefix + "alpha", Kind.ALPHA, List.of(), l, rule.alpha())));
        }
        return stacks;
    }

    private Parameter linear(String prefix, String weight, int l, int out, int in) {
        return new Parameter(
                prefix + weight + ".weight", Kind.LINEAR, List.of(out, in), l, scheme.initialScale(weight, layers));
    }

    /** All tensors of the model, in order: embedding, sub-layers, final norm, output. */
    public List<Stack> stacks() {
        List<Stack> all = new ArrayList<>();
        all.add(Stack.of(
                new Parameter("tok_embeddings.weight", Kind.EMBEDDING, List.of(vocabulary, dModel), -1, 1)));
        for (int l = 0; l < layers; l++) {
            all.addAll(stacks(l));
        }
        all.add(Stack.of(new Parameter("norm.weight", Kind.NORM_GAIN, List.of(dModel), -1, 1)));
        all.add(Stack.of(new Parameter("output.weight", Kind.LINEAR, List.of(vocabulary, dModel), -1, 1)));
        return all;
    }

    /** All named parameters, in the order of {@link #stacks()}. */
    public List<Parameter> parameters() {
        return stacks().stream().flatMap(s -> s.parts().stream()).toList();
    }

    /** Number of trained values. */
    public long parameterCount() {
        return parameters().stream().mapToLong(Parameter::size).sum();
    }
}
