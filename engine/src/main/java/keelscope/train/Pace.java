package keelscope.train;

import java.util.ArrayList;
import java.util.List;

/**
 * How many PyTorch threads an engine works with.
 *
 * @param threads PyTorch threads
 * @param note why, one sentence
 */
public record Pace(int threads, String note) {

    /** A step slower than this is not repeated for the sake of finding the best number of threads. */
    private static final double LONG_STEP_MS = 1500;

    /** How long each number of threads is tried, but with so few steps at least and so many at most. */
    private static final double TRIAL_MS = 800;

    private static final int FEWEST_STEPS = 3;
    private static final int MOST_STEPS = 12;

    /** Sets the number of PyTorch threads of this process. */
    public interface Threads {
        void set(int threads);
    }

    /**
     * Chooses: what was asked for; else, where other arms share the cores, one core each; else by a short trial of 1, 2, 4, … up to
     * all cores on the model and batch at hand, without changing a parameter. More is not always better: small models are
     * slower with two threads than with one.
     *
     * @param step takes a step of the run's size, without update
     * @param asked what the user asked for, 0 to choose
     * @param cores cores this engine may count on
     */
    static Pace choose(Runnable step, Threads setter, int asked, int cores) {
        if (asked > 0) {
            setter.set(asked);
            return new Pace(asked, "Threads: " + asked + ", as asked for.");
        }
        if (cores == 1) {
            setter.set(1);
            return new Pace(1, "Threads: 1, since the other cores are for the other arms.");
        }
        double fastest = Double.POSITIVE_INFINITY;
        int chosen = cores;
        List<String> tried = new ArrayList<>();
        for (int threads : counts(cores)) {
            setter.set(threads);
            double took = fastest(step);
            if (threads == cores && took > LONG_STEP_MS) {
                return new Pace(cores, "Threads: " + cores + ", all the cores free to this engine.");
            }
            tried.add(threads + " took " + Math.round(took) + (threads == cores ? " ms a step" : " ms"));
            if (took < fastest) {
                fastest = took;
                chosen = threads;
            }
        }
        setter.set(chosen);
        return new Pace(chosen, "Threads tried: " + String.join(", ", tried) + "; chosen: " + chosen + ".");
    }

    /** All cores, then 1, 2, 4, … */
    private static List<Integer> counts(int cores) {
        List<Integer> counts = new ArrayList<>(List.of(cores));
        for (int threads = 1; threads < cores; threads *= 2) {
            counts.add(threads);
        }
        return counts;
    }

    /** The least time of several steps, ms: the first few with another number of threads are slow, until each has its memory. */
    private static double fastest(Runnable step) {
        step.run();
        double fastest = time(step);
        double sum = fastest;
        for (int i = 1; fastest <= LONG_STEP_MS && (i < FEWEST_STEPS || i < MOST_STEPS && sum < TRIAL_MS); i++) {
            double took = time(step);
            sum += took;
            fastest = Math.min(fastest, took);
        }
        return fastest;
    }

    private static double time(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e6;
    }
}
