package keelscope.generate;

import java.util.ArrayList;
import java.util.List;
import keelscope.data.Tokenizer;

/**
 * Tokens to text as they come, in whole characters: the bytes of one that is not complete are held back. Some tokenizers write a
 * token differently at the start of a text (without its space), so each is decoded behind the ones before it.
 */
final class TextStream {

    /** What a decoder gives for bytes that are no character, or not yet one. */
    private static final char REPLACEMENT = '\uFFFD';

    private final Tokenizer tokenizer;
    /** The tokens being decoded: those already written, for context, and then those that are not, or not wholly. */
    private final List<Integer> window = new ArrayList<>();
    private int settled;
    /** Characters of the window's text that were handed out, or stood there before. */
    private int written;

    /** @param before tokens of the text that is already there; may be empty */
    TextStream(Tokenizer tokenizer, int[] before) {
        this.tokenizer = tokenizer;
        for (int id : before) {
            window.add(id);
        }
        settled = window.size();
        written = text().length();
    }

    /** The text that a further token settles; empty where it ends within a character. */
    String add(int id) {
        window.add(id);
        String text = text();
        boolean open = !text.isEmpty() && text.charAt(text.length() - 1) == REPLACEMENT;
        int end = open ? text.length() - 1 : text.length();
        String settledText = text.substring(Math.min(written, end), end);
        written = Math.max(written, end);
        if (!open) {
            window.subList(0, settled).clear();
            settled = window.size();
            written = text().length();
        }
        return settledText;
    }

    private String text() {
        return tokenizer.decode(window.stream().mapToInt(Integer::intValue).toArray());
    }
}
