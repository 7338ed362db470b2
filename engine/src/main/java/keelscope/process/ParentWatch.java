package keelscope.process;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/**
 * In an engine process: notices that it should end though no command says so. Either the process that started it is gone: it holds
 * the engine's standard input open and writes nothing to it, so its end is the parent's end, however that came about. Or
 * the system asks this process to end (signal 15, or 2 by Ctrl-C in a terminal, which goes to parent and engines alike).
 *
 * <pre>{@code
 * try (ParentWatch watch = ParentWatch.start(System.in, loop::stop)) {
 *     loop.run();
 * }
 * }</pre>
 */
public final class ParentWatch implements AutoCloseable {
    /** How long the end of the process is put off for the engine to write its last words. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    private final Runnable stop;
    private final AtomicBoolean asked = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);

    private ParentWatch(Runnable stop) {
        this.stop = stop;
    }

    /**
     * Begins to watch.
     *
     * @param in the engine's standard input, read on a daemon thread
     * @param stop asks the engine to stop and returns at once; called at most once, on another thread
     */
    public static ParentWatch start(InputStream in, Runnable stop) {
        ParentWatch watch = new ParentWatch(stop);
        Thread reader = new Thread(() -> watch.readToEnd(in), "parent watch");
        reader.setDaemon(true);
        reader.start();
        Runtime.getRuntime().addShutdownHook(new Thread(watch::lastWords, "last words"));
        return watch;
    }

    private void readToEnd(InputStream in) {
        byte[] ignored = new byte[256];
        try {
            while (in.read(ignored) >= 0) {
                // nothing is said this way; commands are rows of the run file
            }
        } catch (IOException e) {
            // a broken pipe is an end as well
            LoggerFactory.getLogger(ParentWatch.class).debug("Standard input broke", e);
        }
        ask();
    }

    private void lastWords() {
        ask();
        try {
            if (!done.await(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)) {
                LoggerFactory.getLogger(ParentWatch.class).warn("The engine did not stop within {} s of being asked to.", LAST_WORDS.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask() {
        if (done.getCount() > 0 && asked.compareAndSet(false, true)) {
            stop.run();
        }
    }

    /** The engine has written its last words: nothing is watched any more and the process may end. */
    @Override
    public void close() {
        done.countDown();
    }
}
