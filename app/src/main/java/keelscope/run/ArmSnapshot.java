package keelscope.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunState;
import keelscope.runfile.StepSeries;
import keelscope.runfile.ValidationRecord;

/**
 * What the window shows of one arm at one moment: everything the charts and the status bar need, already reduced to
 * what a screen can hold, whatever the length of the run. The arrays within are shared and must not be written to.
 *
 * @param file the run file it was read from
 * @param info what the arm is
 * @param state what its engine is doing
 * @param colour index of the arm in its experiment, from 0; the charts' colours and line styles follow from it
 * @param lastStep the last committed step, −1 before the first
 * @param steps run measures over all steps, at most about {@link RunFollower#MAX_BUCKETS} buckets
 * @param validation every validation loss, ascending in step
 * @param events every event, ascending in id
 * @param cursor the step whose values {@code layers} holds, −1 for the latest
 * @param layers the values of each per-sub-layer measure at the last step at or before the cursor that recorded it
 * @param matrices the measures that the {@link View} asks for over all steps, at most about {@link
 *     RunFollower#MAX_COLUMNS} columns each, finer where the view is zoomed into some steps; those not recorded are absent
 * @param histograms {@link Measure#GATE_HISTOGRAM} of each pinned sub-layer over all steps, at most about {@link
 *     RunFollower#MAX_HISTOGRAMS} columns, a value for each bin
 */
public record ArmSnapshot(
        Path file,
        RunInfo info,
        RunState state,
        int colour,
        int lastStep,
        StepSeries steps,
        List<ValidationRecord> validation,
        List<RunEvent> events,
        int cursor,
        Map<Measure, LayerValues> layers,
        Map<Measure, LayerMatrix> matrices,
        Map<Integer, LayerMatrix> histograms) {

    public ArmSnapshot {
        if (colour < 0) {
            throw new IllegalArgumentException("colour is " + colour + "; allowed are 0 and above.");
        }
        if (lastStep < -1) {
            throw new IllegalArgumentException("lastStep is " + lastStep + "; allowed are -1 (none yet) and above.");
        }
        validation = List.copyOf(validation);
        events = List.copyOf(events);
        if (cursor < -1) {
            throw new IllegalArgumentException("cursor is " + cursor + "; allowed are -1 (the latest step) and above.");
        }
        layers = Map.copyOf(layers);
        matrices = Map.copyOf(matrices);
        histograms = Map.copyOf(histograms);
    }

    /** The same under another name. */
    public ArmSnapshot withArm(String name) {
        return new ArmSnapshot(file, info.withArm(name), state, colour, lastStep, steps, validation, events, cursor, layers, matrices,
                histograms);
    }

    /** {@link Measure#PARAM_GRAD_NORM} over all steps; empty where the view does not ask for it. */
    public LayerMatrix gradients() {
        return matrix(Measure.PARAM_GRAD_NORM);
    }

    /** The measure over all steps; empty where the view does not ask for it or it was not recorded. */
    public LayerMatrix matrix(Measure measure) {
        return matrices.getOrDefault(measure, Buckets.NO_CELLS);
    }

    /** The step that is shown: the cursor's, or the last one. */
    public int shownStep() {
        return cursor < 0 ? lastStep : Math.min(cursor, lastStep);
    }
}
