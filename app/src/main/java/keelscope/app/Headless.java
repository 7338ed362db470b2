package keelscope.app;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import javafx.animation.AnimationTimer;
import javafx.application.Platform;
import javafx.embed.swing.SwingFXUtils;
import javafx.scene.Scene;
import javafx.scene.image.WritableImage;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.Region;
import javafx.stage.Stage;
import javax.imageio.ImageIO;
import keelscope.chart.ChartTile;
import keelscope.dashboard.Dashboard;
import keelscope.data.DataException;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.experiment.InvalidExperimentException;
import keelscope.process.RunFolder;
import keelscope.run.Arm;
import keelscope.run.ArmPhase;
import keelscope.run.RunNote;
import keelscope.run.RunPhase;
import keelscope.run.RunProgress;
import keelscope.run.RunSession;
import keelscope.run.RunSummary;
import keelscope.runfile.Failure;
import keelscope.setup.SampleExperiments;
import keelscope.text.Quantities;
import keelscope.text.Texts;

/**
 * The program without a display: trains an experiment, or opens a run, as the window would, and leaves pictures of its
 * charts and a summary in the run's folder.
 */
public final class Headless {
    private static final double WIDTH = 1600;
    private static final double HEIGHT = 1000;
    private static final long REPORT_MS = 2000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Frames that a chart is given to settle: its axes follow its data over some of them. */
    static final int FRAMES = 30;

    private final PrintStream out;
    private final PrintStream err;
    private final boolean terminal = System.console() != null;
    private long reportedMs;
    private volatile boolean noted;
    private volatile Optional<Path> folder = Optional.empty();

    public Headless(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** What was asked for on the command line. */
    private record Request(Path source, Path runs) {}

    /** A run that has ended. */
    private record Ended(RunSession session, List<Arm> arms, Path folder) {}

    /**
     * Does the job: {@code [EXPERIMENT.yaml | FILE.keelrun | FOLDER] [--out DIR]}, the default sample where nothing is
     * named.
     *
     * @return the exit status: 0 when every arm came to its end or diverged, else 1
     */
    public int run(List<String> arguments) {
        startJavaFx();
        try {
            Request request = request(arguments);
            Thread interrupted = new Thread(this::sayInterrupted, "interrupted");
            Runtime.getRuntime().addShutdownHook(interrupted);
            Ended ended;
            try {
                ended = ending(request).get();
                close(ended.session());
            } finally {
                folder = Optional.empty();
                forget(interrupted);
            }
            if (ended.arms().stream().noneMatch(arm -> arm.lastStep() >= 0)) {
                if (!noted) { // else it has been said why
                    err.println(Texts.get("headless.nothing"));
                }
                return 1;
            }
            leave(ended);
            boolean whole = ended.arms().stream()
                    .allMatch(arm -> arm.phase() != ArmPhase.FAILED && arm.phase() != ArmPhase.GONE);
            return whole ? 0 : 1;
        } catch (InvalidExperimentException | DataException | IllegalArgumentException e) {
            err.println(e.getMessage());
            return 1;
        } catch (ExecutionException | CompletionException e) {
            err.println(Texts.get("headless.failed", String.valueOf(e.getCause().getMessage())));
            return 1;
        } catch (IOException e) {
            err.println(Texts.get("headless.unwritten", Failure.reason(e)));
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    /** After Ctrl-C, which the engines take as the end of their parent: they write a checkpoint and end. */
    private void sayInterrupted() {
        folder.ifPresent(runs -> say(err, Texts.get("headless.interrupted", runs)));
    }

    /** Lets go of the run files: what is drawn of them has been read, and a program that ends with one open leaves files beside it. */
    private static void close(RunSession session) throws InterruptedException, ExecutionException {
        onJavaFxNow(() -> {
            session.close();
            return session;
        });
        session.awaitClosed(PATIENCE);
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // Ctrl-C came at the very end: the hook runs and has nothing to say
        }
    }

    private static Request request(List<String> arguments) {
        Path runs = RunFolder.home();
        List<String> sources = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--out")) {
                if (++i == arguments.size()) {
                    throw new IllegalArgumentException(Texts.get("headless.out"));
                }
                runs = Path.of(arguments.get(i));
            } else if (argument.startsWith("-")) {
                throw new IllegalArgumentException(Texts.get("headless.option", argument));
            } else {
                sources.add(argument);
            }
        }
        if (sources.size() > 1) {
            throw new IllegalArgumentException(Texts.get("headless.several", sources.get(1)));
        }
        if (sources.isEmpty()) {
            List<Path> samples = SampleExperiments.list();
            if (samples.isEmpty()) {
                throw new IllegalArgumentException(Texts.get("headless.no.sample"));
            }
            return new Request(samples.get(0), runs);
        }
        return new Request(Path.of(sources.get(0)), runs);
    }

    // --- the run ----------------------------------------------------------------------------------------------------

    private CompletableFuture<Ended> ending(Request request) {
        String name = String.valueOf(request.source().getFileName()).toLowerCase(Locale.ROOT);
        boolean recorded = name.endsWith(RunSession.RUN_FILE_SUFFIX) || Files.isDirectory(request.source());
        CompletableFuture<Ended> ended = new CompletableFuture<>();
        if (recorded) {
            onJavaFx(ended, () -> follow(RunSession.open(request.source()), ended));
        } else {
            Experiment experiment = ExperimentFile.read(request.source());
            experiment.data().look(Path.of(""));
            out.println(training(experiment));
            experiment.remarks(experiment.arms()).forEach(out::println);
            onJavaFx(ended, () -> follow(RunSession.start(experiment, request.runs()), ended));
        }
        return ended;
    }

    /** The first line: what is trained. */
    static String training(Experiment experiment) {
        IntStream steps = experiment.arms().stream().mapToInt(arm -> experiment.recipe(arm).steps());
        return Texts.get(
                "headless.training",
                experiment.name(),
                experiment.arms().size(),
                experiment.model().layers(),
                Texts.steps(steps));
    }

    private void follow(RunSession session, CompletableFuture<Ended> ended) {
        session.notes().addListener((javafx.collections.ListChangeListener<RunNote>) change -> {
            while (change.next()) {
                noted = true;
                change.getAddedSubList().forEach(note -> say(err, note.text()));
            }
        });
        Runnable look = () -> {
            if (!session.opened()) {
                folder = session.folderProperty().get();
            }
            progress(session);
            if (session.phaseProperty().get() == RunPhase.ENDED && settled(session)) {
                ended.complete(new Ended(
                        session,
                        session.armsProperty().get(),
                        session.folderProperty().get().orElse(Path.of(""))));
            }
        };
        session.armsProperty().addListener((property, before, now) -> look.run());
        session.phaseProperty().addListener((property, before, now) -> look.run());
    }

    /** Whether the run files' last words have been read: an engine's end is known before its last step is. */
    private static boolean settled(RunSession session) {
        return session.armsProperty().get().stream().allMatch(arm -> arm.phase().ended());
    }

    private void progress(RunSession session) {
        long now = System.nanoTime() / 1_000_000;
        if (session.opened() || now - reportedMs < (terminal ? REPORT_MS / 4 : REPORT_MS)) {
            return;
        }
        RunProgress progress = RunProgress.of(session.armsProperty().get());
        if (progress.steps() == 0) {
            return;
        }
        reportedMs = now;
        StringBuilder arms = new StringBuilder();
        for (Arm arm : session.armsProperty().get()) {
            arms.append("  ").append(arm.title()).append(' ').append(lossOf(arm));
        }
        String left = progress.left()
                .map(time -> Texts.get("headless.left", Quantities.duration(time)))
                .orElse("");
        String line = Texts.get(
                "headless.progress", Math.round(100 * progress.share()), progress.taken(), left, arms);
        if (terminal) {
            out.print("\r" + line + "   ");
            out.flush();
        } else {
            out.println(line);
        }
    }

    private static String lossOf(Arm arm) {
        return arm.snapshot()
                .map(snapshot -> snapshot.steps().loss())
                .filter(loss -> loss.length > 0)
                .map(loss -> String.format(Locale.ROOT, "%.3f", loss[loss.length - 1]))
                .orElse("…");
    }

    private void say(PrintStream stream, String sentence) {
        if (terminal) {
            out.println();
        }
        stream.println(sentence);
    }

    // --- what is left of it -----------------------------------------------------------------------------------------

    /** Into the run's folder; where that cannot be written, as on a full disk, into one for temporary files. */
    private void leave(Ended ended) throws IOException, InterruptedException, ExecutionException {
        String summary = RunSummary.of(ended.arms());
        if (terminal) {
            out.println();
        }
        out.println();
        out.print(summary);
        try {
            report(ended, summary);
        } catch (IOException e) {
            Path elsewhere = Files.createTempDirectory("keelscope-");
            say(err, Texts.get("headless.elsewhere", ended.folder(), Failure.reason(e)));
            report(new Ended(ended.session(), ended.arms(), elsewhere), summary);
        }
    }

    private void report(Ended ended, String summary) throws IOException, InterruptedException, ExecutionException {
        Path text = ended.folder().resolve("summary.txt");
        write(text, file -> Files.writeString(file, summary));
        Dashboard dashboard = onJavaFxNow(Dashboard::new);
        List<Path> pictures = new ArrayList<>();
        for (ChartTile tile : dashboard.tiles()) {
            pictures.add(picture(ended, dashboard, tile, pictures.size()));
        }
        pictures.add(overview(ended));
        out.println();
        out.println(Texts.get("headless.left.behind", ended.folder().toAbsolutePath()));
        out.println("  " + text.getFileName());
        pictures.forEach(picture -> out.println("  " + picture.getFileName()));
    }

    private Path picture(Ended ended, Dashboard dashboard, ChartTile tile, int index)
            throws IOException, InterruptedException, ExecutionException {
        CompletableFuture<WritableImage> drawn = new CompletableFuture<>();
        onJavaFx(drawn, () -> {
            if (index == 0) {
                show(dashboard);
            }
            dashboard.maximise(tile);
            after(FRAMES, () -> {
                dashboard.show(snapshots(ended));
                after(FRAMES, () -> attempt(drawn, () -> drawn.complete(tile.snapshotImage(1))));
            });
        });
        return write(drawn.get(), ended.folder().resolve(dashboard.chartOf(tile).orElseThrow() + ".png"));
    }

    private Path overview(Ended ended) throws IOException, InterruptedException, ExecutionException {
        CompletableFuture<WritableImage> drawn = new CompletableFuture<>();
        onJavaFx(drawn, () -> {
            Dashboard all = new Dashboard();
            all.tiles().forEach(tile -> tile.picture(true));
            show(all);
            after(FRAMES, () -> {
                all.show(snapshots(ended));
                after(FRAMES, () -> attempt(drawn, () -> drawn.complete(all.getScene().snapshot(null))));
            });
        });
        return write(drawn.get(), ended.folder().resolve("overview.png"));
    }

    private static List<keelscope.run.ArmSnapshot> snapshots(Ended ended) {
        return ended.arms().stream().flatMap(arm -> arm.snapshot().stream()).toList();
    }

    static void show(Region content) {
        BorderPane root = new BorderPane(content);
        root.getStyleClass().add("window");
        Scene scene = new Scene(root, WIDTH, HEIGHT);
        scene.getStylesheets().add(MainWindow.class.getResource("light.css").toExternalForm());
        Stage stage = new Stage();
        stage.setScene(scene);
        stage.show();
    }

    private static Path write(WritableImage image, Path file) throws IOException {
        write(file, aside -> {
            if (!ImageIO.write(SwingFXUtils.fromFXImage(image, null), "png", aside.toFile())) {
                throw new IOException(file.toString());
            }
        });
        return file;
    }

    /** What fills a file. */
    @FunctionalInterface
    private interface Writing {
        void to(Path file) throws IOException;
    }

    /** Written aside and renamed, so that on a full disk the file of an earlier time stays. */
    private static void write(Path file, Writing writing) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".part");
        try {
            writing.to(aside);
            Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    // --- JavaFX -----------------------------------------------------------------------------------------------------

    static void startJavaFx() {
        JavaFxLog.quieten();
        System.setProperty("glass.platform", "Monocle");
        System.setProperty("monocle.platform", "Headless");
        System.setProperty("headless.geometry", (int) WIDTH + "x" + (int) HEIGHT + "-32");
        System.setProperty("prism.order", "sw");
        System.setProperty("java.awt.headless", "true");
        try {
            Platform.startup(() -> Platform.setImplicitExit(false));
        } catch (IllegalStateException e) {
            // It runs already, which is all that is needed.
            Platform.setImplicitExit(false);
        }
    }

    static void onJavaFx(CompletableFuture<?> promise, Runnable work) {
        Platform.runLater(() -> attempt(promise, work));
    }

    private static void attempt(CompletableFuture<?> promise, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            promise.completeExceptionally(e);
        }
    }

    static <T> T onJavaFxNow(java.util.function.Supplier<T> make) throws InterruptedException, ExecutionException {
        CompletableFuture<T> made = new CompletableFuture<>();
        onJavaFx(made, () -> made.complete(make.get()));
        return made.get();
    }

    /** Runs {@code then} after so many frames have been drawn. */
    static void after(int frames, Runnable then) {
        new AnimationTimer() {
            private int left = frames;

            @Override
            public void handle(long now) {
                if (--left <= 0) {
                    stop();
                    then.run();
                }
            }
        }.start();
    }
}
