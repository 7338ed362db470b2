package keelscope.verify;

/** A reference vector cannot be used. The message is one sentence for the user. */
public class VerificationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public VerificationException(String message) {
        super(message);
    }

    public VerificationException(String message, Throwable cause) {
        super(message, cause);
    }
}
