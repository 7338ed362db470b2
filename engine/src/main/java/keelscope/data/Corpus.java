package keelscope.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A text in one file or many: {@code .txt}, {@code .md} and anything else as it is, {@code .jsonl} one document a line, each
 * also packed as {@code .gz} or {@code .zst}. A folder stands for the files in it and below with one of these endings, in
 * the order of their paths. Documents and files are kept apart by a line end, which is added where there is none. The text
 * is read as a stream, in memory that does not depend on its size.
 */
public final class Corpus {
    static final List<String> ENDINGS = List.of(".txt", ".md", ".jsonl");
    static final List<String> PACKINGS = List.of("", ".gz", ".zst");

    /** Characters of a chunk; about what a tokenizer is given at once. */
    private static final int CHUNK = 1 << 14;
    /** A quick look reads so many characters of a file … */
    private static final int LOOK_AT_FILE = 1 << 22;
    /** … and about so many in all. */
    private static final int LOOK_AT_ALL = 1 << 24;
    /** A line of .jsonl is read whole; one that is longer is surely no line of .jsonl. */
    private static final int LONGEST_LINE = 1 << 26;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A file with its size and time, by which it is known to be unchanged. */
    record Source(Path file, long bytes, long modifiedMs) {}

    private final List<Source> sources;
    private final String field;
    private final boolean replaceInvalid;
    private final long bytes;

    private long replaced;
    private String firstReplaced = "";
    private DoubleConsumer progress = share -> { };
    private long bytesRead;

    private Corpus(List<Source> sources, String field, boolean replaceInvalid) {
        this.sources = sources;
        this.field = field;
        this.replaceInvalid = replaceInvalid;
        this.bytes = sources.stream().mapToLong(Source::bytes).sum();
    }

    /** The text Keelscope writes itself. */
    public static Corpus sample() {
        return new Corpus(List.of(), "", false);
    }

    /**
     * Finds the files.
     *
     * @param paths files and folders, relative to {@code folder} where they are not absolute
     * @param field what to read of a line of .jsonl
     * @param replaceInvalid whether bytes that are not UTF-8 become U+FFFD; else they are refused
     * @throws DataException if one is missing or no file, or a folder holds no text
     */
    public static Corpus of(List<String> paths, Path folder, String field, boolean replaceInvalid) {
        List<Source> sources = new ArrayList<>();
        for (String path : paths) {
            Path file;
            try {
                file = folder.resolve(path);
            } catch (InvalidPathException e) {
                throw new DataException(path + " is not a path that this system can open; choose a UTF-8 text file.", e);
            }
            try {
                if (Files.isDirectory(file)) {
                    sources.addAll(inside(file));
                } else if (Files.isRegularFile(file)) {
                    sources.add(source(file));
                } else if (Files.exists(file)) {
                    throw DataException.noFile(file.toString());
                } else {
                    throw new DataException(file + " does not exist; check the path of the text, or use sample.");
                }
            } catch (IOException e) {
                throw DataException.unreadable(file.toString(), e);
            }
        }
        return new Corpus(List.copyOf(sources), field, replaceInvalid);
    }

    /** Whether a file's text is its bytes: neither packed nor lines of JSON. */
    static boolean isPlain(Path file) {
        String name = lowerCase(file);
        return PACKINGS.stream().noneMatch(p -> !p.isEmpty() && name.endsWith(p)) && !name.endsWith(".jsonl");
    }

    /** The files read; none for the sample text. */
    List<Source> sources() {
        return sources;
    }

    /** Size of the files, bytes; of the sample text 0. */
    public long bytes() {
        return bytes;
    }

    /** What makes the text what it is, besides the bytes of its files. */
    String key() {
        StringBuilder key = new StringBuilder(field).append('\n').append(replaceInvalid).append('\n');
        if (sources.isEmpty()) {
            key.append("sample ").append(SampleText.SEED).append(' ').append(SampleText.VERSION).append('\n');
        }
        for (Source source : sources) {
            key.append(source.file().toAbsolutePath().normalize()).append(' ').append(source.bytes()).append(' ')
                    .append(source.modifiedMs()).append('\n');
        }
        return key.toString();
    }

    /** One or two words for a message or a description: the file, or how many. */
    public String name() {
        return sources.isEmpty()
                ? "The sample text"
                : sources.size() == 1 ? sources.get(0).file().toString() : sources.size() + " files of text";
    }

    /** Has {@code progress} told what share of the files' bytes has been read, 0 to 1, by each reading of the whole text. */
    void watch(DoubleConsumer listener) {
        progress = listener;
    }

    /** Stretches that were not UTF-8 and were replaced when the text was last read. */
    long replaced() {
        return replaced;
    }

    /** Where the first of them stood: file and offset; empty where there was none. */
    String firstReplaced() {
        return firstReplaced;
    }

    /**
     * Hands on the whole text in chunks of at most some ten thousand characters, cut at line ends where there are any.
     *
     * @throws DataException if a file cannot be read, is binary, not UTF-8, or not what its ending says
     */
    public void read(Consumer<String> sink) {
        replaced = 0;
        firstReplaced = "";
        bytesRead = 0;
        Joiner joiner = new Joiner(sink);
        if (sources.isEmpty()) {
            try (Utf8Reader reader =
                    new Utf8Reader(name(), new ByteArrayInputStream(SampleText.bytes()), false)) {
                text(reader, joiner);
            } catch (IOException e) {
                throw DataException.unreadable(name(), e);
            }
        }
        sources.forEach(source -> read(source, joiner));
        joiner.flush();
        if (!joiner.any) {
            throw empty();
        }
    }

    private DataException empty() {
        return new DataException(
                sources.size() == 1
                        ? name() + " is empty; choose a text with something in it."
                        : "The " + name() + " are empty; choose a text with something in it.");
    }

    private void read(Source source, Joiner joiner) {
        String name = source.file().toString();
        try (InputStream in = open(source.file());
                Utf8Reader reader = new Utf8Reader(name, in, replaceInvalid)) {
            if (isLines(source.file())) {
                lines(reader, name, joiner);
            } else {
                text(reader, joiner);
            }
            if (reader.replaced() > 0 && replaced == 0) {
                firstReplaced = name + " at offset " + reader.firstReplaced();
            }
            replaced += reader.replaced();
        } catch (EOFException e) {
            throw DataException.cutOff(name, e);
        } catch (IOException e) {
            throw DataException.unreadable(name, e);
        }
    }

    /** Ends the reading of a file of which enough was seen. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Enough() {
            super("enough", null, false, false);
        }
    }

    /**
     * Looks at the beginning of each file, or of the first where there are very many: as quick for 10 GB as for 10 MB.
     *
     * @return whether that was all of the text
     * @throws DataException if a file cannot be read, is binary, not UTF-8, or not what its ending says; if the text is empty
     */
    boolean look() {
        boolean whole = true;
        long[] seen = {0};
        for (Source source : sources) {
            long before = seen[0];
            if (before >= LOOK_AT_ALL) {
                return false;
            }
            Joiner joiner = new Joiner(chunk -> {
                seen[0] += chunk.length();
                if (seen[0] - before >= LOOK_AT_FILE) {
                    throw new Enough();
                }
            });
            try {
                read(source, joiner);
                joiner.flush();
            } catch (Enough e) {
                whole = false;
            }
        }
        if (seen[0] == 0 && !sources.isEmpty()) {
            throw empty();
        }
        return whole;
    }

    private static void text(Utf8Reader reader, Joiner joiner) throws IOException {
        joiner.begin();
        char[] chunk = new char[CHUNK];
        for (int length = reader.read(chunk); length >= 0; length = reader.read(chunk)) {
            joiner.add(chunk, length);
        }
    }

    private void lines(Utf8Reader reader, String name, Joiner joiner) throws IOException {
        StringBuilder line = new StringBuilder();
        long number = 1;
        char[] chunk = new char[CHUNK];
        for (int length = reader.read(chunk); length >= 0; length = reader.read(chunk)) {
            for (int i = 0; i < length; i++) {
                if (chunk[i] != '\n') {
                    line.append(chunk[i]);
                } else {
                    document(line, name, number++, joiner);
                    line.setLength(0);
                }
            }
            if (line.length() > LONGEST_LINE) {
                throw new DataException(name + ", line " + number + ": the line is longer than " + LONGEST_LINE
                        + " characters; a .jsonl file has one JSON document a line.");
            }
        }
        document(line, name, number, joiner);
    }

    private void document(CharSequence line, String name, long number, Joiner joiner) {
        if (line.toString().isBlank()) {
            return;
        }
        JsonNode document;
        try {
            document = JSON.readTree(line.toString());
        } catch (JsonProcessingException e) {
            throw new DataException(name + ", line " + number + ": this is not JSON; a .jsonl file has one JSON document a line.", e);
        }
        JsonNode text = document.path(field);
        if (!text.isTextual()) {
            List<String> fields = new ArrayList<>();
            document.fields().forEachRemaining(entry -> {
                if (entry.getValue().isTextual()) {
                    fields.add(entry.getKey());
                }
            });
            throw new DataException(name + ", line " + number + ": the document has no text in the field '" + field + "'; "
                    + (fields.isEmpty() ? "none of its fields holds text." : "let data.field be one of " + String.join(", ", fields) + "."));
        }
        joiner.begin();
        String content = text.textValue();
        if (content.indexOf('\0') >= 0) {
            throw new DataException(name + ", line " + number + ": the text holds a zero character; choose a UTF-8 text.");
        }
        joiner.add(content.toCharArray(), content.length());
    }

    private InputStream open(Path file) throws IOException {
        String name = lowerCase(file);
        InputStream in = new BufferedInputStream(new Counted(Files.newInputStream(file)), 1 << 16);
        try {
            if (name.endsWith(".gz")) {
                return new GZIPInputStream(in, 1 << 16);
            }
            if (name.endsWith(".zst")) {
                return new ZstdInputStream(in).setLongMax(31);
            }
            return in;
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private static boolean isLines(Path file) {
        String name = lowerCase(file);
        return PACKINGS.stream().anyMatch(packing -> name.endsWith(".jsonl" + packing));
    }

    private static List<Source> inside(Path folder) throws IOException {
        List<Source> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).filter(Corpus::isText).sorted().toList()) {
                found.add(source(file));
            }
        }
        if (found.isEmpty()) {
            throw new DataException("The folder " + folder + " holds no text; allowed are files that end in "
                    + String.join(", ", ENDINGS) + ", also packed as .gz or .zst.");
        }
        return found;
    }

    /** Whether a file in a folder is taken for text, by its name. */
    public static boolean isText(Path file) {
        String name = lowerCase(file);
        return !name.startsWith(".")
                && ENDINGS.stream().anyMatch(e -> PACKINGS.stream().anyMatch(p -> name.endsWith(e + p)));
    }

    private static Source source(Path file) throws IOException {
        return new Source(file, Files.size(file), Files.getLastModifiedTime(file).toMillis());
    }

    private static String lowerCase(Path file) {
        return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    }

    /** The bytes of a file, which {@link #progress} is told of. */
    private final class Counted extends FilterInputStream {
        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            int length = super.read(into, from, most);
            bytesRead += Math.max(0, length);
            progress.accept(Math.min(1, (double) bytesRead / bytes));
            return length;
        }
    }

    /** Joins documents and cuts the whole into chunks. */
    private static final class Joiner {
        private final Consumer<String> sink;
        private final StringBuilder waiting = new StringBuilder();
        private boolean any;
        private char last = '\n';

        Joiner(Consumer<String> sink) {
            this.sink = sink;
        }

        /** A document begins: on a line of its own. */
        void begin() {
            if (any && last != '\n') {
                waiting.append('\n');
                last = '\n';
            }
        }

        void add(char[] text, int length) {
            if (length == 0) {
                return;
            }
            any = true;
            last = text[length - 1];
            waiting.append(text, 0, length);
            while (waiting.length() >= CHUNK) {
                hand(cut());
            }
        }

        void flush() {
            if (!waiting.isEmpty()) {
                hand(waiting.length());
            }
        }

        private void hand(int length) {
            sink.accept(waiting.substring(0, length));
            waiting.delete(0, length);
        }

        /** After the last line end, else after the last space, else between two characters. */
        private int cut() {
            int end = waiting.lastIndexOf("\n", CHUNK - 1);
            if (end < 0) {
                end = waiting.lastIndexOf(" ", CHUNK - 1);
            }
            if (end >= 0) {
                return end + 1;
            }
            return Character.isHighSurrogate(waiting.charAt(CHUNK - 1)) ? CHUNK - 1 : CHUNK;
        }
    }
}
