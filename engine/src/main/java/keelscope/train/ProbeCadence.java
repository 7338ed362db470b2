package keelscope.train;

import java.util.Locale;

/**
 * Which steps are probed. Asked for by the user, or found from the first steps of the run itself: every other one of them is
 * probed, and what the probes added to a step says how rare they must be to cost at most 5 % of the time.
 */
public final class ProbeCadence {

    /** Probing may cost this share of the time; what is promised is 0.05, the rest is for a trial that errs. */
    private static final double SHARE = 0.02;

    /** Steps of the trial; the first is not timed, since it allocates. */
    private static final int TRIAL = 8;

    /** A probe adds this share to a step at least, whatever a short trial on a busy machine says. */
    private static final double LEAST = 0.05;

    private static final int[] DIGITS = {1, 2, 5};

    private final int steps;
    private int every;
    private int seen;
    private double plain = Double.POSITIVE_INFINITY;
    private double probed = Double.POSITIVE_INFINITY;

    /**
     * @param asked steps from one probe to the next, 0 to find out
     * @param steps steps of the whole run
     */
    public ProbeCadence(int asked, int steps) {
        this.every = asked;
        this.steps = steps;
    }

    /** Whether {@code step} is to be probed. */
    public boolean due(int step) {
        return every > 0 ? step % every == 0 : step % 2 == 0;
    }

    /** Steps from one probe to the next; 0 while that is being found out. */
    int every() {
        return every;
    }

    /**
     * Tells what a step took.
     *
     * @return one sentence once the cadence has been found, else empty
     */
    public String took(boolean watched, double ms) {
        if (every > 0 || seen++ == 0) {
            return "";
        }
        if (watched) {
            probed = Math.min(probed, ms);
        } else {
            plain = Math.min(plain, ms);
        }
        if (seen <= TRIAL) {
            return "";
        }
        double extra = Math.max(0, probed - plain) / plain;
        every = nice(Math.max(LEAST, extra) / SHARE);
        return String.format(Locale.ROOT, "A probe adds %.0f %% to a step, so one step in %d is probed.", 100 * extra, every);
    }

    /** The next of 1, 2, 5, 10, 20, 50, …; at most a tenth of the run, so that short runs show something. */
    private int nice(double atLeast) {
        for (int power = 1; ; power *= 10) {
            for (int digit : DIGITS) {
                int candidate = digit * power;
                if (candidate >= atLeast || candidate >= Math.max(1, steps / 10)) {
                    return candidate;
                }
            }
        }
    }
}
