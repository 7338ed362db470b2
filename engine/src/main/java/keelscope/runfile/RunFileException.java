package keelscope.runfile;

/** A run file cannot be opened, read or written. The message is one sentence for the user: what, where, what to do. */
public class RunFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RunFileException(String message) {
        super(message);
    }

    public RunFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
