package keelscope.data;

import keelscope.random.SplitMix64;

/**
 * A sequence of tokens cut in two: the first part is trained on, the rest is held out. Windows of both are chosen here,
 * whatever holds the tokens.
 *
 * @param all number of tokens
 * @param training how many of them, from the first, are trained on
 */
record Split(long all, long training) {
    /** Fractional part of the golden ratio: its multiples modulo 1 spread evenly, however many are taken. */
    private static final double GOLDEN = 0.6180339887498949;

    /**
     * @param name names the data in a message
     * @param unit what a token is, in the plural
     * @throws DataException if either part is shorter than a window of {@code sequence + 1} tokens
     */
    static Split of(String name, String unit, long all, double validationShare, int sequence) {
        if (!(validationShare > 0) || validationShare > 0.5) {
            throw new DataException("The share held out for validation is " + validationShare
                    + "; allowed is a number greater than 0 and at most 0.5.");
        }
        if (sequence < 1) {
            throw new DataException("The sequence is " + sequence + " tokens long; allowed is at least 1.");
        }
        Split split = new Split(all, all - Math.round(all * validationShare));
        long window = sequence + 1L;
        if (split.training < window || split.heldOut() < window) {
            long enough = (long) Math.ceil(window / Math.min(validationShare, 1 - validationShare)) + 1;
            throw new DataException(name + " is too short: of its " + all + " " + unit + " " + split.training
                    + " are for training and " + split.heldOut() + " for validation, but a sequence of " + sequence
                    + " tokens needs " + window + " in each; use a text of at least " + enough + " " + unit
                    + " or a shorter sequence.");
        }
        return split;
    }

    long heldOut() {
        return all - training;
    }

    /** Where the window of a row of a step begins: uniform over the training part, the last window included. */
    long trainingStart(long seed, int step, int row, int sequence) {
        return SplitMix64.of(seed, step, row).below(training - sequence);
    }

    /** Where validation window {@code number} begins; windows are spread over the held-out part. */
    long validationStart(long number, int sequence) {
        long starts = heldOut() - sequence;
        double turns = (number + 0.5) * GOLDEN;
        return training + Math.min(starts - 1, (long) ((turns - Math.floor(turns)) * starts));
    }
}
