package keelscope.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import keelscope.cli.Main;
import keelscope.process.EngineProcess;
import keelscope.process.JavaCommand;
import keelscope.process.RunFolder;
import keelscope.process.Waiting;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What befalls a real engine: in every case one sentence, and nothing recorded is lost. See FAULTS.md. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EngineFaultsTest {
    private static final String KEEL = "arms:\n  - scheme: keel\n";

    @TempDir
    Path folder;

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }

    /** Needs the right to mount a file system, so it runs where the tests run as root. */
    @Test
    void aFullDiskEndsTheRunInOneSentenceAndItGoesOnOnceThereIsSpace() throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=30m", "tmpfs", small.toString()) == 0, "no right to mount");
        try {
            Path run = Engines.folder(small.resolve("run"), 400, 3, "checkpoint_every: 2", KEEL);
            EngineProcess engine = Engines.start(run, "keel");
            Engines.awaitStep(engine, 45);
            // Held while the disk is filled, so that what room is left does not depend on the machine's speed.
            engine.send("pause", "");
            try (RunReader reader = RunReader.open(engine.runFile())) {
                Engines.await(engine, () -> reader.state().status() == RunStatus.PAUSED);
            }
            // Leaves room for some steps, not for a checkpoint of 200 kB.
            Path filler = small.resolve("filler");
            fill(filler, Files.getFileStore(small).getUsableSpace() - 150_000);
            engine.send("resume", "");
            String said = engine.ended().join();
            assertThat(said).isEqualTo("The disk that holds the run file " + RunFolder.runFile(run, "keel")
                    + " is full; free some space on it. What was recorded before is kept.");
            String kept = Engines.numbers(run, "keel");
            assertThat(events(run, "keel", "checkpoint_failed")).isNotEmpty().allSatisfy(text -> assertThat(text)
                    .contains("the disk is full")
                    .endsWith("; the one before is whole."));
            Files.delete(filler);
            assertThat(EngineProcess.resume(run, "keel").ended().join()).isEmpty();
            Path whole = Engines.folder(folder.resolve("whole"), 400, 3, "checkpoint_every: 2", KEEL);
            assertThat(Engines.start(whole, "keel").ended().join()).isEmpty();
            assertThat(Engines.numbers(run, "keel")).isEqualTo(Engines.numbers(whole, "keel"));
            assertThat(kept.lines().filter(line -> line.matches("\\d.*"))).isSubsetOf(Engines.numbers(run, "keel").lines().toList());
        } finally {
            assertThat(run("umount", small.toString())).isZero();
        }
    }

    private static void fill(Path file, long bytes) throws IOException {
        Files.write(file, new byte[(int) bytes]);
    }

    /** Needs the right to mount a file system, since root may write wherever permissions forbid it. */
    @Test
    void aReadOnlyFolderIsRefusedInOneSentence() throws Exception {
        Path sealed = Files.createDirectory(folder.resolve("sealed"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", sealed.toString()) == 0, "no right to mount");
        try {
            Path run = Engines.folder(sealed.resolve("run"), 10_000, 3, "", KEEL);
            EngineProcess engine = Engines.start(run, "keel");
            Engines.awaitStep(engine, 5);
            engine.send("stop", "");
            engine.ended().join();
            int last = Waiting.lastStep(run, "keel");
            assertThat(run("mount", "-o", "remount,ro", sealed.toString())).isZero();
            assertThatThrownBy(() -> EngineProcess.resume(run, "keel")).isInstanceOf(RunFileException.class)
                    .hasMessageContaining("cannot be written");
            assertThatThrownBy(() -> Engines.start(run, "keel")).isInstanceOf(RunFileException.class)
                    .hasMessageContaining("check that the folder can be written");
            assertThatThrownBy(() -> Engines.folder(sealed.resolve("other"), 10, 3, "", KEEL)).isInstanceOf(RunFileException.class)
                    .hasMessageContaining("cannot be written")
                    .hasMessageContaining("choose another place");
            assertThat(Waiting.lastStep(run, "keel")).isEqualTo(last);
        } finally {
            assertThat(run("umount", sealed.toString())).isZero();
        }
    }

    @Test
    void outOfNativeMemoryIsToldOfInOneSentence() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell to set a limit with");
        Path run = Engines.folder(folder.resolve("run"), 10, 3, "recompute: off", """
                arms:
                  - scheme: keel
                """);
        String yaml = Files.readString(RunFolder.experiment(run)).replace("batch: 2", "batch: 4096").replace("sequence: 16", "sequence: 64");
        Files.writeString(RunFolder.experiment(run), yaml);
        List<String> words = new ArrayList<>(JavaCommand.of(Main.class, "engine", "--experiment", RunFolder.experiment(run).toString(),
                "--arm", "keel", "--out", run.toString()));
        words.addAll(1, List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:CompressedClassSpaceSize=64m", "-XX:ReservedCodeCacheSize=64m"));
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "ulimit -v 2600000; exec \"$@\"", "sh"));
        command.addAll(words);
        Process engine = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(engine.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(engine.waitFor()).as(said).isEqualTo(1);
        assertThat(said.strip()).isEqualTo(
                "There was not enough memory to train on; try fewer layers, a smaller batch, shorter sequences or training.recompute: on.");
    }

    /** A limit on the address space, set while the engine waits, lets its next step have none of the 34 MB that its logits need. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void outOfNativeMemoryMidwayEndsTheRunInOneSentenceAndItGoesOnWhereThereIsMore() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "no prlimit to set a limit with");
        Path run = Engines.folder(folder.resolve("run"), 12, 3, "recompute: off\ncheckpoint_every: 2", KEEL);
        Files.writeString(RunFolder.experiment(run), Files.readString(RunFolder.experiment(run))
                .replace("layers: 4", "layers: 2").replace("batch: 2", "batch: 128").replace("sequence: 16", "sequence: 256"));
        EngineProcess engine = Engines.start(run, "keel");
        Engines.awaitStep(engine, 2);
        engine.send("pause", "");
        try (RunReader reader = RunReader.open(engine.runFile())) {
            Engines.await(engine, () -> reader.state().status() == RunStatus.PAUSED);
        }
        String kept = Engines.numbers(run, "keel");
        assertThat(run("/usr/bin/prlimit", "--pid", Long.toString(engine.pid()), "--as=" + (addressSpace(engine.pid()) + (24 << 20)))).isZero();
        engine.send("resume", "");
        assertThat(engine.ended().join()).isEqualTo(
                "There was not enough memory to train on; try fewer layers, a smaller batch, shorter sequences or training.recompute: on.");
        try (RunReader reader = RunReader.open(engine.runFile())) {
            assertThat(reader.state().status()).isEqualTo(RunStatus.FAILED);
            assertThat(reader.state().message()).startsWith("There was not enough memory");
        }
        assertThat(Engines.numbers(run, "keel")).isEqualTo(kept);
        assertThat(EngineProcess.resume(run, "keel").ended().join()).isEmpty();
        assertThat(kept.lines().filter(line -> line.matches("\\d.*"))).isSubsetOf(Engines.numbers(run, "keel").lines().toList());
    }

    /** Bytes of the address space that a process takes. */
    private static long addressSpace(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmSize:"))
                .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }

    /** A step of 134 million tokens, of which each micro-batch needs little, does not fit into the engine's Java heap of 1 GB. */
    @Test
    void outOfJavaMemoryIsToldOfInOneSentence() throws Exception {
        Path run = Engines.folder(folder.resolve("run"), 10, 3, "accumulate: 65536", KEEL);
        Files.writeString(RunFolder.experiment(run), Files.readString(RunFolder.experiment(run))
                .replace("batch: 2", "batch: 1").replace("sequence: 16", "sequence: 2048"));
        EngineProcess engine = Engines.start(run, "keel");
        String said = engine.ended().join();
        assertThat(said).isEqualTo("The engine of arm keel (process " + engine.pid() + ") ran out of Java memory (try a smaller data.batch,"
                + " training.accumulate or data.sequence); no step was recorded.");
        try (RunReader reader = RunReader.open(engine.runFile())) {
            assertThat(reader.state().status()).isEqualTo(RunStatus.FAILED);
            assertThat(reader.state().message()).isEqualTo(said);
        }
    }

    @Test
    void aSecondEngineOnARunFileIsRefusedAndTheFirstGoesOn() throws Exception {
        Path run = Engines.folder(folder.resolve("run"), 1_000_000, 3, "", KEEL);
        EngineProcess first = Engines.start(run, "keel");
        Engines.awaitStep(first, 5);
        assertThatThrownBy(() -> EngineProcess.resume(run, "keel")).isInstanceOf(RunFileException.class)
                .hasMessageContaining("is being written by another engine (process " + first.pid() + ")");
        EngineProcess second = Engines.start(run, "keel");
        second.ended().join();
        int last = Waiting.lastStep(run, "keel");
        Engines.awaitStep(first, last + 5);
        assertThat(first.isAlive()).isTrue();
        first.send("stop", "");
        assertThat(first.ended().join()).isEmpty();
    }

    @Test
    void aLossThatIsNotFiniteEndsTheRunWithItsStep() throws Exception {
        Path run = Engines.folder(folder.resolve("run"), 400, 3, "clip_norm: 1.0e30", "arms:\n  - scheme: pre_ln\n    peak_lr: 1.0e30\n");
        assertThat(Engines.start(run, "pre_ln").ended().join()).isEmpty();
        try (RunReader reader = RunReader.open(RunFolder.runFile(run, "pre_ln"))) {
            assertThat(reader.state().status()).isEqualTo(RunStatus.DIVERGED);
            assertThat(reader.state().message()).endsWith("at step " + reader.lastStep() + ", so training cannot go on.");
        }
        assertThatThrownBy(() -> EngineProcess.resume(run, "pre_ln")).isInstanceOf(RunFileException.class)
                .hasMessageContaining("diverged at step").hasMessageContaining("nothing to go on with");
    }

    @Test
    void aRunFolderThatWasMovedGoesOnThere() throws Exception {
        Path run = Engines.folder(folder.resolve("run"), 200, 3, "checkpoint_every: 10", KEEL);
        EngineProcess engine = Engines.start(run, "keel");
        Engines.awaitStep(engine, 25);
        engine.send("stop", "");
        assertThat(engine.ended().join()).isEmpty();
        Path moved = Files.createDirectories(folder.resolve("elsewhere")).resolve("ein Ordner");
        Files.move(run, moved);
        assertThat(EngineProcess.resume(moved, "keel").ended().join()).isEmpty();
        assertThat(Waiting.lastStep(moved, "keel")).isEqualTo(199);
        assertThat(events(moved, "keel", "resume")).singleElement().asString().startsWith("Goes on from the checkpoint after step ");
        assertThat(run).doesNotExist();
    }

    private static List<String> events(Path run, String arm, String kind) {
        try (RunReader reader = RunReader.open(RunFolder.runFile(run, arm))) {
            return reader.events(0).stream().filter(event -> event.kind().equals(kind)).map(RunEvent::text).toList();
        }
    }
}
