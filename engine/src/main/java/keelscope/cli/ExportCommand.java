package keelscope.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import keelscope.export.RunExport;
import keelscope.export.RunExport.Format;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes runs out of the program. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = "Takes runs out: as CSV files, as TensorBoard event files, or both. A run that is being written is taken up to its"
                + " present step.",
        footer = {"", "Pictures of the charts: --png DIR, --svg DIR, --pdf DIR, their data --data DIR, all in one PDF --report FILE.",
                "Each run has a folder with its arm's name in DIR. Ctrl-C cancels and leaves nothing behind."})
final class ExportCommand implements Callable<Integer> {

    @Parameters(arity = "1..*", paramLabel = "RUN", description = "Run files (.keelrun), or folders of them.")
    private List<Path> runs;

    @ArgGroup(exclusive = false, multiplicity = "1")
    private Targets targets;

    /** At least one of the two. */
    static final class Targets {
        @Option(names = "--csv", paramLabel = "DIR", description = "New folder for CSV files: run, steps, validation, events, and each measure by layer.")
        private Path csv;

        @Option(names = "--tensorboard", paramLabel = "DIR",
                description = "New folder for event files, to be opened with tensorboard --logdir DIR.")
        private Path tensorBoard;
    }

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Path> files = runs.stream().flatMap(r -> RunExport.runFiles(r).stream()).distinct().toList();
        boolean done = (targets.csv == null || export("CSV", files, Format.CSV, targets.csv))
                && (targets.tensorBoard == null || export("TensorBoard", files, Format.TENSORBOARD, targets.tensorBoard));
        return done ? 0 : LongTask.CANCELLED;
    }

    private boolean export(String title, List<Path> files, Format format, Path target) {
        PrintWriter out = spec.commandLine().getOut();
        boolean done = LongTask.run(title, spec.commandLine().getErr(), progress -> RunExport.write(files, format, target, progress)
                .forEach(folder -> out.println("Wrote " + folder)));
        out.flush();
        return done;
    }
}
