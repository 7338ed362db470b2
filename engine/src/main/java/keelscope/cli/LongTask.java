package keelscope.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import keelscope.export.Progress;

/**
 * Something long in a terminal: a bar with the time left, redrawn in place (nothing where the output is no terminal), and Ctrl-C,
 * which cancels it and waits until it has cleaned up. To be closed when all is cleaned up.
 */
final class LongTask implements Progress, AutoCloseable {
    /** Exit status of a command ended by Ctrl-C: 128 + SIGINT. */
    static final int CANCELLED = 130;

    private static final int BAR = 32;
    private static final long REDRAW_NS = 100_000_000;
    private static final int PATIENCE_S = 10;

    private final String title;
    private final PrintWriter out;
    private final boolean terminal;
    private final CountDownLatch cleanedUp = new CountDownLatch(1);
    private final Thread hook = new Thread(this::cancel, "cancel");
    private final long start = System.nanoTime();
    private volatile boolean cancelled;
    private long drawn = start - REDRAW_NS;

    private LongTask(String title, PrintWriter out, boolean terminal) {
        this.title = title;
        this.out = out;
        this.terminal = terminal;
    }

    /** What is long. */
    @FunctionalInterface
    interface Work {
        void run(Progress progress);
    }

    /** Does it; whether it was done, or else cancelled, which it says. */
    static boolean run(String title, PrintWriter out, Work work) {
        try (LongTask task = new LongTask(title, out, ProgressDisplay.isTerminal())) {
            Runtime.getRuntime().addShutdownHook(task.hook);
            try {
                work.run(task);
                task.erase();
                return true;
            } catch (CancellationException e) {
                task.erase();
                out.println("Cancelled; nothing was left behind.");
                out.flush();
                return false;
            } catch (RuntimeException | Error e) {
                task.erase();
                throw e;
            }
        }
    }

    @Override
    public boolean at(double share) {
        long now = System.nanoTime();
        if (terminal && now - drawn >= REDRAW_NS) {
            drawn = now;
            out.print("\r" + line(title, share, Duration.ofNanos(now - start)) + "\033[K");
            out.flush();
        }
        return !cancelled;
    }

    /** For example {@code CSV [########------------------------]  25 %  0:12 left}. */
    static String line(String title, double share, Duration taken) {
        double done = Math.max(0, Math.min(1, share));
        int full = (int) (done * BAR);
        String left = done < 0.02 ? "" : "  " + ProgressDisplay.duration(Duration.ofMillis((long) (taken.toMillis() * (1 - done) / done))) + " left";
        return String.format(Locale.ROOT, "%s [%s%s] %3.0f %%%s", title, "#".repeat(full), "-".repeat(BAR - full), 100 * done, left);
    }

    private void erase() {
        if (terminal) {
            out.print("\r\033[K");
            out.flush();
        }
    }

    private void cancel() {
        cancelled = true;
        try {
            if (!cleanedUp.await(PATIENCE_S, TimeUnit.SECONDS)) {
                out.println(title + " did not end in time; what it had begun may be left behind.");
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        cleanedUp.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // Ctrl-C came: the hook is running and ends now
        }
    }
}
