package keelscope.generate;

import java.util.Arrays;
import keelscope.random.SplitMix64;

/**
 * How the next token is drawn: from softmax(logits / temperature) over the {@code topK} most likely ones. Everything follows from
 * the seed.
 *
 * @param temperature 0 takes the most likely token each time; 1 draws as the model predicts; more is bolder
 * @param topK how many of the most likely tokens can be drawn; 0 for all
 * @param seed seed of the draws
 */
public record Sampling(double temperature, int topK, long seed) {

    /** @throws IllegalArgumentException with one sentence if a value is not allowed */
    public Sampling {
        if (!(temperature >= 0) || Double.isInfinite(temperature)) {
            throw new IllegalArgumentException("temperature is " + temperature + "; allowed is 0 (always the most likely token) or more.");
        }
        if (topK < 0) {
            throw new IllegalArgumentException("top-k is " + topK + "; allowed is 1 or more, or 0 for all tokens.");
        }
    }

    /**
     * Draws a token.
     *
     * @param logits of every token of the vocabulary
     */
    int draw(float[] logits, SplitMix64 random) {
        int best = mostLikely(logits);
        if (temperature == 0) {
            return best;
        }
        float least = topK == 0 || topK >= logits.length ? Float.NEGATIVE_INFINITY : threshold(logits);
        double[] weights = new double[logits.length];
        double sum = 0;
        int left = topK == 0 ? logits.length : topK;
        for (int pass = 0; pass < 2; pass++) {
            // Those equal to the least come second, so that never more than topK have a share.
            for (int i = 0; i < logits.length && left > 0; i++) {
                if (pass == 0 ? logits[i] > least : logits[i] == least) {
                    weights[i] = StrictMath.exp((logits[i] - logits[best]) / temperature);
                    sum += weights[i];
                    left--;
                }
            }
        }
        double at = random.uniform() * sum;
        for (int i = 0; i < weights.length; i++) {
            at -= weights[i];
            if (at < 0) {
                return i;
            }
        }
        return best; // rounding: the last of the weight was lost
    }

    private static int mostLikely(float[] logits) {
        int best = 0;
        for (int i = 1; i < logits.length; i++) {
            if (logits[i] > logits[best]) {
                best = i;
            }
        }
        return best;
    }

    private float threshold(float[] logits) {
        float[] sorted = logits.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length - topK];
    }
}
