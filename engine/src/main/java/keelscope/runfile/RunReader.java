package keelscope.runfile;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads a run file, finished or being written. Each call is one short read transaction; results are snapshots.
 * Not safe for use by several threads at once (one reader per thread).
 */
public final class RunReader implements AutoCloseable {

    private RunReader() {}

    /**
     * Opens a run file for reading; it need not be writable, nor its folder.
     *
     * @throws RunFileException if it is missing, not a run file, of a newer format, or damaged
     */
    public static RunReader open(Path file) {
        throw new UnsupportedOperationException();
    }

    /** Asks the engine that writes {@code file} for something. */
    public static void send(Path file, String command, String argument) {
        throw new UnsupportedOperationException();
    }

    public Path file() {
        throw new UnsupportedOperationException();
    }

    public RunInfo info() {
        throw new UnsupportedOperationException();
    }

    public RunState state() {
        throw new UnsupportedOperationException();
    }

    /** A number that changes whenever another process has committed to the file; costs microseconds. */
    public long dataVersion() {
        throw new UnsupportedOperationException();
    }

    /** The last committed step, −1 before the first. */
    public int lastStep() {
        throw new UnsupportedOperationException();
    }

    /** The run measures of the steps {@code from … to} (inclusive), reduced to about {@code maxBuckets} or fewer. */
    public StepSeries steps(int from, int to, int maxBuckets) {
        throw new UnsupportedOperationException();
    }

    /** Validation losses of steps greater than {@code afterStep}, ascending. */
    public List<ValidationRecord> validation(int afterStep) {
        throw new UnsupportedOperationException();
    }

    /** Events with an id greater than {@code afterId}, ascending. */
    public List<RunEvent> events(long afterId) {
        throw new UnsupportedOperationException();
    }

    /** The measure at the last step at or before {@code step} that recorded it; empty where there is none. */
    public Optional<LayerValues> layers(Measure measure, int step) {
        throw new UnsupportedOperationException();
    }

    /** The measure over the steps {@code from … to} (inclusive), reduced to about {@code maxColumns} or fewer columns. */
    public LayerMatrix layers(Measure measure, int from, int to, int maxColumns) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
