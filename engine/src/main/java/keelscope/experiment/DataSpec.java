package keelscope.experiment;

/**
 * What is trained on. Byte-level: a token is a byte, the vocabulary 256.
 *
 * @param text path of a UTF-8 text file as written in the YAML (relative to it), or {@code sample} for the text
 *     Keelscope writes itself
 * @param validationShare share of the text held out from its end, in (0, 0.5]
 * @param batch sequences per step
 * @param sequence tokens per sequence
 */
public record DataSpec(String text, double validationShare, int batch, int sequence) {}
