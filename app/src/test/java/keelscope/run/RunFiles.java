package keelscope.run;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import keelscope.runfile.Measure;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;

/** Run files whose every value follows from the step: loss 2 + 3·exp(−s/100), gradient norm of sub-layer l 10^(−l)/(s+1). */
public final class RunFiles {
    private RunFiles() {}

    public static double loss(int step) {
        return 2 + 3 * Math.exp(-step / 100.0);
    }

    public static float gradient(int step, int layer) {
        return (float) (Math.pow(10, -layer) / (step + 1));
    }

    public static RunWriter create(Path file, String scheme, int layers, int steps) {
        RunWriter writer = RunWriter.create(file, FormulaArm.info(scheme, layers, steps));
        writer.state(RunStatus.RUNNING, "");
        return writer;
    }

    /** Writes the steps {@code from … to − 1}; every tenth is a probe, every fiftieth a validation. */
    public static void steps(RunWriter writer, int layers, int from, int to) {
        for (int step = from; step < to; step++) {
            Map<Measure, float[]> values = new EnumMap<>(Measure.class);
            float[] gradients = new float[layers];
            float[] gate = new float[layers];
            for (int l = 0; l < layers; l++) {
                gradients[l] = gradient(step, l);
                gate[l] = 1 - 0.5f / (l + 1);
            }
            values.put(Measure.PARAM_GRAD_NORM, gradients);
            if (step % 10 == 0) {
                values.put(Measure.CARRY_GATE_MEAN, gate);
                values.put(Measure.HIGHWAY_TRANSPORT, gate);
            }
            OptionalDouble validation = step % 50 == 49 ? OptionalDouble.of(loss(step) + 0.1) : OptionalDouble.empty();
            writer.step(new StepRecord(step, 512L * (step + 1), loss(step), 1e-3, 1, 20, 1000 + step, 1_000_000), values, validation);
        }
    }
}
