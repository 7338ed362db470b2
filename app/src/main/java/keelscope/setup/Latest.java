package keelscope.setup;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.application.Platform;

/**
 * Does work away from the window, for settings that may change again before it is done: only the newest request is
 * answered, and a request that was overtaken while waiting is not begun.
 *
 * @param <T> what the work gives
 */
final class Latest<T> {
    private static final ExecutorService THREAD = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "keelscope-setup");
        thread.setDaemon(true);
        return thread;
    });

    private final AtomicLong newest = new AtomicLong();

    /** Runs {@code work} on the background thread and hands its result to {@code then} on the JavaFX thread. */
    void request(Supplier<T> work, Consumer<T> then) {
        long ticket = newest.incrementAndGet();
        THREAD.execute(() -> {
            if (ticket != newest.get()) {
                return;
            }
            T result = work.get();
            Platform.runLater(() -> {
                if (ticket == newest.get()) {
                    then.accept(result);
                }
            });
        });
    }

    /** Forgets what was requested. */
    void cancel() {
        newest.incrementAndGet();
    }
}
