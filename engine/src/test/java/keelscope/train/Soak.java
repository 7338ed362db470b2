package keelscope.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import keelscope.runfile.RunReader;
import keelscope.runfile.StepRecord;

/**
 * Trains a tiny model for 20,000 steps (or as many as the first argument says), with probes, validations and checkpoints, and
 * prints the process's memory on the way: it must not grow. Started by hand.
 */
final class Soak {
    private static final int LINES = 10;

    private Soak() {}

    public static void main(String[] args) throws IOException {
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
        Path folder = Files.createTempDirectory("keelscope-soak-");
        TinyRun run = TinyRun.onText(folder, 1, "checkpoint_every: 500",
                "- scheme: keel\n  training: {steps: " + steps + ", warmup: 10, peak_lr: 1e-3}");
        run.start("keel");
        try (RunReader reader = RunReader.open(run.file("keel"))) {
            for (int i = 0; i <= LINES; i++) {
                int step = i == 0 ? Math.min(100, steps - 1) : i * (steps / LINES) - 1;
                StepRecord record = reader.records(step, step).get(0);
                System.out.printf(Locale.ROOT, "step %6d: %.1f MB%n", step, record.memoryBytes() / 1e6);
            }
            System.out.printf(Locale.ROOT, "run file: %.1f MB%n", Files.size(run.file("keel")) / 1e6);
        }
    }
}
