package keelscope.train;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import keelscope.data.TextData;
import keelscope.model.Architecture;
import keelscope.model.Initializer;
import keelscope.model.Scheme;
import keelscope.model.StepProgram;
import keelscope.model.StepResult;
import keelscope.model.StepSettings;

/**
 * Records the loss curves in the resource folder {@code loss-curves}: width 64, 4 heads, 8 × 64 bytes of the sample text a step,
 * seed 1, the recipe's other values. Run by hand; on another machine the curves differ in their last digits.
 *
 * <p>Degradation is rate 6e-5 where 3e-3 suits; instability a rate that rises to 0.8, or that is 40 times too high for five steps;
 * spike one that is 10 times too high.
 *
 * <p>Arguments: file, scheme, L, steps, warm-up, peak rate, and, to provoke a spike, the factor on the rate and the first and last
 * step it is applied to.
 */
final class CurveRecorder {

    private static final int BATCH = 8;
    private static final int SEQUENCE = 64;

    private CurveRecorder() {}

    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0]);
        Scheme scheme = Scheme.of(args[1]).orElseThrow();
        int steps = Integer.parseInt(args[3]);
        LearningRate rate = new LearningRate(Double.parseDouble(args[5]), 1e-7, Integer.parseInt(args[4]), steps);
        double factor = args.length > 6 ? Double.parseDouble(args[6]) : 1;
        int from = args.length > 6 ? Integer.parseInt(args[7]) : 0;
        int to = args.length > 6 ? Integer.parseInt(args[8]) : -1;
        Architecture architecture = new Architecture(scheme, Integer.parseInt(args[2]), 64, 4, 168, 256, Double.NaN, false);
        List<String> lines = new ArrayList<>(List.of("# steps=" + steps + " warmup=" + rate.warmup(), "step,loss,grad_norm"));
        try (TextData text = TextData.open(TextData.SAMPLE, Path.of("."), 0.05, SEQUENCE);
                StepProgram program =
                        StepProgram.create(architecture, SEQUENCE, Device.cpu(), DataType.FLOAT32, p -> Initializer.values(p, 1))) {
            for (int step = 0; step < steps; step++) {
                double lr = rate.at(step) * (step >= from && step <= to ? factor : 1);
                StepResult result = TrainingBatch.of(text.batch(1, step, BATCH, SEQUENCE), BATCH)
                        .step(program, new StepSettings(lr, 0.9, 0.95, 1e-8, 0.01, 1, step + 1L, true, false));
                lines.add(String.format(Locale.ROOT, "%d,%.5f,%.5g", step, result.loss(), result.gradNorm()));
            }
        }
        Files.write(file, lines);
    }
}
