package keelscope.train;

import java.util.Locale;

/**
 * What {@link Divergence} has found out about a run: one of the three kinds of divergence, a value that is not finite,
 * a spike, or nothing amiss. Steps are those of the run, losses are in nats.
 */
public sealed interface Verdict {

    /** The step this is about: where the spike, the plateau or the lag began. */
    int step();

    /** The word for this kind in run files, for example {@code stagnation}. */
    String kind();

    /** One sentence for the user. */
    String sentence();

    /** Whether this is a divergence; a spike is one only once it is taken as {@link Instability}. */
    default boolean diverged() {
        return true;
    }

    /** Whether training cannot go on; every other verdict is an observation, since the loss may yet come back. */
    default boolean stops() {
        return false;
    }

    /**
     * Nothing is amiss, or no longer.
     *
     * @param step the step at which this was seen
     */
    record Healthy(int step, String sentence) implements Verdict {
        @Override
        public String kind() {
            return "healthy";
        }

        @Override
        public boolean diverged() {
            return false;
        }
    }

    /**
     * The loss rose suddenly.
     *
     * @param step first step of the rise
     * @param before level of the loss before it
     * @param peak highest loss seen in it
     * @param recovered whether the loss has come back to its level before
     * @param seen the step at which this was seen: of the return if there was one
     */
    record Spike(int step, double before, double peak, boolean recovered, int seen) implements Verdict {
        @Override
        public String kind() {
            return "spike";
        }

        @Override
        public String sentence() {
            String rise = text("The loss rose from %.2f to %.2f nats at step %d", before, peak, step);
            return recovered
                    ? rise + text(" and came back within %d steps.", seen - step)
                    : rise + " and has not come back yet.";
        }

        @Override
        public boolean diverged() {
            return false;
        }
    }

    /**
     * The loss entered a plateau far earlier than expected and stays there.
     *
     * @param step where the plateau begins
     * @param level the loss on it
     * @param seen the step at which it had lasted long enough to be called one
     */
    record Stagnation(int step, double level, int seen) implements Verdict {
        @Override
        public String kind() {
            return "stagnation";
        }

        @Override
        public String sentence() {
            return text("The loss has stayed near %.2f nats since step %d: it stopped falling far too early.", level, step);
        }
    }

    /**
     * The loss rose and did not return to its level before.
     *
     * @param step first step of the rise
     * @param before level of the loss before it
     * @param level the loss when this was called irrecoverable
     * @param seen the step at which that was
     */
    record Instability(int step, double before, double level, int seen) implements Verdict {
        @Override
        public String kind() {
            return "instability";
        }

        @Override
        public String sentence() {
            return text(
                    "The loss rose at step %d and never came back: %.2f nats before it, %.2f still %d steps later.",
                    step, before, level, seen - step);
        }
    }

    /**
     * The loss falls without a spike, but far more slowly than in a healthy run of the same budget.
     *
     * @param step from where it lags
     * @param level the loss now
     * @param healthy the healthy run's loss at the same step
     * @param seen the step at which this was seen
     */
    record Degradation(int step, double level, double healthy, int seen) implements Verdict {
        @Override
        public String kind() {
            return "degradation";
        }

        @Override
        public String sentence() {
            return text(
                    "The loss falls far too slowly since step %d: %.2f nats at step %d, where the healthy run had %.2f.",
                    step, level, seen, healthy);
        }
    }

    /**
     * A value is infinite or not a number.
     *
     * @param what what it is: {@code loss} or {@code gradient norm}
     */
    record NotFinite(int step, String what, double value) implements Verdict {
        @Override
        public String kind() {
            return "not_finite";
        }

        @Override
        public String sentence() {
            String is = Double.isNaN(value) ? "not a number" : "infinite";
            return text("The %s is %s at step %d, so training cannot go on.", what, is, step);
        }

        @Override
        public boolean stops() {
            return true;
        }
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
