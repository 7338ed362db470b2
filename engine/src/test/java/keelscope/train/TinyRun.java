package keelscope.train;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntConsumer;
import keelscope.checkpoint.CheckpointStore;
import keelscope.data.TokenBatch;
import keelscope.data.TokenSource;
import keelscope.data.Tokenizer;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.model.Initializer;
import keelscope.model.StepProgram;
import keelscope.process.RunFolder;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;

/** A tiny experiment whose arms are trained in this process, with a probe every five steps. */
final class TinyRun {
    private static final int PROBE_EVERY = 5;

    final Experiment experiment;
    final Path folder;
    private int threads = 1;

    /** @param extra further lines of YAML: top-level sections; {@code arms} among them */
    TinyRun(Path folder, long seed, String training, String rest) {
        this.folder = folder;
        this.experiment = ExperimentFile.parse("""
                name: tiny
                seed: %d
                device: cpu
                threads: 1
                model:
                  layers: 4
                  d_model: 16
                  heads: 2
                training:
                  steps: 40
                  peak_lr: 4.0e-3
                  warmup: 4
                %s
                measure:
                  probe_every: 5
                  validate_every: 7
                  validation_batches: 1
                %s
                """.formatted(seed, training.indent(2), rest), "tiny.yaml", folder);
    }

    /** Two arms on text. */
    static TinyRun onText(Path folder, long seed, String training, String arms) {
        return new TinyRun(folder, seed, training, "data:\n  text: sample\n  batch: 2\n  sequence: 16\narms:\n" + arms.indent(2));
    }

    /** With as many threads, which share each batch; else one. */
    TinyRun threads(int wanted) {
        threads = wanted;
        return this;
    }

    Path file(String arm) {
        return RunFolder.runFile(folder, arm);
    }

    RunStatus start(String arm) {
        return start(arm, step -> { });
    }

    /** @param during told of each step as it begins, on the thread that trains */
    RunStatus start(String arm, IntConsumer during) {
        return train(arm, false, during);
    }

    /** As the window and the command line do: the file is made ready first. */
    RunStatus resume(String arm) {
        RunWriter.markStarting(file(arm));
        return train(arm, true, step -> { });
    }

    private RunStatus train(String name, boolean resume, IntConsumer during) {
        ArmSpec arm = experiment.arm(name).orElseThrow();
        try (TokenSource data = new Watched(experiment.data().open(folder), during);
                StepProgram program = StepProgram.create(experiment.architecture(arm, data.vocabulary()), experiment.data().sequence(),
                        Device.cpu(), DataType.FLOAT32, parameter -> Initializer.values(parameter, experiment.seed()))) {
            program.useThreads(threads);
            try (RunWriter run = resume ? RunWriter.reopen(file(name)) : RunWriter.create(file(name), info(arm, data))) {
                CheckpointStore checkpoints = new CheckpointStore(folder, name, experiment.recipe(arm).keepCheckpoints());
                Trainer trainer = new Trainer(experiment, arm, data, program, run, PROBE_EVERY, checkpoints, step -> true);
                if (resume) {
                    trainer.goOn();
                }
                return trainer.train();
            }
        }
    }

    /** A source that tells of each step for which it is asked. */
    private record Watched(TokenSource source, IntConsumer during) implements TokenSource {
        @Override
        public int vocabulary() {
            return source.vocabulary();
        }

        @Override
        public TokenBatch training(long seed, int step, int rows, int sequence) {
            during.accept(step);
            return source.training(seed, step, rows, sequence);
        }

        @Override
        public TokenBatch validation(int index, int rows, int sequence) {
            return source.validation(index, rows, sequence);
        }

        @Override
        public String description() {
            return source.description();
        }

        @Override
        public String hash() {
            return source.hash();
        }

        @Override
        public boolean hasAccuracy() {
            return source.hasAccuracy();
        }

        @Override
        public Optional<Tokenizer> tokenizer() {
            return source.tokenizer();
        }

        @Override
        public void close() {
            source.close();
        }
    }

    private RunInfo info(ArmSpec arm, TokenSource data) {
        return new RunInfo("tiny", ExperimentFile.write(experiment), arm.name(), arm.scheme().id(), 4, 16, 1,
                experiment.recipe(arm).steps(), 32, 1, experiment.seed(), data.description(), data.hash(), data.vocabulary(), "cpu", "", 1,
                System.currentTimeMillis(), PROBE_EVERY, experiment.divergence().toJson(), 0);
    }

    /** Everything recorded of steps but the times, as text: equal only where all numbers are equal to the last bit. */
    static String numbers(Path file) {
        StringBuilder text = new StringBuilder();
        try (RunReader run = RunReader.open(file)) {
            var steps = run.steps(0, Integer.MAX_VALUE, Integer.MAX_VALUE);
            for (int i = 0; i < steps.size(); i++) {
                text.append(steps.firstStep()[i]).append(' ').append(steps.loss()[i]).append(' ').append(steps.gradNorm()[i]).append(' ')
                        .append(steps.lr()[i]).append(' ').append(steps.tokens()[i]).append('\n');
            }
            for (var validation : run.validation(-1)) {
                text.append(validation).append('\n');
            }
            for (var measure : keelscope.runfile.Measure.values()) {
                var matrix = run.layers(measure, 0, Integer.MAX_VALUE, Integer.MAX_VALUE);
                for (int i = 0; i < matrix.size(); i++) {
                    text.append(measure).append(' ').append(matrix.firstStep()[i]).append(' ')
                            .append(java.util.Arrays.toString(matrix.values()[i])).append('\n');
                }
            }
        }
        return text.toString();
    }
}
