package keelscope.data;

/**
 * Turns text into token ids and back. Its {@link #definition()} is kept with a run, so that a model can be given text when
 * the files it was trained on are gone.
 */
public interface Tokenizer extends AutoCloseable {
    /** A token is a byte of the text's UTF-8. */
    Tokenizer BYTES = new ByteTokenizer();

    /** Number of different tokens. */
    int vocabulary();

    /**
     * Token ids of a text.
     *
     * @throws DataException if it holds what the vocabulary has no token for
     */
    int[] encode(String text);

    /** The text of token ids; bytes that are not UTF-8 become U+FFFD. */
    String decode(int[] ids);

    /** One or two words: which tokenizer this is. */
    String description();

    /** All there is to know about it; {@link #restore} makes the same tokenizer of it. */
    String definition();

    /** Releases native memory, where it has any. */
    @Override
    default void close() {}

    /**
     * The tokenizer with a {@link #definition()}.
     *
     * @throws DataException if it is none
     */
    static Tokenizer restore(String definition) {
        if (definition.equals(ByteTokenizer.DEFINITION)) {
            return BYTES;
        }
        if (definition.startsWith(CharacterTokenizer.PREFIX)) {
            return new CharacterTokenizer(definition.substring(CharacterTokenizer.PREFIX.length()));
        }
        if (definition.startsWith(BytePairTokenizer.PREFIX)) {
            return new BytePairTokenizer(definition.substring(BytePairTokenizer.PREFIX.length()));
        }
        return JsonTokenizer.of(definition, "The tokenizer kept with the run");
    }
}
