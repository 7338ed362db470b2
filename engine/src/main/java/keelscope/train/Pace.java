package keelscope.train;

import keelscope.experiment.Experiment;

/**
 * How many PyTorch threads an engine works with.
 *
 * @param threads PyTorch threads
 * @param note why, one sentence
 */
public record Pace(int threads, String note) {

    /** A step slower than this is not repeated for the sake of finding the best number of threads. */
    private static final double LONG_STEP_MS = 1500;

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
        setter.set(cores);
        step.run();
        double fastest = time(step);
        if (fastest > LONG_STEP_MS) {
            return new Pace(cores, "Threads: " + cores + ", all the cores free to this engine.");
        }
        int chosen = cores;
        StringBuilder note = new StringBuilder("Threads tried: ").append(cores).append(" took ").append(Math.round(fastest)).append(" ms a step");
        for (int threads = 1; threads < cores; threads *= 2) {
            setter.set(threads);
            step.run();
            double took = Math.min(time(step), time(step));
            note.append(", ").append(threads).append(" took ").append(Math.round(took)).append(" ms");
            if (took < fastest) {
                fastest = took;
                chosen = threads;
            }
        }
        setter.set(chosen);
        return new Pace(chosen, note.append("; chosen: ").append(chosen).append('.').toString());
    }

    /** Cores an engine may count on while all arms of its experiment run side by side. */
    public static int coresFor(Experiment experiment) {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / experiment.arms().size());
    }

    private static double time(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e6;
    }
}
