package keelscope.speed;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
import keelscope.runfile.Measure;
import keelscope.runfile.RunStatus;

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
                                + " %4.1f ms median, %4.1f p95, %4.1f longest; processor time a frame: window's thread %4.1f ms median, all"
                                + " threads %4.1f ms mean%n",
                        layers, steps, result.frameMedian, result.frameP95, ratio, result.busyMedian, result.busyP95, result.busyMax,
                        result.cpuMedian, result.processMean);
            }
        }
    }

    private record Result(double frameMedian, double frameP95, double busyMedian, double busyP95, double busyMax, double cpuMedian,
            double processMean) {}

    private static ArmSnapshot arm(String scheme, int colour, int layers, int steps, int last) {
        return FormulaArm.of(
                scheme, colour, layers, steps, last, 0.08, RunStatus.RUNNING, List.of(), Set.of(Measure.CARRY_GATE_MEAN));
    }

    private static Result measure(int layers, int steps, int frames, List<String> charts) throws Exception {
        // Twenty successive states of the two arms, made before the clock runs.
        int states = 20;
        List<List<ArmSnapshot>> arms = new ArrayList<>();
        for (int i = 0; i < states; i++) {
            int last = steps - 1 - (states - 1 - i) * Math.max(1, steps / 1000);
            arms.add(List.of(
                    arm("keel", 0, layers, steps, last), arm("post_ln", 1, layers, steps, last)));
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
                private static final int WARM_UP = 60;
                private final double[] frame = new double[frames];
                private final double[] busy = new double[frames];
                private final double[] cpu = new double[frames];
                private long cpuBegun;
                private long processBegun;
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
                                (Figures.processCpu() - processBegun) * 1e-6 / frames));
                        return;
                    }
                    begun = now;
                    cpuBegun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                    if (count == 0) {
                        processBegun = Figures.processCpu();
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
