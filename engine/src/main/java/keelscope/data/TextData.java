package keelscope.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.function.IntToLongFunction;

/**
 * A UTF-8 text as bytes, without its byte-order mark where it has one, with a held-out end: where batches come from. Batch {@code step} is a function of the seed and
 * the step alone, so every arm sees the same and a resumed run goes on where it was.
 *
 * <p>The text stays in its file and only the windows of a batch are read, so memory does not depend on its size.
 */
public final class TextData implements TokenSource {
    /** The word for the text that Keelscope writes itself. */
    public static final String SAMPLE = "sample";

    private static final int CHUNK = 1 << 16;
    private static final String UNIT = "bytes";

    private final String name;
    private final Bytes bytes;
    private final String hash;
    /** Bytes before the text: its byte-order mark. */
    private final int mark;
    private final Split split;

    private TextData(String name, Bytes bytes, double validationShare, int sequence, DoubleConsumer progress) throws IOException {
        this.name = name;
        this.bytes = bytes;
        this.mark = mark(name, bytes);
        this.hash = check(name, bytes, progress);
        this.split = Split.of(name, UNIT, bytes.size() - mark, validationShare, sequence);
    }

    /**
     * Opens a text file ({@code sample}: the text Keelscope writes itself) and splits it. The whole file is read once, to
     * check and to hash it.
     *
     * @param folder what a relative path is resolved against
     * @throws DataException if it is missing, empty, binary, not UTF-8 (with the offset), or too short for one window in
     *     each split
     */
    public static TextData open(String text, Path folder, double validationShare, int sequence) {
        return open(text, folder, validationShare, sequence, share -> { });
    }

    /**
     * The same, watched.
     *
     * @param progress is told what share of the file has been read, 0 to 1
     */
    public static TextData open(String text, Path folder, double validationShare, int sequence, DoubleConsumer progress) {
        Bytes bytes = text.equals(SAMPLE) ? new Bytes.InMemory(SampleText.bytes()) : file(text, folder);
        String name = text.equals(SAMPLE) ? "The sample text" : text;
        try {
            return new TextData(name, bytes, validationShare, sequence, progress);
        } catch (IOException e) {
            closeAfter(e, bytes);
            throw DataException.unreadable(name, e);
        } catch (DataException e) {
            closeAfter(e, bytes);
            throw e;
        }
    }

    /**
     * Refuses what {@link #open} would refuse, as far as the file's size and its beginning tell.
     *
     * @throws DataException as {@link #open} does
     */
    public static void look(String text, Path folder, double validationShare, int sequence) {
        Corpus corpus = Corpus.of(List.of(text), folder, "", false);
        corpus.look();
        try (Bytes bytes = file(text, folder)) {
            Split.of(text, UNIT, bytes.size() - mark(text, bytes), validationShare, sequence);
        } catch (IOException e) {
            throw DataException.unreadable(text, e);
        }
    }

    /** Whether a file's text is its bytes: neither packed nor lines of JSON. Its ending tells. */
    public static boolean isPlain(Path file) {
        return Corpus.isPlain(file);
    }

    /**
     * The training batch of a step: {@code batch} rows of {@code sequence + 1} token ids, row-major, at positions drawn
     * uniformly from the training part.
     */
    public int[] batch(long seed, int step, int batch, int sequence) {
        return windows(batch, sequence, row -> split.trainingStart(seed, step, row, sequence));
    }

    /** Validation batch {@code index}: fixed windows of the held-out part, the same at every validation; same layout. */
    public int[] validationBatch(int index, int batch, int sequence) {
        return windows(batch, sequence, row -> split.validationStart((long) index * batch + row, sequence));
    }

    @Override
    public TokenBatch training(long seed, int step, int rows, int sequence) {
        return TokenBatch.ofWindows(rows, sequence, batch(seed, step, rows, sequence));
    }

    @Override
    public TokenBatch validation(int index, int rows, int sequence) {
        return TokenBatch.ofWindows(rows, sequence, validationBatch(index, rows, sequence));
    }

    @Override
    public boolean hasAccuracy() {
        return false;
    }

    @Override
    public Optional<Tokenizer> tokenizer() {
        return Optional.of(Tokenizer.BYTES);
    }

    /** Number of different tokens: 256. */
    @Override
    public int vocabulary() {
        return Tokenizer.BYTES.vocabulary();
    }

    /** Bytes in the training part. */
    public long trainingSize() {
        return split.training();
    }

    /** Bytes in the held-out part; they follow the training part. */
    public long heldOut() {
        return split.heldOut();
    }

    /** One line for the run file: name, size, split. */
    @Override
    public String description() {
        return String.format(
                Locale.ROOT,
                "%s, %,d bytes: the first %,d for training, the last %,d held out for validation",
                name,
                trainingSize() + heldOut(),
                trainingSize(),
                heldOut());
    }

    /** SHA-256 of the file's bytes, hexadecimal. */
    @Override
    public String hash() {
        return hash;
    }

    /** Closes the file; no batch can be read after it. */
    @Override
    public void close() {
        try {
            bytes.close();
        } catch (IOException e) {
            throw DataException.unreadable(name, e);
        }
    }

    private int[] windows(int batch, int sequence, IntToLongFunction start) {
        int window = sequence + 1;
        int[] ids = new int[Math.multiplyExact(batch, window)];
        byte[] row = new byte[window];
        for (int r = 0; r < batch; r++) {
            try {
                bytes.read(mark + start.applyAsLong(r), row);
            } catch (IOException e) {
                throw DataException.unreadable(name, e);
            }
            for (int i = 0; i < window; i++) {
                ids[r * window + i] = row[i] & 0xFF;
            }
        }
        return ids;
    }

    /** Refuses an empty text and the mark of another encoding, and gives the length of UTF-8's. */
    private static int mark(String name, Bytes bytes) throws IOException {
        byte[] start;
        try (InputStream in = bytes.stream()) {
            start = in.readNBytes(ByteOrderMark.LONGEST);
        }
        ByteOrderMark.otherEncoding(start, start.length).ifPresent(encoding -> {
            throw DataException.encoded(name, encoding);
        });
        int mark = ByteOrderMark.utf8(start, start.length);
        if (bytes.size() == mark) {
            throw new DataException(name + " is empty; choose a text with something in it.");
        }
        return mark;
    }

    /** Refuses what is not UTF-8 text, and gives the hash. */
    private static String check(String name, Bytes bytes, DoubleConsumer progress) throws IOException {
        MessageDigest digest = Sha256.digest();
        Utf8Check utf8 = new Utf8Check();
        byte[] chunk = new byte[CHUNK];
        long offset = 0;
        try (InputStream in = bytes.stream()) {
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                for (int i = 0; i < length; i++) {
                    if (chunk[i] == 0) {
                        throw DataException.binary(name, offset + i);
                    }
                }
                refuseInvalid(name, utf8.read(chunk, length));
                digest.update(chunk, 0, length);
                offset += length;
                progress.accept((double) offset / bytes.size());
            }
        }
        refuseInvalid(name, utf8.end());
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void refuseInvalid(String name, long offset) {
        if (offset >= 0) {
            throw DataException.notUtf8(name, offset);
        }
    }

    private static Bytes file(String text, Path folder) {
        Path file;
        try {
            file = folder.resolve(text);
        } catch (InvalidPathException e) {
            throw new DataException(text + " is not a path that this system can open; choose a UTF-8 text file.", e);
        }
        if (Files.isDirectory(file)) {
            throw new DataException(file + " is a folder; choose a UTF-8 text file in it.");
        }
        if (!Files.exists(file)) {
            throw new DataException(file + " does not exist; check the path of the text, or use sample.");
        }
        if (!Files.isRegularFile(file)) {
            throw DataException.noFile(file.toString());
        }
        try {
            return new Bytes.InFile(file);
        } catch (IOException e) {
            throw DataException.unreadable(file.toString(), e);
        }
    }

    private static void closeAfter(Exception failure, Bytes bytes) {
        try {
            bytes.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
