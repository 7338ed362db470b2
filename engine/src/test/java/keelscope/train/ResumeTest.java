package keelscope.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import keelscope.checkpoint.CheckpointException;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that was stopped goes on as if it had not been. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ResumeTest {
    @TempDir
    Path folder;

    private TinyRun run(String name, long seed, String training, String arms) throws IOException {
        return TinyRun.onText(Files.createDirectories(folder.resolve(name)), seed, training, arms);
    }

    /** As a user does, while {@code step} is taken; it takes effect before the next one. */
    private static IntConsumer at(Path file, int step, String command, String argument) {
        return now -> {
            if (now == step) {
                RunReader.send(file, command, argument);
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "keel, 1, 9, 1", "pre_ln, 2, 17, 1", "highway, 3, 1, 1", "hybrid_norm, 4, 30, 1", "keel_scaled_norm, 5, 20, 1", "keel, 6, 14, 2",
        "highway, 7, 21, 2"
    })
    void aStoppedRunGoesOnBitByBitAsOneThatWasNot(String scheme, long seed, int stopAfter, int threads) throws IOException {
        String arm = "- scheme: " + scheme;
        TinyRun whole = run("whole", seed, "", arm).threads(threads);
        assertThat(whole.start(scheme)).isEqualTo(RunStatus.FINISHED);
        TinyRun stopped = run("stopped", seed, "", arm).threads(threads);
        assertThat(stopped.start(scheme, at(stopped.file(scheme), stopAfter, "stop", ""))).isEqualTo(RunStatus.STOPPED);
        assertThat(stopped.resume(scheme)).isEqualTo(RunStatus.FINISHED);
        assertThat(TinyRun.numbers(stopped.file(scheme))).isEqualTo(TinyRun.numbers(whole.file(scheme)));
        assertThat(events(stopped.file(scheme), "resume")).singleElement().asString().startsWith("Goes on from the checkpoint after step ");
    }

    @Test
    void whatWasRecordedAfterTheLastCheckpointStandsAndIsComputedAgain() throws IOException {
        TinyRun whole = run("whole", 7, "checkpoint_every: 10", "- scheme: keel\n  alpha: trained\n");
        whole.start("keel");
        TinyRun killed = run("killed", 7, "checkpoint_every: 10", "- scheme: keel\n  alpha: trained\n");
        killed.start("keel", at(killed.file("keel"), 24, "stop", ""));
        int recorded = lastStep(killed.file("keel"));
        removeCheckpointsAfter(killed.folder, 20);
        assertThat(killed.resume("keel")).isEqualTo(RunStatus.FINISHED);
        assertThat(TinyRun.numbers(killed.file("keel"))).isEqualTo(TinyRun.numbers(whole.file("keel")));
        assertThat(events(killed.file("keel"), "resume")).singleElement().asString()
                .isEqualTo("Goes on from the checkpoint after step 19; the steps from 20 to " + recorded
                        + " are computed again and compared with those recorded.");
    }

    @Test
    void withoutACheckpointARunBeginsAnewAndLosesNothing() throws IOException {
        TinyRun whole = run("whole", 8, "", "- scheme: post_ln");
        whole.start("post_ln");
        TinyRun killed = run("killed", 8, "checkpoint_every: end", "- scheme: post_ln");
        killed.start("post_ln", at(killed.file("post_ln"), 15, "stop", ""));
        removeCheckpointsAfter(killed.folder, 0);
        assertThat(killed.resume("post_ln")).isEqualTo(RunStatus.FINISHED);
        assertThat(TinyRun.numbers(killed.file("post_ln"))).isEqualTo(TinyRun.numbers(whole.file("post_ln")));
    }

    @Test
    void theLearningRateThatTheUserSetSurvives() throws IOException {
        TinyRun run = run("killed", 9, "checkpoint_every: 10", "- scheme: keel");
        run.start("keel", at(run.file("keel"), 3, "lr", "x0.5")
                .andThen(at(run.file("keel"), 12, "lr", "x0.5"))
                .andThen(at(run.file("keel"), 18, "stop", "")));
        int recorded = lastStep(run.file("keel"));
        double[] before = rates(run.file("keel"));
        removeCheckpointsAfter(run.folder, 10);
        run.resume("keel");
        assertThat(events(run.file("keel"), "resume")).as("nothing came out otherwise than recorded").hasSize(1);
        LearningRate schedule = new LearningRate(4e-3, 1e-7, 4, 40);
        double[] after = rates(run.file("keel"));
        assertThat(after).startsWith(before).hasSize(40);
        for (int step = recorded + 1; step < 40; step++) {
            assertThat(after[step]).isEqualTo(0.25 * schedule.at(step));
        }
    }

    @Test
    void aRecordThatTheEngineCannotRepeatIsRecordedAnewFromThere() throws Exception {
        TinyRun whole = run("whole", 10, "", "- scheme: keel");
        whole.start("keel");
        TinyRun other = run("other", 10, "checkpoint_every: 10", "- scheme: keel");
        other.start("keel", at(other.file("keel"), 24, "stop", ""));
        removeCheckpointsAfter(other.folder, 10);
        try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + other.file("keel"));
                var statement = connection.createStatement()) {
            statement.execute("UPDATE step SET loss = loss * 1.000001 WHERE step >= 15");
        }
        assertThat(other.resume("keel")).isEqualTo(RunStatus.FINISHED);
        assertThat(TinyRun.numbers(other.file("keel"))).isEqualTo(TinyRun.numbers(whole.file("keel")));
        assertThat(events(other.file("keel"), "resume")).hasSize(2).last().asString().startsWith("The steps from 15 to ");
    }

    @Test
    void aDamagedCheckpointIsPassedOver() throws IOException {
        TinyRun whole = run("whole", 11, "", "- scheme: keel");
        whole.start("keel");
        TinyRun run = run("damaged", 11, "checkpoint_every: 10", "- scheme: keel");
        run.start("keel", at(run.file("keel"), 22, "stop", ""));
        Path last = checkpoints(run.folder).get(checkpoints(run.folder).size() - 1);
        byte[] bytes = Files.readAllBytes(last);
        bytes[bytes.length / 2] ^= 1;
        Files.write(last, bytes);
        assertThat(run.resume("keel")).isEqualTo(RunStatus.FINISHED);
        assertThat(TinyRun.numbers(run.file("keel"))).isEqualTo(TinyRun.numbers(whole.file("keel")));
        try (RunReader reader = RunReader.open(run.file("keel"))) {
            assertThat(reader.events(0)).filteredOn(event -> event.kind().equals("resume")).extracting(RunEvent::text)
                    .anyMatch(text -> text.startsWith(last.toString()) && text.endsWith("It is passed over."))
                    .anyMatch(text -> text.startsWith("Goes on from the checkpoint after step"));
        }
    }

    @Test
    void aCheckpointOfAnotherModelIsRefusedAndTheRecordIsKept() throws IOException {
        TinyRun run = run("both", 12, "checkpoint_every: 10", "- scheme: keel\n- scheme: pre_ln\n");
        run.start("pre_ln");
        run.start("keel", at(run.file("keel"), 22, "stop", ""));
        String before = TinyRun.numbers(run.file("keel"));
        removeCheckpointsAfter(run.folder, 0);
        Path own = Files.createDirectories(run.folder.resolve("keel.checkpoints"));
        TinyRun other = run("other", 12, "checkpoint_every: 10", "- scheme: pre_ln");
        other.start("pre_ln");
        Path foreign = checkpoints(other.folder).get(0);
        Files.copy(foreign, own.resolve("step-000010.safetensors"), StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> run.resume("keel"))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("another model")
                .hasMessageContaining("scheme is pre_ln there and keel here");
        assertThat(TinyRun.numbers(run.file("keel"))).isEqualTo(before);
    }

    @Test
    void whatWasAskedTooLateOfTheFormerEngineDoesNotStopTheNext() throws IOException {
        TinyRun run = run("late", 13, "", "- scheme: keel");
        run.start("keel", at(run.file("keel"), 5, "stop", ""));
        try (RunWriter former = RunWriter.reopen(run.file("keel"))) {
            former.state(RunStatus.RUNNING, ""); // as a killed engine leaves it
        }
        RunReader.send(run.file("keel"), "stop", "");
        RunReader.send(run.file("keel"), "lr", "x0.1");
        assertThat(run.resume("keel")).isEqualTo(RunStatus.FINISHED);
        LearningRate schedule = new LearningRate(4e-3, 1e-7, 4, 40);
        assertThat(rates(run.file("keel"))[39]).as("the lr command came too late as well").isEqualTo(schedule.at(39));
    }

    private static int lastStep(Path file) {
        try (RunReader reader = RunReader.open(file)) {
            return reader.lastStep();
        }
    }

    private static double[] rates(Path file) {
        try (RunReader reader = RunReader.open(file)) {
            return reader.steps(0, Integer.MAX_VALUE, Integer.MAX_VALUE).lr();
        }
    }

    private static List<String> events(Path file, String kind) {
        try (RunReader reader = RunReader.open(file)) {
            return reader.events(0).stream().filter(event -> event.kind().equals(kind)).map(RunEvent::text).toList();
        }
    }

    private static List<Path> checkpoints(Path runFolder) throws IOException {
        try (Stream<Path> all = Files.walk(runFolder)) {
            return all.filter(file -> file.toString().endsWith(".safetensors")).sorted().toList();
        }
    }

    private static void removeCheckpointsAfter(Path runFolder, int steps) throws IOException {
        for (Path file : checkpoints(runFolder)) {
            if (Integer.parseInt(file.getFileName().toString().replaceAll("\\D", "")) > steps) {
                Files.delete(file);
            }
        }
    }
}
