package keelscope.runfile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.List;

/** The run file's format: its marks, its version and the statements that make its tables. */
final class Format {
    /** "KEEL" in ASCII; SQLite's application_id. */
    static final int APPLICATION_ID = 0x4B45454C;

    /** The version written, and the newest that can be read; SQLite's user_version. */
    static final int VERSION = 1;

    /** Consecutive records that fold into one record of the next level. */
    static final int FOLD = 16;

    /** Levels above the records themselves; 16⁵ is a million, so the highest level of any run is a few rows. */
    static final int LEVELS = 5;

    static final String EXTENSION = ".keelrun";

    private static final byte[] SQLITE = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER = 100;

    /** Files that SQLite has open in this process, and by how many connections. */
    private static final Map<Path, Integer> OPEN = new ConcurrentHashMap<>();

    private Format() {}

    static List<String> schema() {
        return Arrays.stream(resource("schema.sql").split("\n;\n")).toList();
    }

    static String stepLevel(int level) {
        return resource("step_level.sql").replace("{level}", Integer.toString(level));
    }

    static String layers(Measure measure) {
        return resource("layers.sql").replace("{measure}", measure.id());
    }

    static String layersLevel(Measure measure, int level) {
        return resource("layers_level.sql").replace("{measure}", measure.id()).replace("{level}", Integer.toString(level));
    }

    /** The table of level {@code level} of {@code table}; level 0 is the table itself. */
    static String table(String table, int level) {
        return level == 0 ? table : table + "_" + level;
    }

    static String table(Measure measure) {
        return "layers_" + measure.id();
    }

    private static String resource(String name) {
        try (InputStream in = Format.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The resource " + name + " is missing from the program.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n").strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Looks at the first bytes of {@code file} before SQLite does, so that each thing that can be wrong with it has its own
     * sentence.
     *
     * @throws RunFileException if it is missing, empty, not a run file, of a newer format, or shorter than it says it is
     */
    static void check(Path file) {
        if (Files.isDirectory(file)) {
            throw new RunFileException(file + " is a folder, not a run file; choose a file that ends in " + EXTENSION + " in it.");
        }
        if (OPEN.containsKey(key(file)) && holdsBytes(file)) {
            return;
        }
        ByteBuffer head = ByteBuffer.allocate(HEADER).order(ByteOrder.BIG_ENDIAN);
        long size;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            size = channel.size();
            while (head.hasRemaining() && channel.read(head) >= 0) {
                // a read may give fewer bytes than asked for
            }
        } catch (NoSuchFileException e) {
            throw new RunFileException("There is no run file " + file + "; it may have been moved or deleted.", e);
        } catch (IOException e) {
            throw new RunFileException("The run file " + file + " cannot be read: " + Failure.reason(e)
                    + "; check that you may read it and that its disk is there.", e);
        }
        if (size == 0) {
            throw new RunFileException("The run file " + file + " is empty; nothing was recorded in it, so it can be deleted.");
        }
        byte[] mark = Arrays.copyOf(head.array(), SQLITE.length);
        if (head.hasRemaining() || !Arrays.equals(mark, SQLITE) || head.getInt(68) != APPLICATION_ID) {
            throw new RunFileException(file + " is not a run file of Keelscope; choose a file that ends in " + EXTENSION + ".");
        }
        int version = head.getInt(60);
        if (version > VERSION) {
            throw new RunFileException("The run file " + file + " has format " + version + ", and this Keelscope reads formats up to "
                    + VERSION + "; open it with a newer Keelscope.");
        }
        int pageSize = Short.toUnsignedInt(head.getShort(16)) == 1 ? 65536 : Short.toUnsignedInt(head.getShort(16));
        long pages = Integer.toUnsignedLong(head.getInt(28));
        // The page count is only meant when these two agree; and with a write-ahead log beside it the file may be growing.
        boolean counted = head.getInt(24) == head.getInt(92);
        if (counted && size < pages * pageSize && !hasLog(file)) {
            throw new RunFileException("The run file " + file + " is damaged: it should hold " + pages * pageSize + " bytes and holds "
                    + size + "; copy it again from where it came from.");
        }
    }

    /**
     * Tells that SQLite opens the file in this process: until {@link #closed} it must not be opened in another way. To close
     * any file handle drops all locks that this process holds on the file (POSIX), those of its open connections too; another
     * process then takes itself for the last one and puts the write-ahead log away under a reader, who never sees a commit again.
     */
    static void opened(Path file) {
        OPEN.merge(key(file), 1, Integer::sum);
    }

    /** Tells that a connection to the file is closed. */
    static void closed(Path file) {
        OPEN.computeIfPresent(key(file), (path, connections) -> connections == 1 ? null : connections - 1);
    }

    private static Path key(Path file) {
        return file.toAbsolutePath().normalize();
    }

    private static boolean holdsBytes(Path file) {
        try {
            return Files.size(file) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a write-ahead log with content lies beside {@code file}. */
    static boolean hasLog(Path file) {
        Path log = beside(file, "-wal");
        try {
            return Files.exists(log) && Files.size(log) > 0;
        } catch (IOException e) {
            return true;
        }
    }

    static Path beside(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    static byte[] blob(float[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes.array();
    }

    static byte[] blob(int[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes.array();
    }

    static float[] floats(byte[] blob) {
        float[] values = new float[blob.length / Float.BYTES];
        ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return values;
    }

    static int[] ints(byte[] blob) {
        int[] values = new int[blob.length / Integer.BYTES];
        ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(values);
        return values;
    }
}
