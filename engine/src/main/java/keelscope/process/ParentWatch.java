package keelscope.process;

import java.io.IOException;
import java.io.InputStream;
import org.slf4j.LoggerFactory;

/**
 * In an engine process: notices that the process that started it is gone. The parent holds the engine's standard input
 * open and writes nothing to it, so its end is the parent's end, however that came about.
 */
public final class ParentWatch {

    private ParentWatch() {}

    /**
     * Reads {@code in} to its end on a daemon thread, then runs {@code parentGone} there, once.
     *
     * @param in the engine's standard input
     */
    public static void start(InputStream in, Runnable parentGone) {
        Thread watch = new Thread(() -> {
            awaitEnd(in);
            parentGone.run();
        }, "parent watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEnd(InputStream in) {
        byte[] ignored = new byte[256];
        try {
            while (in.read(ignored) >= 0) {
                // nothing is said this way; commands are rows of the run file
            }
        } catch (IOException e) {
            // a broken pipe is an end as well
            LoggerFactory.getLogger(ParentWatch.class).debug("Standard input broke", e);
        }
    }
}
