package keelscope.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EngineProcessTest {
    @TempDir
    Path folder;

    private EngineProcess engine;

    private EngineProcess start(int steps, String manner) {
        engine = EngineProcess.start("keel", folder,
                List.of(PacedEngine.class.getName(), RunFolder.runFile(folder, "keel").toString(), Integer.toString(steps), manner), Map.of());
        return engine;
    }

    @AfterEach
    void endEngine() throws Exception {
        if (engine != null) {
            engine.stop(Duration.ZERO);
            engine.ended().get();
        }
    }

    /** Follows the run until {@code wanted}. */
    private Progress await(Predicate<Progress> wanted) {
        try (RunFollower follower = new RunFollower(engine.runFile())) {
            Waiting.until("the run to get there", () -> {
                Progress progress = follower.progress().orElse(null);
                assertThat(engine.isAlive() || progress != null).isTrue();
                return progress != null && wanted.test(progress);
            });
            return follower.progress().orElseThrow();
        }
    }

    private String end() throws Exception {
        return engine.ended().get(60, TimeUnit.SECONDS);
    }

    @Test
    void anEngineThatFinishesHasNothingToSay() throws Exception {
        start(50, "well");
        assertThat(end()).isEmpty();
        Progress progress = await(p -> true);
        assertThat(progress.state().status()).isEqualTo(RunStatus.FINISHED);
        assertThat(progress.state().pid()).isEqualTo(engine.pid());
        assertThat(progress.lastStep()).isEqualTo(49);
        assertThat(progress.share()).isEqualTo(1);
        assertThat(progress.loss()).isEqualTo(3);
        assertThat(progress.tokensPerSecond()).isEqualTo(64_000);
        assertThat(progress.left()).isEmpty();
    }

    @Test
    void anEngineStopsWhenAskedTo() throws Exception {
        start(Integer.MAX_VALUE, "well");
        await(p -> p.lastStep() > 3 && p.left().isPresent());
        engine.send("probe", "");
        engine.stop(Duration.ofSeconds(60));
        assertThat(end()).isEmpty();
        try (RunReader reader = RunReader.open(engine.runFile())) {
            assertThat(reader.state().status()).isEqualTo(RunStatus.STOPPED);
            assertThat(reader.events(0)).extracting(RunEvent::kind).containsExactly("probe", "stop");
        }
    }

    @Test
    void anEngineThatDoesNotStopIsEndedAndTheRunFileSaysSo() throws Exception {
        start(Integer.MAX_VALUE, "deaf");
        await(p -> p.lastStep() > 3);
        engine.stop(Duration.ofMillis(300));
        assertThat(end()).contains("arm keel", "was asked to stop and was ended by force after 0.3 s", "every step up to");
        try (RunReader reader = RunReader.open(engine.runFile())) {
            assertThat(reader.state().status()).isEqualTo(RunStatus.STOPPED);
            assertThat(reader.state().message()).isEqualTo(end());
            assertThat(reader.state().pid()).isEqualTo(engine.pid());
            assertThat(reader.events(0)).extracting(RunEvent::kind).containsExactly("killed");
            assertThat(reader.hasEngine()).isFalse();
        }
    }

    @Test
    void aKilledEngineIsToldOfWithItsLastStep() throws Exception {
        start(Integer.MAX_VALUE, "well");
        await(p -> p.lastStep() > 3);
        ProcessHandle.of(engine.pid()).orElseThrow().destroyForcibly();
        String said = end();
        try (RunReader reader = RunReader.open(engine.runFile())) {
            assertThat(said).isEqualTo("The engine of arm keel (process " + engine.pid() + ") was ended by signal 9 (killed, perhaps for lack of"
                    + " memory); every step up to " + reader.lastStep() + " is kept in " + engine.runFile() + ".");
            assertThat(reader.state().status()).isEqualTo(RunStatus.FAILED);
            assertThat(reader.state().message()).isEqualTo(said);
            assertThat(reader.events(0)).singleElement().satisfies(e -> {
                assertThat(e.kind()).isEqualTo("killed");
                assertThat(e.step()).isEqualTo(reader.lastStep());
            });
        }
    }

    @Test
    void anEngineAskedToEndBySignalStopsByItself() throws Exception {
        start(Integer.MAX_VALUE, "well");
        await(p -> p.lastStep() > 3);
        ProcessHandle.of(engine.pid()).orElseThrow().destroy();
        assertThat(end()).isEmpty();
        assertThat(await(p -> true).state().status()).isEqualTo(RunStatus.STOPPED);
    }

    @Test
    void whatAnEngineSaysOfItsFailureIsPassedOn() throws Exception {
        start(100, "fails");
        assertThat(end()).isEqualTo("The data ended at step 20.");
    }

    @Test
    void whatAnEngineSaysBeforeItHasARunFileIsPassedOn() throws Exception {
        start(100, "refuses");
        assertThat(end()).isEqualTo("The text corpus.txt is empty; choose another one; no step was recorded.");
        assertThat(engine.runFile()).doesNotExist();
        assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> engine.send("pause", "")).withMessageContaining("has ended");
    }

    @Test
    void anEngineOutOfMemoryIsToldOf() throws Exception {
        start(100, "memory");
        assertThat(end()).contains("ran out of Java memory", "every step up to 20 is kept in");
        assertThat(await(p -> true).state().status()).isEqualTo(RunStatus.FAILED);
    }

    @Test
    void anEngineWithoutARunFileIsStoppedAtOnce() throws Exception {
        start(Integer.MAX_VALUE, "well").stop(Duration.ofSeconds(60));
        assertThat(end()).isEmpty();
    }

    @Test
    void anEngineStopsWhenItsParentIsKilled() throws Exception {
        Path run = RunFolder.runFile(folder, "keel");
        Process parent = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                        System.getProperty("java.class.path"), Parent.class.getName(), folder.toString())
                .redirectErrorStream(true).redirectOutput(folder.resolve("parent.log").toFile()).start();
        try (RunFollower follower = new RunFollower(run)) {
            Waiting.until("four steps", () -> {
                assertThat(parent.isAlive()).as(() -> read(folder.resolve("parent.log"))).isTrue();
                return follower.progress().filter(p -> p.lastStep() > 3).isPresent();
            });
            parent.destroyForcibly().waitFor();
            Waiting.until("the engine to stop", () -> follower.progress().filter(p -> p.state().status() == RunStatus.STOPPED).isPresent());
            ProcessHandle.of(follower.progress().orElseThrow().state().pid()).ifPresent(engine -> engine.onExit().join());
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }

    /** A process that starts an engine and waits for it. */
    static final class Parent {
        private Parent() {}

        public static void main(String[] args) throws Exception {
            Path folder = Path.of(args[0]);
            EngineProcess.start("keel", folder, List.of(PacedEngine.class.getName(), RunFolder.runFile(folder, "keel").toString(),
                    Integer.toString(Integer.MAX_VALUE), "well"), Map.of()).ended().get();
        }
    }
}
