package keelscope.generate;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import keelscope.checkpoint.Checkpoint;
import keelscope.checkpoint.CheckpointException;
import keelscope.checkpoint.CheckpointInfo;
import keelscope.checkpoint.CheckpointModel;
import keelscope.checkpoint.Dtype;
import keelscope.checkpoint.TensorInfo;
import keelscope.data.Tokenizer;
import keelscope.model.Architecture;
import keelscope.model.Architecture.Parameter;
import keelscope.model.StepProgram;

/** The model of a checkpoint, ready to be used, with the tokenizer it was trained with. To be used by the thread that opened it. */
public final class TrainedModel implements AutoCloseable {

    private final Path file;
    private final CheckpointInfo info;
    private final CheckpointModel model;
    private final StepProgram program;
    private final Optional<Tokenizer> tokenizer;

    private TrainedModel(Path file, CheckpointInfo info, CheckpointModel model, StepProgram program, Optional<Tokenizer> tokenizer) {
        this.file = file;
        this.info = info;
        this.model = model;
        this.program = program;
        this.tokenizer = tokenizer;
    }

    /**
     * Builds the model of a checkpoint, in float32.
     *
     * @throws CheckpointException with one sentence if it cannot be read, or does not hold what its model needs
     */
    public static TrainedModel open(Path file, Device device) {
        try (Checkpoint checkpoint = Checkpoint.open(file)) {
            CheckpointModel model = CheckpointModel.of(file.toString(), checkpoint.info());
            requireParameters(checkpoint, model.architecture());
            StepProgram program = StepProgram.create(model.architecture(), model.sequence(), device, DataType.FLOAT32,
                    parameter -> values(checkpoint, parameter));
            try {
                return new TrainedModel(file, checkpoint.info(), model, program, model.tokenizer().map(Tokenizer::restore));
            } catch (RuntimeException e) {
                program.close();
                throw e;
            }
        }
    }

    private static void requireParameters(Checkpoint checkpoint, Architecture architecture) {
        Map<String, TensorInfo> held = new HashMap<>();
        checkpoint.tensors().forEach(t -> held.put(t.name(), t));
        for (Parameter parameter : architecture.parameters()) {
            List<Long> shape = parameter.shape().stream().map(Integer::longValue).toList();
            TensorInfo needed = new TensorInfo(parameter.name(), Dtype.F32, shape);
            TensorInfo there = held.get(parameter.name());
            if (!needed.equals(there)) {
                throw new CheckpointException("The checkpoint " + checkpoint.file() + " does not fit its own model: " + parameter.name() + " is "
                        + (there == null ? "missing" : "" + there.dtype() + there.shape()) + " and should be F32" + shape
                        + "; take another checkpoint of the run.");
            }
        }
    }

    private static float[] values(Checkpoint checkpoint, Parameter parameter) {
        ByteBuffer bytes = checkpoint.read(parameter.name());
        float[] values = new float[bytes.remaining() / Float.BYTES];
        bytes.asFloatBuffer().get(values);
        return values;
    }

    public Path file() {
        return file;
    }

    /** What the checkpoint says about itself. */
    public CheckpointInfo info() {
        return info;
    }

    public Architecture architecture() {
        return model.architecture();
    }

    /** The most tokens it is given at once: those of a sequence it was trained on. */
    public int sequence() {
        return model.sequence();
    }

    public StepProgram program() {
        return program;
    }

    /**
     * What turns text into its tokens and back.
     *
     * @throws CheckpointException if it was trained on a task, which knows no text
     */
    public Tokenizer tokenizer() {
        return tokenizer.orElseThrow(() -> new CheckpointException(
                "The model of " + file + " was trained on a task and knows no text; choose a model that was trained on text."));
    }

    @Override
    public void close() {
        tokenizer.ifPresent(Tokenizer::close);
        program.close();
    }
}
