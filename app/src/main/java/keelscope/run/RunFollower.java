package keelscope.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javafx.application.Platform;
import keelscope.text.Texts;
import org.slf4j.LoggerFactory;

/**
 * Follows the run files of an experiment, live or finished, on one background thread, and hands what they hold to the
 * window. A file that does not exist yet is waited for. A file that cannot be read is reported once, as one sentence,
 * and the others go on; should it become readable, it is followed from then on. An error nobody foresaw ends the following,
 * and is reported as one sentence too.
 */
public final class RunFollower implements AutoCloseable {
    /** At most how many buckets a snapshot's step series has: a few per pixel column. */
    public static final int MAX_BUCKETS = 2000;

    /** At most how many columns a snapshot's heat map has. */
    public static final int MAX_COLUMNS = 600;

    /** At most how many columns the histograms of a pinned sub-layer have. */
    public static final int MAX_HISTOGRAMS = 48;

    /** A file is asked so often whether something was committed to it, which costs some ten microseconds. */
    private static final long LOOK_MS = 10;

    /** The same while nothing new comes. */
    private static final long IDLE_LOOK_MS = 40;

    private static final long IDLE_AFTER_MS = 5000;

    /** The least time from one snapshot to the next: more of them could be read, but not told apart on a screen. */
    private static final long GAP_MS = 40;

    private final List<FollowedFile> files;
    private final Executor window;
    private final Consumer<List<ArmSnapshot>> onSnapshots;
    private final Consumer<String> onError;
    // What the window has not taken yet. One task at most is queued for it: the one that takes this.
    private final AtomicReference<List<ArmSnapshot>> pending = new AtomicReference<>();
    private final Object wake = new Object();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile View view;
    private volatile boolean closed;
    /** Guarded by wake. */
    private boolean woken;
    /** Of the thread alone. */
    private long changedAt = System.nanoTime();

    private RunFollower(
            List<Path> files, View view, Executor window, Consumer<List<ArmSnapshot>> onSnapshots, Consumer<String> onError) {
        List<FollowedFile> followed = new ArrayList<>();
        for (Path file : files) {
            followed.add(new FollowedFile(file, followed.size()));
        }
        this.files = List.copyOf(followed);
        this.view = view;
        this.window = window;
        this.onSnapshots = onSnapshots;
        this.onError = onError;
    }

    /**
     * Starts following.
     *
     * @param files the run files, in the order of their arms; the index is the arm's colour
     * @param view what is wanted of them at first
     * @param onSnapshots gets, on the JavaFX thread, the newest snapshot of every arm whose file could be read so far,
     *     in the order of {@code files}; updates that come faster than the window takes them are dropped for newer ones
     * @param onError gets, on the JavaFX thread, one sentence for each file that cannot be read, and for an end of the following
     */
    public static RunFollower follow(
            List<Path> files, View view, Consumer<List<ArmSnapshot>> onSnapshots, Consumer<String> onError) {
        return follow(files, view, Platform::runLater, onSnapshots, onError);
    }

    /** As {@link #follow(List, View, Consumer, Consumer)}, delivering through {@code window} in place of the JavaFX thread. */
    static RunFollower follow(
            List<Path> files, View view, Executor window, Consumer<List<ArmSnapshot>> onSnapshots, Consumer<String> onError) {
        RunFollower follower = new RunFollower(files, view, window, onSnapshots, onError);
        Thread thread = new Thread(follower::run, "run-follower");
        thread.setDaemon(true);
        thread.start();
        return follower;
    }

    /** Asks for something else to be seen; it is read with the next look, at once. May be called from any thread. */
    public void view(View wanted) {
        view = wanted;
        synchronized (wake) {
            woken = true;
            wake.notifyAll();
        }
    }

    /** Stops following; nothing is delivered after this returns when called on the JavaFX thread. Does not block. */
    @Override
    public void close() {
        closed = true;
        synchronized (wake) {
            wake.notifyAll();
        }
    }

    /** Waits until the files are no longer open; whether that was so before {@code patience} was over. */
    boolean awaitClosed(Duration patience) throws InterruptedException {
        return ended.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void run() {
        try {
            followFiles();
        } finally {
            files.forEach(FollowedFile::close);
            ended.countDown();
        }
    }

    private void followFiles() {
        while (!closed) {
            long begun = System.nanoTime();
            // While the window has not taken the last update there is no use in reading more.
            boolean changed;
            try {
                changed = pending.get() == null && poll();
            } catch (RuntimeException | Error e) {
                fail(e);
                break;
            }
            long spentMs = (System.nanoTime() - begun) / 1_000_000;
            if (changed) {
                changedAt = begun;
                // At most half of a core, however long the reading takes.
                pause(Math.max(GAP_MS - spentMs, spentMs));
            } else {
                pause(begun - changedAt < IDLE_AFTER_MS * 1_000_000 ? LOOK_MS : IDLE_LOOK_MS);
            }
        }
    }

    /** Tells the window of an error nobody foresaw, since nothing follows the files any more. */
    private void fail(Throwable e) {
        LoggerFactory.getLogger(RunFollower.class).error("Run files are no longer followed", e);
        window.execute(() -> {
            if (!closed) {
                onError.accept(Texts.get("run.unfollowed", e));
            }
        });
    }

    /** Whether something new was read. */
    private boolean poll() {
        boolean changed = false;
        View now = view;
        for (FollowedFile file : files) {
            changed |= file.poll(now);
            file.takeProblem().ifPresent(problem -> window.execute(() -> {
                if (!closed) {
                    onError.accept(problem);
                }
            }));
        }
        if (changed) {
            List<ArmSnapshot> newest = files.stream().map(FollowedFile::snapshot).flatMap(Optional::stream).toList();
            if (pending.getAndSet(newest) == null) {
                window.execute(this::deliver);
            }
        }
        return changed;
    }

    private void deliver() {
        List<ArmSnapshot> newest = pending.getAndSet(null);
        if (!closed) {
            onSnapshots.accept(newest);
        }
    }

    private void pause(long ms) {
        synchronized (wake) {
            if (closed || woken) {
                woken = false;
                return;
            }
            try {
                wake.wait(ms);
                woken = false;
            } catch (InterruptedException e) {
                // The thread is this class's own: an interrupt can only mean that it should end.
                closed = true;
                Thread.currentThread().interrupt();
            }
        }
    }
}
