package keelscope.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
        HeadStart headStart = HeadStart.of(start("well"), FOR_EVER);
        assertThat(headStart.isOver()).isFalse();
        Waiting.until("the head start to be over", headStart::isOver);
        try (RunReader reader = RunReader.open(engine.runFile())) {
            assertThat(reader.lastStep()).isNotNegative();
        }
    }

    @Test
    void anEngineThatEndsWithoutAStepKeepsNobodyWaiting() {
        HeadStart headStart = HeadStart.of(start("refuses"), FOR_EVER);
        Waiting.until("the head start to be over", headStart::isOver);
        assertThat(engine.isAlive()).isFalse();
    }

    @Test
    void itIsNeverLongerThanAllowed() {
        assertThat(HeadStart.of(start("well"), Duration.ZERO).isOver()).isTrue();
    }

    @Test
    void afterItsFirstStepTheArmWaitsForTheOthersRunFiles() throws IOException {
        IntPredicate mayTake = HeadStart.waitingFor(folder, List.of("pre_ln", "post_ln"), FOR_EVER);
        assertThat(mayTake.test(0)).isTrue();
        assertThat(mayTake.test(1)).isFalse();
        Files.createFile(RunFolder.runFile(folder, "post_ln"));
        assertThat(mayTake.test(1)).isFalse();
        Files.createFile(RunFolder.runFile(folder, "pre_ln"));
        assertThat(mayTake.test(1)).isTrue();
    }

    @Test
    void itWaitsForNobodyWhereThereIsNobodyAndNotForEver() {
        assertThat(HeadStart.waitingFor(folder, List.of(), FOR_EVER).test(1)).isTrue();
        assertThat(HeadStart.waitingFor(folder, List.of("pre_ln"), Duration.ZERO).test(1)).isTrue();
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
