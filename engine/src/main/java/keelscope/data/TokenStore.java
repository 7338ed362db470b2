package keelscope.data;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * Tokens of a corpus, kept in a folder of the user's cache so that a text is read, unpacked and cut into tokens once, and
 * then any window of it can be had at once and in the same memory, whatever its size. The arms of an experiment share one
 * store: the first makes it, the others wait for it.
 *
 * <p>{@code KEY.tokens} holds the ids, little-endian, {@link Facts#width} bytes each; {@code KEY.json}, written last, tells
 * that it is whole, and the facts about it. KEY is a hash of the files' paths, sizes and times and of how they are read.
 */
final class TokenStore {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FORMAT = 2;

    /**
     * What is known of a store.
     *
     * @param tokens how many ids it holds
     * @param width bytes of an id: 1, 2 or 4
     * @param vocabulary number of different tokens
     * @param textBytes length of the text in UTF-8
     * @param hash SHA-256 of the text's UTF-8, hexadecimal
     * @param replaced stretches that were not UTF-8 and were replaced
     * @param firstReplaced where the first of them stood, empty where there was none
     * @param tokenizer definition of the tokenizer
     */
    record Facts(
            long tokens,
            int width,
            int vocabulary,
            long textBytes,
            String hash,
            long replaced,
            String firstReplaced,
            String tokenizer) {}

    final Facts facts;
    final Path tokens;

    private TokenStore(Facts facts, Path tokens) {
        this.facts = facts;
        this.tokens = tokens;
    }

    /** The folder of stores: {@code KEELSCOPE_CACHE} where set, else {@code ~/.cache/keelscope}. */
    static Path home() {
        String set = System.getenv("KEELSCOPE_CACHE");
        return set == null || set.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache", "keelscope")
                : Path.of(set);
    }

    /**
     * The store of a corpus, made if it is not there.
     *
     * @param tokenizerKey tells one way of making a tokenizer from another
     * @param tokenizer makes it; called only where the store is to be made
     * @throws DataException if the corpus cannot be used, or the store not written
     */
    static TokenStore of(Corpus corpus, String tokenizerKey, Supplier<Tokenizer> tokenizer, Path folder) {
        String key = Sha256.of(FORMAT + "\n" + tokenizerKey + "\n" + corpus.key()).substring(0, 32);
        Path tokens = folder.resolve(key + ".tokens");
        Path facts = folder.resolve(key + ".json");
        try {
            Files.createDirectories(folder);
            if (isWhole(tokens, facts)) {
                return new TokenStore(JSON.readValue(facts.toFile(), Facts.class), tokens);
            }
            Path lock = folder.resolve(key + ".lock");
            // Threads of one process share file locks, hence both.
            synchronized (TokenStore.class) {
                try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        FileLock held = channel.lock()) {
                    if (!held.isValid()) {
                        throw new IOException("the lock " + lock + " was lost");
                    }
                    if (!isWhole(tokens, facts)) {
                        make(corpus, tokenizer, tokens, facts);
                    }
                }
            }
            return new TokenStore(JSON.readValue(facts.toFile(), Facts.class), tokens);
        } catch (IOException e) {
            throw new DataException(
                    "The tokens of " + corpus.name() + " cannot be kept in " + folder + " (" + e.getMessage()
                            + "); free some disk, or set KEELSCOPE_CACHE to a folder that can be written.",
                    e);
        }
    }

    private static boolean isWhole(Path tokens, Path facts) {
        return Files.exists(facts) && Files.exists(tokens);
    }

    private static void make(Corpus corpus, Supplier<Tokenizer> maker, Path tokens, Path facts) throws IOException {
        Path aside = tokens.resolveSibling(tokens.getFileName() + ".part");
        try (Tokenizer tokenizer = maker.get()) {
            int width = tokenizer.vocabulary() <= 1 << 8 ? 1 : tokenizer.vocabulary() <= 1 << 16 ? 2 : 4;
            MessageDigest digest = Sha256.digest();
            long[] counts = new long[2];
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(aside), 1 << 16)) {
                corpus.read(chunk -> {
                    byte[] bytes = chunk.getBytes(StandardCharsets.UTF_8);
                    digest.update(bytes);
                    int[] ids = tokenizer.encode(chunk);
                    counts[0] += ids.length;
                    counts[1] += bytes.length;
                    write(out, ids, width);
                });
            }
            Facts made = new Facts(
                    counts[0],
                    width,
                    tokenizer.vocabulary(),
                    counts[1],
                    HexFormat.of().formatHex(digest.digest()),
                    corpus.replaced(),
                    corpus.firstReplaced(),
                    tokenizer.definition());
            Files.move(aside, tokens, StandardCopyOption.REPLACE_EXISTING);
            Path factsAside = facts.resolveSibling(facts.getFileName() + ".part");
            JSON.writeValue(factsAside.toFile(), made);
            Files.move(factsAside, facts, StandardCopyOption.REPLACE_EXISTING);
        } catch (WriteFailure e) {
            throw e.cause;
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static void write(OutputStream out, int[] ids, int width) {
        byte[] bytes = new byte[ids.length * width];
        for (int i = 0; i < ids.length; i++) {
            for (int b = 0; b < width; b++) {
                bytes[i * width + b] = (byte) (ids[i] >>> 8 * b);
            }
        }
        try {
            out.write(bytes);
        } catch (IOException e) {
            throw new WriteFailure(e);
        }
    }

    /** Carries a failed write out of the corpus, whose own failures are another's fault. */
    private static final class WriteFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final IOException cause;

        WriteFailure(IOException cause) {
            super(cause);
            this.cause = cause;
        }
    }
}
