package keelscope.speed;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import javafx.scene.Scene;
import javafx.scene.control.TextField;
import javafx.scene.control.TreeTableView;
import keelscope.library.LibraryPane;

/**
 * A library of many runs: the time until the first and until all of them are listed, first and when the program is opened again; what a letter typed into
 * the search takes; how long the event thread let others wait; memory.
 *
 * <p>{@code LibraryBenchmark [RUNS]}: see README, "Speed".
 */
public final class LibraryBenchmark {
    private static final int RUNS = 500;
    private static final int PATIENCE_S = 600;
    private static final int IDLE_MS = 5000;
    private static final String TYPED = "run 12 keel wide";

    private LibraryBenchmark() {}

    public static void main(String[] args) {
        int runs = args.length > 0 ? Integer.parseInt(args[0]) : RUNS;
        FullWindow.program(() -> FullWindow.inNewFolder(folder -> run(folder, runs)));
    }

    private static void run(Path folder, int runs) throws InterruptedException {
        ManyRuns.write(folder, runs);
        System.out.printf("%d runs of %d arms, %s%n", runs, ManyRuns.ARMS, Figures.machine());
        EventThreadWatch watch = EventThreadWatch.start();
        for (String when : List.of("the first time", "with the program opened again")) {
            System.out.println(when);
            FullWindow full = FullWindow.open(folder);
            watch.report();
            list(full.window().library().pane(), full, runs, watch);
            type(full.window().library().pane(), watch);
            idle(watch);
            System.out.println(Figures.memory());
            full.close();
        }
    }

    private static void list(LibraryPane pane, FullWindow full, int runs, EventThreadWatch watch) throws InterruptedException {
        long begun = System.nanoTime();
        FullWindow.onEventThread(() -> {
            full.window().library().show();
            return null;
        });
        double shown = (System.nanoTime() - begun) * 1e-6;
        FullWindow.until("a run is listed", PATIENCE_S, () -> rows(pane) > 0);
        double first = (System.nanoTime() - begun) * 1e-6;
        FullWindow.until("all runs are listed", PATIENCE_S, () -> rows(pane) == runs);
        System.out.printf(Locale.ROOT, "window after %.0f ms, the first runs after %.0f ms, all after %.0f ms; %s%n",
                shown, first, (System.nanoTime() - begun) * 1e-6, watch.report());
    }

    private static int rows(LibraryPane pane) {
        return ((TreeTableView<?>) pane.lookup("#library-table")).getRoot().getChildren().size();
    }

    /** Types letter by letter, each after the picture that the one before has made. */
    private static void type(LibraryPane pane, EventThreadWatch watch) throws InterruptedException {
        List<Double> letters = new ArrayList<>();
        for (int i = 1; i <= TYPED.length(); i++) {
            String text = TYPED.substring(0, i);
            CompletableFuture<Void> drawn = new CompletableFuture<>();
            Scene scene = pane.getScene();
            long begun = System.nanoTime();
            FullWindow.onEventThread(() -> {
                ((TextField) pane.lookup("#library-search")).setText(text);
                Runnable[] listener = new Runnable[1];
                listener[0] = () -> {
                    scene.removePostLayoutPulseListener(listener[0]);
                    drawn.complete(null);
                };
                scene.addPostLayoutPulseListener(listener[0]);
                return null;
            });
            drawn.join();
            letters.add((System.nanoTime() - begun) * 1e-6);
        }
        FullWindow.onEventThread(() -> {
            ((TextField) pane.lookup("#library-search")).clear();
            return null;
        });
        System.out.println("a letter typed: " + Figures.times(letters) + "; " + watch.report());
    }

    private static void idle(EventThreadWatch watch) throws InterruptedException {
        long begun = System.nanoTime();
        long cpu = Figures.processCpu();
        Thread.sleep(IDLE_MS);
        System.out.printf(Locale.ROOT, "open and looked at: %.1f %% of a core; %s%n",
                100.0 * (Figures.processCpu() - cpu) / (System.nanoTime() - begun), watch.report());
    }
}
