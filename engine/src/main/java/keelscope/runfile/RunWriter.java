package keelscope.runfile;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Writes a run file; one per engine process. Not safe for use by several threads. */
public final class RunWriter implements AutoCloseable {

    private RunWriter() {}

    /**
     * Makes a new run file, locked for this process until {@link #close()}.
     *
     * @throws RunFileException if the file exists, is in use by another engine, or cannot be written
     */
    public static RunWriter create(Path file, RunInfo info) {
        throw new UnsupportedOperationException();
    }

    /**
     * Commits one step, all of it or nothing: its run measures, per-sub-layer measures and, where given, the
     * validation loss taken after it. When this returns, the step survives a killed process.
     *
     * @param layers values per measure, L (or L + 1) each; {@link Measure#PARAM_GRAD_NORM} always among them
     */
    public void step(StepRecord step, Map<Measure, float[]> layers, OptionalDouble validationLoss) {
        throw new UnsupportedOperationException();
    }

    /** Records a validation loss outside a step (for example before the first). */
    public void validation(int step, double loss) {
        throw new UnsupportedOperationException();
    }

    /** Records an event. */
    public void event(int step, String kind, String text) {
        throw new UnsupportedOperationException();
    }

    /** Writes the state, with this process's id and the time as heartbeat. */
    public void state(RunStatus status, String message) {
        throw new UnsupportedOperationException();
    }

    /** A sign of life while no step is written (paused, validating); at most a few per second are needed. */
    public void heartbeat() {
        throw new UnsupportedOperationException();
    }

    /** Commands not yet taken, oldest first. Cheap when there are none: it is called at every step. */
    public List<Command> pendingCommands() {
        throw new UnsupportedOperationException();
    }

    /** Marks a command as taken at {@code step} and records the event {@code text} for it, together. */
    public void taken(Command command, int step, String text) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
