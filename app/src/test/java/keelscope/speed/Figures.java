package keelscope.speed;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/** What benchmarks say of many values, of this process and of the machine. */
final class Figures {
    private static final OperatingSystemMXBean SYSTEM = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private Figures() {}

    /** The value below which that share of the values lies, NaN without any; 1 gives the greatest. */
    static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    }

    static double quantile(Collection<Double> values, double share) {
        return quantile(values.stream().mapToDouble(Double::doubleValue).toArray(), share);
    }

    /** {@code 12 ms median, 30 ms p95, 41 ms longest}. */
    static String times(Collection<Double> ms) {
        return String.format(Locale.ROOT, "%.0f ms median, %.0f ms p95, %.0f ms longest",
                quantile(ms, 0.5), quantile(ms, 0.95), quantile(ms, 1));
    }

    /** Processor time of all threads of this process, ns: it says what a picture costs, however busy the machine is with others. */
    static long processCpu() {
        return SYSTEM.getProcessCpuTime();
    }

    /** Processor time of the threads whose name begins so, ns. */
    static long threadCpu(String name) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith(name))
                .mapToLong(thread -> Math.max(0, threads.getThreadCpuTime(thread.getThreadId())))
                .sum();
    }

    /** What is asked for with every figure: cores, and how many wanted one in the last minute. */
    static String machine() {
        return String.format(Locale.ROOT, "%d cores, load %.1f, %s", Runtime.getRuntime().availableProcessors(), SYSTEM.getSystemLoadAverage(),
                System.getProperty("prism.order", "").equals("sw") ? "software rendering" : "default rendering");
    }

    /** Heap in use after a collection, and resident memory, which the system counts: {@code 80 MB of heap, 400 MB resident}. */
    static String memory() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return String.format(Locale.ROOT, "%.0f MB of heap in use, %s resident", (runtime.totalMemory() - runtime.freeMemory()) / 1e6, resident());
    }

    private static String resident() {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS"))
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1000 + " MB")
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown (" + e.getMessage() + ")";
        }
    }
}
