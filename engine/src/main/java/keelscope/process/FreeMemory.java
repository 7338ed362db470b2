package keelscope.process;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** How much memory a process may still take on this machine. */
public final class FreeMemory {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final Path GROUP = Path.of("/sys/fs/cgroup");

    private FreeMemory() {}

    /**
     * Bytes that can be taken without others being pushed out: on Linux what the kernel says is available, within the limit of a
     * container; elsewhere, where files kept in memory are not told apart, all there is.
     */
    public static long bytes() {
        OptionalLong available = value(MEMINFO, "MemAvailable:");
        if (available.isEmpty()) {
            return total();
        }
        return Math.min(available.getAsLong() * 1024, left(GROUP).orElse(Long.MAX_VALUE));
    }

    /** What is left of the limit of a container, if there is one. */
    static OptionalLong left(Path group) {
        OptionalLong limit = value(group.resolve("memory.max"), "");
        OptionalLong used = value(group.resolve("memory.current"), "");
        if (limit.isEmpty() || used.isEmpty()) {
            return OptionalLong.empty();
        }
        long files = value(group.resolve("memory.stat"), "inactive_file ").orElse(0);
        return OptionalLong.of(Math.max(0, limit.getAsLong() - used.getAsLong() + files));
    }

    /** The number behind {@code key} at the beginning of a line. */
    private static OptionalLong value(Path file, String key) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.substring(key.length()).replaceAll("[^0-9]", ""))
                    .filter(digits -> !digits.isEmpty())
                    .mapToLong(Long::parseLong)
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty(); // not this system
        }
    }

    private static long total() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Long.MAX_VALUE;
    }
}
