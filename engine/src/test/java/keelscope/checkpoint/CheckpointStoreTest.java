package keelscope.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointStoreTest {

    @TempDir
    Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("keel.checkpoints"))) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void theLastFewAndTheBestAreKept() throws IOException {
        CheckpointStore store = new CheckpointStore(folder, "keel", 2);
        double[] validation = {3.0, 2.0, 2.5, Double.NaN, 2.4};
        for (int i = 0; i < validation.length; i++) {
            store.save(Tensors.info(100 * i, validation[i]), Tensors.model(4, i));
        }
        assertThat(names()).containsExactly("step-000100.safetensors", "step-000300.safetensors", "step-000400.safetensors");
        assertThat(store.best().orElseThrow().info().step()).isEqualTo(100);
        assertThat(store.latest()).contains(folder.resolve("keel.checkpoints/step-000400.safetensors"));
    }

    @Test
    void aStepBeyondAMillionComesAfterOneBelow() {
        CheckpointStore store = new CheckpointStore(folder, "keel", 5);
        store.save(Tensors.info(1_000_000, 2), Tensors.model(4, 1));
        store.save(Tensors.info(999_999, 2), Tensors.model(4, 1));
        assertThat(store.entries()).extracting(e -> e.info().step()).containsExactly(999_999, 1_000_000);
    }

    @Test
    void aDamagedLatestIsPassedOverAndLeftThere() throws IOException {
        CheckpointStore store = new CheckpointStore(folder, "keel", 2);
        Path good = store.save(Tensors.info(1, 2), Tensors.model(4, 1));
        Path bad = store.save(Tensors.info(2, 2), Tensors.model(4, 1));
        byte[] bytes = Files.readAllBytes(bad);
        bytes[bytes.length - 1] ^= 1;
        Files.write(bad, bytes);
        assertThat(store.latest()).contains(good);
        assertThat(bad).exists();
    }

    @Test
    void anEmptyStoreHasNothing() {
        CheckpointStore store = new CheckpointStore(folder, "keel", 2);
        assertThat(store.latest()).isEmpty();
        assertThat(store.best()).isEmpty();
        assertThat(store.entries()).isEmpty();
        assertThatThrownBy(() -> new CheckpointStore(folder, "keel", 0)).hasMessage("keep_last is 0; it must be 1 or more.");
    }

    @Test
    void aTensorThatFailsLeavesNothingBehind() throws IOException {
        CheckpointStore store = new CheckpointStore(folder, "keel", 2);
        TensorSource fails = new TensorSource(TensorInfo.of("w", Dtype.F32, 3), () -> {
            throw new IllegalStateException("no device");
        });
        assertThatThrownBy(() -> store.save(Tensors.info(1, 2), List.of(fails))).hasMessage("no device");
        assertThat(names()).isEmpty();
    }

    @Test
    void whatAKilledEngineWasWritingIsRemovedByTheNext() throws IOException {
        CheckpointStore store = new CheckpointStore(folder, "keel", 2);
        Files.createDirectories(store.folder());
        Files.write(store.folder().resolve("step-000001.safetensors.tmp"), new byte[10]);
        store.save(Tensors.info(2, 2), Tensors.model(4, 1));
        assertThat(names()).containsExactly("step-000002.safetensors");
    }

    @Test
    void aFolderThatIsAFileIsRefusedInOneSentence() throws IOException {
        Files.createFile(folder.resolve("keel.checkpoints"));
        CheckpointStore store = new CheckpointStore(folder, "keel", 2);
        assertThatThrownBy(() -> store.save(Tensors.info(7, 2), Tensors.model(4, 1)))
                .isInstanceOf(CheckpointException.class)
                .hasMessageStartingWith("The checkpoint of step 7 could not be written to " + store.folder())
                .hasMessageNotContaining("\n");
    }

    /** Needs the right to mount a file system, so it runs where the tests run as root. */
    @Test
    void aFullDiskLeavesTheFormerCheckpointWholeAndSaysSo() throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small.toString()) == 0, "no right to mount");
        try {
            CheckpointStore store = new CheckpointStore(small, "keel", 2);
            Path former = store.save(Tensors.info(1, 2), Tensors.model(1_000, 1));
            assertThatThrownBy(() -> store.save(Tensors.info(2, 2), Tensors.model(10_000, 1)))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessage("The checkpoint of step 2 could not be written to " + store.folder()
                            + ": the disk is full and it needs 0.3 MB, so free some space; the one before is whole.");
            assertThat(store.latest()).contains(former);
            try (Stream<Path> left = Files.list(store.folder())) {
                assertThat(left).containsExactly(former);
            }
            store.save(Tensors.info(3, 2), Tensors.model(1_000, 1));
        } finally {
            assertThat(run("umount", small.toString())).isZero();
        }
    }

    private static int run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            return process.waitFor();
        } catch (IOException noSuchCommand) {
            return 127;
        }
    }

    @Test
    void aKilledWriterNeverLeavesADamagedCheckpoint() throws Exception {
        Random random = new Random();
        int caughtWriting = 0;
        for (int round = 0; round < 20; round++) {
            Process writer = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                            "-cp", System.getProperty("java.class.path"), Writer.class.getName(), folder.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader lines = writer.inputReader(StandardCharsets.UTF_8)) {
                assertThat(lines.readLine()).as("the first checkpoint is there").isEqualTo("saved");
                // Not a wait for anything: the kill is to come at any moment of a write, each of which takes milliseconds.
                LockSupport.parkNanos(random.nextInt(20_000_000));
                writer.destroyForcibly();
                assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
            }
            CheckpointStore store = new CheckpointStore(folder, "keel", 2);
            List<Path> files;
            try (Stream<Path> all = Files.list(store.folder())) {
                files = all.toList();
            }
            caughtWriting += files.stream().anyMatch(f -> f.toString().endsWith(".tmp")) ? 1 : 0;
            List<Path> whole = files.stream().filter(f -> f.toString().endsWith(".safetensors")).toList();
            assertThat(whole).isNotEmpty();
            for (Path file : whole) {
                try (Checkpoint checkpoint = Checkpoint.open(file)) {
                    int step = checkpoint.info().step();
                    assertThat(checkpoint.read("norm.weight")).isEqualTo(Tensors.model(1, step).get(1).content().get());
                }
            }
        }
        assertThat(caughtWriting).as("kills in the middle of a write").isPositive();
    }

    /** Saves checkpoints for ever, going on from the latest. */
    static final class Writer {
        public static void main(String[] args) {
            CheckpointStore store = new CheckpointStore(Path.of(args[0]), "keel", 2);
            int step = store.latest().map(file -> {
                try (Checkpoint checkpoint = Checkpoint.open(file)) {
                    return checkpoint.info().step() + 1;
                }
            }).orElse(0);
            TensorSource large = Tensors.floats("tok_embeddings.weight", Tensors.random(100_000, 0), 100_000);
            while (true) {
                store.save(Tensors.info(step, Double.NaN), List.of(large, Tensors.model(1, step).get(1)));
                step++;
                System.out.println("saved");
            }
        }
    }
}
