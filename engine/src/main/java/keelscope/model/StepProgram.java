package keelscope.model;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import keelscope.device.Processor;
import keelscope.model.Architecture.Parameter;
import keelscope.model.Architecture.Stack;
import keelscope.runfile.Measure;

/**
 * A model with its parameters and optimiser state, living in a TorchScript module: a training step, with everything measured
 * in it, is one call. To be used by the thread that made it.
 */
public final class StepProgram implements AutoCloseable {

    /** Rows of the program's {@code measures}, in order. */
    private static final List<Measure> MEASURES = List.of(
            Measure.INPUT_RMS,
            Measure.CARRY_RMS,
            Measure.TRANSFORM_RMS,
            Measure.CARRY_GATE_MEAN,
            Measure.CARRY_GATE_STD,
            Measure.CARRY_GATE_MIN,
            Measure.CARRY_GATE_P05,
            Measure.CARRY_GATE_P50,
            Measure.CARRY_GATE_P95,
            Measure.CARRY_GATE_MAX,
            Measure.TRANSFORM_GATE_MEAN,
            Measure.COSINE,
            Measure.RESIDUAL_FACTOR,
            Measure.ALPHA);

    /** Marks a place where no token is to be predicted. */
    private static final int IGNORED = -100;

    private static final List<String> TENSOR_LISTS = List.of(
            "params", "weights", "exp_avg", "exp_avg_sq", "matrices", "matrix_grads", "matrices_m", "matrices_v",
            "matrix_time", "vectors", "vector_grads", "vectors_m", "vectors_v", "vector_time", "constants", "rope", "saved", "bounds", "grads", "sums", "seen", "tokens", "gains", "gates");
    private static final List<String> INT_LISTS = List.of("first", "parts", "shape");
    private static final List<String> FLOAT_LISTS = List.of("scales", "passed");

    private final Architecture architecture;
    private final DataType type;
    private final List<Parameter> parameters;
    private final Map<String, Place> places;
    private final int[] subLayersOfParameters;
    private final int[] subLayersOfTensors;
    private boolean byHand;
    private int segment;
    private int threads = 1;
    private final NDManager manager;
    private final byte[] archive;
    private final StepModule module;
    private final List<Share> shares = new ArrayList<>();

    private StepProgram(Architecture architecture, DataType type, NDManager manager, byte[] archive) {
        this.architecture = architecture;
        this.type = type;
        List<Stack> stacks = architecture.stacks();
        this.places = places(stacks);
        // As the program's adamw returns their norms: vectors of D elements behind the others.
        this.subLayersOfTensors = stacks.stream()
                .sorted(Comparator.comparing(stack -> Arrays.equals(stack.shape(), new long[] {architecture.dModel()})))
                .mapToInt(stack -> stack.parts().get(0).subLayer())
                .toArray();
        this.subLayersOfParameters = architecture.parameters().stream().mapToInt(Parameter::subLayer).toArray();
        this.parameters = architecture.parameters();
        this.byHand = ByHand.knows(architecture) && !manager.getDevice().isGpu();
        this.manager = manager;
        this.archive = archive;
        this.module = new StepModule(archive, manager.getDevice());
    }

    /**
     * Builds the model.
     *
     * @param sequence the longest sequence it will be given
     * @param device where it lives
     * @param type FLOAT32, or FLOAT64 for checks
     * @param values initial values of each parameter, row-major
     */
    public static StepProgram create(
            Architecture architecture, int sequence, Device device, DataType type, Function<Parameter, float[]> values) {
        return create(architecture, sequence, device, type, false, values);
    }

    /**
     * Builds the model.
     *
     * @param bfloat16 whether matrix products and attention are computed in bfloat16, as PyTorch's autocast does; only with FLOAT32
     */
    public static StepProgram create(
            Architecture architecture,
            int sequence,
            Device device,
            DataType type,
            boolean bfloat16,
            Function<Parameter, float[]> values) {
        Engine.getEngine("PyTorch");
        StepModule.prepareThread();
        NDManager manager = NDManager.newBaseManager(device, "PyTorch");
        String text = ProgramText.of(architecture, bfloat16, type == DataType.FLOAT32 && !device.isGpu() && Processor.HERE.multipliesFasterByOneDnn());
        byte[] archive = ModuleArchive.pack("Program", text, TENSOR_LISTS, INT_LISTS, FLOAT_LISTS);
        StepProgram program = new StepProgram(architecture, type, manager, archive);
        program.byHand &= !bfloat16;
        program.init(sequence, values);
        return program;
    }

    private void init(int sequence, Function<Parameter, float[]> values) {
        List<Stack> stacks = architecture.stacks();
        try (NDManager scope = manager.newSubManager()) {
            NDList inputs = new NDList();
            for (Stack stack : stacks) {
                NDArray tensor = scope.create(new Shape(stack.shape()), type);
                tensor.setName("params[]");
                inputs.add(tensor);
            }
            module.call("init", withLayout(inputs, sequence, scope), scope);
        }
        fill(values);
    }

    /** With where the sub-layers' parameters are, and the longest sequence. */
    private NDList withLayout(NDList params, int sequence, NDManager scope) {
        List<Stack> stacks = architecture.stacks();
        long[] first = new long[architecture.layers() + 1];
        first[0] = 1;
        for (int l = 0; l < architecture.layers(); l++) {
            first[l + 1] = first[l] + architecture.stacks(l).size();
        }
        NDList inputs = new NDList(params);
        inputs.add(scope.create(first));
        inputs.add(scope.create(stacks.stream().mapToLong(s -> s.parts().size()).toArray()));
        inputs.add(scope.create((long) sequence));
        return inputs;
    }

    /** Writes every parameter's start through one buffer: a model is never in memory twice. */
    private void fill(Function<Parameter, float[]> values) {
        int width = type.getNumOfBytes();
        long largest = parameters.stream().mapToLong(Parameter::size).max().orElseThrow();
        ByteBuffer whole = ByteBuffer.allocateDirect(Math.toIntExact(largest * width)).order(ByteOrder.nativeOrder());
        for (Parameter parameter : parameters) {
            float[] start = values.apply(parameter);
            ByteBuffer buffer = whole.slice(0, start.length * width).order(ByteOrder.nativeOrder());
            for (float value : start) {
                if (type == DataType.FLOAT64) {
                    buffer.putDouble(value);
                } else {
                    buffer.putFloat(value);
                }
            }
            write(State.VALUE, parameter, buffer.rewind());
        }
    }

    /**
     * Trains by autograd or by the gradients written out by hand; by default by hand on the processor, where the scheme's form
     * is known. They agree to rounding.
     *
     * @return this
     */
    StepProgram byAutograd() {
        byHand = false;
        return this;
    }

    /**
     * Sets activation recomputation: the forward pass keeps only what enters every segment of {@code blocks} blocks, and the
     * backward pass runs each segment's forward pass again. 0 keeps everything. Bit-identical; only when training by hand.
     */
    public void recompute(int blocks) {
        segment = blocks;
    }

    /**
     * Sets how many threads of the processor work on this program; see {@link Sharing}. The sum over a batch is taken in another
     * order for every number of threads.
     */
    public void useThreads(int threads) {
        this.threads = threads;
        JniUtils.setNumThreads(threads);
    }

    public Architecture architecture() {
        return architecture;
    }

    /**
     * Takes one step.
     *
     * @param ids token ids, row-major (micro, batch, sequence)
     * @param targets the token to predict at each place, −100 where none counts; same shape
     * @param micro micro-batches whose gradients are averaged
     * @param batch sequences per micro-batch
     */
    public StepResult step(int[] ids, int[] targets, int micro, int batch, StepSettings settings) {
        try (NDManager scope = manager.newSubManager()) {
            NDArray hyper = hyper(targets, micro, settings, scope);
            Shape shape = new Shape(micro, batch, ids.length / ((long) micro * batch));
            NDArray tokens = scope.create(ids, shape);
            NDArray labels = scope.create(targets, shape);
            int sharing = byHand ? Sharing.among(threads, batch, architecture.parameterCount()) : 1;
            NDList out = sharing > 1
                    ? shared(tokens, labels, hyper, sharing, scope)
                    : module.call("step", new NDList(tokens, labels, hyper), scope);
            double[] run = out.get(0).toDoubleArray();
            float[] norms = floats(out.get(1));
            Map<Measure, float[]> layers = new EnumMap<>(Measure.class);
            layers.put(Measure.PARAM_GRAD_NORM, bySubLayer(norms, subLayersOfParameters));
            if (settings.watch()) {
                read(out, settings.update(), layers);
            }
            return new StepResult(run[0], run[1], norms, layers);
        }
    }

    private NDArray hyper(int[] targets, int micro, StepSettings settings, NDManager scope) {
        double[] common = {
            settings.lr(), settings.beta1(), settings.beta2(), settings.eps(), settings.weightDecay(), settings.clipNorm(),
            settings.time(), settings.update() ? 1 : 0, settings.watch() ? 1 : 0, byHand ? 1 : 0, segment
        };
        double[] all = Arrays.copyOf(common, common.length + micro);
        int each = targets.length / micro;
        for (int a = 0; a < micro; a++) {
            all[common.length + a] = Arrays.stream(targets, a * each, (a + 1) * each).filter(target -> target != IGNORED).count();
        }
        return scope.create(all);
    }

    /** A step whose sequences are shared among this thread and as many more as are needed, each with one of PyTorch's. */
    private NDList shared(NDArray tokens, NDArray labels, NDArray hyper, int sharing, NDManager scope) {
        while (shares.size() < sharing - 1) {
            shares.add(share(tokens.getShape().get(2), scope));
        }
        JniUtils.setNumThreads(1);
        try {
            List<CompletableFuture<NDList>> begun = new ArrayList<>();
            for (int k = 1; k < sharing; k++) {
                begun.add(shares.get(k - 1).begin(part(tokens, labels, hyper, k, sharing), scope));
            }
            NDList rest;
            try {
                rest = module.call("share", part(tokens, labels, hyper, 0, sharing), scope);
            } finally {
                Share.await(begun);
            }
            rest.add(hyper);
            for (CompletableFuture<NDList> delivered : begun) {
                for (NDArray tensor : delivered.join()) {
                    tensor.setName("delivered[]");
                    rest.add(tensor);
                }
            }
            return module.call("finish", rest, scope);
        } finally {
            JniUtils.setNumThreads(threads);
        }
    }

    private Share share(long sequence, NDManager scope) {
        StepModule second = new StepModule(archive, manager.getDevice());
        NDList params = module.call("lend", new NDList(), scope);
        params.forEach(tensor -> tensor.setName("params[]"));
        second.call("adopt", withLayout(params, Math.toIntExact(sequence), scope), scope);
        return new Share(second);
    }

    /** The k-th of n parts of the sequences, which differ by one sequence at most. */
    private static NDList part(NDArray tokens, NDArray labels, NDArray hyper, int k, int n) {
        long batch = tokens.getShape().get(1);
        NDIndex rows = new NDIndex().addAllDim().addSliceDim(k * batch / n, (k + 1) * batch / n);
        return new NDList(tokens.get(rows), labels.get(rows), hyper);
    }

    private void read(NDList out, boolean updated, Map<Measure, float[]> layers) {
        int depth = architecture.layers();
        float[] table = floats(out.get(2));
        for (int i = 0; i < MEASURES.size(); i++) {
            layers.put(MEASURES.get(i), Arrays.copyOfRange(table, i * depth, (i + 1) * depth));
        }
        for (int l = 0; l < depth; l++) {
            SubLayerRule rule = architecture.rule(l);
            if (!rule.trainedAlpha()) {
                layers.get(Measure.ALPHA)[l] = (float) rule.alpha();
            }
        }
        layers.put(Measure.HIGHWAY_TRANSPORT, transport(layers.get(Measure.RESIDUAL_FACTOR)));
        layers.put(Measure.ACTIVATION_GRAD_NORM, floats(out.get(3)));
        int next = 4;
        if (updated) {
            next = 6;
            float[] norm = bySubLayer(floats(out.get(4)), subLayersOfTensors);
            float[] change = bySubLayer(floats(out.get(5)), subLayersOfTensors);
            float[] ratio = new float[depth];
            for (int l = 0; l < depth; l++) {
                ratio[l] = change[l] / norm[l];
            }
            layers.put(Measure.PARAM_NORM, norm);
            layers.put(Measure.UPDATE_RATIO, ratio);
        }
        if (next < out.size()) {
            readGates(floats(out.get(next)), layers);
        }
    }

    private static void readGates(float[] table, Map<Measure, float[]> layers) {
        List<Measure> statistics = List.of(Measure.GATE_MEAN, Measure.GATE_STD, Measure.GATE_MIN, Measure.GATE_MAX,
                Measure.GATE_LOW, Measure.GATE_HIGH);
        int bins = 32;
        int columns = statistics.size() + bins;
        int depth = table.length / columns;
        float[] histogram = new float[depth * bins];
        for (int i = 0; i < statistics.size(); i++) {
            float[] values = new float[depth];
            for (int l = 0; l < depth; l++) {
                values[l] = table[l * columns + i];
            }
            layers.put(statistics.get(i), values);
        }
        for (int l = 0; l < depth; l++) {
            System.arraycopy(table, l * columns + statistics.size(), histogram, l * bins, bins);
        }
        layers.put(Measure.GATE_HISTOGRAM, histogram);
    }

    /** Π of the residual factor from l to L − 1, accumulated in double. */
    static float[] transport(float[] factor) {
        float[] product = new float[factor.length];
        double running = 1;
        for (int l = factor.length - 1; l >= 0; l--) {
            running *= factor[l];
            product[l] = (float) running;
        }
        return product;
    }

    /** Norms of parts of sub-layers to norms of sub-layers. */
    private float[] bySubLayer(float[] parts, int[] subLayers) {
        double[] squares = new double[architecture.layers()];
        for (int i = 0; i < parts.length; i++) {
            int l = subLayers[i];
            if (l >= 0) {
                squares[l] += (double) parts[i] * parts[i];
            }
        }
        float[] norms = new float[squares.length];
        for (int l = 0; l < norms.length; l++) {
            norms[l] = (float) Math.sqrt(squares[l]);
        }
        return norms;
    }

    /**
     * A forward pass without gradients.
     *
     * @param ids token ids, row-major (batch, sequence)
     * @param targets same shape, −100 where none counts
     * @param skip a sub-layer to leave out, or −1
     */
    public Evaluation evaluate(int[] ids, int[] targets, int batch, int skip) {
        try (NDManager scope = manager.newSubManager()) {
            Shape shape = new Shape(batch, ids.length / batch);
            double[] sums = module.call("evaluate",
                            new NDList(scope.create(ids, shape), scope.create(targets, shape), scope.create((long) skip)), scope)
                    .get(0)
                    .toDoubleArray();
            return new Evaluation(sums[0], (long) sums[1], (long) sums[2]);
        }
    }

    /** Logits of every position: ids row-major (batch, sequence), result row-major (batch, sequence, vocabulary). */
    public float[] predict(int[] ids, int batch) {
        try (NDManager scope = manager.newSubManager()) {
            return floats(module.call("predict", new NDList(scope.create(ids, new Shape(batch, ids.length / batch))), scope).get(0));
        }
    }

    /** What the program holds for every parameter. */
    public enum State {
        /** The parameter itself. */
        VALUE,
        /** AdamW's running mean of its gradient. */
        EXP_AVG,
        /** AdamW's running mean of its squared gradient. */
        EXP_AVG_SQ
    }

    /** A copy of the state of a named parameter: its elements in row-major order, in the program's type and the native byte order. */
    public ByteBuffer read(State state, Parameter parameter) {
        try (NDManager scope = manager.newSubManager()) {
            return module.call("read", new NDList(place(state, parameter, scope)), scope).get(0).toByteBuffer(false);
        }
    }

    /** Replaces the state of a named parameter; {@code content} as {@link #read} gives it. */
    public void write(State state, Parameter parameter, ByteBuffer content) {
        try (NDManager scope = manager.newSubManager()) {
            long[] sizes = parameter.shape().stream().mapToLong(Integer::longValue).toArray();
            NDArray value = scope.create(content, new Shape(sizes), type);
            module.call("write", new NDList(place(state, parameter, scope), value), scope);
        }
    }

    private NDArray place(State state, Parameter parameter, NDManager scope) {
        Place place = places.get(parameter.name());
        return scope.create(new long[] {state.ordinal(), place.tensor(), place.part()});
    }

    /** Where a named parameter is: the number of its tensor, and of its part in it. */
    private record Place(int tensor, int part) {}

    private static Map<String, Place> places(List<Stack> stacks) {
        Map<String, Place> places = new HashMap<>();
        for (int i = 0; i < stacks.size(); i++) {
            List<Parameter> parts = stacks.get(i).parts();
            for (int part = 0; part < parts.size(); part++) {
                places.put(parts.get(part).name(), new Place(i, part));
            }
        }
        return places;
    }

    private static float[] floats(NDArray array) {
        return array.getDataType() == DataType.FLOAT32
                ? array.toFloatArray()
                : array.toType(DataType.FLOAT32, false).toFloatArray();
    }

    @Override
    public void close() {
        shares.forEach(Share::close);
        module.close();
        manager.close();
    }
}
