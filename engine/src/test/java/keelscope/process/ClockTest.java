package keelscope.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockTest {
    private static final long NOON = 1_700_000_000_000L;
    private static final long HOUR = 3_600_000;

    private static void step(RunWriter run, int step, long timeMs) {
        run.step(new StepRecord(step, 64L * (step + 1), 3, 1e-3, 1, 100, timeMs, 1),
                Map.of(Measure.PARAM_GRAD_NORM, new float[] {1, 2}), OptionalDouble.empty());
    }

    /** 100 steps of 100 ms; the clock is set back by an hour in the middle. */
    @Test
    void aClockThatIsSetBackNeitherLosesStepsNorMakesTimesNegative(@TempDir Path folder) {
        Path file = RunFolder.runFile(folder, "keel");
        RunInfo info = new RunInfo("clock", "", "keel", "keel", 2, 8, 100, 200, 64, 2, 1, "none", "", 256, "cpu", "", 1, NOON);
        try (RunWriter run = RunWriter.create(file, info); RunFollower follower = new RunFollower(file)) {
            run.state(RunStatus.RUNNING, "");
            for (int step = 0; step < 100; step++) {
                step(run, step, NOON + 100 * step - (step < 50 ? 0 : HOUR));
                Progress progress = follower.progress().orElseThrow();
                assertThat(progress.lastStep()).isEqualTo(step);
                assertThat(progress.taken()).isGreaterThanOrEqualTo(Duration.ZERO);
                assertThat(progress.left().orElseThrow()).as("steps left, 100 ms each").isEqualTo(Duration.ofMillis(100L * (199 - step)));
            }
            try (RunReader reader = RunReader.open(file)) {
                assertThat(reader.steps(0, 99, 1000).size()).isEqualTo(100);
                assertThat(reader.hasEngine()).as("by the lock, not by the clock").isTrue();
            }
        }
    }
}
