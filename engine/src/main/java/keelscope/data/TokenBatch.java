package keelscope.data;

/**
 * Rows of tokens and what is to be predicted at each.
 *
 * @param rows number of rows
 * @param sequence tokens per row
 * @param ids token ids, row-major, {@code rows × sequence}
 * @param targets the token to be predicted at each position, same layout; {@link #IGNORED} where nothing is
 */
public record TokenBatch(int rows, int sequence, int[] ids, int[] targets) {
    /** The target of a position that does not count, as PyTorch's cross-entropy knows it. */
    public static final int IGNORED = -100;

    /** @throws IllegalArgumentException if an array has another length than {@code rows × sequence} */
    public TokenBatch {
        if (ids.length != rows * sequence || targets.length != rows * sequence) {
            throw new IllegalArgumentException("ids has " + ids.length + " and targets " + targets.length
                    + " elements; allowed is " + rows + " × " + sequence + ".");
        }
    }

    /** A batch for next-token prediction, from rows of {@code sequence + 1} tokens. */
    static TokenBatch ofWindows(int rows, int sequence, int[] windows) {
        int[] ids = new int[rows * sequence];
        int[] targets = new int[rows * sequence];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(windows, row * (sequence + 1), ids, row * sequence, sequence);
            System.arraycopy(windows, row * (sequence + 1) + 1, targets, row * sequence, sequence);
        }
        return new TokenBatch(rows, sequence, ids, targets);
    }

    /** Number of positions that count. */
    public int counted() {
        int counted = 0;
        for (int target : targets) {
            counted += target == IGNORED ? 0 : 1;
        }
        return counted;
    }
}
