package keelscope.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import keelscope.text.Texts;

/**
 * How far an experiment is.
 *
 * @param share share of all steps that are taken, arms that ended early counted as done; 0 … 1
 * @param slowest steps taken by the slowest arm that trains (by all of them, where none does)
 * @param fastest steps taken by the fastest arm
 * @param steps steps of the recipe, 0 while not known
 * @param left time until the last arm is done, empty where it cannot be said
 */
public record RunProgress(double share, int slowest, int fastest, int steps, Optional<Duration> left) {
    /** How many steps were taken, in words: by all arms alike, or from the slowest to the fastest. */
    public String taken() {
        return slowest == fastest ? Texts.get("progress.step", fastest, steps) : Texts.get("progress.steps", slowest, fastest, steps);
    }

    /** The progress of these arms. */
    public static RunProgress of(List<Arm> arms) {
        double share = 0;
        int slowest = Integer.MAX_VALUE;
        int slowestOfAll = Integer.MAX_VALUE;
        int fastest = 0;
        int steps = 0;
        Optional<Duration> left = Optional.empty();
        boolean allKnown = true;
        for (Arm arm : arms) {
            int taken = arm.lastStep() + 1;
            steps = Math.max(steps, arm.steps());
            fastest = Math.max(fastest, taken);
            slowestOfAll = Math.min(slowestOfAll, taken);
            if (arm.phase().ended()) {
                share += 1;
                continue;
            }
            slowest = Math.min(slowest, taken);
            share += arm.steps() == 0 ? 0 : (double) taken / arm.steps();
            Optional<Duration> own = arm.timeLeft();
            allKnown &= own.isPresent();
            if (own.isPresent() && (left.isEmpty() || own.get().compareTo(left.get()) > 0)) {
                left = own;
            }
        }
        if (slowest == Integer.MAX_VALUE) {
            slowest = slowestOfAll == Integer.MAX_VALUE ? 0 : slowestOfAll;
        }
        return new RunProgress(
                arms.isEmpty() ? 0 : share / arms.size(), slowest, fastest, steps, allKnown ? left : Optional.empty());
    }
}
