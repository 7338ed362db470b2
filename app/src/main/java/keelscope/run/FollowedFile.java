package keelscope.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
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
    private static final int HISTOGRAM_BINS = 32;

    private final Path file;
    private final int colour;
    private Optional<RunReader> reader = Optional.empty();
    private long version;
    private boolean reported;
    private Optional<String> problem = Optional.empty();
    private long retryAt = Long.MIN_VALUE;
    private Optional<ArmSnapshot> snapshot = Optional.empty();
    private View shown = View.live();
    private StepSeries steps = Buckets.NO_STEPS;
    private Optional<Fine<StepSeries>> fineSteps = Optional.empty();
    private final Map<Measure, Growing> matrices = new EnumMap<>(Measure.class);
    private final Map<Measure, Fine<LayerMatrix>> fine = new EnumMap<>(Measure.class);
    private final Map<Integer, LayerMatrix> histograms = new HashMap<>();
    private int histogramStep = -1;

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
    boolean poll(View view) {
        try {
            if (reader.isEmpty() && !open()) {
                return false;
            }
            long now = reader.get().dataVersion();
            if (snapshot.isPresent() && now == version && view.equals(shown)) {
                return false;
            }
            // Taken before reading: what is committed while reading is found by the next look.
            version = now;
            ArmSnapshot newest = read(reader.get(), view);
            shown = view;
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

    private ArmSnapshot read(RunReader run, View view) {
        RunState state = run.state();
        int last = run.lastStep();
        if (snapshot.isPresent() && snapshot.get().lastStep() > last) {
            // Steps were taken back, to be taken again from a checkpoint.
            snapshot = Optional.empty();
            steps = Buckets.NO_STEPS;
            matrices.clear();
            fine.clear();
            fineSteps = Optional.empty();
            histograms.clear();
        }
        Optional<ArmSnapshot> before = snapshot;
        boolean stepped = before.isEmpty() || last > before.get().lastStep();
        if (stepped) {
            steps = steps(run, steps, last);
        }
        int cursor = view.cursor().orElse(-1);
        int at = cursor < 0 ? last : Math.min(cursor, last);
        boolean moved = before.isEmpty() || before.get().shownStep() != at;
        return new ArmSnapshot(
                file, before.map(ArmSnapshot::info).orElse(run.info()), state, colour, last,
                visible(run, view, last),
                validation(run, before.map(ArmSnapshot::validation).orElse(List.of())),
                events(run, before.map(ArmSnapshot::events).orElse(List.of())),
                cursor,
                moved ? layers(run, at, before.map(ArmSnapshot::layers).orElse(Map.of())) : before.get().layers(),
                matrices(run, view, last),
                histograms(run, view, last));
    }

    private static StepSeries steps(RunReader run, StepSeries before, int last) {
        if (last < 0) {
            return Buckets.NO_STEPS;
        }
        long width = Buckets.width(0, last, RunFollower.MAX_BUCKETS);
        int from = Buckets.resumeAt(before.firstStep(), before.lastStep(), width);
        if (from < 0) {
            return run.steps(0, last, RunFollower.MAX_BUCKETS);
        }
        return Buckets.join(before, from, run.steps(from, last, Buckets.count(from, last, width)));
    }

    /** All steps, those on screen in finer buckets. */
    private StepSeries visible(RunReader run, View view, int last) {
        long width = last < 0 ? 1 : Buckets.width(0, last, RunFollower.MAX_BUCKETS);
        Optional<StepRange> range = view.visible().flatMap(wanted -> whole(wanted, width, last));
        if (range.isEmpty()) {
            fineSteps = Optional.empty();
            return steps;
        }
        StepRange r = range.get();
        if (fineSteps.isEmpty() || !fineSteps.get().range().equals(r) || fineSteps.get().grows(last)) {
            fineSteps = Optional.of(new Fine<>(r, last, run.steps(r.first(), Math.min(last, r.last()), RunFollower.MAX_BUCKETS)));
        }
        return Buckets.splice(steps, fineSteps.get().values());
    }

    /** The whole buckets of that width in which {@code wanted} lies; empty where finer ones would show nothing new. */
    private static Optional<StepRange> whole(StepRange wanted, long width, int last) {
        if (width == 1 || wanted.first() > last) {
            return Optional.empty();
        }
        long first = wanted.first() / width * width;
        long end = (Math.min(last, wanted.last()) / width + 1) * width - 1;
        return Optional.of(new StepRange((int) first, (int) Math.min(Integer.MAX_VALUE, end)));
    }

    private Map<Measure, LayerMatrix> matrices(RunReader run, View view, int last) {
        matrices.keySet().retainAll(view.matrices());
        fine.keySet().retainAll(view.matrices());
        Map<Measure, LayerMatrix> all = new EnumMap<>(Measure.class);
        for (Measure measure : view.matrices()) {
            if (measure == Measure.GATE_HISTOGRAM) {
                // Of all sub-layers over all steps it would fill the memory: see histograms.
                continue;
            }
            Growing grown = grow(run, measure, matrices.get(measure), last, RunFollower.MAX_COLUMNS);
            if (grown.matrix().size() == 0) {
                continue;
            }
            matrices.put(measure, grown);
            all.put(measure, visible(run, view, measure, grown, last));
        }
        return all;
    }

    private LayerMatrix visible(RunReader run, View view, Measure measure, Growing grown, int last) {
        Optional<StepRange> range = view.visible().flatMap(wanted -> whole(wanted, grown.width(), last));
        if (range.isEmpty()) {
            fine.remove(measure);
            return grown.matrix();
        }
        StepRange r = range.get();
        Fine<LayerMatrix> known = fine.get(measure);
        if (known == null || !known.range().equals(r) || known.grows(last)) {
            known = new Fine<>(r, last, run.layers(measure, r.first(), Math.min(last, r.last()), RunFollower.MAX_COLUMNS));
            fine.put(measure, known);
        }
        return Buckets.splice(grown.matrix(), known.values());
    }

    private Map<Integer, LayerMatrix> histograms(RunReader run, View view, int last) {
        histograms.keySet().retainAll(view.pinned());
        if (view.pinned().isEmpty()) {
            histogramStep = -1;
            return Map.of();
        }
        int newest = run.layers(Measure.GATE_HISTOGRAM, last).map(LayerValues::step).orElse(-1);
        if (newest >= 0 && (newest != histogramStep || !histograms.keySet().equals(view.pinned()))) {
            LayerMatrix whole = run.layers(Measure.GATE_HISTOGRAM, 0, newest, RunFollower.MAX_HISTOGRAMS);
            histogramStep = newest;
            for (int layer : view.pinned()) {
                float[][] bins = new float[whole.size()][];
                for (int c = 0; c < bins.length; c++) {
                    float[] all = whole.values()[c];
                    int from = Math.min(all.length, layer * HISTOGRAM_BINS);
                    bins[c] = Arrays.copyOfRange(all, from, Math.min(all.length, from + HISTOGRAM_BINS));
                }
                histograms.put(layer, new LayerMatrix(whole.firstStep(), whole.lastStep(), bins));
            }
        }
        return histograms;
    }

    /**
     * A measure over all steps, with what came since it was last read.
     *
     * @param before what was read before, null for nothing
     */
    private static Growing grow(RunReader run, Measure measure, Growing before, int last, int most) {
        Optional<LayerValues> newest = last < 0 ? Optional.empty() : run.layers(measure, last);
        if (newest.isEmpty()) {
            return new Growing(Buckets.NO_CELLS, 1, -1);
        }
        int step = newest.get().step();
        if (before != null && before.newest() == step) {
            return before;
        }
        if (before != null) {
            int first = before.matrix().firstStep()[0];
            long width = Buckets.width(first, step, most);
            if (width == before.width()) {
                int lastColumn = before.matrix().firstStep()[before.matrix().size() - 1];
                int from = (int) (lastColumn / width * width);
                LayerMatrix more = run.layers(measure, from, step, Buckets.count(from, step, width));
                return new Growing(Buckets.join(before.matrix(), from, more), width, step);
            }
        }
        LayerMatrix all = run.layers(measure, 0, step, most);
        return new Growing(all, Buckets.width(all.firstStep()[0], step, most), step);
    }

    /**
     * @param width steps to a column
     * @param newest the last step that recorded the measure
     */
    private record Growing(LayerMatrix matrix, long width, int newest) {}

    /**
     * What was read in finer steps.
     *
     * @param readTo the run's last step then
     */
    private record Fine<T>(StepRange range, int readTo, T values) {
        boolean grows(int last) {
            return readTo < range.last() && last > readTo;
        }
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

    private static Map<Measure, LayerValues> layers(RunReader run, int last, Map<Measure, LayerValues> before) {
        Map<Measure, LayerValues> layers = new EnumMap<>(Measure.class);
        for (Measure measure : Measure.values()) {
            run.layers(measure, last, Optional.ofNullable(before.get(measure))).ifPresent(values -> layers.put(measure, values));
        }
        return layers;
    }
}
