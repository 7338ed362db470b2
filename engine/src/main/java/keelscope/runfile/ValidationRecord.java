package keelscope.runfile;

/**
 * Validation after {@code step} updates were taken.
 *
 * @param step number of the last step taken before it
 * @param loss mean cross-entropy over the held-out windows, nats
 * @param accuracy share of the targets that were the most likely token; NaN where the data have no right answers
 */
public record ValidationRecord(int step, double loss, double accuracy) {
    /** One without an accuracy. */
    public ValidationRecord(int step, double loss) {
        this(step, loss, Double.NaN);
    }
}
