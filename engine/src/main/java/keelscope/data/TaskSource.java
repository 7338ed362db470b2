package keelscope.data;

import java.util.Locale;
import java.util.Optional;
import keelscope.random.SplitMix64;

/**
 * Instances of a task. Whether an instance is held out is decided by a hash of the instance itself, so that what is
 * validated on is never trained on, whatever the seed and however long the run.
 */
abstract class TaskSource implements TokenSource {
    private static final long TRAINING = 1;
    private static final long VALIDATION = 2;
    /** An instance of the wanted part is found after some 1 / share tries; so many are not needed by chance. */
    private static final int TRIES = 100_000;

    private final String definition;
    private final double validationShare;

    /** @param definition one line that says what is computed, with every number on which it depends */
    TaskSource(String definition, double validationShare) {
        if (!(validationShare > 0) || validationShare > 0.5) {
            throw new DataException("The share held out for validation is " + validationShare
                    + "; allowed is a number greater than 0 and at most 0.5.");
        }
        this.definition = definition;
        this.validationShare = validationShare;
    }

    /**
     * Fills one row.
     *
     * @param ids the tokens, to be filled
     * @param targets what is to be predicted at each, filled with {@link TokenBatch#IGNORED}
     */
    abstract void row(SplitMix64 random, boolean heldOut, int[] ids, int[] targets);

    /** Whether an instance belongs to what is held out. */
    final boolean isHeldOut(int[] tokens, int from, int to) {
        long[] key = new long[to - from];
        for (int i = from; i < to; i++) {
            key[i - from] = tokens[i];
        }
        return SplitMix64.of(key).uniform() < validationShare;
    }

    /** Makes instances until one belongs to the wanted part. */
    final void until(int sequence, java.util.function.BooleanSupplier made) {
        for (int i = 0; i < TRIES; i++) {
            if (made.getAsBoolean()) {
                return;
            }
        }
        throw new DataException("A sequence of " + sequence
                + " tokens is too short to have instances of this task in both parts; use a longer one.");
    }

    @Override
    public final TokenBatch training(long seed, int step, int rows, int sequence) {
        return rows(rows, sequence, false, row -> SplitMix64.of(TRAINING, seed, step, row));
    }

    @Override
    public final TokenBatch validation(int index, int rows, int sequence) {
        return rows(rows, sequence, true, row -> SplitMix64.of(VALIDATION, (long) index * rows + row));
    }

    private TokenBatch rows(int rows, int sequence, boolean heldOut, java.util.function.IntFunction<SplitMix64> random) {
        int[] ids = new int[Math.multiplyExact(rows, sequence)];
        int[] targets = new int[ids.length];
        for (int r = 0; r < rows; r++) {
            int[] rowIds = new int[sequence];
            int[] rowTargets = new int[sequence];
            java.util.Arrays.fill(rowTargets, TokenBatch.IGNORED);
            row(random.apply(r), heldOut, rowIds, rowTargets);
            System.arraycopy(rowIds, 0, ids, r * sequence, sequence);
            System.arraycopy(rowTargets, 0, targets, r * sequence, sequence);
        }
        return new TokenBatch(rows, sequence, ids, targets);
    }

    @Override
    public final String description() {
        return String.format(
                Locale.ROOT, "%s; made on the fly, %s %% of all instances held out for validation", definition, validationShare * 100);
    }

    @Override
    public final String hash() {
        return Sha256.of(description());
    }

    @Override
    public final boolean hasAccuracy() {
        return true;
    }

    @Override
    public final Optional<Tokenizer> tokenizer() {
        return Optional.empty();
    }

    @Override
    public final void close() {}
}
