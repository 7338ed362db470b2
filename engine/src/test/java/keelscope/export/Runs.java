package keelscope.export;

import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalDouble;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;

/** A run whose every number follows from its step s: loss 5 / (s + 1), rate s / 1000, gradient norm s + 0.5, 20 ms a step. */
final class Runs {

    static final long CREATED_MS = 1_700_000_000_000L;
    static final int LAYERS = 4;

    private Runs() {}

    static Path write(Path file, int steps) {
        try (RunWriter run = RunWriter.create(file, info(steps))) {
            for (int s = 0; s < steps; s++) {
                run.step(
                        step(s, CREATED_MS + 20L * (s + 1)),
                        s % 10 == 0
                                ? Map.of(Measure.PARAM_GRAD_NORM, norms(s), Measure.CARRY_GATE_MEAN, new float[] {0.5f, 0.6f, 0.7f, Float.NaN})
                                : Map.of(Measure.PARAM_GRAD_NORM, norms(s)),
                        s % 10 == 9 ? OptionalDouble.of(2 * loss(s)) : OptionalDouble.empty());
            }
            run.event(3, "lr", "The learning rate was halved, by \"hand\".");
            run.state(RunStatus.FINISHED, "");
        }
        return file;
    }

    static RunInfo info(int steps) {
        return new RunInfo("depth, and \"width\"", "", "keel", "keel", LAYERS, 8, 1234, steps, 512, 4, 1, "sample", "ab", 256, "cpu", "",
                1, CREATED_MS);
    }

    static StepRecord step(int s, long timeMs) {
        return new StepRecord(s, 512L * (s + 1), loss(s), s / 1000.0, s + 0.5, 20, timeMs, 1 << 20);
    }

    static double loss(int step) {
        return 5.0 / (step + 1);
    }

    static float[] norms(int step) {
        return new float[] {step, step + 1, step + 2, step + 3};
    }
}
