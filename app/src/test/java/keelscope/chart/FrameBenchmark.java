package keelscope.chart;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javafx.animation.AnimationTimer;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.scene.layout.Pane;
import javafx.stage.Stage;
import keelscope.run.ArmSnapshot;
import keelscope.run.FormulaArm;
import keelscope.runfile.Measure;
import keelscope.runfile.RunStatus;

/**
 * What a frame of the full dashboard costs while data arrive: a full one of nine charts, two arms, 1400 × 900, a new snapshot of both
 * arms every frame. Prints milliseconds a frame, median and 95th percentile, for runs of 1,000 and of 1,000,000 steps,
 * at L = 64 and at L = 1024. Without a display it needs the system properties that the tests of this module are given.
 *
 * <p>{@code FrameBenchmark [FRAMES [CHARTS]]}
 */
public final class FrameBenchmark {
    static final int WIDTH = 1400;
    static final int HEIGHT = 900;

    /** What a full dashboard holds; the first five are what a small one holds. */
    private static final String[] TILES = {
        "loss", "gradient-by-layer", "gradient-heat-map", "carry-gate", "highway-transport",
        "activation-gradient-by-layer", "carry-gate-heat-map", "update-ratio", "gradient-norm"
    };

    private FrameBenchmark() {}

    public static void main(String[] args) throws Exception {
        int frames = args.length > 0 ? Integer.parseInt(args[0]) : 200;
        int tiles = args.length > 1 ? Integer.parseInt(args[1]) : TILES.length;
        System.out.printf("%s, %d cores, %d x %d, %d charts, two arms, a new snapshot every frame%n",
                System.getProperty("prism.order", "hardware").equals("sw") ? "software rendering" : "default rendering",
                Runtime.getRuntime().availableProcessors(), WIDTH, HEIGHT, tiles);
        Platform.startup(() -> Platform.setImplicitExit(false));
        for (int layers : new int[] {64, 1024}) {
            double small = 0;
            for (int steps : new int[] {1_000, 1_000_000}) {
                Result result = measure(layers, steps, frames, tiles);
                double ratio = small == 0 ? 1 : result.frameMedian / small;
                small = small == 0 ? result.frameMedian : small;
                System.out.printf(Locale.ROOT,
                        "L %4d, %,9d steps: frame %5.1f ms median, %5.1f ms p95 (%.2f of the first row); of it on the window's thread"
                                + " %4.1f ms median, %4.1f p95, %4.1f longest%n",
                        layers, steps, result.frameMedian, result.frameP95, ratio, result.busyMedian, result.busyP95, result.busyMax);
            }
        }
        System.exit(0);
    }

    private record Result(double frameMedian, double frameP95, double busyMedian, double busyP95, double busyMax) {}

    private static ArmSnapshot arm(String scheme, int colour, int layers, int steps, int last) {
        return FormulaArm.of(
                scheme, colour, layers, steps, last, 0.08, RunStatus.RUNNING, List.of(), Set.of(Measure.CARRY_GATE_MEAN));
    }

    private static Result measure(int layers, int steps, int frames, int shown) throws Exception {
        // Twenty successive states of the two arms, made before the clock runs.
        int states = 20;
        List<List<ArmSnapshot>> arms = new java.util.ArrayList<>();
        for (int i = 0; i < states; i++) {
            int last = steps - 1 - (states - 1 - i) * Math.max(1, steps / 1000);
            arms.add(List.of(
                    arm("keel", 0, layers, steps, last), arm("post_ln", 1, layers, steps, last)));
        }
        CompletableFuture<Result> done = new CompletableFuture<>();
        Platform.runLater(() -> {
            List<ChartTile> tiles = tiles(shown);
            Pane root = new Pane();
            place(tiles, root);
            Scene scene = new Scene(root, WIDTH, HEIGHT);
            Stage stage = new Stage();
            stage.setScene(scene);
            stage.show();
            new AnimationTimer() {
                private static final int WARM_UP = 60;
                private final double[] frame = new double[frames];
                private final double[] busy = new double[frames];
                private int count = -WARM_UP;
                private long last;
                private long begun;

                {
                    // From the timer, through style and layout, to the end of drawing into the charts' canvases.
                    scene.addPostLayoutPulseListener(() -> {
                        if (count > 0 && count <= frames && begun > 0) {
                            busy[count - 1] = (System.nanoTime() - begun) * 1e-6;
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
                        done.complete(new Result(share(frame, 0.5), share(frame, 0.95), share(busy, 0.5), share(busy, 0.95), share(busy, 1)));
                        return;
                    }
                    begun = now;
                    List<ArmSnapshot> newest = arms.get(Math.floorMod(count, states));
                    tiles.forEach(tile -> tile.show(newest));
                    count++;
                }
            }.start();
        });
        return done.get();
    }

    static List<ChartTile> tiles(int n) {
        return Stream.of(TILES).limit(n).map(id -> ChartCatalog.of(id).orElseThrow().make().get()).toList();
    }

    static double share(List<Double> values, double share) {
        return share(values.stream().mapToDouble(Double::doubleValue).toArray(), share);
    }

    static void place(List<ChartTile> tiles, Pane root) {
        int rows = tiles.size() > 6 ? 3 : 2;
        int column = 0;
        int row = 0;
        for (int i = 0; i < tiles.size(); i++) {
            int columns = row < rows - 1 ? tiles.size() / rows : tiles.size() - tiles.size() / rows * (rows - 1);
            tiles.get(i).setManaged(false);
            tiles.get(i).resizeRelocate(
                    Math.floor(column * (double) WIDTH / columns), row * HEIGHT / rows, Math.floor((double) WIDTH / columns), HEIGHT / rows);
            root.getChildren().add(tiles.get(i));
            column++;
            if (column == columns) {
                column = 0;
                row++;
            }
        }
    }

    private static double share(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    }
}
