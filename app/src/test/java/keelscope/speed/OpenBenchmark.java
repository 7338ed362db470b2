package keelscope.speed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import keelscope.dashboard.TimeCursor;
import keelscope.run.ArmSnapshot;
import keelscope.run.RunSession;
import keelscope.speed.FullWindow.Picture;

/**
 * Opens two large run files in the window with a full dashboard, twice: the time to the first picture in which every chart in sight shows both
 * arms, the time from asking for another step to its picture, how long the event thread let others wait, and memory.
 *
 * <p>{@code OpenBenchmark FOLDER [STEPS [LAYERS]]}: see README, "Speed". Files that FOLDER lacks are written first: 1,000,000 steps of 1,024
 * sub-layers take about 6 GB an arm.
 */
public final class OpenBenchmark {
    private static final List<String> SCHEMES = List.of("keel", "post_ln");
    private static final int STEPS = 1_000_000;
    private static final int LAYERS = 1024;
    private static final int MOVES = 40;

    private OpenBenchmark() {}

    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        int steps = args.length > 1 ? Integer.parseInt(args[1]) : STEPS;
        int layers = args.length > 2 ? Integer.parseInt(args[2]) : LAYERS;
        FullWindow.program(() -> {
            write(folder, steps, layers);
            System.out.printf(Locale.ROOT, "%d arms of %,d steps, L = %d, %s%n", SCHEMES.size(), steps, layers, Figures.machine());
            FullWindow.inNewFolder(runs -> measure(folder, runs));
        });
    }

    private static void write(Path folder, int steps, int layers) throws IOException {
        Files.createDirectories(folder);
        for (String scheme : SCHEMES) {
            Path file = folder.resolve(scheme + RunSession.RUN_FILE_SUFFIX);
            if (!Files.exists(file)) {
                System.out.println("writing " + file);
                LargeRun.write(file, scheme, layers, steps);
            }
        }
    }

    private static void measure(Path folder, Path runs) throws InterruptedException {
        EventThreadWatch watch = EventThreadWatch.start();
        for (String when : List.of("first of the program", "again, the program warm")) {
            FullWindow full = FullWindow.open(runs);
            System.out.println(when + "; opening the window: " + watch.report());
            open(full, folder, watch);
            move(full, watch);
            System.out.println(Figures.memory());
            full.close();
        }
    }

    private static void open(FullWindow full, Path folder, EventThreadWatch watch) throws InterruptedException {
        CompletableFuture<Picture> first = new CompletableFuture<>();
        full.onPicture(picture -> {
            if (picture.charts().stream().allMatch(OpenBenchmark::complete)) {
                first.complete(picture);
            }
        });
        long cpu = Figures.processCpu();
        long begun = System.nanoTime();
        FullWindow.onEventThread(() -> {
            full.window().open(folder);
            return null;
        });
        System.out.printf(Locale.ROOT, "first picture of all charts after %.0f ms (%.0f ms of processor time); %s%n",
                (first.join().nanoTime() - begun) * 1e-6, (Figures.processCpu() - cpu) * 1e-6, watch.report());
    }

    /** Whether both arms are there with what the heat maps of the dashboard ask for. */
    private static boolean complete(List<ArmSnapshot> arms) {
        return arms.size() == SCHEMES.size() && arms.stream().allMatch(arm -> arm.matrices().size() > 1);
    }

    private static void move(FullWindow full, EventThreadWatch watch) throws InterruptedException {
        List<Double> moves = new ArrayList<>();
        TimeCursor time = full.window().dashboard().time();
        for (int move = 0; move < MOVES; move++) {
            long last = FullWindow.onEventThread(() -> time.lastProperty().get());
            int at = (int) (last * (move + 1) / (MOVES + 2));
            CompletableFuture<Picture> moved = new CompletableFuture<>();
            full.onPicture(picture -> {
                if (picture.charts().stream().allMatch(arms -> complete(arms) && arms.stream().allMatch(arm -> arm.cursor() == at))) {
                    moved.complete(picture);
                }
            });
            long begun = System.nanoTime();
            FullWindow.onEventThread(() -> {
                time.at(at);
                return OptionalInt.of(at);
            });
            moves.add((moved.join().nanoTime() - begun) * 1e-6);
        }
        System.out.println("another step under the cursor, until its picture: " + Figures.times(moves) + "; " + watch.report());
    }
}
