package keelscope.cli;

/** PyTorch got no memory for a tensor. The message is one sentence: what failed and what to do. */
final class OutOfMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private OutOfMemoryException(Throwable cause) {
        super("There was not enough memory to train on; try fewer layers, a smaller batch, shorter sequences or training.recompute: on.",
                cause);
    }

    /** {@code e}, or in its place one with a sentence, where memory is what it lacked. */
    static RuntimeException explained(RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        // What PyTorch's allocators say, on the processor and on a GPU, and what C++ says.
        boolean memory = message.contains("DefaultCPUAllocator") || message.contains("can't allocate memory")
                || message.contains("out of memory") || message.contains("bad_alloc");
        return memory ? new OutOfMemoryException(e) : e;
    }
}
