package keelscope.train;

import java.util.concurrent.TimeUnit;

/**
 * When checkpoints by the clock are due: the first soon after the start, the next when the time trained has doubled, later one a minute. So
 * an engine that is killed costs at most half of what it had trained, and at most a minute; but where writing takes long, no more of the
 * time goes to it than a fiftieth. Times are of {@link System#nanoTime}.
 */
final class CheckpointCadence {
    private static final long FIRST_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SHARE = 50;

    private final long begun;
    private long written;
    private long took;

    /** Training begins now. */
    CheckpointCadence(long now) {
        begun = now;
        written = now;
    }

    boolean due(long now) {
        long wait = Math.min(LONGEST_NS, Math.max(FIRST_NS, written - begun));
        return now - written >= Math.max(wait, SHARE * took);
    }

    /** A checkpoint was written, or could not be. */
    void wrote(long from, long to) {
        written = to;
        took = to - from;
    }
}
