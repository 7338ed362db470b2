package keelscope.faults;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk that is soon full; it needs the right to mount one, so what uses it runs where the tests run as root. */
public record SmallDisk(Path folder) implements AutoCloseable {

    /** A disk of that size, in the words of mount; where none may be mounted, the test is passed over. */
    public static SmallDisk mount(Path folder, String size) throws IOException {
        Files.createDirectories(folder);
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString()) == 0, "no right to mount");
        return new SmallDisk(folder);
    }

    /** Leaves no byte free. */
    public void fill() throws IOException {
        byte[] page = new byte[4096];
        try (OutputStream filler = Files.newOutputStream(folder.resolve("filler"))) {
            while (Files.getFileStore(folder).getUsableSpace() > 0) {
                filler.write(page);
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (run("umount", folder.toString()) != 0) {
            throw new IOException(folder + " is still in use.");
        }
    }

    private static int run(String... command) throws IOException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
