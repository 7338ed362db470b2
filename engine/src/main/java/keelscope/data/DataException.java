package keelscope.data;

/** The data cannot be used. The message is one sentence for the user: what is wrong, where, what to do. */
public class DataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DataException(String message) {
        super(message);
    }

    public DataException(String message, Throwable cause) {
        super(message, cause);
    }
}
