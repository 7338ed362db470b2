package keelscope.train;

/**
 * The learning rate of the recipe: linear warm-up to the peak, then a cosine down to the final rate.
 *
 * @param peakLr highest rate, reached at step {@code warmup − 1}
 * @param finalLr the rate the cosine falls to at step {@code steps} (the last step taken, {@code steps − 1}, lies just above it)
 * @param warmup number of warm-up steps, from 0 (none) to {@code steps}
 * @param steps number of steps of the run
 */
public record LearningRate(double peakLr, double finalLr, int warmup, int steps) {

    /** @throws IllegalArgumentException with one sentence that names the value at fault and what is allowed */
    public LearningRate {
        if (!(peakLr > 0) || Double.isInfinite(peakLr)) {
            throw new IllegalArgumentException("peak_lr is " + peakLr + "; it must be a number above 0.");
        }
        if (!(finalLr >= 0) || Double.isInfinite(finalLr)) {
            throw new IllegalArgumentException("final_lr is " + finalLr + "; it must be a number of 0 or more.");
        }
        if (steps < 1) {
            throw new IllegalArgumentException("steps is " + steps + "; it must be 1 or more.");
        }
        if (warmup < 0 || warmup > steps) {
            throw new IllegalArgumentException("warmup is " + warmup + "; it must lie from 0 to steps (" + steps + ").");
        }
    }

    /**
     * The rate of a step's update.
     *
     * @param step from 0 to {@code steps − 1}
     * @throws IllegalArgumentException if the step lies outside the run
     */
    public double at(int step) {
        if (step < 0 || step >= steps) {
            throw new IllegalArgumentException("step is " + step + "; this run has the steps 0 to " + (steps - 1) + ".");
        }
        if (step < warmup) {
            return peakLr * (step + 1) / warmup;
        }
        double progress = (double) (step - warmup) / (steps - warmup);
        return finalLr + (peakLr - finalLr) / 2 * (1 + Math.cos(Math.PI * progress));
    }
}
