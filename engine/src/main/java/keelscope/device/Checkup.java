package keelscope.device;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import keelscope.device.SystemLibraries.Library;
import keelscope.device.SystemLibraries.Use;

/** Looks over the machine: what the program would use, and what keeps it from working. */
public final class Checkup {

    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    /** Below these, free memory is a warning and a failure: the default experiment's engine takes a few hundred MB an arm. */
    private static final long LITTLE_MEMORY = 2 * GIB;

    private static final long TOO_LITTLE_MEMORY = 512 * MIB;

    private static final long LITTLE_DISK = 2 * GIB;

    /** PyTorch's libraries for processors, unpacked. */
    private static final long UNPACKED = 450 * MIB;

    private static final Pattern DISPLAY = Pattern.compile("(.*):([0-9]+)(\\.[0-9]+)?");

    private static final Path SOCKETS = Path.of("/tmp/.X11-unix");

    private Checkup() {}

    /**
     * Looks at everything, in the order in which it is shown. Takes as long as the slowest trial of a device, a few seconds.
     *
     * @param runs the folder of runs
     */
    public static List<Finding> of(Probe machine, Path runs) {
        CompletableFuture<Probe.Trial> trial =
                CompletableFuture.supplyAsync(() -> machine.tryDevice("cpu", Map.of()));
        CompletableFuture<Choice> choice =
                CompletableFuture.supplyAsync(() -> DeviceChoice.choose("auto", machine));
        boolean display = display(machine).level() == Finding.Level.OK;

        List<Finding> findings = new ArrayList<>();
        findings.add(java(System.getProperty("java.version"), System.getProperty("java.vendor"), System.getProperty("java.home")));
        findings.add(pytorch(trial.join()));
        findings.add(device(choice.join()));
        findings.add(cores(Runtime.getRuntime().availableProcessors(), Processor.HERE));
        findings.add(memory(freeMemory(), totalMemory()));
        findings.add(disk("disk, runs", runs, TOO_LITTLE_MEMORY / 4));
        findings.add(disk("disk, cache", MachineProbe.cacheFolder(), isUnpacked() ? 0 : UNPACKED));
        findings.add(display(machine));
        findings.add(javafx(System.getProperty("java.class.path")));
        if (machine.platform().startsWith("linux")) {
            findings.add(systemLibraries(SystemLibraries.loaderCache().map(SystemLibraries::missing), display));
        }
        return List.copyOf(findings);
    }

    static Finding java(String version, String vendor, String home) {
        return Finding.ok("Java", version + " (" + vendor + ") in " + home);
    }

    static Finding pytorch(Probe.Trial trial) {
        return trial.works()
                ? Finding.ok("PyTorch", trial.detail().replaceFirst("^PyTorch ", "") + "; a product and its gradient came out right")
                : Finding.fail(
                        "PyTorch",
                        "does not work on the processor: " + trial.detail(),
                        "remove " + MachineProbe.cacheFolder() + ", so that its libraries are unpacked anew; they need glibc 2.28"
                                + " or newer and, on Linux and Windows, a 64-bit processor with AVX2");
    }

    static Finding device(Choice choice) {
        // A GPU that lies idle for a reason is worth a warning; no GPU is not.
        return !choice.isGpu() && choice.note().contains("unused")
                ? Finding.warn("device", choice.description() + " would be used", choice.note())
                : Finding.ok("device", choice.description() + " would be used. " + choice.note());
    }

    static Finding cores(int cores, Processor processor) {
        return Finding.ok(
                "cores",
                cores + (cores == 1 ? " core; an engine uses one thread" : " cores; 'threads: auto' chooses among 1 to " + cores
                        + " threads an engine by a short trial at its start")
                        + (processor.multipliesFasterByOneDnn() ? "; large matrices are multiplied by oneDNN, which uses AVX-512 here" : ""));
    }

    static Finding memory(long free, long total) {
        String text = gib(free) + " free of " + gib(total);
        String remedy = "end other programs, or train fewer arms at once and smaller models";
        if (free < TOO_LITTLE_MEMORY) {
            return Finding.fail("memory", text, remedy);
        }
        return free < LITTLE_MEMORY ? Finding.warn("memory", text, remedy) : Finding.ok("memory", text);
    }

    /** Free space where a folder is or would be made, and whether one may write there. */
    static Finding disk(String topic, Path folder, long needed) {
        Path there = folder.toAbsolutePath();
        while (there.getParent() != null && !Files.exists(there)) {
            there = there.getParent();
        }
        if (!Files.isDirectory(there) || !Files.isWritable(there)) {
            return Finding.fail(
                    topic,
                    folder + " cannot be written" + (there.equals(folder.toAbsolutePath()) ? "" : " (" + there + " is in the way)"),
                    topic.endsWith("runs")
                            ? "set KEELSCOPE_RUNS to a folder of yours"
                            : "set DJL_CACHE_DIR to a folder of yours");
        }
        long free = there.toFile().getUsableSpace();
        String text = gib(free) + " free in " + folder;
        if (free < needed) {
            return Finding.fail(topic, text, "free some space there; " + needed / MIB + " MB are needed");
        }
        return free < LITTLE_DISK
                ? Finding.warn(topic, text, "free some space there before long runs")
                : Finding.ok(topic, text);
    }

    /** Whether there is a display; on Linux JavaFX 21 draws through X11. */
    static Finding display(Probe machine) {
        if (!machine.platform().startsWith("linux")) {
            return Finding.ok("display", "the system's own");
        }
        String name = machine.variable("DISPLAY").orElse("");
        String remedy = "without a display ./app/keelscope trains the default experiment and leaves pictures; for the window,"
                + " start it in a desktop session, or over ssh -X";
        if (name.isBlank()) {
            return Finding.warn("display", "none (DISPLAY is not set)", remedy);
        }
        return answers(name, SOCKETS)
                ? Finding.ok("display", name)
                : Finding.warn("display", "DISPLAY is " + name + ", but nothing answers there", remedy);
    }

    /** Whether an X server listens at a display's name, {@code HOST:N}; the local ones' sockets are in a folder. */
    static boolean answers(String display, Path sockets) {
        Matcher matcher = DISPLAY.matcher(display);
        if (!matcher.matches()) {
            return false;
        }
        String host = matcher.group(1);
        int number = Integer.parseInt(matcher.group(2));
        try {
            if (host.isEmpty() || host.equals("unix")) {
                try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                    return channel.connect(UnixDomainSocketAddress.of(sockets.resolve("X" + number)));
                }
            }
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(host, 6000 + number), 2000);
                return true;
            }
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether JavaFX's own libraries for this system are on the class path; they come in a jar of their own. */
    static Finding javafx(String classPath) {
        Pattern jar = Pattern.compile("javafx-graphics-([0-9.]+)-(\\w[\\w-]*)\\.jar");
        for (String entry : classPath.split(File.pathSeparator)) {
            Matcher matcher = jar.matcher(new File(entry).getName());
            if (matcher.matches()) {
                return Finding.ok("JavaFX", matcher.group(1) + " for " + matcher.group(2));
            }
        }
        return Finding.warn(
                "JavaFX", "not on the class path, so no window can be opened", "start the program with ./app/keelscope");
    }

    /**
     * The libraries that JavaFX takes from the system.
     *
     * @param missing those that are missing; empty if the system does not tell
     * @param display whether a window could be opened
     */
    static Finding systemLibraries(Optional<List<Library>> missing, boolean display) {
        String topic = "libraries";
        if (missing.isEmpty()) {
            return Finding.ok(topic, "not checked: this system has no ldconfig");
        }
        if (missing.get().isEmpty()) {
            return Finding.ok(topic, "all that JavaFX takes from the system are there");
        }
        List<Library> drawing = missing.get().stream().filter(library -> library.use() == Use.DRAWING).toList();
        String text = "missing: "
                + String.join(" ", missing.get().stream().map(Library::name).toList());
        String remedy = "install them: apt-get install " + SystemLibraries.packages(missing.get());
        if (display || !drawing.isEmpty()) {
            return Finding.fail(topic, text, remedy);
        }
        return Finding.warn(topic, text, "for a window, " + remedy);
    }

    private static boolean isUnpacked() {
        File[] folders = MachineProbe.cacheFolder()
                .toFile()
                .listFiles((parent, name) -> name.startsWith(PyTorchBuild.version()) && name.contains("-cpu-"));
        return folders != null && folders.length > 0;
    }

    /** Memory that can be had without pushing others out, bytes: the system's own word, within the limit of a container. */
    private static long freeMemory() {
        long total = totalMemory();
        Path meminfo = Path.of("/proc/meminfo");
        if (Files.exists(meminfo)) {
            try {
                for (String line : Files.readAllLines(meminfo)) {
                    if (line.startsWith("MemAvailable:")) {
                        return Math.min(total, Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024);
                    }
                }
            } catch (IOException e) {
                // The system's bean below knows too, if less well: it counts files kept in memory as used.
            }
        }
        return system().getFreeMemorySize();
    }

    private static long totalMemory() {
        return system().getTotalMemorySize();
    }

    private static com.sun.management.OperatingSystemMXBean system() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    }

    private static String gib(long bytes) {
        return String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
    }
}
