package keelscope.app;

import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import javafx.animation.PauseTransition;
import javafx.concurrent.Task;
import javafx.scene.Scene;
import javafx.stage.Stage;
import javafx.util.Duration;
import keelscope.export.ExportException;
import keelscope.export.Progress;
import keelscope.run.RunNote.Severity;
import keelscope.runfile.RunFileException;
import keelscope.text.Texts;
import org.controlsfx.control.TaskProgressView;

/** What takes long and goes on behind the window: listed, with a bar and a button to cancel each, in a small window while it lasts. */
final class Jobs {
    /** What is done sooner needs no window. */
    private static final Duration PATIENCE = Duration.millis(400);

    private final Stage owner;
    private final Teller teller;
    private final TaskProgressView<Task<?>> view = new TaskProgressView<>();
    private Stage stage;

    /** Tells the user one sentence. */
    @FunctionalInterface
    interface Teller {
        void tell(Severity severity, String sentence);
    }

    /** What is done; gives what it made. */
    @FunctionalInterface
    interface Work<T> {
        T run(Progress progress);
    }

    Jobs(Stage owner, Teller teller) {
        this.owner = owner;
        this.teller = teller;
        view.setId("jobs");
    }

    /** Does it on a thread of its own; {@code then} gets what it made, on the JavaFX thread. */
    <T> void run(String title, Work<T> work, Consumer<T> then) {
        Task<T> task = new Task<>() {
            @Override
            protected T call() {
                updateTitle(title);
                updateProgress(0, 1);
                try {
                    return work.run(share -> {
                        updateProgress(share, 1);
                        return !isCancelled();
                    });
                } catch (CancellationException e) {
                    // Its own way to end when isCancelled(): JavaFX knows that already.
                    return null;
                }
            }

            @Override
            public boolean cancel(boolean mayInterrupt) {
                // An interrupt would close files in the middle of a write; the work looks at isCancelled() and cleans up.
                return super.cancel(false);
            }
        };
        task.setOnSucceeded(event -> {
            tidy();
            then.accept(task.getValue());
        });
        task.setOnCancelled(event -> {
            tidy();
            teller.tell(Severity.INFORMATION, Texts.get("save.cancelled", title));
        });
        task.setOnFailed(event -> {
            tidy();
            teller.tell(Severity.ERROR, sentence(task.getException()));
        });
        view.getTasks().add(task);
        Thread thread = new Thread(task, "keelscope-job");
        thread.setDaemon(true);
        thread.start();
        PauseTransition patience = new PauseTransition(PATIENCE);
        patience.setOnFinished(event -> {
            if (!view.getTasks().isEmpty() && owner.isShowing()) {
                window().show();
            }
        });
        patience.play();
    }

    /** What is going on. */
    java.util.List<Task<?>> tasks() {
        return view.getTasks();
    }

    private void tidy() {
        if (view.getTasks().stream().noneMatch(Task::isRunning) && stage != null) {
            stage.hide();
        }
    }

    private Stage window() {
        if (stage == null) {
            stage = new Stage();
            stage.initOwner(owner);
            stage.setTitle(Texts.get("task.title"));
            stage.setScene(new Scene(view, 420, 160));
            stage.getScene().getStylesheets().setAll(owner.getScene().getStylesheets());
        }
        return stage;
    }

    private static String sentence(Throwable e) {
        boolean explained = e instanceof ExportException || e instanceof RunFileException;
        return explained ? e.getMessage() : Texts.get("run.failed", e.getClass().getSimpleName() + " " + e.getMessage());
    }
}
