package keelscope.speed;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import keelscope.run.FormulaArm;
import keelscope.runfile.Measure;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;

/**
 * Writes a large run file, as an engine would, from the formulas of {@link FormulaArm}: gradients at every step, every other
 * measure at every thousandth.
 */
final class LargeRun {
    private static final int PROBE_EVERY = 1000;

    private LargeRun() {}

    static void write(Path file, String scheme, int layers, int steps) {
        try (RunWriter writer = RunWriter.create(file, FormulaArm.info(scheme, layers, steps))) {
            writer.state(RunStatus.RUNNING, "");
            float[] base = row(layers, l -> FormulaArm.gradient(scheme, layers, 1_000_000, l));
            for (int step = 0; step < steps; step++) {
                Map<Measure, float[]> values = new EnumMap<>(Measure.class);
                float factor = (float) ((1 + 9 * Math.exp(-step / 1e5)) * Math.exp(0.2 * Math.sin(step)));
                float[] gradients = new float[layers];
                for (int l = 0; l < layers; l++) {
                    gradients[l] = base[l] * factor;
                }
                values.put(Measure.PARAM_GRAD_NORM, gradients);
                if (step % PROBE_EVERY == 0) {
                    for (Measure measure : Measure.values()) {
                        FormulaArm.value(measure, scheme, layers, step).ifPresent(formula -> values.putIfAbsent(
                                measure, row(measure == Measure.ACTIVATION_GRAD_NORM ? layers + 1 : layers, formula)));
                    }
                    values.put(Measure.HIGHWAY_TRANSPORT, row(layers, l -> FormulaArm.transport(scheme, layers, l)));
                }
                double loss = FormulaArm.loss(scheme, step / 1000) + 0.1 * Math.sin(1.7 * step);
                writer.step(
                        new StepRecord(step, 512L * (step + 1), loss, FormulaArm.rate(steps, step), FormulaArm.norm(step / 1000), 20, step, 400_000_000L),
                        values,
                        step % 10_000 == 9_999 ? OptionalDouble.of(loss + 0.06) : OptionalDouble.empty());
            }
            writer.state(RunStatus.FINISHED, "");
        }
    }

    private static float[] row(int n, IntToDoubleFunction formula) {
        float[] row = new float[n];
        for (int l = 0; l < n; l++) {
            row[l] = (float) formula.applyAsDouble(l);
        }
        return row;
    }
}
