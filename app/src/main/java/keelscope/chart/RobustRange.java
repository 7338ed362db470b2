package keelscope.chart;

import java.util.List;

/** The 1st and 99th percentile of many values, by counting, without sorting. */
final class RobustRange {
    private static final int BINS = 4096;
    // So many values tell a percentile well enough for a colour; of more, every n-th is taken.
    private static final int ENOUGH = 100_000;

    private RobustRange() {}

    /**
     * @param matrices values, NaN where there is none
     * @return the percentiles, to a four-thousandth of the whole range; empty if there is no value
     */
    static double[] percentiles(List<float[][]> matrices) {
        long cells = 0;
        for (float[][] matrix : matrices) {
            for (float[] column : matrix) {
                cells += column.length;
            }
        }
        // Every n-th column: neighbouring steps are alike, neighbouring sub-layers need not be.
        int stride = (int) Math.max(1, cells / ENOUGH);
        float least = Float.POSITIVE_INFINITY;
        float most = Float.NEGATIVE_INFINITY;
        long total = 0;
        for (float[][] matrix : matrices) {
            for (int c = 0; c < matrix.length; c += stride) {
                for (float value : matrix[c]) {
                    if (!Float.isNaN(value)) {
                        least = Math.min(least, value);
                        most = Math.max(most, value);
                        total++;
                    }
                }
            }
        }
        if (total == 0) {
            return new double[0];
        }
        if (least == most) {
            return new double[] {least, most};
        }
        int[] counts = new int[BINS];
        double perBin = (double) (most - least) / BINS;
        for (float[][] matrix : matrices) {
            for (int c = 0; c < matrix.length; c += stride) {
                for (float value : matrix[c]) {
                    if (!Float.isNaN(value)) {
                        counts[Math.min(BINS - 1, (int) ((value - least) / perBin))]++;
                    }
                }
            }
        }
        return new double[] {
            least + perBin * bin(counts, (long) Math.floor(0.01 * total)),
            least + perBin * (bin(counts, (long) Math.ceil(0.99 * total) - 1) + 1)
        };
    }

    /** The bin with the value of that rank. */
    private static int bin(int[] counts, long rank) {
        long seen = 0;
        for (int bin = 0; bin < counts.length; bin++) {
            seen += counts[bin];
            if (seen > rank) {
                return bin;
            }
        }
        throw new IllegalStateException("Rank " + rank + " lies beyond " + seen + " values.");
    }
}
