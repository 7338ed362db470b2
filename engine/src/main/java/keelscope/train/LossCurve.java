package keelscope.train;

import java.util.Arrays;

/**
 * The smoothed loss of a finished or running healthy run: what another run of the same budget is held against. Smoothing is
 * by medians of about a hundredth of the points.
 */
public final class LossCurve {

    private final int[] steps;
    private final double[] levels;
    private final double[] lowest;
    private final double start;

    private LossCurve(int[] steps, double[] levels, double[] lowest, double start) {
        this.steps = steps;
        this.levels = levels;
        this.lowest = lowest;
        this.start = start;
    }

    /**
     * A curve from its points.
     *
     * @param steps ascending
     * @param losses one finite loss per step, nats
     * @throws IllegalArgumentException with one sentence if these are not the points of a loss curve
     */
    public static LossCurve of(int[] steps, double[] losses) {
        if (steps.length != losses.length || steps.length < 3) {
            throw new IllegalArgumentException("A loss curve needs as many losses as steps, at least 3; it has " + losses.length
                    + " losses and " + steps.length + " steps.");
        }
        for (int i = 0; i < steps.length; i++) {
            if (i > 0 && steps[i] <= steps[i - 1]) {
                throw new IllegalArgumentException("A loss curve's steps must ascend; " + steps[i] + " comes after " + steps[i - 1] + ".");
            }
            if (!Double.isFinite(losses[i])) {
                throw new IllegalArgumentException("A healthy loss curve must be finite; its loss at step " + steps[i] + " is " + losses[i] + ".");
            }
        }
        int block = Math.max(3, steps.length / 100);
        int n = steps.length / block;
        int[] middles = new int[n];
        double[] levels = new double[n];
        double[] lowest = new double[n];
        for (int b = 0; b < n; b++) {
            middles[b] = steps[b * block + block / 2];
            levels[b] = Divergence.median(Arrays.copyOfRange(losses, b * block, (b + 1) * block));
            lowest[b] = b == 0 ? levels[b] : Math.min(lowest[b - 1], levels[b]);
        }
        return new LossCurve(middles, levels, lowest, Divergence.median(Arrays.copyOf(losses, 3)));
    }

    /** The loss before anything was learnt. */
    double start() {
        return start;
    }

    /** The level at a step, between two points on the straight line. */
    double at(int step) {
        int i = Arrays.binarySearch(steps, step);
        if (i >= 0) {
            return levels[i];
        }
        int after = -i - 1;
        if (after == 0) {
            return levels[0];
        }
        if (after == steps.length) {
            return levels[after - 1];
        }
        double share = (double) (step - steps[after - 1]) / (steps[after] - steps[after - 1]);
        return levels[after - 1] + share * (levels[after] - levels[after - 1]);
    }

    /** The step by which the loss had first come down to {@code level}; the last step if it never did. */
    int reached(double level) {
        int low = 0;
        int high = lowest.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lowest[middle] <= level) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return steps[low];
    }
}
