package keelscope.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.runfile.RunReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeadStartTest {
    private static final Duration FOR_EVER = Duration.ofDays(1);

    @TempDir
    Path folder;

    private EngineProcess engine;

    private EngineProcess start(String manner) {
        engine = EngineProcess.start("keel", folder,
                List.of(PacedEngine.class.getName(), RunFolder.runFile(folder, "keel").toString(), "1000000", manner), Map.of());
        return engine;
    }

    @AfterEach
    void endEngine() {
        if (engine != null) {
            engine.stop(Duration.ZERO);
            engine.ended().join();
        }
    }

    @Test
    void itIsOverWithTheFirstStep() {
        HeadStart headStart = HeadStart.of(start("well"), waits(), FOR_EVER);
        assertThat(headStart.isOver()).isFalse();
        Waiting.until("the head start to be over", headStart::isOver);
        try (RunReader reader = RunReader.open(engine.runFile())) {
            assertThat(reader.lastStep()).isNotNegative();
        }
    }

    @Test
    void anEngineThatEndsWithoutAStepKeepsNobodyWaiting() {
        HeadStart headStart = HeadStart.of(start("refuses"), waits(), FOR_EVER);
        Waiting.until("the head start to be over", headStart::isOver);
        assertThat(engine.isAlive()).isFalse();
    }

    @Test
    void itIsNeverLongerThanAllowed() {
        assertThat(HeadStart.of(start("well"), waits(), Duration.ZERO).isOver()).isTrue();
    }

    @Test
    void afterItsFirstStepTheArmWaitsUntilTheOthersAreAsFarOrHaveEnded() throws IOException {
        EngineProcess first = start("well");
        EngineProcess refused = EngineProcess.start("pre_ln", folder,
                List.of(PacedEngine.class.getName(), RunFolder.runFile(folder, "pre_ln").toString(), "1", "refuses"), Map.of());
        EngineProcess late = EngineProcess.start("post_ln", folder,
                List.of(PacedEngine.class.getName(), RunFolder.runFile(folder, "post_ln").toString(), "1000000", "well"), Map.of());
        IntPredicate mayTake = HeadStart.waitingWhile(Optional.of(Files.createFile(waits())));
        HeadStart headStart = HeadStart.of(first, waits(), FOR_EVER);
        assertThat(mayTake.test(0)).isTrue();
        assertThat(mayTake.test(1)).isFalse();
        Waiting.until("the others to be there", () -> headStart.endsWith(List.of(first, refused, late)));
        assertThat(mayTake.test(1)).isTrue();
        assertThat(late.runFile()).exists();
        assertThat(refused.isAlive()).isFalse();
        late.stop(Duration.ZERO);
        late.ended().join();
    }

    @Test
    void anArmWithoutAHeadStartWaitsForNobody() {
        assertThat(HeadStart.waitingWhile(Optional.empty()).test(1)).isTrue();
    }

    private Path waits() {
        return folder.resolve("keel.waits");
    }

    @Test
    void itHelpsWhereSeveralArmsShareFewCoresAndNeedNotKeepInStep() {
        assertThat(HeadStart.helps(experiment(false), 3, 2)).isTrue();
        assertThat(HeadStart.helps(experiment(false), 1, 1)).isFalse();
        assertThat(HeadStart.helps(experiment(false), 3, 6)).isFalse();
        assertThat(HeadStart.helps(experiment(true), 3, 2)).isFalse();
    }

    private Experiment experiment(boolean lockstep) {
        return ExperimentFile.parse("""
                name: Three
                model: {layers: 2, d_model: 8, heads: 2}
                data: {text: sample, batch: 1, sequence: 8}
                training: {steps: 1, peak_lr: 1.0e-3, warmup: 0}
                lockstep: %s
                arms: [{scheme: keel}, {scheme: pre_ln}, {scheme: post_ln}]
                """.formatted(lockstep), "test", folder);
    }
}
