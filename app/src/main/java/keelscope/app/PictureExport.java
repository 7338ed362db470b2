package keelscope.app;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import keelscope.chart.ChartTile;
import keelscope.dashboard.Dashboard;
import keelscope.export.ExportException;
import keelscope.export.Progress;
import keelscope.picture.Pictures;
import keelscope.picture.Report;
import keelscope.run.RunNote;
import keelscope.run.RunPhase;
import keelscope.run.RunSession;
import keelscope.text.Texts;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code export} of pictures from the command line: the charts of the window, drawn without a display. */
@Command(
        name = "keelscope export",
        mixinStandardHelpOptions = true,
        description = "Takes the charts of a run out as pictures. A run that is being written is taken at its present step.",
        footer = {"", "Of several runs at once: --csv and --tensorboard only; see export --help."})
final class PictureExport implements Callable<Integer> {
    /** What asks for pictures; app/keelscope knows them too. */
    static final List<String> OPTIONS = List.of("--png", "--svg", "--pdf", "--data", "--report");

    @Parameters(paramLabel = "RUN", description = "A run file (.keelrun), or a folder of them.")
    private Path run;

    @ArgGroup(exclusive = false, multiplicity = "1")
    private Targets targets;

    /** At least one. */
    static final class Targets {
        @Option(names = "--png", paramLabel = "DIR", description = "Folder for a PNG a chart, 2 pixels a point.")
        private Optional<Path> png = Optional.empty();

        @Option(names = "--svg", paramLabel = "DIR", description = "Folder for an SVG a chart.")
        private Optional<Path> svg = Optional.empty();

        @Option(names = "--pdf", paramLabel = "DIR", description = "Folder for a PDF a chart.")
        private Optional<Path> pdf = Optional.empty();

        @Option(names = "--data", paramLabel = "DIR", description = "Folder for the data of each chart, CSV.")
        private Optional<Path> data = Optional.empty();

        @Option(names = "--report", paramLabel = "FILE", description = "PDF of the run's summary, its settings, and all charts.")
        private Optional<Path> report = Optional.empty();
    }

    @Option(names = "--csv", paramLabel = "DIR", description = "Besides: new folder for the run itself as CSV files.")
    private Optional<Path> csv = Optional.empty();

    @Option(names = "--tensorboard", paramLabel = "DIR", description = "Besides: new folder for the run itself as TensorBoard event files.")
    private Optional<Path> tensorBoard = Optional.empty();

    private final PrintStream out;
    private final PrintStream err;

    private PictureExport(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Whether a command line asks for pictures rather than for a run's records. */
    static boolean isAskedFor(String[] args) {
        return Arrays.stream(args).anyMatch(arg -> OPTIONS.stream().anyMatch(option -> arg.equals(option) || arg.startsWith(option + "=")));
    }

    /**
     * Does it.
     *
     * @param args the command line, {@code export} first
     * @return the exit status
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return keelscope.cli.Main.withItsManners(new CommandLine(new PictureExport(out, err)))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(Arrays.copyOfRange(args, 1, args.length));
    }

    @Override
    public Integer call() throws InterruptedException {
        int status = records();
        return status == 0 ? pictures() : status;
    }

    /** The run itself, by the engine's own command. */
    private int records() {
        List<String> words = new ArrayList<>(List.of("export", run.toString()));
        csv.ifPresent(folder -> words.addAll(List.of("--csv", folder.toString())));
        tensorBoard.ifPresent(folder -> words.addAll(List.of("--tensorboard", folder.toString())));
        return csv.isEmpty() && tensorBoard.isEmpty()
                ? 0
                : keelscope.cli.Main.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(words.toArray(String[]::new));
    }

    private int pictures() throws InterruptedException {
        Headless.startJavaFx();
        try {
            RunSession session = opened();
            if (session.snapshots().stream().noneMatch(arm -> arm.lastStep() >= 0)) {
                err.println(Texts.get("headless.nothing"));
                return 1;
            }
            draw(session);
            return 0;
        } catch (ExportException e) {
            err.println(e.getMessage());
            return 1;
        } catch (ExecutionException e) {
            err.println(e.getCause() instanceof ExportException ? e.getCause().getMessage() : Texts.get("save.failed", e.getCause()));
            return 1;
        }
    }

    /** The run, as far as its files go now. */
    private RunSession opened() throws InterruptedException, ExecutionException {
        CompletableFuture<RunSession> opened = new CompletableFuture<>();
        Headless.onJavaFx(opened, () -> {
            RunSession session = RunSession.open(run);
            session.notes().addListener((javafx.collections.ListChangeListener<RunNote>) change -> {
                while (change.next()) {
                    change.getAddedSubList().forEach(note -> err.println(note.text()));
                }
            });
            Runnable look = () -> {
                boolean read = !session.armsProperty().get().isEmpty()
                        && session.armsProperty().get().stream().allMatch(arm -> arm.snapshot().isPresent());
                if (read || session.phaseProperty().get() == RunPhase.ENDED && session.armsProperty().get().isEmpty()) {
                    opened.complete(session);
                }
            };
            session.armsProperty().addListener((property, before, now) -> look.run());
            session.phaseProperty().addListener((property, before, now) -> look.run());
        });
        return opened.get();
    }

    private void draw(RunSession session) throws InterruptedException, ExecutionException {
        Dashboard dashboard = Headless.onJavaFxNow(Dashboard::new);
        settled(() -> {
            Headless.show(dashboard);
            session.view(dashboard.viewProperty().get());
            dashboard.show(session.snapshots());
        });
        // What the charts ask for is read anew; it comes as snapshots do.
        settled(() -> dashboard.show(session.snapshots()));
        if (targets.report.isPresent()) {
            Path file = targets.report.get();
            Report report = Headless.onJavaFxNow(() -> Saving.report(dashboard, session));
            report.write(file, Progress.UNWATCHED);
            out.println("Wrote " + file);
        }
        List<ChartTile> tiles = new ArrayList<>(Headless.onJavaFxNow(dashboard::tiles));
        for (ChartTile tile : tiles) {
            settled(() -> {
                dashboard.maximise(tile);
                dashboard.show(session.snapshots());
            });
            String name = Pictures.fileName(tile);
            if (targets.png.isPresent()) {
                var image = Headless.onJavaFxNow(() -> Pictures.image(tile));
                Pictures.png(image, file(targets.png.get(), name + ".png"));
            }
            if (targets.svg.isPresent() || targets.pdf.isPresent()) {
                var drawing = Headless.onJavaFxNow(() -> Pictures.of(tile));
                targets.svg.ifPresent(folder -> Pictures.svg(drawing, file(folder, name + ".svg")));
                targets.pdf.ifPresent(folder -> Pictures.pdf(drawing, file(folder, name + ".pdf")));
            }
            if (targets.data.isPresent()) {
                String data = Headless.onJavaFxNow(tile::csv);
                Pictures.csv(data, file(targets.data.get(), name + ".csv"));
            }
        }
        Headless.onJavaFxNow(() -> {
            session.close();
            return true;
        });
    }

    private Path file(Path folder, String name) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new ExportException("The folder " + folder + " cannot be made (" + e.getMessage() + "); choose another.", e);
        }
        out.println("Wrote " + folder.resolve(name));
        return folder.resolve(name);
    }

    /** Does something on the JavaFX thread, and waits until charts have followed it. */
    private static void settled(Runnable work) throws InterruptedException, ExecutionException {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Headless.onJavaFx(done, () -> {
            work.run();
            Headless.after(Headless.FRAMES, () -> done.complete(true));
        });
        done.get();
    }
}
