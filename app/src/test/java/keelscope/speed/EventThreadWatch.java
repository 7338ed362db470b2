package keelscope.speed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import javafx.application.Platform;

/**
 * How long the window does not answer: a thread of its own hands the event thread an empty task every 5 ms and takes the time until
 * it is done. Tasks that would have been handed over meanwhile count as well, with the time they would have waited.
 */
final class EventThreadWatch {
    private static final double PERIOD_MS = 5;
    private static final double TOO_LONG_MS = 50;
    private static final int MOST_BLOCKS = 12;
    private static final int DEPTH = Integer.getInteger("keelscope.speed.depth", 4);

    private final Thread events;
    private final List<Double> waits = new ArrayList<>();
    private final List<String> blocks = new ArrayList<>();
    private long turns;

    private EventThreadWatch(Thread events) {
        this.events = events;
    }

    /** Begins to watch; not to be called on the event thread. */
    static EventThreadWatch start() throws InterruptedException {
        Thread[] found = new Thread[1];
        CountDownLatch known = new CountDownLatch(1);
        Platform.runLater(() -> {
            found[0] = Thread.currentThread();
            known.countDown();
        });
        known.await();
        EventThreadWatch watch = new EventThreadWatch(found[0]);
        Thread thread = new Thread(watch::run, "event-thread-watch");
        thread.setDaemon(true);
        thread.start();
        return watch;
    }

    private void run() {
        while (true) {
            long asked = System.nanoTime();
            try {
                String where = waitForTurn(asked);
                add((System.nanoTime() - asked) * 1e-6, where);
            } catch (InterruptedException e) {
                return;
            }
            LockSupport.parkNanos((long) (PERIOD_MS * 1e6) - (System.nanoTime() - asked));
        }
    }

    /** What the event thread was at, if it took too long. */
    private String waitForTurn(long asked) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Platform.runLater(done::countDown);
        if (done.await((long) (TOO_LONG_MS * 1e3), TimeUnit.MICROSECONDS)) {
            return "";
        }
        String where = Arrays.stream(events.getStackTrace())
                .map(frame -> frame.getClassName().replaceAll(".*\\.", "") + "." + frame.getMethodName())
                .filter(frame -> !frame.contains("Lambda"))
                .distinct()
                .limit(DEPTH)
                .collect(Collectors.joining(" < "));
        done.await();
        return String.format(Locale.ROOT, "%n  %.0f ms in %s", (System.nanoTime() - asked) * 1e-6, where);
    }

    private synchronized void add(double ms, String where) {
        turns++;
        notifyAll();
        for (double wait = ms; wait > 0; wait -= PERIOD_MS) {
            waits.add(wait);
        }
        if (!where.isEmpty()) {
            blocks.add(where);
        }
    }

    /** What was seen since the last report, in a line, once the wait that goes on is over; blocks of over 50 ms with what the thread was at. */
    synchronized String report() throws InterruptedException {
        for (long begun = turns; turns < begun + 2; ) {
            wait();
        }
        String text = String.format(Locale.ROOT, "event thread: waits of %.1f ms median, %.1f ms p99, %.0f ms longest, %d over %.0f ms%s",
                Figures.quantile(waits, 0.5), Figures.quantile(waits, 0.99), Figures.quantile(waits, 1), blocks.size(), TOO_LONG_MS,
                String.join("", blocks.subList(0, Math.min(MOST_BLOCKS, blocks.size()))));
        waits.clear();
        blocks.clear();
        return text;
    }
}
