package keelscope.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import keelscope.experiment.ExperimentFile;
import keelscope.process.EngineProcess;
import keelscope.process.RunFolder;
import keelscope.process.Waiting;
import keelscope.runfile.Measure;
import keelscope.runfile.RunReader;

/** Real engine processes on tiny experiments, for what befalls them. */
final class Engines {

    private Engines() {}

    /**
     * A run folder with its experiment.
     *
     * @param training further lines of the section training
     * @param rest further sections, {@code arms} among them
     */
    static Path folder(Path folder, int steps, long seed, String training, String rest) throws IOException {
        String yaml = """
                name: tiny
                seed: %d
                device: cpu
                threads: 1
                model:
                  layers: 4
                  d_model: 16
                  heads: 2
                data:
                  text: sample
                  batch: 2
                  sequence: 16
                training:
                  steps: %d
                  peak_lr: 2.0e-3
                  warmup: 2
                %s
                measure:
                  probe_every: 5
                  validate_every: 10
                  validation_batches: 1
                %s
                """.formatted(seed, steps, training.indent(2), rest);
        return RunFolder.use(folder, ExperimentFile.parse(yaml, "tiny.yaml", folder));
    }

    static EngineProcess start(Path folder, String arm) {
        return EngineProcess.start(RunFolder.experiment(folder), arm, folder);
    }

    /** Waits until {@code arrived}, or the engine has ended. */
    static void await(EngineProcess engine, BooleanSupplier arrived) {
        Waiting.until("the engine of arm " + engine.arm() + " to get there or to end", () -> arrived.getAsBoolean() || !engine.isAlive());
    }

    /** Waits until the engine has committed {@code step}, or has ended. */
    static void awaitStep(EngineProcess engine, int step) {
        await(engine, () -> Files.exists(engine.runFile()));
        if (!engine.isAlive()) {
            return;
        }
        try (RunReader reader = RunReader.open(engine.runFile())) {
            await(engine, () -> reader.lastStep() >= step);
        }
    }

    static void kill(EngineProcess engine) {
        ProcessHandle.of(engine.pid()).ifPresent(ProcessHandle::destroyForcibly);
        engine.ended().join();
    }

    /** Everything recorded of steps but times and memory, as text: equal only where all numbers are equal to the last bit. */
    static String numbers(Path folder, String arm) {
        StringBuilder text = new StringBuilder();
        try (RunReader run = RunReader.open(RunFolder.runFile(folder, arm))) {
            var steps = run.steps(0, Integer.MAX_VALUE, Integer.MAX_VALUE);
            for (int i = 0; i < steps.size(); i++) {
                text.append(steps.firstStep()[i]).append(' ').append(steps.loss()[i]).append(' ').append(steps.gradNorm()[i]).append(' ')
                        .append(steps.lr()[i]).append(' ').append(steps.tokens()[i]).append('\n');
            }
            run.validation(-1).forEach(validation -> text.append(validation).append('\n'));
            for (Measure measure : Measure.values()) {
                var matrix = run.layers(measure, 0, Integer.MAX_VALUE, Integer.MAX_VALUE);
                for (int i = 0; i < matrix.size(); i++) {
                    text.append(measure).append(' ').append(matrix.firstStep()[i]).append(' ').append(Arrays.toString(matrix.values()[i]))
                            .append('\n');
                }
            }
        }
        return text.toString();
    }
}
