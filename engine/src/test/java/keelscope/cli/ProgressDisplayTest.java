package keelscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import keelscope.process.RunFolder;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;
import keelscope.runfile.ValidationRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressDisplayTest {
    private static final long CREATED = 1_790_000_000_000L;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private ProgressDisplay display(boolean terminal, String... arms) {
        return new ProgressDisplay(new PrintStream(bytes, true, StandardCharsets.UTF_8), folder, List.of(arms), terminal);
    }

    private RunWriter writer(String arm) {
        return RunWriter.create(RunFolder.runFile(folder, arm), new RunInfo("e", "", arm, arm, 2, 8, 1, 20, 100, 1, 1, "d", "", 256, "cpu", "",
                1, CREATED));
    }

    /** A step of 50 ms on 100 tokens. */
    private static void step(RunWriter writer, int step) {
        writer.step(new StepRecord(step, 100L * step, 2.5, 1, 1, 50, CREATED + 50L * (step + 1), 1),
                Map.of(Measure.PARAM_GRAD_NORM, new float[] {1, 1}), OptionalDouble.empty());
    }

    private String shown() {
        String text = bytes.toString(StandardCharsets.UTF_8);
        bytes.reset();
        return text;
    }

    @Test
    void aTerminalShowsABarAnArmRedrawnInPlace() {
        try (ProgressDisplay display = display(true, "keel", "post_ln"); RunWriter keel = writer("keel")) {
            keel.state(RunStatus.RUNNING, "");
            for (int step = 0; step < 10; step++) {
                step(keel, step);
            }
            display.refresh();
            assertThat(shown()).isEqualTo("keel     [############------------] 10 of 20 steps  loss 2.500  2,000 tokens/s  0:01 left\033[K\n"
                    + "post_ln  starting\033[K\n");
            display.refresh();
            assertThat(shown()).startsWith("\033[2A");
        }
    }

    @Test
    void whereThereIsNoTerminalATenthIsALine() {
        try (ProgressDisplay display = display(false, "keel"); RunWriter keel = writer("keel")) {
            keel.state(RunStatus.RUNNING, "");
            for (int step = 0; step < 20; step++) {
                step(keel, step);
                display.refresh();
                display.refresh();
            }
            assertThat(shown().lines()).hasSize(11).allMatch(line -> line.matches("keel  \\d+ of 20 steps .*")).noneMatch(line -> line.contains("\033"));
        }
    }

    @Test
    void anArmWithoutARunFileHasFailedOnlyWhereThereIsAReason() {
        try (ProgressDisplay display = display(false, "broken", "early")) {
            display.ended("broken", "It broke.");
            display.ended("early", "");
            display.end();
            assertThat(shown().lines()).anyMatch(line -> line.matches("broken +failed .*")).anyMatch(line -> line.matches("early +stopped .*"));
        }
    }

    @Test
    void theTableSaysWhatBecameOfEachArmAndADivergenceIsAResult() {
        try (ProgressDisplay display = display(false, "keel", "post_ln")) {
            try (RunWriter keel = writer("keel"); RunWriter post = writer("post_ln")) {
                for (int step = 0; step < 20; step++) {
                    step(keel, step);
                }
                keel.validation(19, 2.75);
                keel.state(RunStatus.FINISHED, "");
                step(post, 0);
                post.state(RunStatus.DIVERGED, "The loss was not finite at step 1.");
            }
            display.ended("keel", "");
            display.ended("post_ln", "");
            shown();
            assertThat(display.end()).isTrue();
            assertThat(shown()).contains("keel     finished        20    2.500    2.750")
                    .contains("post_ln  diverged         1    2.500        -")
                    .contains("post_ln: The loss was not finite at step 1.")
                    .contains("Recorded in " + folder);
        }
    }

    @Test
    void anArmThatFailedIsNoResult() {
        try (ProgressDisplay display = display(false, "keel")) {
            display.ended("keel", "The engine was killed.");
            assertThat(display.end()).isFalse();
            assertThat(shown()).contains("keel  failed").contains("keel: The engine was killed.");
        }
    }

    /** As on a disk so full that its end could not be recorded. */
    @Test
    void anArmWhoseEngineIsGoneIsNotShownAsRunning() {
        try (ProgressDisplay display = display(false, "keel")) {
            try (RunWriter keel = writer("keel")) {
                keel.state(RunStatus.RUNNING, "");
                step(keel, 0);
            }
            display.ended("keel", "The disk is full.");
            assertThat(display.end()).isFalse();
            assertThat(shown()).contains("keel  failed           1").contains("keel: The disk is full.");
        }
    }

    @Test
    void whereThereAreRightAnswersTheTableHasTheirShare() {
        try (ProgressDisplay display = display(false, "keel")) {
            try (RunWriter keel = writer("keel")) {
                keel.step(new StepRecord(0, 0, 2.5, 1, 1, 50, CREATED + 50, 1), Map.of(),
                        Optional.of(new ValidationRecord(0, 2.75, 0.125)));
                keel.state(RunStatus.FINISHED, "");
            }
            display.end();
            assertThat(shown()).contains("val loss accuracy      time").contains("2.750    0.125");
        }
    }

    @Test
    void aTimeIsGivenInMinutesAndHours() {
        assertThat(ProgressDisplay.duration(Duration.ofMillis(7_400))).isEqualTo("0:07");
        assertThat(ProgressDisplay.duration(Duration.ofSeconds(725))).isEqualTo("12:05");
        assertThat(ProgressDisplay.duration(Duration.ofHours(3))).isEqualTo("3:00:00");
    }
}
