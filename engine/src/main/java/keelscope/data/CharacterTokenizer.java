package keelscope.data;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** A token is a character (Unicode code point); the vocabulary is those that the text holds, in code point order. */
final class CharacterTokenizer implements Tokenizer {
    static final String PREFIX = "characters:";

    private final int[] characters;
    private final Map<Integer, Integer> ids = new HashMap<>();

    CharacterTokenizer(String alphabet) {
        characters = alphabet.codePoints().sorted().distinct().toArray();
        for (int id = 0; id < characters.length; id++) {
            ids.put(characters[id], id);
        }
    }

    /** The tokenizer of all characters of a corpus, which is read once for it. */
    static CharacterTokenizer of(Corpus corpus) {
        BitSet seen = new BitSet();
        corpus.read(chunk -> chunk.codePoints().forEach(seen::set));
        StringBuilder alphabet = new StringBuilder();
        seen.stream().forEach(alphabet::appendCodePoint);
        return new CharacterTokenizer(alphabet.toString());
    }

    @Override
    public int vocabulary() {
        return characters.length;
    }

    @Override
    public int[] encode(String text) {
        return text.codePoints()
                .map(character -> {
                    Integer id = ids.get(character);
                    if (id == null) {
                        throw new DataException(String.format(
                                "The character %s (U+%04X) is not in the vocabulary, which is the %d characters of the text"
                                        + " trained on; leave it out.",
                                Character.toString(character), character, characters.length));
                    }
                    return id;
                })
                .toArray();
    }

    @Override
    public String decode(int[] tokens) {
        StringBuilder text = new StringBuilder(tokens.length);
        for (int token : tokens) {
            text.appendCodePoint(characters[token]);
        }
        return text.toString();
    }

    @Override
    public String description() {
        return characters.length + " characters";
    }

    @Override
    public String definition() {
        return PREFIX + new String(characters, 0, characters.length);
    }
}
