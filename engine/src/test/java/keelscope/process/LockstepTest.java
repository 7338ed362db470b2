package keelscope.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import keelscope.experiment.ExperimentFile;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LockstepTest {
    private final List<EngineProcess> engines = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void endEngines() {
        engines.forEach(engine -> engine.stop(java.time.Duration.ofMillis(1)));
        engines.forEach(engine -> engine.ended().join());
    }

    private Path experiment(String steps) {
        String yaml = """
                name: abreast
                device: cpu
                threads: 1
                lockstep: true
                model: {layers: 2, d_model: 16, heads: 2}
                data: {batch: 2, sequence: 16}
                training: {steps: %s, peak_lr: 1.0e-3}
                measure: {probe_every: 1000, validate_every: never}
                arms:
                  - scheme: keel
                    training: {steps: %s}
                  - scheme: pre_ln
                    training: {accumulate: 8}
                """.formatted(steps, steps.equals("60") ? "30" : steps);
        return RunFolder.use(folder.resolve("run"), ExperimentFile.parse(yaml, "abreast.yaml", folder));
    }

    private EngineProcess start(Path run, String arm) {
        EngineProcess engine = EngineProcess.start(RunFolder.experiment(run), arm, run);
        engines.add(engine);
        return engine;
    }

    private static List<Long> times(Path run, String arm) throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + RunFolder.runFile(run, arm));
                ResultSet row = connection.createStatement().executeQuery("SELECT time_ms FROM step ORDER BY step")) {
            List<Long> times = new ArrayList<>();
            while (row.next()) {
                times.add(row.getLong(1));
            }
            return times;
        }
    }

    @Test
    void armsAreNeverMoreThanAStepApartAndTheLongerOneEndsAlone() throws Exception {
        Path run = experiment("60");
        EngineProcess keel = start(run, "keel");
        EngineProcess pre = start(run, "pre_ln");
        assertThat(keel.ended().join()).isEmpty();
        assertThat(pre.ended().join()).isEmpty();
        List<Long> a = times(run, "keel");
        List<Long> b = times(run, "pre_ln");
        assertThat(a).hasSize(30);
        assertThat(b).hasSize(60);
        for (int step = 2; step < 30; step++) {
            assertThat(a.get(step)).as("step %d of keel ends after step %d of pre_ln", step, step - 1).isGreaterThanOrEqualTo(b.get(step - 1));
            assertThat(b.get(step)).as("step %d of pre_ln ends after step %d of keel", step, step - 1).isGreaterThanOrEqualTo(a.get(step - 1));
        }
    }

    @Test
    void aPausedArmHoldsTheOthersAndAKilledOneDoesNot() {
        Path run = experiment("1000000");
        EngineProcess keel = start(run, "keel");
        EngineProcess pre = start(run, "pre_ln");
        await(keel, () -> Waiting.lastStep(run, "keel") > 5);
        keel.send("pause", "");
        await(keel, () -> status(run, "keel") == RunStatus.PAUSED);
        int held = Waiting.lastStep(run, "keel");
        await(pre, () -> Waiting.lastStep(run, "pre_ln") == held + 1);
        keel.send("step", "");
        await(pre, () -> Waiting.lastStep(run, "pre_ln") == held + 2);
        assertThat(Waiting.lastStep(run, "keel")).isEqualTo(held + 1);
        ProcessHandle.of(keel.pid()).ifPresent(ProcessHandle::destroyForcibly);
        await(pre, () -> Waiting.lastStep(run, "pre_ln") > held + 10);
        assertThat(Waiting.lastStep(run, "keel")).isEqualTo(held + 1);
        pre.send("stop", "");
        assertThat(pre.ended().join()).isEmpty();
    }

    private static RunStatus status(Path run, String arm) {
        try (RunReader reader = RunReader.open(RunFolder.runFile(run, arm))) {
            return reader.state().status();
        }
    }

    private static void await(EngineProcess engine, java.util.function.BooleanSupplier arrived) {
        Waiting.until("the engine of arm " + engine.arm() + " to get there", () -> {
            assertThat(engine.isAlive()).isTrue();
            return arrived.getAsBoolean();
        });
    }
}
