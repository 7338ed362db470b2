package keelscope.cli;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import keelscope.checkpoint.CheckpointException;
import keelscope.checkpoint.CheckpointStore;
import keelscope.generate.TrainedModel;
import keelscope.runfile.Failure;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the commands that use a trained model have in common: which checkpoint, and how many threads. */
final class ModelOptions {
    private static final String CHECKPOINT = ".safetensors";
    private static final String CHECKPOINTS = ".checkpoints";
    private static final String RUN_FILE = ".keelrun";

    /** Below so many parameters a second thread only waits. */
    private static final long SMALL = 5_000_000;

    @Parameters(index = "0", paramLabel = "CHECKPOINT-OR-RUN",
            description = "A checkpoint (.safetensors), a run file (.keelrun) or a run folder: of a run, its latest checkpoint.")
    private Path source;

    @Option(names = "--arm", paramLabel = "NAME", description = "The arm, where the folder has several.")
    private String arm;

    @Option(names = "--best", description = "Of a run, the checkpoint with the lowest validation loss instead of the latest.")
    private boolean best;

    private int threads;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "0",
            description = "PyTorch threads; 0: 1 for a small model, else all cores. Default: ${DEFAULT-VALUE}.")
    private void threads(int wanted) {
        if (wanted < 0) {
            throw new ParameterException(command.commandLine(), "threads is " + wanted + "; allowed is 1 or more, or 0 to have it chosen.");
        }
        threads = wanted;
    }

    /** Opens the model and says which it is. */
    TrainedModel open(PrintWriter err) {
        Path file = file();
        Engine.getEngine("PyTorch");
        TrainedModel model = TrainedModel.open(file, Device.cpu());
        int used = threads > 0 ? threads
                : model.architecture().parameterCount() < SMALL ? 1 : Runtime.getRuntime().availableProcessors();
        JniUtils.setNumThreads(used);
        err.println(String.format(Locale.ROOT, "%s: %s, %d layers of width %d, after %d steps%s", file, model.architecture().scheme().title(),
                model.architecture().layers(), model.architecture().dModel(), model.info().step(),
                Double.isNaN(model.info().validationLoss()) ? "" : String.format(Locale.ROOT, ", validation loss %.3f", model.info().validationLoss())));
        err.flush();
        return model;
    }

    private Path file() {
        String name = source.toAbsolutePath().normalize().getFileName().toString();
        if (Files.isDirectory(source)) {
            return name.endsWith(CHECKPOINTS) ? ofArm(parent(source), name.substring(0, name.length() - CHECKPOINTS.length())) : ofFolder();
        }
        if (name.endsWith(RUN_FILE)) {
            if (!Files.exists(source)) {
                throw new CheckpointException("There is no run file " + source + "; it may have been moved or deleted.");
            }
            return ofArm(parent(source), name.substring(0, name.length() - RUN_FILE.length()));
        }
        if (!Files.exists(source)) {
            throw new CheckpointException("There is no checkpoint " + source + "; checkpoints end in " + CHECKPOINT + ".");
        }
        return source;
    }

    private static Path parent(Path path) {
        return path.toAbsolutePath().normalize().getParent();
    }

    private Path ofFolder() {
        List<String> arms;
        try (Stream<Path> all = Files.list(source)) {
            arms = all.map(f -> f.getFileName().toString())
                    .filter(n -> n.endsWith(CHECKPOINTS))
                    .map(n -> n.substring(0, n.length() - CHECKPOINTS.length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new CheckpointException("The folder " + source + " cannot be read: " + Failure.reason(e) + ".", e);
        }
        if (arms.isEmpty()) {
            throw new CheckpointException("There are no checkpoints in " + source + "; let checkpoints be written while training.");
        }
        if (arm != null && !arms.contains(arm)) {
            throw new CheckpointException("There are no checkpoints of an arm " + arm + " in " + source + "; there are some of "
                    + String.join(", ", arms) + ".");
        }
        if (arm == null && arms.size() > 1) {
            throw new CheckpointException("There are checkpoints of " + String.join(", ", arms) + " in " + source + "; choose one with --arm.");
        }
        return ofArm(source, arm == null ? arms.get(0) : arm);
    }

    private Path ofArm(Path folder, String name) {
        CheckpointStore store = new CheckpointStore(folder, name, 1);
        Optional<Path> file = best ? store.best().map(CheckpointStore.Entry::file) : store.latest();
        return file.orElseThrow(() -> new CheckpointException("There is no " + (best ? "validated" : "whole") + " checkpoint in "
                + store.folder() + "; let checkpoints be written while training."));
    }
}
