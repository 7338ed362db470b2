package keelscope.data;

import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** Bytes that can be read anywhere, without holding those of a file in memory. */
interface Bytes extends AutoCloseable {
    long size();

    /** Fills {@code into} with what stands at {@code position}. */
    void read(long position, byte[] into) throws IOException;

    /** All bytes, from the first. */
    InputStream stream() throws IOException;

    @Override
    void close() throws IOException;

    record InMemory(byte[] content) implements Bytes {
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
    final class InFile implements Bytes {
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
