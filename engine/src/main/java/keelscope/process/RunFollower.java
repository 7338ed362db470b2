package keelscope.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunState;
import keelscope.runfile.StepSeries;
import keelscope.runfile.ValidationRecord;

/** Follows a run file that may not exist yet, whoever writes it, for its progress. For one thread. */
public final class RunFollower implements AutoCloseable {
    /** Steps the loss and the speed are taken over. */
    private static final int RECENT = 8;

    private final Path file;
    private RunReader reader;
    private long version = Long.MIN_VALUE;
    private Optional<Progress> latest = Optional.empty();
    private double validationLoss = Double.NaN;
    private double accuracy = Double.NaN;
    private int lastValidation = Integer.MIN_VALUE;
    private long lastEvent;
    private int firstSeenStep = -1;
    private long firstSeenMs;

    public RunFollower(Path file) {
        this.file = file;
    }

    /**
     * The progress now; empty while there is no file. Costs microseconds where nothing was committed since the last call.
     *
     * @throws keelscope.runfile.RunFileException if the file cannot be read
     */
    public Optional<Progress> progress() {
        if (reader == null) {
            if (!Files.exists(file)) {
                return Optional.empty();
            }
            reader = RunReader.open(file);
        }
        long now = reader.dataVersion();
        if (now != version || latest.isEmpty()) {
            version = now;
            latest = Optional.of(read());
        }
        return latest;
    }

    /**
     * Events recorded since this was asked last, oldest first; none while there is no file.
     *
     * @throws keelscope.runfile.RunFileException if the file cannot be read
     */
    public List<RunEvent> newEvents() {
        if (progress().isEmpty()) {
            return List.of();
        }
        List<RunEvent> events = reader.events(lastEvent);
        if (!events.isEmpty()) {
            lastEvent = events.get(events.size() - 1).id();
        }
        return events;
    }

    private Progress read() {
        RunInfo info = reader.info();
        RunState state = reader.state();
        int last = reader.lastStep();
        StepSeries recent = reader.steps(Math.max(0, last - RECENT + 1), last, RECENT);
        double loss = 0;
        double stepMs = 0;
        for (int i = 0; i < recent.size(); i++) {
            loss += recent.loss()[i] / recent.size();
            stepMs += recent.stepMs()[i] / recent.size();
        }
        List<ValidationRecord> validation = reader.validation(lastValidation);
        if (!validation.isEmpty()) {
            validationLoss = validation.get(validation.size() - 1).loss();
            accuracy = validation.get(validation.size() - 1).accuracy();
            lastValidation = validation.get(validation.size() - 1).step();
        }
        boolean begun = recent.size() > 0;
        return new Progress(state, last, info.steps(), begun ? loss : Double.NaN, validationLoss, accuracy,
                begun ? info.tokensPerStep() / stepMs * 1e3 : Double.NaN,
                Duration.ofMillis(Math.max(0, state.heartbeatMs() - info.createdMs())), left(state, info.steps(), last, stepMs));
    }

    /**
     * By the wall clock, so that validation and probes count, since the first step seen behind the very first, after which an arm may wait
     * for others; at first by the steps' own duration.
     */
    private Optional<Duration> left(RunState state, int steps, int last, double stepMs) {
        if (state.status().ended() || last < 0) {
            return Optional.empty();
        }
        if (firstSeenStep < 1) {
            firstSeenStep = last;
            firstSeenMs = state.heartbeatMs();
        }
        int seen = last - firstSeenStep;
        double byClock = (state.heartbeatMs() - firstSeenMs) / (double) Math.max(1, seen);
        // A clock that was set back, or far ahead, tells nothing: a step takes at least its own duration, and not a thousand of them.
        double perStep = seen < RECENT || byClock < stepMs || byClock > 1000 * stepMs ? stepMs : byClock;
        return Optional.of(Duration.ofMillis(Math.round(perStep * Math.max(0, steps - 1 - last))));
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.close();
        }
    }
}
