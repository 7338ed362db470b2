package keelscope.run;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Follows the run files of an experiment, live or finished, on one background thread, and hands what they hold to the
 * window. A file that does not exist yet is waited for. A file that cannot be read is reported once, as one sentence,
 * and the others go on.
 */
public final class RunFollower implements AutoCloseable {
    /** About how many buckets a snapshot's step series has at most: a few per pixel column. */
    public static final int MAX_BUCKETS = 2000;

    /** About how many columns a snapshot's heat map has at most. */
    public static final int MAX_COLUMNS = 600;

    private RunFollower() {}

    /**
     * Starts following.
     *
     * @param files the run files, in the order of their arms; the index is the arm's colour
     * @param onSnapshots gets, on the JavaFX thread, the newest snapshot of every arm whose file could be read so far,
     *     in the order of {@code files}; updates that come faster than the window takes them are dropped for newer ones
     * @param onError gets, on the JavaFX thread, one sentence for each file that cannot be read
     */
    public static RunFollower follow(
            List<Path> files, Consumer<List<ArmSnapshot>> onSnapshots, Consumer<String> onError) {
        return new RunFollower();
    }

    /** Stops following; nothing is delivered after this returns when called on the JavaFX thread. */
    @Override
    public void close() {}
}
