package keelscope.model;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import keelscope.process.JavaCommand;
import keelscope.train.ProbeCadence;

/**
 * Times a training step and takes its peak memory, each configuration in a process of its own, all in one run, and prints
 * ratios: see README, "Speed". Run by {@code mvn -q -pl engine test-compile exec:exec@benchmark}. With the number of a row, 1 to 3, only
 * that one.
 */
public final class StepBenchmark {

    private record Size(int layers, int width, int heads, int batch, int sequence) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "L %4d, width %3d, %d × %d", layers, width, batch, sequence);
        }
    }

    private static final List<Size> ROWS = List.of(
            new Size(32, 128, 4, 8, 128), new Size(256, 64, 4, 2, 64), new Size(1024, 64, 4, 1, 64));
    private static final int VOCABULARY = 256;

    private static final String RESULT = "result ";
    private static final int WARM_UP = 4;
    private static final int BLOCK = 10;
    private static final long ALONE_NS = 4_000_000_000L;
    private static final long IN_TURN_NS = 60_000_000_000L;

    private StepBenchmark() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length > 0 && args[0].equals("--one")) {
            one(args);
        } else {
            all(args);
        }
    }

    private static void all(String[] args) throws IOException, InterruptedException {
        boolean whole = args.length == 0;
        System.out.printf("%d cores, Java %s%n", Runtime.getRuntime().availableProcessors(), System.getProperty("java.vm.version"));
        double gflops = child("product", new Size(0, 1024, 0, 0, 0), Scheme.KEEL, 0)[0];
        System.out.printf(Locale.ROOT, "1024³ product: %.1f GFLOP/s%n%n", gflops);
        System.out.println("| size | scheme | threads | off, ms | default, ms | every step, ms | NDArray, ms | off GFLOP/s (share of product)"
                + " | NDArray / off | default / off | every / off | off, MB | NDArray, MB |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (Size size : whole ? ROWS : List.of(ROWS.get(Integer.parseInt(args[0]) - 1))) {
            for (Scheme scheme : List.of(Scheme.PRE_LN, Scheme.KEEL)) {
                row(size, scheme, gflops);
            }
        }
        if (whole) {
            System.out.println();
            System.out.println("| keel, width 64, 1 × 64: L | off, ms | ms a sub-layer |");
            System.out.println("|---|---|---|");
            for (int layers = 64; layers <= 2048; layers *= 2) {
                double ms = child("off", new Size(layers, 64, 4, 1, 64), Scheme.KEEL, 1)[0];
                System.out.printf(Locale.ROOT, "| %d | %.1f | %.3f |%n", layers, ms, ms / layers);
            }
        }
    }

    private static void row(Size size, Scheme scheme, double product) throws IOException, InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        int threads = fasterThreads(size, scheme, cores);
        double[] program = child("program", size, scheme, threads);
        double off = program[0];
        double usual = program[1];
        double every = program[2];
        double[] plain = child("ndarray", size, scheme, threads);
        double gflops = operations(size, scheme) / off / 1e6;
        System.out.printf(Locale.ROOT, "| %s | %s | %d | %.0f | %.0f | %.0f | %.0f | %.1f (%.0f %%) | %.2f | %.3f | %.3f | %.0f | %.0f |%n",
                size, scheme.id(), threads, off, usual, every, plain[0], gflops, 100 * gflops / product,
                plain[0] / off, usual / off, every / off, program[3], plain[1]);
    }

    /** One thread or one a core, whichever takes the shorter step, each tried twice in turn. */
    private static int fasterThreads(Size size, Scheme scheme, int cores) throws IOException, InterruptedException {
        if (cores == 1) {
            return 1;
        }
        double one = Double.POSITIVE_INFINITY;
        double all = Double.POSITIVE_INFINITY;
        for (int turn = 0; turn < 2; turn++) {
            one = Math.min(one, child("off", size, scheme, 1)[0]);
            all = Math.min(all, child("off", size, scheme, cores)[0]);
        }
        return one <= all ? 1 : cores;
    }

    private static Architecture architecture(Size size, Scheme scheme) {
        int hidden = Math.round(size.width() * 8 / 3f / 8) * 8;
        return new Architecture(scheme, size.layers(), size.width(), size.heads(), hidden, VOCABULARY, Double.NaN, false);
    }

    /** 6 × parameters × tokens, the embedding left out since it is a look-up, plus attention's two products, forward and backward. */
    private static double operations(Size size, Scheme scheme) {
        double tokens = (double) size.batch() * size.sequence();
        double weights = architecture(size, scheme).parameterCount() - (double) VOCABULARY * size.width();
        return tokens * (6 * weights + 12.0 * size.layers() / 2 * size.width() * size.sequence());
    }

    /** The figures that a process of its own prints for this. */
    private static double[] child(String mode, Size size, Scheme scheme, int threads) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(JavaCommand.of(StepBenchmark.class, "--one", mode, scheme.id(),
                Integer.toString(threads), Integer.toString(size.layers()), Integer.toString(size.width()),
                Integer.toString(size.heads()), Integer.toString(size.batch()), Integer.toString(size.sequence())));
        command.addAll(1, List.of("-Xmx1g", "-Xms32m", "-Xmn16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")); // as an engine is started
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        process.waitFor();
        String line = output.lines().filter(l -> l.startsWith(RESULT)).findFirst()
                .orElseThrow(() -> new IOException("the child for " + mode + ", " + size + " gave no result: " + output));
        return Arrays.stream(line.substring(RESULT.length()).split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    private static void result(double... figures) {
        System.out.println(RESULT + Arrays.stream(figures).mapToObj(Double::toString).collect(Collectors.joining(" ")));
    }

    private static void one(String[] args) throws IOException {
        String mode = args[1];
        int[] n = Arrays.stream(args, 3, args.length).mapToInt(Integer::parseInt).toArray();
        if (mode.equals("product")) {
            product();
            return;
        }
        Size size = new Size(n[1], n[2], n[3], n[4], n[5]);
        Architecture architecture = architecture(size, Scheme.of(args[2]).orElseThrow());
        Random random = new Random(1);
        int[] ids = random.ints((long) size.batch() * size.sequence(), 0, VOCABULARY).toArray();
        int[] targets = random.ints(ids.length, 0, VOCABULARY).toArray();
        Engine.getEngine("PyTorch");
        JniUtils.setNumThreads(n[0]);
        if (mode.equals("ndarray")) {
            try (PlainModel model = new PlainModel(architecture, DataType.FLOAT32, p -> Initializer.values(p, 1))) {
                alone((i, watch) -> model.step(ids, targets, size.batch(), settings(i, watch)));
            }
            return;
        }
        try (StepProgram program =
                StepProgram.create(architecture, size.sequence(), Device.cpu(), DataType.FLOAT32, p -> Initializer.values(p, 1))) {
            program.useThreads(n[0]);
            Step step = (i, watch) -> program.step(ids, targets, 1, size.batch(), settings(i, watch));
            if (mode.equals("program")) {
                inTurn(step);
            } else {
                alone(step);
            }
        }
    }

    private static StepSettings settings(int step, boolean watch) {
        return new StepSettings(1e-4, 0.9, 0.95, 1e-8, 0.01, 1, step + 1L, true, watch);
    }

    private interface Step {
        void take(int i, boolean watch);
    }

    /** Prints the mean over the middle half of the steps of some seconds, ms, and the peak memory, MB. */
    private static void alone(Step step) throws IOException {
        int i = 0;
        while (i < WARM_UP) {
            step.take(i++, false);
        }
        List<Double> times = new ArrayList<>();
        long end = System.nanoTime() + ALONE_NS;
        while (System.nanoTime() < end || times.size() < 2 * WARM_UP) {
            long start = System.nanoTime();
            step.take(i++, false);
            times.add((System.nanoTime() - start) / 1e6);
        }
        List<Double> sorted = times.stream().sorted().toList();
        result(sorted.subList(sorted.size() / 4, sorted.size() * 3 / 4).stream().collect(Collectors.averagingDouble(d -> d)), peakMegabytes());
    }

    /**
     * Prints the mean time of a step with measuring off, by default and at every step, ms, and the peak memory with measuring off, MB.
     * They take turns, so that whatever else goes on in the machine falls on all of them alike: the first two, which differ little, step
     * by step; probes in blocks, since one after another they find the memory that they need at hand. What counts is the half of the
     * turns in which steps with measuring off were fastest, so those least disturbed.
     */
    private static void inTurn(Step step) throws IOException {
        ProbeCadence usual = new ProbeCadence(0, 100_000);
        int i = 0;
        while (i < 2 * BLOCK) {
            step.take(i++, false);
        }
        double megabytes = peakMegabytes();
        while (i < 4 * BLOCK) { // finds the default cadence, and allocates
            timed(step, i, usual.due(i++), usual);
        }
        List<double[]> turns = new ArrayList<>();
        long end = System.nanoTime() + IN_TURN_NS;
        while (System.nanoTime() < end || turns.size() < 2) {
            double[] ms = new double[3];
            step.take(i++, false);
            for (int k = 0; k < BLOCK; k++) {
                ms[0] += timed(step, i++, false, usual) / BLOCK;
                ms[1] += timed(step, i++, usual.due(turns.size() * BLOCK + k), usual) / BLOCK;
            }
            step.take(i++, true);
            for (int k = 0; k < BLOCK; k++) {
                ms[2] += timed(step, i++, true, usual) / BLOCK;
            }
            turns.add(ms);
        }
        turns.sort(Comparator.comparingDouble(ms -> ms[0]));
        List<double[]> quiet = turns.subList(0, (turns.size() + 1) / 2);
        result(mean(quiet, 0), mean(quiet, 1), mean(quiet, 2), megabytes);
    }

    private static double mean(List<double[]> turns, int manner) {
        return turns.stream().mapToDouble(ms -> ms[manner]).average().orElse(Double.NaN);
    }

    private static double timed(Step step, int i, boolean watch, ProbeCadence cadence) {
        long start = System.nanoTime();
        step.take(i, watch);
        double ms = (System.nanoTime() - start) / 1e6;
        cadence.took(watch, ms);
        return ms;
    }

    private static void product() throws IOException {
        Engine engine = Engine.getEngine("PyTorch");
        JniUtils.setGradMode(false);
        try (NDManager manager = engine.newBaseManager(Device.cpu())) {
            NDArray a = manager.randomUniform(-1, 1, new Shape(1024, 1024));
            NDArray b = manager.randomUniform(-1, 1, new Shape(1024, 1024));
            double best = 0;
            for (int i = 0; i < 60; i++) {
                long start = System.nanoTime();
                a.matMul(b).close();
                best = Math.max(best, 2.0 * 1024 * 1024 * 1024 / (System.nanoTime() - start));
            }
            result(best, peakMegabytes());
        }
    }

    private static double peakMegabytes() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(l -> l.startsWith("VmHWM:")).mapToDouble(l -> Double.parseDouble(l.replaceAll("\\D", "")) * 1024 / 1e6)
                    .findFirst().orElse(Double.NaN);
        }
    }
}
