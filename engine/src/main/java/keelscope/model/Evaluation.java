package keelscope.model;

/**
 * A forward pass over targets.
 *
 * @param lossSum sum of cross-entropies, nats
 * @param count number of targets that count
 * @param correct how many of them were the most likely token
 */
public record Evaluation(double lossSum, long count, long correct) {
    /** Mean cross-entropy, nats. */
    public double loss() {
        return lossSum / count;
    }

    /** Both together. */
    public Evaluation plus(Evaluation other) {
        return new Evaluation(lossSum + other.lossSum, count + other.count, correct + other.correct);
    }
}
