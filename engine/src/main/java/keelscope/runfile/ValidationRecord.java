package keelscope.runfile;

/**
 * Validation after {@code step} updates were taken.
 *
 * @param step number of the last step taken before it
 * @param loss mean cross-entropy over the held-out windows, nats
 */
public record ValidationRecord(int step, double loss) {}
