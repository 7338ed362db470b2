package keelscope.speed;

import com.sun.javafx.tk.RenderJob;
import com.sun.javafx.tk.Toolkit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.application.Platform;
import javafx.stage.Stage;
import keelscope.app.JavaFxLog;
import keelscope.app.MainWindow;
import keelscope.chart.ChartTile;
import keelscope.dashboard.Arrangement;
import keelscope.run.ArmSnapshot;

/** The program's window as benchmarks look at it: of one size, with a full dashboard, and with the time of every picture. */
final class FullWindow {
    static final int WIDTH = 1400;
    static final int HEIGHT = 900;

    /** What a full dashboard holds. */
    static final List<String> CHARTS = List.of(
            "loss", "gradient-by-layer", "gradient-heat-map", "carry-gate", "highway-transport", "activation-gradient-by-layer",
            "carry-gate-heat-map", "update-ratio", "gradient-norm");

    static final int COLUMNS = 3;
    private static final long LOOK_MS = 5;

    /** The threads that a picture takes time of; what else a process spends goes into compiling and collecting. */
    static final String EVENT_THREAD = "JavaFX Application Thread";

    static final String PAINTER = "QuantumRenderer";
    static final String FOLLOWER = "run-follower";

    private final MainWindow window;
    private final Stage stage;
    private volatile Consumer<Picture> onPicture = picture -> {};
    private List<List<ArmSnapshot>> drawn = List.of();

    /**
     * What is on screen.
     *
     * @param charts the arms that each chart in sight shows
     * @param timeMs wall clock when its pixels were there, ms since 1970
     * @param nanoTime the same by the clock that only goes forward
     */
    record Picture(List<List<ArmSnapshot>> charts, long timeMs, long nanoTime) {
        /** The last step of a run file that all charts show, −1 for none. */
        int step(Path file) {
            return charts.stream()
                    .mapToInt(arms -> arms.stream().filter(arm -> arm.file().equals(file)).mapToInt(ArmSnapshot::lastStep).max().orElse(-1))
                    .min()
                    .orElse(-1);
        }
    }

    private FullWindow(Stage stage, Path runs) {
        this.stage = stage;
        stage.setWidth(WIDTH);
        stage.setHeight(HEIGHT);
        window = new MainWindow(stage, runs);
        window.dashboard().arrange(Arrangement.even(CHARTS, COLUMNS));
        window.show();
        stage.getScene().addPostLayoutPulseListener(this::laidOut);
    }

    /** What a benchmark does. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** Starts JavaFX, does the work on this thread and ends the program, whatever came of it. */
    static void program(Work work) {
        JavaFxLog.quieten();
        Platform.startup(() -> Platform.setImplicitExit(false));
        int status = 0;
        try {
            work.run();
        } catch (Exception e) {
            e.printStackTrace();
            status = 1;
        }
        // JavaFX's threads would keep it alive.
        System.exit(status);
    }

    /** What is done in a folder. */
    @FunctionalInterface
    interface InFolder {
        void run(Path folder) throws Exception;
    }

    /** Does it in a new folder that is gone afterwards. */
    static void inNewFolder(InFolder work) throws Exception {
        Path folder = Files.createTempDirectory("keelscope-benchmark");
        try {
            work.run(folder);
        } finally {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /** Opens the window; not to be called on the event thread. */
    static FullWindow open(Path runs) {
        return onEventThread(() -> new FullWindow(new Stage(), runs));
    }

    MainWindow window() {
        return window;
    }

    void close() {
        onEventThread(() -> {
            window.session().ifPresent(session -> session.close());
            stage.close();
            return null;
        });
    }

    /** Who is told, on the thread that paints, of every picture in which a chart shows something new. */
    void onPicture(Consumer<Picture> listener) {
        onPicture = listener;
    }

    private void laidOut() {
        List<List<ArmSnapshot>> now = new ArrayList<>();
        for (ChartTile tile : window.dashboard().inSight()) {
            now.add(tile.shown());
        }
        if (same(now, drawn)) {
            return;
        }
        drawn = now;
        // This pulse ends by handing the picture to the thread that paints; what that thread is given after it, it does after it.
        Platform.runLater(() -> Toolkit.getToolkit().addRenderJob(new RenderJob(
                () -> onPicture.accept(new Picture(now, System.currentTimeMillis(), System.nanoTime())))));
    }

    private static boolean same(List<List<ArmSnapshot>> a, List<List<ArmSnapshot>> b) {
        boolean same = a.size() == b.size();
        for (int i = 0; same && i < a.size(); i++) {
            same = a.get(i) == b.get(i);
        }
        return same;
    }

    /** Does something on the event thread and waits for it. */
    static <T> T onEventThread(Callable<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Platform.runLater(() -> {
            try {
                done.complete(work.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done.join();
    }

    /** Waits until {@code condition}, looked at on the event thread, holds. */
    static void until(String what, int seconds, Callable<Boolean> condition) throws InterruptedException {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        while (!onEventThread(condition)) {
            if (System.nanoTime() > deadline) {
                throw new CompletionException("Waited in vain for " + seconds + " s until " + what + ".", null);
            }
            Thread.sleep(LOOK_MS);
        }
    }
}
