package keelscope.data;

import java.nio.file.Path;

/**
 * A UTF-8 text as bytes with a held-out end: where batches come from. Batch {@code step} is a function of the seed and
 * the step alone, so every arm sees the same and a resumed run goes on where it was.
 */
public final class TextData {

    private TextData() {}

    /**
     * Opens a text file ({@code sample}: the text Keelscope writes itself) and splits it.
     *
     * @param folder what a relative path is resolved against
     * @throws DataException if it is missing, empty, binary, not UTF-8 (with the offset), or too short for one window in
     *     each split
     */
    public static TextData open(String text, Path folder, double validationShare, int sequence) {
        throw new UnsupportedOperationException();
    }

    /**
     * The training batch of a step: {@code batch} rows of {@code sequence + 1} token ids, row-major, at positions drawn
     * uniformly from the training part.
     */
    public int[] batch(long seed, int step, int batch, int sequence) {
        throw new UnsupportedOperationException();
    }

    /** Validation batch {@code index}: fixed windows of the held-out part, the same at every validation; same layout. */
    public int[] validationBatch(int index, int batch, int sequence) {
        throw new UnsupportedOperationException();
    }

    /** Number of different tokens: 256. */
    public int vocabulary() {
        return 256;
    }

    /** One line for the run file: name, size, split. */
    public String description() {
        throw new UnsupportedOperationException();
    }

    /** SHA-256 of the bytes, hexadecimal. */
    public String hash() {
        throw new UnsupportedOperationException();
    }
}
