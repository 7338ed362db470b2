package keelscope.checkpoint;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Tensors for the tests: their numbers follow from a seed. */
final class Tensors {

    private Tensors() {}

    static TensorSource floats(String name, float[] values, long... shape) {
        return new TensorSource(TensorInfo.of(name, Dtype.F32, shape), () -> {
            ByteBuffer bytes = ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asFloatBuffer().put(values);
            return bytes;
        });
    }

    static float[] random(int n, long seed) {
        Random random = new Random(seed);
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    static List<TensorSource> model(int rows, long seed) {
        return List.of(
                floats("tok_embeddings.weight", random(rows * 8, seed), rows, 8),
                floats("norm.weight", random(8, seed + 1), 8),
                floats(Checkpoint.averageName("norm.weight"), random(8, seed + 2), 8),
                floats(Checkpoint.squareName("norm.weight"), random(8, seed + 3), 8));
    }

    static CheckpointInfo info(int step, double validationLoss) {
        return new CheckpointInfo(step, step * 512L, 1, "ab12", validationLoss,
                Map.of("scheme", "keel", "layers", "64", "d_model", "8"), Map.of("position", "77", "random", "0x1234"));
    }
}
