package keelscope.data;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A UTF-8 text as bytes with a held-out end: where batches come from. Batch {@code step} is a function of the seed and
 * the step alone, so every arm sees the same and a resumed run goes on where it was.
 *
 * <p>The text stays in its file and only the windows of a batch are read, so memory does not depend on its size.
 */
public final class TextData implements AutoCloseable {
    /** The word for the text that Keelscope writes itself. */
    public static final String SAMPLE = "sample";

    private static final int VOCABULARY = 256;
    private static final int CHUNK = 1 << 16;
    /** Fractional part of the golden ratio: its multiples modulo 1 spread evenly, however many are taken. */
    private static final double GOLDEN = 0.6180339887498949;

    private final String name;
    private final Bytes bytes;
    private final String hash;
    private final long training;

    private TextData(String name, Bytes bytes, double validationShare, int sequence) throws IOException {
        this.name = name;
        this.bytes = bytes;
        this.hash = check(name, bytes);
        this.training = bytes.size() - Math.round(bytes.size() * validationShare);
        long window = sequence + 1L;
        if (training < window || heldOut() < window) {
            long enough = (long) Math.ceil(window / Math.min(validationShare, 1 - validationShare)) + 1;
            throw new DataException(name + " is too short: of its " + bytes.size() + " bytes " + training
                    + " are for training and " + heldOut() + " for validation, but a sequence of " + sequence
                    + " tokens needs " + window + " in each; use a text of at least " + enough
                    + " bytes or a shorter sequence.");
        }
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
        if (!(validationShare > 0) || validationShare > 0.5) {
            throw new DataException("The share held out for validation is " + validationShare
                    + "; allowed is a number greater than 0 and at most 0.5.");
        }
        if (sequence < 1) {
            throw new DataException("The sequence is " + sequence + " tokens long; allowed is at least 1.");
        }
        Bytes bytes = text.equals(SAMPLE) ? new InMemory(SampleText.bytes()) : file(text, folder);
        String name = text.equals(SAMPLE) ? "The sample text" : text;
        try {
            return new TextData(name, bytes, validationShare, sequence);
        } catch (IOException e) {
            closeAfter(e, bytes);
            throw unreadable(name, e);
        } catch (DataException e) {
            closeAfter(e, bytes);
            throw e;
        }
    }

    /**
     * The training batch of a step: {@code batch} rows of {@code sequence + 1} token ids, row-major, at positions drawn
     * uniformly from the training part.
     */
    public int[] batch(long seed, int step, int batch, int sequence) {
        return windows(batch, sequence, row -> new SplitMix64(seed, step, row).below(training - sequence));
    }

    /** Validation batch {@code index}: fixed windows of the held-out part, the same at every validation; same layout. */
    public int[] validationBatch(int index, int batch, int sequence) {
        long starts = heldOut() - sequence;
        return windows(batch, sequence, row -> {
            double turns = ((double) index * batch + row + 0.5) * GOLDEN;
            return training + Math.min(starts - 1, (long) ((turns - Math.floor(turns)) * starts));
        });
    }

    /** Number of different tokens: 256. */
    public int vocabulary() {
        return VOCABULARY;
    }

    /** Bytes in the training part. */
    public long trainingSize() {
        return training;
    }

    /** Bytes in the held-out part; they follow the training part. */
    public long heldOut() {
        return bytes.size() - training;
    }

    /** One line for the run file: name, size, split. */
    public String description() {
        return String.format(
                Locale.ROOT,
                "%s, %,d bytes: the first %,d for training, the last %,d held out for validation",
                name,
                bytes.size(),
                training,
                heldOut());
    }

    /** SHA-256 of the bytes, hexadecimal. */
    public String hash() {
        return hash;
    }

    /** Closes the file; no batch can be read after it. */
    @Override
    public void close() {
        try {
            bytes.close();
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    private int[] windows(int batch, int sequence, java.util.function.IntToLongFunction start) {
        int window = sequence + 1;
        int[] ids = new int[Math.multiplyExact(batch, window)];
        byte[] row = new byte[window];
        for (int r = 0; r < batch; r++) {
            try {
                bytes.read(start.applyAsLong(r), row);
            } catch (IOException e) {
                throw unreadable(name, e);
            }
            for (int i = 0; i < window; i++) {
                ids[r * window + i] = row[i] & 0xFF;
            }
        }
        return ids;
    }

    /** Refuses what is not text, and gives the hash. */
    private static String check(String name, Bytes bytes) throws IOException {
        if (bytes.size() == 0) {
            throw new DataException(name + " is empty; choose a text with something in it.");
        }
        MessageDigest digest = sha256();
        Utf8Check utf8 = new Utf8Check();
        byte[] chunk = new byte[CHUNK];
        long offset = 0;
        try (InputStream in = bytes.stream()) {
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                for (int i = 0; i < length; i++) {
                    if (chunk[i] == 0) {
                        throw new DataException(name + " is a binary file (a zero byte at offset " + (offset + i)
                                + "); choose a UTF-8 text.");
                    }
                }
                refuseInvalid(name, utf8.read(chunk, length));
                digest.update(chunk, 0, length);
                offset += length;
            }
        }
        refuseInvalid(name, utf8.end());
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void refuseInvalid(String name, long offset) {
        if (offset >= 0) {
            throw new DataException(name + " is not UTF-8 text: the byte at offset " + offset
                    + " begins no valid character; convert it to UTF-8 (for example with iconv) or choose another text.");
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
        try {
            return new InFile(file);
        } catch (IOException e) {
            throw unreadable(file.toString(), e);
        }
    }

    private static DataException unreadable(String name, IOException e) {
        if (e instanceof EOFException) {
            return new DataException(name + " has become shorter since it was opened; leave it as it is while it is in use.", e);
        }
        String reason = e instanceof AccessDeniedException ? "access denied" : String.valueOf(e.getMessage());
        return new DataException(name + " cannot be read (" + reason + "); check the file and that you may read it.", e);
    }

    private static void closeAfter(Exception failure, Bytes bytes) {
        try {
            bytes.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    /** Bytes that can be read anywhere. */
    private interface Bytes extends AutoCloseable {
        long size();

        /** Fills {@code into} with what stands at {@code position}. */
        void read(long position, byte[] into) throws IOException;

        /** All bytes, from the first. */
        InputStream stream() throws IOException;

        @Override
        void close() throws IOException;
    }

    private record InMemory(byte[] content) implements Bytes {
        @Override
        public long size() {
            return content.length;
        }

        @Override
        public void read(long position, byte[] into) {
            System.arraycopy(content, Math.toIntExact(position), into, 0, into.length);
        }

        @Override
        public InputStream stream() {
            return new ByteArrayInputStream(content);
        }

        @Override
        public void close() {}
    }

    // Not a FileChannel, which an interrupted thread closes, and not a mapping, under which a file that is cut short
    // ends the process.
    private static final class InFile implements Bytes {
        private final Path path;
        private final RandomAccessFile file;
        private final long size;

        InFile(Path path) throws IOException {
            this.path = path;
            this.file = new RandomAccessFile(path.toFile(), "r");
            this.size = file.length();
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public synchronized void read(long position, byte[] into) throws IOException {
            file.seek(position);
            file.readFully(into);
        }

        @Override
        public InputStream stream() throws IOException {
            return new FileInputStream(path.toFile());
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
