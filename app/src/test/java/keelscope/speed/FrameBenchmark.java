package keelscope.speed;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javafx.animation.AnimationTimer;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.scene.layout.Pane;
import javafx.stage.Stage;
import keelscope.chart.ChartCatalog;
import keelscope.chart.ChartTile;
import keelscope.run.ArmSnapshot;
import keelscope.run.FormulaArm;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;
import keelscope.runfile.RunStatus;
import keelscope.runfile.StepSeries;

/**
 * What a frame of the full dashboard costs while data arrive: a full one of nine charts, two arms, 1400 × 900, a new snapshot of both
 * arms every frame. Prints milliseconds a frame, median and 95th percentile, for runs of 1,000 and of 1,000,000 steps,
 * at L = 64 and at L = 1024.
 *
 * <p>{@code FrameBenchmark [FRAMES [CHART …]]}: see README, "Speed".
 */
public final class FrameBenchmark {
    private FrameBenchmark() {}

    public static void main(String[] args) {
        int frames = args.length > 0 ? Integer.parseInt(args[0]) : 200;
        List<String> charts = args.length > 1 ? List.of(args).subList(1, args.length) : FullWindow.CHARTS;
        FullWindow.program(() -> run(frames, charts));
    }

    private static void run(int frames, List<String> charts) throws Exception {
        System.out.printf("%s, %d × %d, %d charts, two arms, a new snapshot every frame%n",
                Figures.machine(), FullWindow.WIDTH, FullWindow.HEIGHT, charts.size());
        for (int layers : new int[] {64, 1024}) {
            double small = 0;
            for (int steps : new int[] {1_000, 1_000_000}) {
                Result result = measure(layers, steps, frames, charts);
                double ratio = small == 0 ? 1 : result.frameMedian / small;
                small = small == 0 ? result.frameMedian : small;
                System.out.printf(Locale.ROOT,
                        "L %4d, %,9d steps: frame %5.1f ms median, %5.1f ms p95 (%.2f of the first row); of it on the window's thread"
                                + " %4.1f ms median, %4.1f p95, %4.1f longest; processor time a frame: window's thread %4.1f ms median,"
                                + " painting %4.1f ms mean, all threads %4.1f%n",
                        layers, steps, result.frameMedian, result.frameP95, ratio, result.busyMedian, result.busyP95, result.busyMax,
                        result.cpuMedian, result.paintMean, result.processMean);
            }
        }
    }

    private record Result(double frameMedian, double frameP95, double busyMedian, double busyP95, double busyMax, double cpuMedian,
            double paintMean, double processMean) {}

    private static ArmSnapshot arm(String scheme, int colour, int layers, int steps, int last, int state) {
        return shaken(FormulaArm.of(
                scheme, colour, layers, steps, last, 0.08, RunStatus.RUNNING, List.of(), Set.of(Measure.CARRY_GATE_MEAN)), 1 + 0.01f * state);
    }

    /** With other values in every curve, since charts do not draw again what has not changed. */
    private static ArmSnapshot shaken(ArmSnapshot arm, float factor) {
        Map<Measure, LayerValues> layers = new EnumMap<>(Measure.class);
        arm.layers().forEach((measure, values) -> layers.put(measure, new LayerValues(values.step(), scaled(values.values(), factor))));
        StepSeries s = arm.steps();
        StepSeries steps = new StepSeries(s.firstStep(), s.lastStep(), scaled(s.loss(), factor), scaled(s.lossMin(), factor),
                scaled(s.lossMax(), factor), s.lr(), scaled(s.gradNorm(), factor), scaled(s.gradNormMin(), factor),
                scaled(s.gradNormMax(), factor), s.stepMs(), s.memoryBytes(), s.tokens());
        return new ArmSnapshot(arm.file(), arm.info(), arm.state(), arm.colour(), arm.lastStep(), steps, arm.validation(), arm.events(),
                arm.cursor(), layers, arm.matrices(), arm.histograms());
    }

    private static double[] scaled(double[] values, double factor) {
        return Arrays.stream(values).map(value -> factor * value).toArray();
    }

    private static float[] scaled(float[] values, float factor) {
        float[] scaled = new float[values.length];
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] = factor * values[i];
        }
        return scaled;
    }

    private static Result measure(int layers, int steps, int frames, List<String> charts) throws Exception {
        // Twenty successive states of the two arms, made before the clock runs.
        int states = 20;
        List<List<ArmSnapshot>> arms = new ArrayList<>();
        for (int i = 0; i < states; i++) {
            int last = steps - 1 - (states - 1 - i) * Math.max(1, steps / 1000);
            arms.add(List.of(
                    arm("keel", 0, layers, steps, last, i), arm("post_ln", 1, layers, steps, last, i)));
        }
        CompletableFuture<Result> done = new CompletableFuture<>();
        Platform.runLater(() -> {
            List<ChartTile> tiles = charts.stream().map(id -> ChartCatalog.of(id).orElseThrow().make().get()).toList();
            Pane root = new Pane();
            place(tiles, root);
            Scene scene = new Scene(root, FullWindow.WIDTH, FullWindow.HEIGHT);
            Stage stage = new Stage();
            stage.setScene(scene);
            stage.show();
            new AnimationTimer() {
                private static final int WARM_UP = 150;
                private final double[] frame = new double[frames];
                private final double[] busy = new double[frames];
                private final double[] cpu = new double[frames];
                private long cpuBegun;
                private long processBegun;
                private long paintBegun;
                private int count = -WARM_UP;
                private long last;
                private long begun;

                {
                    // From the timer, through style and layout, to the end of drawing into the charts' canvases.
                    scene.addPostLayoutPulseListener(() -> {
                        if (count > 0 && count <= frames && begun > 0) {
                            busy[count - 1] = (System.nanoTime() - begun) * 1e-6;
                            cpu[count - 1] = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBegun) * 1e-6;
                        }
                    });
                }

                @Override
                public void handle(long ignored) {
                    long now = System.nanoTime();
                    if (count >= 1 && count <= frames) {
                        frame[count - 1] = (now - last) * 1e-6;
                    }
                    last = now;
                    if (count >= frames) {
                        stop();
                        stage.close();
                        done.complete(new Result(Figures.quantile(frame, 0.5), Figures.quantile(frame, 0.95), Figures.quantile(busy, 0.5),
                                Figures.quantile(busy, 0.95), Figures.quantile(busy, 1), Figures.quantile(cpu, 0.5),
                                (Figures.threadCpu(FullWindow.PAINTER) - paintBegun) * 1e-6 / frames,
                                (Figures.processCpu() - processBegun) * 1e-6 / frames));
                        return;
                    }
                    begun = now;
                    cpuBegun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                    if (count == 0) {
                        processBegun = Figures.processCpu();
                        paintBegun = Figures.threadCpu(FullWindow.PAINTER);
                    }
                    List<ArmSnapshot> newest = arms.get(Math.floorMod(count, states));
                    tiles.forEach(tile -> tile.show(newest));
                    count++;
                }
            }.start();
        });
        return done.get();
    }

    /** Each a ninth of the window, as in a full dashboard, however many there are. */
    private static void place(List<ChartTile> tiles, Pane root) {
        double width = Math.floor((double) FullWindow.WIDTH / FullWindow.COLUMNS);
        double height = Math.floor((double) FullWindow.HEIGHT / FullWindow.COLUMNS);
        for (int i = 0; i < tiles.size(); i++) {
            tiles.get(i).setManaged(false);
            tiles.get(i).resizeRelocate(i % FullWindow.COLUMNS * width, i / FullWindow.COLUMNS * height, width, height);
            root.getChildren().add(tiles.get(i));
        }
    }
}
