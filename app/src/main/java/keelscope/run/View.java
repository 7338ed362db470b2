package keelscope.run;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import keelscope.runfile.Measure;

/**
 * What the window wants to see of its run files: only that is read.
 *
 * @param cursor the step whose values by sub-layer are shown; empty for the latest, whichever that is
 * @param matrices the measures shown as layer × step
 * @param pinned the sub-layers whose gate histograms are shown over time
 * @param visible the steps on screen where charts are zoomed into some; these are read in finer steps
 */
public record View(OptionalInt cursor, Set<Measure> matrices, SortedSet<Integer> pinned, Optional<StepRange> visible) {
    public View {
        if (cursor.isPresent() && cursor.getAsInt() < 0) {
            throw new IllegalArgumentException("cursor is " + cursor.getAsInt() + "; allowed are steps from 0 on, or none for the latest.");
        }
        if (pinned.stream().anyMatch(layer -> layer < 0)) {
            throw new IllegalArgumentException("pinned is " + pinned + "; allowed are sub-layers from 0 on.");
        }
        Set<Measure> wanted = EnumSet.noneOf(Measure.class);
        wanted.addAll(matrices);
        matrices = Collections.unmodifiableSet(wanted);
        pinned = Collections.unmodifiableSortedSet(new TreeSet<>(pinned));
    }

    /** A view of all steps. */
    public View(OptionalInt cursor, Set<Measure> matrices, SortedSet<Integer> pinned) {
        this(cursor, matrices, pinned, Optional.empty());
    }

    /** The latest values, and the parameters' gradient norms as layer × step. */
    public static View live() {
        return new View(OptionalInt.empty(), Set.of(Measure.PARAM_GRAD_NORM), new TreeSet<>());
    }
}
