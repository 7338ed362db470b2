package keelscope.generate;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import keelscope.data.Corpus;
import keelscope.data.DataException;
import keelscope.data.TokenBatch;
import keelscope.data.Tokenizer;

/**
 * A text to be predicted, cut into windows as in training: each token but the first is predicted once, from those before it in its
 * window of at most {@code sequence} tokens.
 *
 * @param corpus the text
 * @param mostTokens how many tokens are predicted at most, from the text's start; 0 for all
 */
public record GivenText(Corpus corpus, long mostTokens) {

    /** Tokens given to the model at once, about. */
    private static final int AT_ONCE = 512;

    /** @throws IllegalArgumentException if {@code mostTokens} is negative */
    public GivenText {
        if (mostTokens < 0) {
            throw new IllegalArgumentException("tokens is " + mostTokens + "; allowed is 1 or more, or 0 for all.");
        }
    }

    /**
     * A file or folder of text; {@code sample} for the text Keelscope writes itself.
     *
     * @param field what is read of a line of .jsonl
     * @throws DataException if there is none
     */
    public static GivenText of(String text, String field, long mostTokens) {
        return new GivenText(text.equals("sample") ? Corpus.sample() : Corpus.of(List.of(text), Path.of(""), field, false), mostTokens);
    }

    /** What was read. */
    record Extent(long tokens, long bytes, boolean whole) {}

    /** Ends the reading of a text of which enough is known. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Enough() {
            super("enough", null, false, false);
        }
    }

    /**
     * Hands on the text in batches of windows.
     *
     * @throws DataException if it cannot be read, holds what the vocabulary has no token for, or less than two tokens
     */
    Extent read(Tokenizer tokenizer, int sequence, Consumer<TokenBatch> to) {
        Windows windows = new Windows(sequence, Math.max(1, AT_ONCE / sequence), to);
        try {
            corpus.read(chunk -> {
                int[] ids = tokenizer.encode(chunk);
                windows.bytes += chunk.getBytes(StandardCharsets.UTF_8).length;
                for (int id : ids) {
                    windows.add(id);
                }
            });
        } catch (Enough e) {
            windows.whole = false;
        }
        windows.flush();
        if (windows.predicted == 0) {
            throw new DataException(corpus.name() + " is too short: at least two tokens are needed, one to predict the other from.");
        }
        return new Extent(windows.predicted, windows.bytes, windows.whole);
    }

    private final class Windows {
        private final int sequence;
        private final int rows;
        private final Consumer<TokenBatch> to;
        private int[] ids;
        private int[] targets;
        private int filled;
        private int previous = -1;
        private long predicted;
        private long bytes;
        private boolean whole = true;

        Windows(int sequence, int rows, Consumer<TokenBatch> to) {
            this.sequence = sequence;
            this.rows = rows;
            this.to = to;
            this.ids = new int[rows * sequence];
            this.targets = new int[rows * sequence];
        }

        void add(int id) {
            if (previous >= 0) {
                if (mostTokens > 0 && predicted == mostTokens) {
                    throw new Enough();
                }
                ids[filled] = previous;
                targets[filled++] = id;
                predicted++;
                if (filled == ids.length) {
                    flush();
                }
            }
            previous = id;
        }

        /** Hands on what there is; the last window is filled up with what does not count. */
        void flush() {
            if (filled == 0) {
                return;
            }
            int full = (filled + sequence - 1) / sequence;
            int[] batchIds = Arrays.copyOf(ids, full * sequence);
            int[] batchTargets = Arrays.copyOf(targets, full * sequence);
            Arrays.fill(batchIds, filled, batchIds.length, 0);
            Arrays.fill(batchTargets, filled, batchTargets.length, TokenBatch.IGNORED);
            filled = 0;
            to.accept(new TokenBatch(full, sequence, batchIds, batchTargets));
        }
    }
}
