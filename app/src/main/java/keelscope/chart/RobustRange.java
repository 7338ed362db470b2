package keelscope.chart;

import java.util.List;

/** The 1st and 99th percentile of many logarithms, by counting, without sorting. */
final class RobustRange {
    // Sixteenths of an octave from 2^-160 to 2^160.
    private static final int PER_OCTAVE = 16;
    private static final int OCTAVES = 160;
    // So many values tell a percentile well enough for a colour; of more, every n-th is taken.
    private static final int ENOUGH = 100_000;

    private RobustRange() {}

    /**
     * @param matrices log2 values, NaN where there is none
     * @return the percentiles as values (not logarithms), empty if there is no value
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
        int[] counts = new int[2 * OCTAVES * PER_OCTAVE];
        long total = 0;
        for (float[][] matrix : matrices) {
            for (int c = 0; c < matrix.length; c += stride) {
                for (float value : matrix[c]) {
                    if (!Float.isNaN(value)) {
                        int bin = (int) ((value + OCTAVES) * PER_OCTAVE);
                        counts[Math.max(0, Math.min(counts.length - 1, bin))]++;
                        total++;
                    }
                }
            }
        }
        return total == 0
                ? new double[0]
                : new double[] {edge(counts, (long) Math.floor(0.01 * total), 0), edge(counts, (long) Math.ceil(0.99 * total) - 1, 1)};
    }

    /** The lower (0) or upper (1) edge of the bin with the value of that rank. */
    private static double edge(int[] counts, long rank, int side) {
        long seen = 0;
        for (int bin = 0; bin < counts.length; bin++) {
            seen += counts[bin];
            if (seen > rank) {
                return Math.pow(2, (double) (bin + side) / PER_OCTAVE - OCTAVES);
            }
        }
        throw new IllegalStateException("Rank " + rank + " lies beyond " + seen + " values.");
    }
}
