package keelscope.library;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javafx.application.Platform;

/** Looks at the library on a thread of its own: about every second while somebody watches, and whenever it is told to do something. */
final class LibraryWatch {
    private static final long LOOK_MS = 1000;

    /** A look at many runs takes a while; it may take up to one part in so many of the time. */
    private static final long SHARE = 20;

    private final RunLibrary library;
    private final Consumer<List<LibraryRun>> onRuns;
    private final Consumer<String> onProblem;
    private final ScheduledExecutorService thread;
    // Of the thread alone.
    private List<LibraryRun> last = List.of();
    private String problem = "";
    private volatile boolean watched;

    /**
     * @param onRuns gets, on the JavaFX thread, all runs whenever something about them has changed
     * @param onProblem gets, there too, one sentence
     */
    LibraryWatch(Path home, Consumer<List<LibraryRun>> onRuns, Consumer<String> onProblem) {
        library = new RunLibrary(home);
        this.onRuns = onRuns;
        this.onProblem = onProblem;
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "keelscope-library");
            made.setDaemon(true);
            return made;
        });
        lookAgain(0);
    }

    private void lookAgain(long afterMs) {
        thread.schedule(() -> {
            long begun = System.nanoTime();
            try {
                if (watched) {
                    look();
                }
            } finally {
                lookAgain(Math.max(LOOK_MS, SHARE * (System.nanoTime() - begun) / 1_000_000));
            }
        }, afterMs, TimeUnit.MILLISECONDS);
    }

    /** Whether somebody looks; told so, it looks at once. */
    void watched(boolean on) {
        watched = on;
        if (on) {
            thread.execute(this::look);
        }
    }

    /** Something to be done with the library. */
    @FunctionalInterface
    interface Work {
        void run(RunLibrary library);
    }

    /** Does it soon, then looks. */
    void ask(Work work) {
        thread.execute(() -> {
            try {
                work.run(library);
            } catch (LibraryException | keelscope.runfile.RunFileException e) {
                Platform.runLater(() -> onProblem.accept(e.getMessage()));
            }
            if (watched) {
                look();
            }
        });
    }

    private void tell(List<LibraryRun> now) {
        if (!now.equals(last)) {
            last = now;
            Platform.runLater(() -> onRuns.accept(now));
        }
    }

    private void look() {
        try {
            tell(library.scan(this::tell));
            problem = "";
        } catch (LibraryException e) {
            // Looked at every second, told once.
            if (!problem.equals(e.getMessage())) {
                problem = e.getMessage();
                Platform.runLater(() -> onProblem.accept(e.getMessage()));
            }
        }
    }
}
