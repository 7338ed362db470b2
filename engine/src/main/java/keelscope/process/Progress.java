package keelscope.process;

import java.time.Duration;
import java.util.Optional;
import keelscope.runfile.RunState;

/**
 * How far an arm is, as its run file says at one moment.
 *
 * @param state the file's state
 * @param lastStep last committed step, −1 before the first
 * @param steps steps of the recipe
 * @param loss loss of the last steps (mean of up to eight), nats; NaN before the first
 * @param validationLoss last validation loss, nats; NaN where there is none
 * @param accuracy last validation's share of right answers, 0 to 1; NaN where the data have no right answers
 * @param tokensPerSecond over the last steps; NaN before the first
 * @param taken time from the making of the file to its last sign of life
 * @param left estimated time to the last step; empty while it cannot be told or once the arm has ended
 */
public record Progress(
        RunState state,
        int lastStep,
        int steps,
        double loss,
        double validationLoss,
        double accuracy,
        double tokensPerSecond,
        Duration taken,
        Optional<Duration> left) {

    /** Share of the steps taken, 0 to 1. */
    public double share() {
        return steps == 0 ? 1 : Math.min(1, (lastStep + 1) / (double) steps);
    }
}
