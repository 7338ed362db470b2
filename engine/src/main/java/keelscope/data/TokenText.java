package keelscope.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;

/**
 * A text of one or more files, cut into tokens by a tokenizer, with a held-out end. Its tokens are kept in the user's cache:
 * see {@link TokenStore}.
 */
public final class TokenText implements TokenSource {
    /** A token is a byte. */
    public static final String BYTES = "bytes";
    /** A token is a character of the text. */
    public static final String CHARACTERS = "characters";
    /** Followed by a number: byte pairs learnt from the text until there are so many tokens. */
    public static final String BPE = "bpe:";

    private final String name;
    private final TokenStore.Facts facts;
    private final Tokenizer tokenizer;
    private final Bytes tokens;
    private final Split split;

    private TokenText(String name, TokenStore store, double validationShare, int sequence) throws IOException {
        this.name = name;
        this.facts = store.facts;
        this.split = Split.of(name, "tokens", facts.tokens(), validationShare, sequence);
        this.tokenizer = Tokenizer.restore(facts.tokenizer());
        this.tokens = new Bytes.InFile(store.tokens);
    }

    /**
     * Opens a text; the first time it is read whole and its tokens are kept.
     *
     * @param paths files and folders, relative to {@code folder}; the one word {@code sample} for the text Keelscope writes
     *     itself
     * @param folder what a relative path is resolved against, {@code tokenizer}'s too
     * @param tokenizer {@code bytes}, {@code characters}, {@code bpe:N} or the path of a {@code tokenizer.json}
     * @param field what to read of a line of .jsonl
     * @param replaceInvalid whether bytes that are not UTF-8 become U+FFFD; else they are refused
     * @param progress is told what share of the text has been read, 0 to 1; a vocabulary of the text takes a reading of its own
     * @throws DataException if a file is missing, empty, binary, not UTF-8 (with the offset), or all are too short for one
     *     window in each split
     */
    public static TokenText open(
            List<String> paths,
            Path folder,
            String tokenizer,
            String field,
            boolean replaceInvalid,
            double validationShare,
            int sequence,
            DoubleConsumer progress) {
        return open(paths, folder, tokenizer, field, replaceInvalid, validationShare, sequence, progress, TokenStore.home());
    }

    /**
     * Refuses what {@link #open} would refuse, as far as a quick look tells: the tokenizer is read, and the beginning of each file. A
     * short text is opened, so that its tokens are kept as well.
     *
     * @throws DataException as {@link #open} does
     */
    public static void look(
            List<String> paths,
            Path folder,
            String tokenizer,
            String field,
            boolean replaceInvalid,
            double validationShare,
            int sequence) {
        look(paths, folder, tokenizer, field, replaceInvalid, validationShare, sequence, TokenStore.home());
    }

    static void look(
            List<String> paths,
            Path folder,
            String tokenizer,
            String field,
            boolean replaceInvalid,
            double validationShare,
            int sequence,
            Path cache) {
        Corpus corpus = corpus(paths, folder, field, replaceInvalid);
        if (isFile(tokenizer)) {
            Path file = folder.resolve(tokenizer);
            JsonTokenizer.of(JsonTokenizer.read(file), name(file)).close();
        }
        if (corpus.look()) {
            open(paths, folder, tokenizer, field, replaceInvalid, validationShare, sequence, share -> { }, cache).close();
        }
    }

    private static Corpus corpus(List<String> paths, Path folder, String field, boolean replaceInvalid) {
        return paths.equals(List.of(TextData.SAMPLE)) ? Corpus.sample() : Corpus.of(paths, folder, field, replaceInvalid);
    }

    private static boolean isFile(String tokenizer) {
        return !tokenizer.equals(BYTES) && !tokenizer.equals(CHARACTERS) && !tokenizer.startsWith(BPE);
    }

    private static String name(Path tokenizer) {
        return "The tokenizer " + tokenizer;
    }

    static TokenText open(
            List<String> paths,
            Path folder,
            String tokenizer,
            String field,
            boolean replaceInvalid,
            double validationShare,
            int sequence,
            DoubleConsumer progress,
            Path cache) {
        Corpus corpus = corpus(paths, folder, field, replaceInvalid);
        corpus.watch(progress);
        String key = tokenizer;
        Supplier<Tokenizer> maker;
        if (tokenizer.equals(BYTES)) {
            maker = () -> Tokenizer.BYTES;
        } else if (tokenizer.equals(CHARACTERS)) {
            maker = () -> CharacterTokenizer.of(corpus);
        } else if (tokenizer.startsWith(BPE)) {
            int size = Integer.parseInt(tokenizer.substring(BPE.length()));
            maker = () -> new BytePairTokenizer(BpeTrainer.train(corpus, size));
        } else {
            Path file = folder.resolve(tokenizer);
            String json = JsonTokenizer.read(file);
            key = Sha256.of(json);
            maker = () -> JsonTokenizer.of(json, name(file));
        }
        TokenStore store = TokenStore.of(corpus, key, maker, cache);
        try {
            return new TokenText(corpus.name(), store, validationShare, sequence);
        } catch (IOException e) {
            throw DataException.unreadable(store.tokens.toString(), e);
        }
    }

    @Override
    public int vocabulary() {
        return facts.vocabulary();
    }

    @Override
    public TokenBatch training(long seed, int step, int rows, int sequence) {
        return windows(rows, sequence, row -> split.trainingStart(seed, step, row, sequence));
    }

    @Override
    public TokenBatch validation(int index, int rows, int sequence) {
        return windows(rows, sequence, row -> split.validationStart((long) index * rows + row, sequence));
    }

    @Override
    public String description() {
        String replaced = facts.replaced() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; %,d invalid stretches of UTF-8 replaced by U+FFFD, the first in %s",
                        facts.replaced(),
                        facts.firstReplaced());
        return String.format(
                Locale.ROOT,
                "%s, %,d bytes as %,d tokens (%s): the first %,d for training, the last %,d held out for validation%s",
                name,
                facts.textBytes(),
                facts.tokens(),
                tokenizer.description(),
                split.training(),
                split.heldOut(),
                replaced);
    }

    @Override
    public String hash() {
        return facts.hash();
    }

    @Override
    public boolean hasAccuracy() {
        return false;
    }

    @Override
    public Optional<Tokenizer> tokenizer() {
        return Optional.of(tokenizer);
    }

    @Override
    public void close() {
        try {
            tokenizer.close();
            tokens.close();
        } catch (IOException e) {
            throw DataException.unreadable(name, e);
        }
    }

    private TokenBatch windows(int rows, int sequence, IntToLongFunction start) {
        int window = sequence + 1;
        int width = facts.width();
        int[] ids = new int[Math.multiplyExact(rows, window)];
        byte[] row = new byte[window * width];
        for (int r = 0; r < rows; r++) {
            try {
                tokens.read(start.applyAsLong(r) * width, row);
            } catch (IOException e) {
                throw DataException.unreadable(name, e);
            }
            for (int i = 0; i < window; i++) {
                int id = 0;
                for (int b = 0; b < width; b++) {
                    id |= (row[i * width + b] & 0xFF) << 8 * b;
                }
                ids[r * window + i] = id;
            }
        }
        return TokenBatch.ofWindows(rows, sequence, ids);
    }
}
