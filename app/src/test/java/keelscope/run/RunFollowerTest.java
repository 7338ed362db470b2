package keelscope.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.Measure;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;
import keelscope.runfile.StepSeries;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFollowerTest {
    private static final int LAYERS = 4;

    @TempDir
    Path folder;

    private final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<ArmSnapshot>> delivered = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> errors = new LinkedBlockingQueue<>();
    private RunFollower follower;

    @AfterEach
    void close() {
        if (follower != null) {
            follower.close();
        }
    }

    private void follow(Path... files) {
        follower = RunFollower.follow(List.of(files), View.live(), queue::add, delivered::add, errors::add);
    }

    /** Plays the window's thread until a delivery satisfies {@code wanted}. */
    private List<ArmSnapshot> until(Predicate<List<ArmSnapshot>> wanted) throws InterruptedException {
        long latest = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
        while (true) {
            assertThat(System.nanoTime()).as("a delivery like this within four minutes").isLessThan(latest);
            Runnable task = queue.poll(60, TimeUnit.SECONDS);
            assertThat(task).as("a task within a minute").isNotNull();
            task.run();
            List<ArmSnapshot> snapshots = delivered.poll();
            if (snapshots != null && wanted.test(snapshots)) {
                return snapshots;
            }
        }
    }

    private static boolean reached(List<ArmSnapshot> arms, int arm, int step) {
        return arms.size() > arm && arms.get(arm).lastStep() == step;
    }

    @Test
    void aSnapshotHoldsWhatTheFileHolds() throws Exception {
        Path file = folder.resolve("keel.keelrun");
        try (RunWriter writer = RunFiles.create(file, "keel", LAYERS, 200)) {
            RunFiles.steps(writer, LAYERS, 0, 101);
            writer.event(60, "pause", "Paused by the user.");
            writer.state(RunStatus.PAUSED, "");
            follow(file);
            ArmSnapshot arm = until(arms -> reached(arms, 0, 100)).get(0);
            assertThat(arm.info().scheme()).isEqualTo("keel");
            assertThat(arm.state().status()).isEqualTo(RunStatus.PAUSED);
            assertThat(arm.colour()).isZero();
            assertThat(arm.steps().size()).isEqualTo(101);
            assertThat(arm.steps().loss()[100]).isEqualTo(RunFiles.loss(100));
            assertThat(arm.validation()).extracting(v -> v.step()).containsExactly(49, 99);
            assertThat(arm.events()).extracting(e -> e.kind()).contains("pause");
            assertThat(arm.layers().get(Measure.PARAM_GRAD_NORM).step()).isEqualTo(100);
            assertThat(arm.layers().get(Measure.PARAM_GRAD_NORM).values()[2]).isEqualTo(RunFiles.gradient(100, 2));
            assertThat(arm.layers().get(Measure.CARRY_GATE_MEAN).step()).isEqualTo(100);
            assertThat(arm.layers()).doesNotContainKey(Measure.COSINE);
            assertThat(arm.gradients().size()).isEqualTo(101);
        }
    }

    @Test
    void anErrorNobodyForesawIsReportedInOneSentence() throws Exception {
        Path file = folder.resolve("keel.keelrun");
        try (RunWriter writer = RunFiles.create(file, "keel", LAYERS, 200)) {
            RunFiles.steps(writer, LAYERS, 0, 5);
            AtomicBoolean fails = new AtomicBoolean(true);
            follower = RunFollower.follow(
                    List.of(file),
                    View.live(),
                    task -> {
                        if (fails.getAndSet(false)) {
                            throw new LinkageError("a class is missing");
                        }
                        queue.add(task);
                    },
                    delivered::add,
                    errors::add);
            Runnable task = queue.poll(60, TimeUnit.SECONDS);
            assertThat(task).as("a task within a minute").isNotNull();
            task.run();
            assertThat(errors.poll()).contains("no longer followed").contains("a class is missing").endsWith(".").doesNotContain("\n");
            assertThat(delivered).isEmpty();
        }
    }

    @Test
    void aFileThatAppearsLaterIsFollowed() throws Exception {
        Path first = folder.resolve("keel.keelrun");
        Path second = folder.resolve("pre_ln.keelrun");
        try (RunWriter one = RunFiles.create(first, "keel", LAYERS, 200)) {
            RunFiles.steps(one, LAYERS, 0, 5);
            follow(first, second);
            assertThat(until(arms -> reached(arms, 0, 4))).hasSize(1);
            try (RunWriter two = RunFiles.create(second, "pre_ln", LAYERS, 200)) {
                RunFiles.steps(two, LAYERS, 0, 3);
                List<ArmSnapshot> arms = until(a -> reached(a, 1, 2));
                assertThat(arms).extracting(arm -> arm.info().arm()).containsExactly("keel", "pre_ln");
                assertThat(arms.get(1).colour()).isEqualTo(1);
            }
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void stepsWrittenWhileFollowingArriveAndOldSnapshotsStayAsTheyWere() throws Exception {
        Path file = folder.resolve("keel.keelrun");
        try (RunWriter writer = RunFiles.create(file, "keel", LAYERS, 200)) {
            RunFiles.steps(writer, LAYERS, 0, 10);
            follow(file);
            ArmSnapshot before = until(arms -> reached(arms, 0, 9)).get(0);
            RunFiles.steps(writer, LAYERS, 10, 60);
            ArmSnapshot after = until(arms -> reached(arms, 0, 59)).get(0);
            assertThat(before.steps().size()).isEqualTo(10);
            assertThat(after.steps().size()).isEqualTo(60);
            assertThat(after.validation()).hasSize(1);
        }
    }

    @Test
    void aRunFollowedFromItsBeginningIsTheSameAsOneReadAtItsEnd() throws Exception {
        Path file = folder.resolve("keel.keelrun");
        int steps = 5 * RunFollower.MAX_BUCKETS / 2 + 37;
        try (RunWriter writer = RunFiles.create(file, "keel", LAYERS, steps)) {
            follow(file);
            ArmSnapshot arm = null;
            for (int at = 0; at < steps; at += 333) {
                int to = Math.min(steps, at + 333);
                RunFiles.steps(writer, LAYERS, at, to);
                arm = until(arms -> reached(arms, 0, to - 1)).get(0);
            }
            try (RunReader reader = RunReader.open(file)) {
                StepSeries whole = reader.steps(0, steps - 1, RunFollower.MAX_BUCKETS);
                assertThat(arm.steps().firstStep()).isEqualTo(whole.firstStep());
                assertThat(arm.steps().lastStep()).isEqualTo(whole.lastStep());
                assertThat(arm.steps().loss()).isEqualTo(whole.loss());
                assertThat(arm.steps().lossMax()).isEqualTo(whole.lossMax());
                assertThat(arm.steps().tokens()).isEqualTo(whole.tokens());
                LayerMatrix cells = reader.layers(Measure.PARAM_GRAD_NORM, 0, steps - 1, RunFollower.MAX_COLUMNS);
                assertThat(arm.gradients().firstStep()).isEqualTo(cells.firstStep());
                assertThat(arm.gradients().lastStep()).isEqualTo(cells.lastStep());
                assertThat(arm.gradients().values()).isDeepEqualTo(cells.values());
            }
        }
    }

    @Test
    void behindACursorTheValuesByLayerAreThoseOfItsStepWhileTheRunGoesOn() throws Exception {
        Path file = folder.resolve("keel.keelrun");
        try (RunWriter writer = RunFiles.create(file, "keel", LAYERS, 200)) {
            RunFiles.steps(writer, LAYERS, 0, 50);
            follow(file);
            until(arms -> reached(arms, 0, 49));
            follower.view(new View(OptionalInt.of(27), Set.of(Measure.CARRY_GATE_MEAN), new TreeSet<>()));
            ArmSnapshot arm = until(arms -> arms.get(0).cursor() == 27).get(0);
            assertThat(arm.layers().get(Measure.PARAM_GRAD_NORM).step()).isEqualTo(27);
            assertThat(arm.layers().get(Measure.CARRY_GATE_MEAN).step()).as("the last probe before it").isEqualTo(20);
            assertThat(arm.lastStep()).isEqualTo(49);
            assertThat(arm.matrix(Measure.CARRY_GATE_MEAN).firstStep()).containsExactly(0, 10, 20, 30, 40);
            assertThat(arm.gradients().size()).as("not asked for").isZero();
            RunFiles.steps(writer, LAYERS, 50, 71);
            ArmSnapshot later = until(arms -> reached(arms, 0, 70)).get(0);
            assertThat(later.layers().get(Measure.PARAM_GRAD_NORM).step()).isEqualTo(27);
            assertThat(later.steps().size()).isEqualTo(71);
            assertThat(later.matrix(Measure.CARRY_GATE_MEAN).firstStep()).endsWith(50, 60, 70);
            follower.view(View.live());
            ArmSnapshot live = until(arms -> arms.get(0).cursor() == -1).get(0);
            assertThat(live.layers().get(Measure.PARAM_GRAD_NORM).step()).isEqualTo(70);
            assertThat(live.gradients().size()).isEqualTo(71);
        }
    }

    @Test
    void theStepsOnScreenAreReadInFinerBucketsThanTheRest() throws Exception {
        Path file = folder.resolve("keel.keelrun");
        int steps = 3 * RunFollower.MAX_BUCKETS;
        try (RunWriter writer = RunFiles.create(file, "keel", LAYERS, steps)) {
            RunFiles.steps(writer, LAYERS, 0, steps);
            follow(file);
            ArmSnapshot whole = until(arms -> reached(arms, 0, steps - 1)).get(0);
            assertThat(whole.steps().firstStep()[1]).as("steps to a bucket").isEqualTo(4);
            follower.view(new View(
                    OptionalInt.empty(), Set.of(Measure.PARAM_GRAD_NORM), new TreeSet<>(), Optional.of(new StepRange(1001, 1200))));
            StepSeries fine = until(arms -> arms.get(0).steps().size() != whole.steps().size()).get(0).steps();
            int at = Arrays.binarySearch(fine.firstStep(), 1100);
            assertThat(fine.lastStep()[at]).isEqualTo(1100);
            assertThat(fine.loss()[at]).isEqualTo(RunFiles.loss(1100));
            // Every step is in one bucket, none in two.
            assertThat(fine.firstStep()[0]).isZero();
            for (int i = 1; i < fine.size(); i++) {
                assertThat(fine.firstStep()[i]).isEqualTo(fine.lastStep()[i - 1] + 1);
            }
            assertThat(fine.lastStep()[fine.size() - 1]).isEqualTo(steps - 1);
        }
    }

    @Test
    void theGateHistogramOfAPinnedSubLayerIsFollowedOverTheSteps() throws Exception {
        Path file = folder.resolve("highway.keelrun");
        try (RunWriter writer = RunFiles.create(file, "highway", LAYERS, 100)) {
            for (int step = 0; step < 30; step++) {
                float[] bins = new float[LAYERS * 32];
                for (int l = 0; l < LAYERS; l++) {
                    bins[l * 32 + (step + l) % 32] = 1;
                }
                writer.step(
                        new StepRecord(step, step, 1, 1, 1, 1, 1, 1),
                        Map.of(Measure.PARAM_GRAD_NORM, new float[LAYERS], Measure.GATE_HISTOGRAM, bins), OptionalDouble.empty());
            }
            follow(file);
            follower.view(new View(OptionalInt.empty(), Set.of(), new TreeSet<>(Set.of(2))));
            LayerMatrix histogram = until(arms -> arms.get(0).histograms().containsKey(2)).get(0).histograms().get(2);
            assertThat(histogram.size()).isEqualTo(30);
            assertThat(histogram.values()[5]).hasSize(32);
            assertThat(histogram.values()[5][7]).isEqualTo(1);
        }
    }

    @Test
    void whileTheWindowIsBusyAtMostOneUpdateWaits() throws Exception {
        Path file = folder.resolve("keel.keelrun");
        try (RunWriter writer = RunFiles.create(file, "keel", LAYERS, 200)) {
            RunFiles.steps(writer, LAYERS, 0, 1);
            follow(file);
            Runnable first = queue.poll(60, TimeUnit.SECONDS);
            assertThat(first).isNotNull();
            // The window does not take its update; meanwhile the run goes on.
            RunFiles.steps(writer, LAYERS, 1, 100);
            assertThat(queue.poll(300, TimeUnit.MILLISECONDS)).as("a second update").isNull();
            first.run();
            assertThat(delivered.remove().get(0).lastStep()).isZero();
            assertThat(delivered).isEmpty();
            assertThat(until(arms -> reached(arms, 0, 99))).hasSize(1);
        }
    }

    @Test
    void aFileCutInHalfIsReportedOnceInOneSentenceAndTheOtherIsFollowed() throws Exception {
        Path broken = folder.resolve("keel.keelrun");
        Path whole = folder.resolve("pre_ln.keelrun");
        try (RunWriter writer = RunFiles.create(broken, "keel", LAYERS, 200)) {
            RunFiles.steps(writer, LAYERS, 0, 200);
        }
        cutInHalf(broken);
        try (RunWriter writer = RunFiles.create(whole, "pre_ln", LAYERS, 200)) {
            RunFiles.steps(writer, LAYERS, 0, 3);
            follow(broken, whole);
            assertThat(until(arms -> reached(arms, 0, 2)).get(0).info().arm()).isEqualTo("pre_ln");
            while (errors.isEmpty()) {
                Runnable task = queue.poll(60, TimeUnit.SECONDS);
                assertThat(task).isNotNull();
                task.run();
            }
            assertThat(errors.peek()).contains("keel.keelrun").doesNotContain("\n").doesNotContain("Exception");
            RunFiles.steps(writer, LAYERS, 3, 20);
            ArmSnapshot arm = until(arms -> reached(arms, 0, 19)).get(0);
            assertThat(arm.colour()).as("the colour stays the arm's").isEqualTo(1);
            assertThat(errors).hasSize(1);
        }
    }

    private static void cutInHalf(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() / 2);
        }
        // Long ago: a file just made may still become a run file.
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
    }

    @Test
    void nothingIsDeliveredAfterClosing() throws Exception {
        Path file = folder.resolve("keel.keelrun");
        try (RunWriter writer = RunFiles.create(file, "keel", LAYERS, 200)) {
            RunFiles.steps(writer, LAYERS, 0, 1);
            follow(file);
            Runnable task = queue.poll(60, TimeUnit.SECONDS);
            assertThat(task).isNotNull();
            follower.close();
            task.run();
            assertThat(delivered).isEmpty();
        }
    }
}
