package keelscope.chart;

/** Smooths a noisy line with weights that fall off exponentially to both sides, so that it neither lags nor leads. */
final class Smoothing {
    private Smoothing() {}

    /**
     * The weighted mean of {@code y} around each point, weights {@code weight[i] · exp(−|x − x_i| / length)}. Near the
     * first point, where a loss falls fastest and all neighbours lie on one side, it goes over into the straight line
     * fitted with the same weights, whose share is {@code exp(−(x − x_0) / (3 length))}; near the last it rests on the
     * points there are. Values that are not finite are left out, and are NaN in the result.
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
        Moments[] sums = new Moments[n];
        for (int i = 0; i < n; i++) {
            sums[i] = new Moments();
        }
        sweep(x, y, weight, length, sums, 0, 1);
        sweep(x, y, weight, length, sums, n - 1, -1);
        double[] smooth = new double[n];
        for (int i = 0; i < n; i++) {
            if (!Double.isFinite(y[i])) {
                smooth[i] = Double.NaN;
                continue;
            }
            // Both sweeps counted the point itself.
            Moments m = sums[i];
            m.add(-weight[i], y[i]);
            double mean = m.y / m.one;
            double spread = m.xx * m.one - m.x * m.x;
            double share = Math.exp(-(x[i] - x[0]) / (3 * length));
            double line = spread > 1e-9 * m.one * m.one ? (m.xx * m.y - m.x * m.xy) / spread : mean;
            smooth[i] = share * line + (1 - share) * mean;
        }
        return smooth;
    }

    /** Weighted sums of 1, x, x², y and x·y, x counted from the point at hand. */
    private static final class Moments {
        private double one;
        private double x;
        private double xx;
        private double y;
        private double xy;

        /** A value at the point at hand. */
        void add(double weight, double value) {
            one += weight;
            y += weight * value;
        }

        void add(Moments other) {
            one += other.one;
            x += other.x;
            xx += other.xx;
            y += other.y;
            xy += other.xy;
        }

        /** Goes on to the point {@code distance} further, letting all weights fall off by {@code decay}. */
        void move(double distance, double decay) {
            xx = decay * (xx - 2 * distance * x + distance * distance * one);
            xy = decay * (xy - distance * y);
            x = decay * (x - distance * one);
            one *= decay;
            y *= decay;
        }
    }

    private static void sweep(
            double[] x, double[] y, double[] weight, double length, Moments[] sums, int start, int stride) {
        Moments running = new Moments();
        for (int i = start; i >= 0 && i < y.length; i += stride) {
            if (i != start) {
                double distance = x[i] - x[i - stride];
                running.move(distance, Math.exp(-Math.abs(distance) / length));
            }
            if (Double.isFinite(y[i])) {
                running.add(weight[i], y[i]);
            }
            sums[i].add(running);
        }
    }
}
