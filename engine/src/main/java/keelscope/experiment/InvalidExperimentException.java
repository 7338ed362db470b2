package keelscope.experiment;

/** An experiment cannot be used as written. The message is one sentence: what is wrong, where, what is allowed. */
public class InvalidExperimentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String key;

    /**
     * @param key dotted path of the value at fault, for example {@code model.layers} or {@code arms[1].scheme}; empty
     *     where the fault is the file as a whole
     */
    public InvalidExperimentException(String key, String message) {
        super(message);
        this.key = key;
    }

    /** Dotted path of the value at fault, for example {@code model.layers}; empty for the file as a whole. */
    public String key() {
        return key;
    }
}
