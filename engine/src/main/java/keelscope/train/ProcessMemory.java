package keelscope.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory this process occupies. */
final class ProcessMemory {
    private static final Path STATM = Path.of("/proc/self/statm");
    private static final long PAGE = 4096;

    private ProcessMemory() {}

    /** Resident bytes, native memory included; where the system does not tell (not Linux), the Java heap in use. */
    static long residentBytes() {
        try {
            String[] pages = Files.readString(STATM).split(" ");
            return Long.parseLong(pages[1]) * PAGE;
        } catch (IOException | RuntimeException e) {
            Runtime runtime = Runtime.getRuntime();
            return runtime.totalMemory() - runtime.freeMemory();
        }
    }
}
