package keelscope.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fair_acc.chartfx.XYChart;
import io.fair_acc.dataset.DataSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToIntFunction;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.input.KeyCode;
import keelscope.chart.ChartTile;
import keelscope.run.Arm;
import keelscope.run.ArmPhase;
import keelscope.run.ArmSnapshot;
import keelscope.run.RunPhase;
import keelscope.run.RunSession;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run through the window, with real engine processes. */
class RunTest extends WindowTest {
    private static final String TINY =
            """
            name: Tiny
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
              warmup: 10
            measure:
              probe_every: 2
              validate_every: 10
              validation_batches: 1
            arms:
              - scheme: keel
              - scheme: post_ln%s
            """;
    private static final int ENDLESS = 1_000_000;

    @BeforeEach
    void theDefaultSampleIsThere() {
        until("the default sample can be started", this::canStart);
    }

    @Test
    void startPauseResumeStopAndSeeItAgain() {
        setUp(ENDLESS, "");
        press("#start");
        assertThat(canStart()).isFalse();
        until("every chart has points of both arms", () -> window.dashboard().tiles().stream()
                .allMatch(tile -> points(tile) > 0 && !tile.getAccessibleText().contains("yet")) && snapshots() == 2);
        assertThat(textOf("#status-device")).contains("cpu");
        assertThat(textOf("#status-threads")).contains("1 thread");

        press("#pause");
        until("both arms are paused", () -> phase() == RunPhase.PAUSED);
        assertThat(((Button) node("#pause")).getText()).contains("Resume");
        List<Integer> held = recordedSteps();
        until("a paused engine has given three more signs of life", aHeartbeatLater(3));
        assertThat(recordedSteps()).isEqualTo(held);

        robot.interact(() -> window.dashboard().requestFocus());
        robot.type(KeyCode.SPACE);
        until("both arms go on", () -> allArms(arm -> arm.lastStep()) > held.get(0) + held.get(1) + 2);

        press("#stop");
        until("the run has ended", () -> phase() == RunPhase.ENDED);
        until("both arms are shown as stopped", () -> arms().stream().allMatch(arm -> arm.phase() == ArmPhase.STOPPED));
        List<Integer> recorded = recordedSteps();
        Path folder = session().folderProperty().get().orElseThrow();

        robot.interact(() -> window.open(folder));
        until("the opened run shows every step", () -> session().opened()
                && arms().stream().map(Arm::lastStep).toList().equals(recorded));
        until("every chart shows it", () -> window.dashboard().tiles().stream().allMatch(tile -> points(tile) > 0));
        assertThat(phase()).isEqualTo(RunPhase.ENDED);
    }

    @Test
    void aKilledEngineIsToldAndKeepsItsStepsWhileTheOtherArmGoesOn() {
        setUp(ENDLESS, "");
        press("#start");
        until("both arms have taken steps", () -> snapshots() == 2 && arms().stream().allMatch(arm -> arm.lastStep() > 3));
        long pid = session().pid("keel").orElseThrow();
        assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
        until("the message is shown", () -> exists("#notes .note-text"));
        assertThat(textOf("#notes .note-text")).contains("keel").contains(Long.toString(pid)).endsWith(".");
        until("the arm is shown as failed", () -> arms().get(0).phase() == ArmPhase.FAILED);

        Path file = arms().get(0).snapshot().orElseThrow().file();
        try (RunReader reader = RunReader.open(file)) {
            int last = reader.lastStep();
            assertThat(reader.steps(0, last, ENDLESS).size()).isEqualTo(last + 1);
            assertThat(reader.state().status()).isEqualTo(RunStatus.FAILED);
            until("the charts show its last step", () -> arms().get(0).lastStep() == last);
        }
        int other = arms().get(1).lastStep();
        until("the other arm goes on", () -> arms().get(1).lastStep() > other + 2);
        assertThat(phase()).isEqualTo(RunPhase.RUNNING);
    }

    /** Where the cores are few the second engine is still waiting for the first one's first step. */
    @Test
    void stoppedAtOnceNoEngineIsLeftAndEveryArmCanStillBegin() {
        setUp(ENDLESS, "");
        press("#start");
        until("the first engine is there", () -> session().pid("keel").isPresent());
        press("#stop");
        until("the run has ended", () -> phase() == RunPhase.ENDED);
        assertThat(arms()).extracting(Arm::phase).containsOnly(ArmPhase.STOPPED);
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(window.session().orElseThrow().notes()).isEmpty();
        assertThat(canStart()).isTrue();

        robot.interact(() -> session().goOn());
        until("both arms have taken steps", () -> snapshots() == 2 && arms().stream().allMatch(arm -> arm.lastStep() > 3));
    }

    @Test
    void anArmThatDivergesIsToldWithItsStepWhileTheOtherFinishes() {
        setUp(60, "\n    peak_lr: 1.0e+30");
        press("#start");
        until("the run has ended", () -> phase() == RunPhase.ENDED);
        until("the diverged arm is shown", () -> arms().get(1).phase() == ArmPhase.DIVERGED);
        assertThat(arms().get(0).phase()).isEqualTo(ArmPhase.FINISHED);
        assertThat(arms().get(0).lastStep()).isEqualTo(59);
        assertThat(textOf("#notes .note-text")).contains("Post-LN").contains("step 1").endsWith(".");
        assertThat(canStart()).isTrue();
    }

    @Test
    void closingAsksWhileArmsTrainAndStopsThem() {
        setUp(ENDLESS, "");
        press("#start");
        until("the run has begun", () -> phase() == RunPhase.RUNNING);
        askToClose();
        until("the question is asked", () -> robot.lookup("#close-question").tryQuery().isPresent());
        robot.clickOn("Keep training");
        assertThat(stage.isShowing()).isTrue();
        assertThat(phase()).isEqualTo(RunPhase.RUNNING);
        askToClose();
        until("the question is asked again", () -> robot.lookup("#close-question").tryQuery().isPresent());
        long keel = session().pid("keel").orElseThrow();
        robot.clickOn("Stop and close");
        until("the window is closed", () -> !stage.isShowing());
        assertThat(ProcessHandle.of(keel).map(ProcessHandle::isAlive).orElse(false)).isFalse();
    }

    @Test
    void aChartFillsTheWindowAndEscapeReturns() {
        ChartTile loss = window.dashboard().tiles().get(0);
        robot.interact(() -> {
            window.dashboard().maximise(loss);
            window.dashboard().requestFocus();
        });
        assertThat(node("#setup").isVisible()).isFalse();
        assertThat(window.dashboard().tiles().stream().filter(Node::isVisible)).containsExactly(loss);
        robot.type(KeyCode.ESCAPE);
        assertThat(node("#setup").isVisible()).isTrue();
        assertThat(window.dashboard().tiles()).allMatch(Node::isVisible);
    }

    // --- hands and eyes ---------------------------------------------------------------------------------------------

    private void setUp(int steps, String lastArm) {
        try {
            Path file = Files.writeString(folder.resolve("tiny.yaml"), TINY.formatted(steps, lastArm));
            robot.interact(() -> window.open(file));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        until("the tiny experiment can be started", () -> textOf("#field-layers").equals("4") && canStart());
    }

    private void askToClose() {
        robot.interact(() -> stage.fireEvent(
                new javafx.stage.WindowEvent(stage, javafx.stage.WindowEvent.WINDOW_CLOSE_REQUEST)));
    }

    private RunSession session() {
        return window.session().orElseThrow();
    }

    private RunPhase phase() {
        return session().phaseProperty().get();
    }

    private List<Arm> arms() {
        return session().armsProperty().get();
    }

    private int allArms(ToIntFunction<Arm> value) {
        return arms().stream().mapToInt(value).sum();
    }

    private int snapshots() {
        return session().snapshots().size();
    }

    /** The last step in each arm's file. */
    private List<Integer> recordedSteps() {
        return session().snapshots().stream()
                .map(ArmSnapshot::file)
                .map(file -> {
                    try (RunReader reader = RunReader.open(file)) {
                        return reader.lastStep();
                    }
                })
                .toList();
    }

    private java.util.concurrent.Callable<Boolean> aHeartbeatLater(int times) {
        Path file = session().snapshots().get(0).file();
        long[] seen = {0, -times - 1};
        return () -> {
            try (RunReader reader = RunReader.open(file)) {
                long now = reader.state().heartbeatMs();
                if (now != seen[0]) {
                    seen[0] = now;
                    seen[1]++;
                }
                return seen[1] >= 0;
            }
        };
    }

    /** Points of all data sets drawn in a chart's tile. */
    private static int points(Node node) {
        int points = 0;
        if (node instanceof XYChart chart) {
            points += chart.getAllDatasets().stream().mapToInt(DataSet::getDataCount).sum();
        }
        if (node instanceof Parent parent) {
            for (Node child : parent.getChildrenUnmodifiable()) {
                points += points(child);
            }
        }
        return points;
    }
}
