package keelscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import keelscope.process.JavaCommand;
import keelscope.process.RunFolder;
import keelscope.process.RunFollower;
import keelscope.process.Waiting;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.Measure;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user types it: a process that starts engine processes. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RunCommandTest {
    private static final Duration LONGEST = Duration.ofMinutes(4);

    @TempDir
    Path folder;

    private Path experiment(int steps) throws IOException {
        return Files.writeString(folder.resolve("tiny.yaml"), """
                name: tiny
                seed: 3
                device: cpu
                threads: 1
                model:
                  layers: 4
                  d_model: 16
                  heads: 2
                data:
                  text: sample
                  batch: 2
                  sequence: 16
                training:
                  steps: %d
                  peak_lr: 1.0e-3
                  warmup: 2
                measure:
                  probe_every: 1
                  validate_every: 10
                  validation_batches: 1
                arms:
                  - scheme: keel
                  - scheme: pre_ln
                """.formatted(steps));
    }

    private Process start(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(arguments));
        return new ProcessBuilder(JavaCommand.of(Main.class, all.toArray(String[]::new)))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("said"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aTextThatIsNotThereIsOneSentenceAndLeavesNoRunFolder() throws Exception {
        Path file = experiment(5);
        Files.writeString(file, Files.readString(file).replace("text: sample", "text: nope.txt"));
        Path out = folder.resolve("out");
        assertThat(start(file.toString(), "--out", out.toString()).waitFor()).isEqualTo(Main.REFUSED);
        assertThat(said().lines()).singleElement().asString().contains("nope.txt does not exist; check the path of the text");
        assertThat(out).doesNotExist();
    }

    @Test
    void whatCannotFitLeavesNoRunFolder() throws Exception {
        Path file = experiment(5);
        Files.writeString(file, Files.readString(file).replace("layers: 4", "layers: 65536").replace("d_model: 16", "d_model: 8192"));
        Path out = folder.resolve("out");
        assertThat(start(file.toString(), "--out", out.toString()).waitFor()).isEqualTo(Main.REFUSED);
        assertThat(said().lines()).singleElement().asString().contains("of memory");
        assertThat(out).doesNotExist();
    }

    @Test
    void whatNoLookFindsIsSaidOnceForAllArms() throws Exception {
        Files.writeString(folder.resolve("long.jsonl"), "{\"text\": \"a document of some length\"}\n".repeat(200_000) + "no JSON");
        Path file = experiment(5);
        Files.writeString(file, Files.readString(file).replace("text: sample", "text: long.jsonl"));
        assertThat(start(file.toString(), "--out", folder.resolve("out").toString()).waitFor()).isEqualTo(1);
        assertThat(said().lines().filter(line -> line.contains("this is not JSON"))).singleElement().asString()
                .startsWith("keel, pre_ln: ")
                .contains("line 200001");
    }

    /** No machine has so many, and where there is none the processor is used as well. */
    @Test
    void aGpuThatIsNotThereIsToldOfOnceAndMemoryIsThatOfTheProcessor() throws Exception {
        Path file = experiment(3);
        String yaml = Files.readString(file).replace("device: cpu", "device: gpu:999");
        Files.writeString(file, yaml);
        Path out = folder.resolve("out");
        assertThat(start(file.toString(), "--out", out.toString()).waitFor()).as(said()).isZero();
        assertThat(said().lines().filter(line -> line.contains("gpu:999"))).singleElement().asString()
                .startsWith("'gpu:999' was asked for, but the processor is used. ")
                .contains("./app/keelscope doctor");
        Files.writeString(file, yaml.replace("layers: 4", "layers: 65536").replace("d_model: 16", "d_model: 8192"));
        assertThat(start(file.toString(), "--out", folder.resolve("other").toString()).waitFor()).isEqualTo(Main.REFUSED);
        assertThat(said().lines()).singleElement().asString().contains("of memory");
    }

    @Test
    void everyArmIsTrainedInAnEngineOfItsOwnAndItsResultIsTold() throws Exception {
        Path out = folder.resolve("out");
        Process run = start(experiment(20).toString(), "--out", out.toString());
        assertThat(run.waitFor()).as(said()).isZero();
        assertThat(said()).contains("keel    finished        20").contains("pre_ln  finished        20").contains("Recorded in " + out);
        List<Long> pids = new ArrayList<>();
        for (String arm : List.of("keel", "pre_ln")) {
            try (RunReader reader = RunReader.open(RunFolder.runFile(out, arm))) {
                assertThat(reader.state().status()).isEqualTo(RunStatus.FINISHED);
                assertThat(reader.lastStep()).isEqualTo(19);
                assertThat(reader.validation(-1)).isNotEmpty();
                LayerMatrix gates = reader.layers(Measure.CARRY_GATE_MEAN, 0, 19, 100);
                assertThat(gates.size()).isEqualTo(20);
                assertThat(gates.values()[19]).hasSize(4);
                pids.add(reader.state().pid());
            }
        }
        assertThat(pids).doesNotHaveDuplicates().doesNotContain(ProcessHandle.current().pid(), run.pid());
    }

    @Test
    void oneArmIsTrainedWhereOneIsNamed() throws Exception {
        Path out = folder.resolve("out");
        Process run = start(experiment(3).toString(), "--out", out.toString(), "--arm", "pre_ln", "--sequential");
        assertThat(run.waitFor()).as(said()).isZero();
        assertThat(RunFolder.runFile(out, "pre_ln")).exists();
        assertThat(RunFolder.runFile(out, "keel")).doesNotExist();
    }

    @Test
    void endedFromOutsideTheEnginesStopAndWhatTheyRecordedIsKept() throws Exception {
        Path out = folder.resolve("out");
        Process run = start(experiment(1_000_000).toString(), "--out", out.toString());
        try (RunFollower keel = new RunFollower(RunFolder.runFile(out, "keel"));
                RunFollower pre = new RunFollower(RunFolder.runFile(out, "pre_ln"))) {
            awaitSteps(run, keel);
            awaitSteps(run, pre);
        }
        // As Ctrl-C in a terminal does, to the whole group of processes.
        run.toHandle().descendants().forEach(ProcessHandle::destroy);
        run.toHandle().destroy();
        assertThat(run.waitFor()).isNotZero();
        assertThat(said()).contains("Stopping").contains("keel    stopped").contains("pre_ln  stopped").doesNotContain("crashed");
        for (String arm : List.of("keel", "pre_ln")) {
            try (RunReader reader = RunReader.open(RunFolder.runFile(out, arm))) {
                assertThat(reader.state().status()).isEqualTo(RunStatus.STOPPED);
                assertThat(reader.steps(0, reader.lastStep(), Integer.MAX_VALUE).size()).isEqualTo(reader.lastStep() + 1);
                assertThat(Optional.of(reader.state().pid()).flatMap(ProcessHandle::of)).isEmpty();
            }
        }
    }

    /** An engine whose parent is killed ends; where it had begun to record, with its last state and a checkpoint. */
    private static void assertEnded(Path out, String arm) {
        Path file = RunFolder.runFile(out, arm);
        if (Files.exists(file)) {
            try (RunReader reader = RunReader.open(file)) {
                assertThat(reader.state().status()).isEqualTo(RunStatus.STOPPED);
                assertThat(reader.state().message()).isEqualTo("The program that started this engine is gone.");
            }
        }
    }

    /** Kills the command, and waits until its engines have ended by themselves. */
    private static void kill(Process run) throws Exception {
        List<ProcessHandle> engines = run.descendants().toList();
        run.destroyForcibly().waitFor();
        for (ProcessHandle engine : engines) {
            engine.onExit().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void whatWasStoppedGoesOnToItsEnd() throws Exception {
        Path out = folder.resolve("out");
        Process run = start(experiment(300).toString(), "--out", out.toString());
        try (RunFollower keel = new RunFollower(RunFolder.runFile(out, "keel"))) {
            awaitSteps(run, keel);
        }
        kill(run);
        assertEnded(out, "keel");
        assertThat(out.resolve("keel.checkpoints")).isNotEmptyDirectory();
        assertEnded(out, "pre_ln");
        Process resumed = start("--resume", out.toString());
        assertThat(resumed.waitFor()).as(said()).isZero();
        assertThat(said()).contains("keel    finished       300").contains("pre_ln  finished       300");
        Process again = start("--resume", out.toString());
        assertThat(again.waitFor()).isEqualTo(Main.REFUSED);
        assertThat(said().lines()).singleElement().asString().startsWith("Every arm in " + out + " has finished or diverged");
    }

    @Test
    void anArmWhoseRunFileIsDamagedIsLeftOutAndTheOthersGoOn() throws Exception {
        Path out = folder.resolve("out");
        assertThat(start(experiment(5).toString(), "--out", out.toString(), "--arm", "keel").waitFor()).as(said()).isZero();
        Path damaged = RunFolder.runFile(out, "keel");
        try (FileChannel channel = FileChannel.open(damaged, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() / 2);
        }
        assertThat(start("--resume", out.toString()).waitFor()).as(said()).isEqualTo(Main.REFUSED);
        assertThat(said()).contains("keel is left out: The run file " + damaged + " is damaged").contains("pre_ln  finished         5");
        assertThat(start("--resume", out.toString()).waitFor()).isEqualTo(Main.REFUSED);
        assertThat(said().lines()).singleElement().asString().startsWith("The run file " + damaged + " is damaged");
    }

    /** Killed in the moment in which an engine makes its run file: the file must not say for ever that the engine is starting. */
    @Test
    void aRunFileIsEndedByItsEngineHoweverEarlyTheCommandIsKilled() throws Exception {
        for (int i = 0; i < 4; i++) {
            Path out = folder.resolve("out-" + i);
            Process run = start(experiment(300).toString(), "--out", out.toString());
            Waiting.until("a run file", () -> Files.exists(RunFolder.runFile(out, "keel")) || Files.exists(RunFolder.runFile(out, "pre_ln")));
            kill(run);
            assertEnded(out, "keel");
            assertEnded(out, "pre_ln");
        }
    }

    private void awaitSteps(Process run, RunFollower arm) {
        Waiting.until("three steps", () -> {
            assertThat(run.isAlive()).as(this::said).isTrue();
            return arm.progress().filter(p -> p.lastStep() > 2).isPresent();
        });
    }

    @Test
    void anArmWithoutACheckpointIsSaidToBeginAnew() throws Exception {
        Path file = experiment(400);
        Files.writeString(file, Files.readString(file).replace("warmup: 2", "warmup: 2\n  checkpoint_every: end"));
        Path out = folder.resolve("out");
        Process run = start(file.toString(), "--out", out.toString(), "--arm", "keel");
        try (RunFollower keel = new RunFollower(RunFolder.runFile(out, "keel"))) {
            awaitSteps(run, keel);
        }
        run.descendants().forEach(ProcessHandle::destroyForcibly);
        run.waitFor();
        Process resumed = start("--resume", out.toString(), "--arm", "keel");
        assertThat(resumed.waitFor()).as(said()).isZero();
        assertThat(said().lines().filter(line -> line.contains("checkpoint"))).singleElement().asString()
                .startsWith("keel: There is no checkpoint, so training begins anew; the steps from 0 to ");
    }

    @Test
    void whatCannotBeRunIsRefusedInOneSentence() throws Exception {
        Process missing = start(folder.resolve("nothing.yaml").toString());
        assertThat(missing.waitFor()).isEqualTo(Main.REFUSED);
        assertThat(said().lines()).singleElement().asString().contains("nothing.yaml");
        Process arm = start(experiment(3).toString(), "--arm", "post_ln");
        assertThat(arm.waitFor()).isEqualTo(Main.REFUSED);
        assertThat(said().lines()).singleElement().asString().contains("post_ln").contains("keel, pre_ln");
    }
}
