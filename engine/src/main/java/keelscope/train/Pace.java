package keelscope.train;


/**
 * How the engine goes about its steps on this machine: found by a short trial at the start, on the model and batch at hand,
 * without changing a parameter.
 *
 * @param threads PyTorch threads
 * @param probeEvery steps from one probe to the next
 * @param note what was tried and chosen, one sentence
 */
public record Pace(int threads, int probeEvery, String note) {

    /** Probing may cost this share of the time; what is promised is 0.05, the rest is for a trial that errs. */
    private static final double PROBE_SHARE = 0.04;

    /** A step slower than this is not repeated for the sake of finding the best number of threads. */
    private static final double LONG_STEP_MS = 1500;

    private static final int[] NICE = {1, 2, 5};

    /** Sets the number of PyTorch threads of this process. */
    public interface Threads {
        void set(int threads);
    }

    /**
     * Tries the numbers of threads from 1 to {@code cores} (doubling), and a probe.
     *
     * @param step takes a step of the run's size, without update; the argument tells whether to watch
     * @param threads what the user asked for, 0 to choose
     * @param cores cores this engine may count on
     * @param probeEvery what the user asked for, 0 to choose
     * @param steps steps of the whole run
     */
    static Pace choose(TrialStep step, Threads setter, int threads, int cores, int probeEvery, int steps) {
        int chosen = threads > 0 ? threads : 1;
        StringBuilder note = new StringBuilder();
        setter.set(threads > 0 ? threads : cores);
        // PyTorch watches the first two runs of a program before it settles on a plan.
        step.take(false);
        double plain = time(() -> step.take(false));
        if (threads == 0 && cores > 1) {
            if (plain > LONG_STEP_MS) {
                chosen = cores;
                note.append("threads: ").append(cores).append(", all cores free to this engine");
            } else {
                plain = Double.POSITIVE_INFINITY;
                for (int candidate = 1; candidate <= cores; candidate = candidate == cores ? cores + 1 : Math.min(2 * candidate, cores)) {
                    setter.set(candidate);
                    step.take(false);
                    double took = Math.min(time(() -> step.take(false)), time(() -> step.take(false)));
                    note.append(note.isEmpty() ? "threads tried: " : ", ").append(candidate).append(" took ")
                            .append(Math.round(took)).append(" ms a step");
                    if (took < plain) {
                        plain = took;
                        chosen = candidate;
                    }
                }
                note.append("; chosen: ").append(chosen);
            }
        } else if (threads == 0) {
            note.append("threads: 1, since the other cores are for the other arms");
        } else {
            note.append("threads: ").append(threads).append(", as asked for");
        }
        setter.set(chosen);
        int every = probeEvery;
        if (every == 0) {
            step.take(true);
            double extra = Math.max(0, Math.min(time(() -> step.take(true)), time(() -> step.take(true))) - plain);
            every = nice(extra / (PROBE_SHARE * plain), steps);
            note.append(String.format(java.util.Locale.ROOT, "; a probe adds %.0f %% to a step, so one every %d steps", 100 * extra / plain, every));
        }
        return new Pace(chosen, every, note.append('.').toString());
    }

    /** A step for trial. */
    interface TrialStep {
        void take(boolean watch);
    }

    /** The next of 1, 2, 5, 10, 20, 50, …; at most a tenth of the run, so that short runs show something. */
    static int nice(double atLeast, int steps) {
        for (int power = 1; ; power *= 10) {
            for (int digit : NICE) {
                int every = digit * power;
                if (every >= atLeast || every >= Math.max(1, steps / 10)) {
                    return every;
                }
            }
        }
    }

    private static double time(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e6;
    }
}
