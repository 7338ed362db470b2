package keelscope.experiment;

/**
 * What is trained on. Byte-level: a token is a byte, the vocabulary 256.
 *
 * @param text path of a UTF-8 text file, or {@code sample} for the text Keelscope writes itself; {@link ExperimentFile}
 *     resolves a relative path against the folder of the YAML file, so that the experiment can be written elsewhere
 * @param validationShare share of the text held out from its end, in (0, 0.5]
 * @param batch sequences per step
 * @param sequence tokens per sequence
 */
public record DataSpec(String text, double validationShare, int batch, int sequence) {
    private static final int MOST_BATCH = 1 << 16;
    private static final int MOST_SEQUENCE = 1 << 20;
    private static final long MOST_TOKENS = 1L << 28;

    /** @throws InvalidExperimentException if a value is not allowed */
    public DataSpec {
        Require.present("data.text", text);
        if (text.isBlank()) {
            throw new InvalidExperimentException(
                    "data.text", "data.text is empty; allowed is the path of a UTF-8 text file, or sample.");
        }
        if (!(validationShare > 0) || validationShare > 0.5) {
            throw Require.refuse("data.validation_share", validationShare, "a number greater than 0 and at most 0.5");
        }
        Require.between("data.batch", batch, 1, MOST_BATCH);
        Require.between("data.sequence", sequence, 1, MOST_SEQUENCE);
        if ((long) batch * (sequence + 1) > MOST_TOKENS) {
            throw new InvalidExperimentException(
                    "data.batch",
                    "data.batch is " + batch + " and data.sequence " + sequence + "; allowed are at most " + MOST_TOKENS
                            + " tokens a step.");
        }
    }
}
