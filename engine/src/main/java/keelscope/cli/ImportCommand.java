package keelscope.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import keelscope.export.ExportException;
import keelscope.export.LogImport;
import keelscope.export.LogImport.Columns;
import keelscope.export.LogImport.Target;
import keelscope.process.RunFolder;
import keelscope.runfile.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes other programs' logs in as run files. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = "Makes run files of other programs' logs: TensorBoard event files, and CSV with a header line.",
        footer = {
            "",
            "The training loss and, where there are any, validation loss, learning rate, gradient norm and tokens are found by their usual"
                    + " names (train/loss, val_loss, lr, …); the options name others. Ctrl-C cancels and leaves no unfinished run file."
        })
final class ImportCommand implements Callable<Integer> {

    @Parameters(arity = "1..*", paramLabel = "LOG",
            description = "Event files, folders of them (or of such folders, each a run), or CSV files.")
    private List<Path> logs;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder for the run files; made if missing. Default: imported in KEELSCOPE_RUNS"
            + " or ~/keelscope-runs.")
    private Path out;

    @Option(names = "--name", paramLabel = "NAME", description = "What the run is called, where there is one. Default: as the log.")
    private String name;

    @Option(names = "--loss", paramLabel = "SERIES", description = "The training loss.")
    private String loss;

    @Option(names = "--val-loss", paramLabel = "SERIES", description = "The validation loss.")
    private String validationLoss;

    @Option(names = "--lr", paramLabel = "SERIES", description = "The learning rate.")
    private String lr;

    @Option(names = "--grad-norm", paramLabel = "SERIES", description = "The total gradient norm.")
    private String gradNorm;

    @Option(names = "--tokens", paramLabel = "SERIES", description = "Tokens trained on so far.")
    private String tokens;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Path> all = logs.stream().flatMap(log -> LogImport.logs(log).stream()).distinct().toList();
        if (name != null && all.size() > 1) {
            throw new ExportException("There are " + all.size() + " logs, so --name cannot name them; leave it out or give one log.");
        }
        Path folder = out == null ? LogImport.folder(RunFolder.home()) : out;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new ExportException("The folder " + folder + " cannot be made (" + Failure.reason(e) + "); choose another with --out.", e);
        }
        PrintWriter said = spec.commandLine().getOut();
        for (Path log : all) {
            Target target = Target.in(folder, name == null ? LogImport.name(log) : name);
            if (!LongTask.run(log.getFileName().toString(), spec.commandLine().getErr(),
                    progress -> LogImport.read(log, target, this::columns, progress))) {
                return LongTask.CANCELLED;
            }
            said.println("Wrote " + target.file());
            said.flush();
        }
        return 0;
    }

    private Columns columns(Set<String> names) {
        Set<String> guessed = new LinkedHashSet<>(names);
        if (loss != null) {
            guessed.add("loss"); // so that the guess finds one; it is replaced at once
        }
        Columns usual = Columns.guess(guessed);
        return new Columns(
                chosen(names, "--loss", loss).orElse(usual.loss()),
                chosen(names, "--val-loss", validationLoss).or(usual::validationLoss),
                chosen(names, "--lr", lr).or(usual::lr),
                chosen(names, "--grad-norm", gradNorm).or(usual::gradNorm),
                chosen(names, "--tokens", tokens).or(usual::tokens));
    }

    private static Optional<String> chosen(Set<String> names, String option, String series) {
        if (series != null && !names.contains(series)) {
            throw new ExportException("The log has no series " + series + " (" + option + "); it has " + String.join(", ", names) + ".");
        }
        return Optional.ofNullable(series);
    }
}
