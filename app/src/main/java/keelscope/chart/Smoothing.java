package keelscope.chart;

/** Smooths a noisy line with weights that fall off exponentially to both sides, so that it neither lags nor leads. */
final class Smoothing {
    private Smoothing() {}

    /**
     * The weighted mean of {@code y} around each point, weights {@code weight[i] · exp(−|x − x_i| / length)}. Near an end
     * it rests on the points there are. Values that are not finite are left out, and are NaN in the result.
     *
     * @param x positions, ascending
     * @param weight how many steps each value stands for
     * @param length fall-off length in units of x; 0 returns y itself
     */
    static double[] smooth(double[] x, double[] y, double[] weight, double length) {
        if (length <= 0) {
            return y;
        }
        int n = y.length;
        double[] sum = new double[n];
        double[] total = new double[n];
        sweep(x, y, weight, length, sum, total, 0, 1);
        sweep(x, y, weight, length, sum, total, n - 1, -1);
        double[] smooth = new double[n];
        for (int i = 0; i < n; i++) {
            boolean there = Double.isFinite(y[i]);
            // Both sweeps counted the point itself.
            smooth[i] = there ? (sum[i] - weight[i] * y[i]) / (total[i] - weight[i]) : Double.NaN;
        }
        return smooth;
    }

    private static void sweep(
            double[] x, double[] y, double[] weight, double length, double[] sum, double[] total, int start, int stride) {
        double runningSum = 0;
        double runningTotal = 0;
        for (int i = start; i >= 0 && i < y.length; i += stride) {
            if (i != start) {
                double decay = Math.exp(-Math.abs(x[i] - x[i - stride]) / length);
                runningSum *= decay;
                runningTotal *= decay;
            }
            if (Double.isFinite(y[i])) {
                runningSum += weight[i] * y[i];
                runningTotal += weight[i];
            }
            sum[i] += runningSum;
            total[i] += runningTotal;
        }
    }
}
