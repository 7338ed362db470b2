package keelscope.export;

/** Something cannot be exported or read in. The message is one sentence for the user: what is wrong, where, what to do. */
public class ExportException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ExportException(String message) {
        super(message);
    }

    public ExportException(String message, Throwable cause) {
        super(message, cause);
    }
}
