package keelscope.generate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import keelscope.checkpoint.CheckpointInfo;
import keelscope.checkpoint.CheckpointModel;
import keelscope.checkpoint.CheckpointStore;
import keelscope.checkpoint.Dtype;
import keelscope.checkpoint.TensorInfo;
import keelscope.checkpoint.TensorSource;
import keelscope.model.Architecture;
import keelscope.model.Architecture.Parameter;
import keelscope.model.Initializer;

/** Writes checkpoints of models as they start, seed 3. */
public final class Checkpoints {

    private Checkpoints() {}

    public static Path write(Path folder, Architecture architecture, int sequence, Optional<String> tokenizer) {
        return write(folder, architecture, sequence, tokenizer, parameter -> Initializer.values(parameter, 3));
    }

    /** The same, with the values of some parameters; without those whose values are empty. */
    static Path write(Path folder, Architecture architecture, int sequence, Optional<String> tokenizer, Map<String, float[]> values) {
        return write(folder, architecture, sequence, tokenizer, p -> values.getOrDefault(p.name(), Initializer.values(p, 3)));
    }

    static Path write(
            Path folder, Architecture architecture, int sequence, Optional<String> tokenizer, Function<Parameter, float[]> values) {
        CheckpointModel model = new CheckpointModel(architecture, sequence, tokenizer);
        List<TensorSource> tensors = new ArrayList<>();
        for (Parameter parameter : architecture.parameters()) {
            float[] content = values.apply(parameter);
            if (content.length > 0) {
                long[] shape = parameter.shape().stream().mapToLong(Integer::longValue).toArray();
                tensors.add(new TensorSource(TensorInfo.of(parameter.name(), Dtype.F32, shape), () -> {
                    ByteBuffer bytes = ByteBuffer.allocateDirect(Float.BYTES * content.length).order(ByteOrder.LITTLE_ENDIAN);
                    bytes.asFloatBuffer().put(content);
                    return bytes;
                }));
            }
        }
        return new CheckpointStore(folder, "keel", 3).save(new CheckpointInfo(5, 500, 3, "ab", 2.5, model.model(), model.state()), tensors);
    }
}
