package keelscope.chart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.scene.layout.Pane;
import javafx.stage.Stage;
import keelscope.run.ArmSnapshot;
import keelscope.run.RunFollower;
import keelscope.run.View;
import keelscope.runfile.Measure;

/**
 * Opens real run files in a full dashboard: the time to the first picture, the time from asking for another step to its
 * picture, and the memory held. {@code OpenBenchmark FILE…}; files are made with {@link keelscope.run.LargeRun}.
 */
public final class OpenBenchmark {
    private OpenBenchmark() {}

    public static void main(String[] args) throws Exception {
        List<Path> files = Arrays.stream(args).map(Path::of).toList();
        Platform.startup(() -> Platform.setImplicitExit(false));
        CompletableFuture<Void> done = new CompletableFuture<>();
        Platform.runLater(() -> new Opened(files, done).start());
        done.get();
        System.exit(0);
    }

    private static final class Opened {
        private static final int MOVES = 40;

        private final List<Path> files;
        private final CompletableFuture<Void> done;
        private final List<ChartTile> tiles = FrameBenchmark.tiles(9);
        private final List<Double> moves = new ArrayList<>();
        private final List<Double> shows = new ArrayList<>();
        private RunFollower follower;
        private Scene scene;
        private long begun;
        private boolean waiting;
        private int moved = -1;
        private int last;

        Opened(List<Path> files, CompletableFuture<Void> done) {
            this.files = files;
            this.done = done;
        }

        void start() {
            Pane root = new Pane();
            FrameBenchmark.place(tiles, root);
            scene = new Scene(root, FrameBenchmark.WIDTH, FrameBenchmark.HEIGHT);
            Stage stage = new Stage();
            stage.setScene(scene);
            stage.show();
            scene.addPostLayoutPulseListener(this::pictured);
            begun = System.nanoTime();
            follower = RunFollower.follow(files, this::show, problem -> done.completeExceptionally(new IOException(problem)));
            ask(OptionalInt.empty());
        }

        private void ask(OptionalInt cursor) {
            Set<Measure> wanted = EnumSet.noneOf(Measure.class);
            tiles.forEach(tile -> wanted.addAll(tile.matrices()));
            follower.view(new View(cursor, wanted, new TreeSet<>()));
        }

        private void show(List<ArmSnapshot> arms) {
            boolean complete = arms.size() == files.size() && arms.stream().allMatch(arm -> arm.matrices().size() > 1);
            long before = System.nanoTime();
            tiles.forEach(tile -> tile.show(arms));
            shows.add((System.nanoTime() - before) * 1e-6);
            last = Arms.lastStep(arms);
            waiting |= complete && (moved < 0 || arms.stream().allMatch(arm -> arm.cursor() == at(moved)));
        }

        private int at(int move) {
            return (int) ((long) last * (move + 1) / (MOVES + 2));
        }

        /** Layout is done and the charts have drawn into their canvases. */
        private void pictured() {
            if (!waiting) {
                return;
            }
            waiting = false;
            double ms = (System.nanoTime() - begun) * 1e-6;
            if (moved < 0) {
                System.out.printf(Locale.ROOT, "%d files, %,d steps: first picture after %.0f ms%n", files.size(), last + 1, ms);
            } else {
                moves.add(ms);
            }
            moved++;
            if (moved < MOVES) {
                // Not within the pulse that has just drawn.
                Platform.runLater(() -> {
                    begun = System.nanoTime();
                    ask(OptionalInt.of(at(moved)));
                });
                return;
            }
            follower.close();
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            System.out.printf(Locale.ROOT, "another step under the cursor: picture after %.0f ms median, %.0f ms p95; handing it to the charts %.1f ms"
                            + " median, %.1f longest%n",
                    FrameBenchmark.share(moves, 0.5), FrameBenchmark.share(moves, 0.95), FrameBenchmark.share(shows, 0.5),
                    FrameBenchmark.share(shows, 1));
            System.out.printf(Locale.ROOT, "memory: %.0f MB of heap in use, %s resident%n",
                    (runtime.totalMemory() - runtime.freeMemory()) / 1e6, resident());
            done.complete(null);
        }

        private static String resident() {
            try {
                return Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(line -> line.startsWith("VmRSS"))
                        .map(line -> line.replaceAll("\\D", ""))
                        .findFirst()
                        .map(kb -> Long.parseLong(kb) / 1000 + " MB")
                        .orElse("unknown");
            } catch (IOException e) {
                return "unknown (" + e.getMessage() + ")";
            }
        }
    }
}
