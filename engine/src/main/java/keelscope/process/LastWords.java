package keelscope.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * Puts off the end of an engine process that the system asks to end (signal 15, or 2 by Ctrl-C, which a terminal sends to parent and
 * engines alike) until the engine has stopped by itself and written its last state.
 *
 * <pre>{@code
 * try (LastWords words = LastWords.before(trainer::stop); RunWriter run = …) {
 *     trainer.train();
 * }
 * }</pre>
 */
public final class LastWords implements AutoCloseable {
    /** How long the end is put off at most. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final CountDownLatch said = new CountDownLatch(1);
    private final Thread hook;

    private LastWords(Runnable stop) {
        hook = new Thread(() -> {
            stop.run();
            awaitSaid();
        }, "last words");
    }

    /**
     * Holds until {@link #close()}.
     *
     * @param stop asks the engine to stop and returns at once; called on another thread, at most once. It must not call
     *     {@code System.exit}, for which it is too late.
     */
    public static LastWords before(Runnable stop) {
        LastWords words = new LastWords(stop);
        Runtime.getRuntime().addShutdownHook(words.hook);
        return words;
    }

    private void awaitSaid() {
        try {
            if (!said.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                LoggerFactory.getLogger(LastWords.class).warn("The engine did not stop within {} s of being asked to.", PATIENCE.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The last state is written: the process may end. */
    @Override
    public void close() {
        said.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the end has begun, and waits for nothing more
        }
    }
}
