package keelscope.checkpoint;

/** A checkpoint cannot be written or used. The message is one sentence for the user: what is wrong, where, what to do. */
public class CheckpointException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CheckpointException(String message) {
        super(message);
    }

    public CheckpointException(String message, Throwable cause) {
        super(message, cause);
    }
}
