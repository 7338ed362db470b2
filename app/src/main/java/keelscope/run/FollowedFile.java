package keelscope.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunState;
import keelscope.runfile.StepSeries;
import keelscope.runfile.ValidationRecord;

/**
 * One run file as it grows. Buckets of a run file begin at multiples of a power of two, so those that are full stay as
 * they are: each look at the file reads the last bucket and what came after it, not the whole run. Used by one thread.
 */
final class FollowedFile {
    // A file is made in several writes; while it is this young, not being a run file yet is no error.
    private static final long YOUNG_MS = 3000;
    private static final long RETRY_MS = 1000;

    private final Path file;
    private final int colour;
    private Optional<RunReader> reader = Optional.empty();
    private long version;
    private boolean reported;
    private Optional<String> problem = Optional.empty();
    private long retryAt = Long.MIN_VALUE;
    private Optional<ArmSnapshot> snapshot = Optional.empty();

    FollowedFile(Path file, int colour) {
        this.file = file;
        this.colour = colour;
    }

    /** The newest snapshot, empty while the file could not be read. */
    Optional<ArmSnapshot> snapshot() {
        return snapshot;
    }

    /** What is wrong with the file, as one sentence; given once. */
    Optional<String> takeProblem() {
        Optional<String> taken = problem;
        problem = Optional.empty();
        return taken;
    }

    /** Looks at the file; true if there is a new snapshot. */
    boolean poll() {
        try {
            if (reader.isEmpty() && !open()) {
                return false;
            }
            long now = reader.get().dataVersion();
            if (snapshot.isPresent() && now == version) {
                return false;
            }
            // Taken before reading: what is committed while reading is found by the next look.
            version = now;
            ArmSnapshot newest = read(reader.get());
            reported = false;
            snapshot = Optional.of(newest);
            return true;
        } catch (RunFileException e) {
            failed(e.getMessage());
            return false;
        } catch (RuntimeException e) {
            failed("The run file " + file + " cannot be shown (" + e + "); it is damaged, or was written by another version.");
            return false;
        }
    }

    private boolean open() {
        if (System.nanoTime() < retryAt || !Files.exists(file)) {
            return false;
        }
        reader = Optional.of(RunReader.open(file));
        return true;
    }

    private void failed(String sentence) {
        close();
        boolean young = snapshot.isEmpty() && isYoung();
        retryAt = System.nanoTime() + (young ? 0 : RETRY_MS * 1_000_000);
        if (!young && !reported) {
            reported = true;
            problem = Optional.of(sentence);
        }
    }

    private boolean isYoung() {
        try {
            return System.currentTimeMillis() - Files.getLastModifiedTime(file).toMillis() < YOUNG_MS;
        } catch (IOException e) {
            // It is gone: there is nothing that could still become a run file.
            return false;
        }
    }

    void close() {
        reader.ifPresent(RunReader::close);
        reader = Optional.empty();
    }

    private ArmSnapshot read(RunReader run) {
        RunState state = run.state();
        int last = run.lastStep();
        if (snapshot.isEmpty() || snapshot.get().lastStep() > last) {
            StepSeries steps = last < 0 ? Buckets.NO_STEPS : run.steps(0, last, RunFollower.MAX_BUCKETS);
            LayerMatrix gradients = last < 0
                    ? Buckets.NO_CELLS
                    : run.layers(Measure.PARAM_GRAD_NORM, 0, last, RunFollower.MAX_COLUMNS);
            return new ArmSnapshot(
                    file, run.info(), state, colour, last, steps, run.validation(Integer.MIN_VALUE), run.events(-1),
                    layers(run, last), gradients);
        }
        ArmSnapshot before = snapshot.get();
        boolean stepped = last > before.lastStep();
        return new ArmSnapshot(
                file, before.info(), state, colour, last,
                stepped ? steps(run, before.steps(), last) : before.steps(),
                validation(run, before.validation()),
                events(run, before.events()),
                stepped ? layers(run, last) : before.layers(),
                stepped ? gradients(run, before.gradients(), last) : before.gradients());
    }

    private static StepSeries steps(RunReader run, StepSeries before, int last) {
        long width = Buckets.width(0, last, RunFollower.MAX_BUCKETS);
        int from = Buckets.resumeAt(before.firstStep(), before.lastStep(), width);
        if (from < 0) {
            return run.steps(0, last, RunFollower.MAX_BUCKETS);
        }
        return Buckets.join(before, from, run.steps(from, last, Buckets.count(from, last, width)));
    }

    private static LayerMatrix gradients(RunReader run, LayerMatrix before, int last) {
        long width = Buckets.width(0, last, RunFollower.MAX_COLUMNS);
        int from = Buckets.resumeAt(before.firstStep(), before.lastStep(), width);
        if (from < 0) {
            return run.layers(Measure.PARAM_GRAD_NORM, 0, last, RunFollower.MAX_COLUMNS);
        }
        return Buckets.join(
                before, from, run.layers(Measure.PARAM_GRAD_NORM, from, last, Buckets.count(from, last, width)));
    }

    private static List<ValidationRecord> validation(RunReader run, List<ValidationRecord> before) {
        int after = before.isEmpty() ? Integer.MIN_VALUE : before.get(before.size() - 1).step();
        return joined(before, run.validation(after));
    }

    private static List<RunEvent> events(RunReader run, List<RunEvent> before) {
        return joined(before, run.events(before.isEmpty() ? -1 : before.get(before.size() - 1).id()));
    }

    private static <T> List<T> joined(List<T> before, List<T> more) {
        if (more.isEmpty()) {
            return before;
        }
        List<T> all = new ArrayList<>(before);
        all.addAll(more);
        return all;
    }

    private static Map<Measure, LayerValues> layers(RunReader run, int last) {
        Map<Measure, LayerValues> layers = new EnumMap<>(Measure.class);
        for (Measure measure : Measure.values()) {
            run.layers(measure, last).ifPresent(values -> layers.put(measure, values));
        }
        return layers;
    }
}
