package keelscope.library;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Mean and 95 % interval of a quantity over several runs: mean ± t · s / √n, s the sample's standard deviation (n − 1) and t the 0.975 quantile
 * of Student's distribution with n − 1 degrees of freedom.
 *
 * @param mean the mean of the finite values, NaN without any
 * @param low lower end; the mean where fewer than two values are finite, of which no spread is known
 * @param high upper end
 */
record SeedMean(double mean, double low, double high) {
    private static final double UPPER = 0.975;

    static SeedMean of(double... values) {
        double[] finite = Arrays.stream(values).filter(Double::isFinite).toArray();
        int n = finite.length;
        double mean = Arrays.stream(finite).average().orElse(Double.NaN);
        if (n < 2) {
            return new SeedMean(mean, mean, mean);
        }
        double squares = Arrays.stream(finite).map(value -> (value - mean) * (value - mean)).sum();
        double half = quantile(n - 1) * Math.sqrt(squares / (n - 1) / n);
        return new SeedMean(mean, mean - half, mean + half);
    }

    /** The same of the logarithms, back on the scale of the values: the geometric mean; as {@link #of} where a value is not above 0. */
    static SeedMean geometric(double... values) {
        double[] finite = Arrays.stream(values).filter(Double::isFinite).toArray();
        if (finite.length == 0 || Arrays.stream(finite).anyMatch(value -> value <= 0)) {
            return of(values);
        }
        SeedMean logs = of(Arrays.stream(finite).map(Math::log).toArray());
        return new SeedMean(Math.exp(logs.mean()), Math.exp(logs.low()), Math.exp(logs.high()));
    }

    // Asked for at every point of a chart, always for the same few numbers of runs.
    private static final double[] KNOWN = new double[64];

    private static synchronized double quantile(int freedom) {
        if (freedom >= KNOWN.length) {
            return TDistribution.of(freedom).inverseCumulativeProbability(UPPER);
        }
        if (KNOWN[freedom] == 0) {
            KNOWN[freedom] = TDistribution.of(freedom).inverseCumulativeProbability(UPPER);
        }
        return KNOWN[freedom];
    }
}
