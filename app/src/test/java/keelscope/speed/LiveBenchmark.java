package keelscope.speed;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.process.RunFolder;
import keelscope.run.RunPhase;
import keelscope.run.RunSession;
import keelscope.runfile.RunReader;
import keelscope.runfile.StepRecord;

/**
 * How soon a step is seen: two engines train in processes of their own while the window follows them with a full dashboard. Prints the
 * time from the end of a step, which its engine then commits, until every chart in sight shows it in pixels, over all steps; and how
 * long the event thread let others wait.
 *
 * <p>{@code LiveBenchmark [STEPS]}: see README, "Speed".
 */
public final class LiveBenchmark {
    private static final int STEPS = 300;
    private static final int PATIENCE_S = 600;

    /** The default experiment with two of its arms. */
    private static final String EXPERIMENT = """
            name: How soon a step is seen
            model: {layers: 64, d_model: 64, heads: 4}
            data: {text: sample, batch: 8, sequence: 64}
            training: {steps: %d, peak_lr: 3.0e-3, warmup: 40}
            arms:
              - scheme: keel
              - scheme: post_ln
            """;

    private LiveBenchmark() {}

    /** The last step of every run file that is on screen, and since when. */
    private record Seen(Map<Path, Integer> steps, long timeMs) {}

    public static void main(String[] args) {
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : STEPS;
        FullWindow.program(() -> FullWindow.inNewFolder(folder -> run(folder, steps)));
    }

    private static void run(Path folder, int steps) throws InterruptedException {
        Experiment experiment = ExperimentFile.parse(EXPERIMENT.formatted(steps), "the benchmark", folder);
        EventThreadWatch watch = EventThreadWatch.start();
        FullWindow full = FullWindow.open(folder.resolve("runs"));
        System.out.println("opening the window: " + watch.report());

        List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
        List<Path> files = new CopyOnWriteArrayList<>();
        full.onPicture(picture -> {
            Map<Path, Integer> shown = new HashMap<>();
            files.forEach(file -> shown.put(file, picture.step(file)));
            seen.add(new Seen(shown, picture.timeMs()));
        });
        // The window sets up a sample by itself, at first.
        FullWindow.until("a sample is set up", PATIENCE_S, () -> full.window().setup().experimentProperty().get().isPresent());
        FullWindow.onEventThread(() -> {
            full.window().setup().load(experiment);
            return null;
        });
        FullWindow.until("the experiment is set up", PATIENCE_S, () -> full.window().setup().experimentProperty().get()
                .filter(set -> set.name().equals(experiment.name())).isPresent());
        RunSession session = FullWindow.onEventThread(() -> {
            full.window().start();
            return full.window().session().orElseThrow();
        });
        FullWindow.until("the run has a folder", PATIENCE_S, () -> session.folderProperty().get().isPresent());
        Path made = session.folderProperty().get().orElseThrow();
        experiment.arms().forEach(arm -> files.add(RunFolder.runFile(made, arm.name())));
        FullWindow.until("both arms are seen", PATIENCE_S, () -> reached(seen, files, 0));
        System.out.println("engines started, first picture: " + watch.report());

        long begun = System.nanoTime();
        long[] cpu = spent();
        int pictures = seen.size();
        FullWindow.until("both engines have ended", PATIENCE_S, () -> session.phaseProperty().get() == RunPhase.ENDED);
        double seconds = (System.nanoTime() - begun) * 1e-9;
        long[] spent = spent();
        String events = watch.report();
        FullWindow.until("the last step is seen", PATIENCE_S, () -> reached(seen, files, steps - 1));
        report(files, List.copyOf(seen));
        double[] share = new double[spent.length];
        Arrays.setAll(share, i -> 100 * (spent[i] - cpu[i]) * 1e-9 / seconds);
        System.out.printf(Locale.ROOT, "%.1f pictures a second; the window takes %.0f %% of a core: event thread %.0f, painting %.0f,"
                        + " reading the run files %.0f, compiling and the rest %.0f; %s%n%s%n",
                (seen.size() - pictures) / seconds, share[0], share[1], share[2], share[3], share[0] - share[1] - share[2] - share[3],
                Figures.machine(), events);
        full.close();
        System.out.println(Figures.memory());
    }

    /** Processor time of the window: all of it, the event thread's, that of painting, that of reading, ns. */
    private static long[] spent() {
        return new long[] {Figures.processCpu(), Figures.threadCpu(FullWindow.EVENT_THREAD), Figures.threadCpu(FullWindow.PAINTER),
            Figures.threadCpu(FullWindow.FOLLOWER)};
    }

    private static boolean reached(List<Seen> seen, List<Path> files, int step) {
        return !seen.isEmpty() && files.stream().allMatch(file -> seen.get(seen.size() - 1).steps().getOrDefault(file, -1) >= step);
    }

    private static void report(List<Path> files, List<Seen> seen) {
        List<Double> delays = new ArrayList<>();
        List<Double> durations = new ArrayList<>();
        for (Path file : files) {
            try (RunReader run = RunReader.open(file)) {
                int next = 0;
                for (StepRecord step : run.records(0, run.lastStep())) {
                    while (seen.get(next).steps().getOrDefault(file, -1) < step.step()) {
                        next++;
                    }
                    delays.add((double) seen.get(next).timeMs() - step.timeMs());
                    durations.add(step.stepMs());
                }
            }
        }
        System.out.printf(Locale.ROOT, "%d steps of two engines, %.0f ms a step: from a step's end to its pixels in every chart in sight: %s%n",
                delays.size(), Figures.quantile(durations, 0.5), Figures.times(delays));
    }
}
