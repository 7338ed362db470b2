package keelscope.model;

/**
 * How a batch is shared among threads where gradients are written by hand: each takes some of the sequences through the whole
 * model, instead of a part of each small operation.
 */
public final class Sharing {

    /** What the gradients of all threads but the first may take, bytes. */
    private static final long MOST_BYTES = 256L << 20;

    private Sharing() {}

    /**
     * How many threads share a batch: each has a sequence at least, and their gradients stay small; else 1, and the threads work
     * on each operation together.
     *
     * @param batch sequences
     * @param parameters trained parameters of the model
     */
    public static int among(int threads, int batch, long parameters) {
        int most = Math.max(1, Math.min(threads, batch));
        return bytes(most, parameters) <= MOST_BYTES ? most : 1;
    }

    /** Memory it takes, bytes: the gradients of each thread but the first, and a copy to hand them on, float32. */
    public static long bytes(int threads, long parameters) {
        return (threads - 1) * 2L * Float.BYTES * parameters;
    }
}
