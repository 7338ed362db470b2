package keelscope.runfile;

import java.util.Map;

/** Made-up records whose every number follows from the step, so that a reader can check what it finds. */
final class Sample {
    static final int LAYERS = 4;

    private Sample() {}

    static RunInfo info() {
        return new RunInfo("Depth & width", "name: Depth & width\nseed: 7\n", "keel", "keel", LAYERS, 16, 12_345_678_901L, 1000, 512, Double.NaN,
                -7, "sample, 1.0 MB", "00ff", 256, "cpu", "no GPU was found", 1, 1_790_000_000_123L);
    }

    static StepRecord step(int step) {
        return new StepRecord(step, 512L * (step + 1), loss(step), 1e-3 / (step + 1), 1 + step % 7, 20 + step % 5,
                1_790_000_001_000L + step, 1_000_000 + step);
    }

    static double loss(int step) {
        return 5.5 / Math.sqrt(step + 1) + (step % 3) * 0.01;
    }

    static float[] gradNorm(int step) {
        float[] values = new float[LAYERS];
        for (int l = 0; l < LAYERS; l++) {
            values[l] = (float) (Math.exp(-l) * (1 + step % 11) / (1 + step * 0.01));
        }
        return values;
    }

    static float[] cosine(int step) {
        float[] values = new float[LAYERS];
        for (int l = 0; l < LAYERS; l++) {
            values[l] = (float) Math.cos(step + l);
        }
        return values;
    }

    /** A probe every ten steps. */
    static Map<Measure, float[]> layers(int step) {
        return step % 10 == 0
                ? Map.of(Measure.PARAM_GRAD_NORM, gradNorm(step), Measure.COSINE, cosine(step))
                : Map.of(Measure.PARAM_GRAD_NORM, gradNorm(step));
    }
}
