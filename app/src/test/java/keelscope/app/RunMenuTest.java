package keelscope.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.input.KeyCode;
import keelscope.run.Arm;
import keelscope.run.ArmPhase;
import keelscope.run.ArmSnapshot;
import keelscope.run.RunPhase;
import keelscope.run.RunSession;
import org.junit.jupiter.api.Test;

/** What can be asked of engines at work, and of those that ended early; with real engines. */
class RunMenuTest extends WindowTest {
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
              steps: 1000000
              peak_lr: 1.0e-3
              warmup: 10
            measure:
              probe_every: 1000
              validate_every: 100000
              validation_batches: 1
            arms:
              - scheme: keel
              - scheme: pre_ln
            """;

    @Test
    void aPausedRunTakesOneStepAndItsCommandsAreEventsOfIt() {
        start();
        press("#pause");
        until("both arms are paused", () -> phase() == RunPhase.PAUSED);
        List<Integer> before = steps();
        fire("run-step");
        until("each arm has taken one step", () -> steps().equals(before.stream().map(step -> step + 1).toList())
                && phase() == RunPhase.PAUSED);
        assertThat(item("run-step").isDisable()).isFalse();
        fire("run-rate-0.5");
        fire("run-probe");
        fire("run-checkpoint");
        press("#pause");
        until("every command was taken", () -> session().snapshots().stream().allMatch(arm ->
                kinds(arm).containsAll(List.of("lr", "probe", "checkpoint"))));
        until("they are marked on the line of time", () -> node("#scrubber").lookupAll(".scrubber-mark").stream()
                .anyMatch(mark -> mark.getAccessibleText().contains("rate")));
    }

    @Test
    void timeCanBeGoneThroughWhileTrainingGoesOnBehind() {
        start();
        until("both arms have taken steps", () -> steps().stream().allMatch(step -> step > 6));
        robot.interact(() -> window.dashboard().time().at(2));
        until("charts show step 2", () -> session().snapshots().stream().allMatch(arm -> arm.cursor() == 2));
        int then = session().snapshots().get(0).lastStep();
        until("training has gone on", () -> session().snapshots().get(0).lastStep() > then + 5);
        assertThat(textOf("#scrubber-step")).startsWith("Step 2 of");
        assertThat(session().snapshots()).allMatch(arm -> arm.cursor() == 2);
        press("#scrubber-live");
        until("charts show the newest step", () -> session().snapshots().stream().allMatch(arm -> arm.cursor() == -1));
    }

    @Test
    void aKilledArmGoesOnAndSoDoesARunThatIsOpenedAgain() {
        start();
        assertThat(item("run-go-on").isDisable()).isTrue();
        until("both arms have taken steps", () -> steps().stream().allMatch(step -> step > 3));
        ProcessHandle.of(session().pid("keel").orElseThrow()).orElseThrow().destroyForcibly();
        until("the arm is shown as failed", () -> arms().get(0).phase() == ArmPhase.FAILED
                && !item("run-go-on").isDisable());
        int killedAt = arms().get(0).lastStep();
        fire("run-go-on");
        until("the killed arm has gone on", () -> arms().get(0).phase() == ArmPhase.RUNNING
                && arms().get(0).lastStep() > killedAt + 2);
        assertThat(exists("#notes .note-text")).isFalse();

        press("#stop");
        until("the run has ended", () -> phase() == RunPhase.ENDED && arms().stream().allMatch(arm -> arm.phase().ended()));
        List<Integer> stoppedAt = steps();
        Path folder = session().folderProperty().get().orElseThrow();
        robot.interact(() -> window.open(folder));
        until("it is opened", () -> session().opened() && steps().equals(stoppedAt) && !item("run-go-on").isDisable());
        robot.interact(() -> window.dashboard().requestFocus());
        robot.press(KeyCode.CONTROL).type(KeyCode.R).release(KeyCode.CONTROL);
        until("both arms go on", () -> steps().get(0) > stoppedAt.get(0) + 2 && steps().get(1) > stoppedAt.get(1) + 2);
        assertThat(phase()).isEqualTo(RunPhase.RUNNING);
        press("#stop");
        until("both have stopped again", () -> phase() == RunPhase.ENDED
                && arms().stream().allMatch(arm -> arm.phase() == ArmPhase.STOPPED));
    }

    @Test
    void aRateIsTypedWithAPointOrACommaAndAFactorWithATimesSign() {
        assertThat(RunMenu.argument("0,003")).contains("0.003");
        assertThat(RunMenu.argument(" 3e-3 ")).contains("0.003");
        assertThat(RunMenu.argument("x0.5")).contains("x0.5");
        assertThat(RunMenu.argument("× 0,5")).contains("x0.5");
        assertThat(RunMenu.argument("-1")).isEmpty();
        assertThat(RunMenu.argument("0")).isEmpty();
        assertThat(RunMenu.argument("fast")).isEmpty();
        assertThat(RunMenu.argument("1.000,5")).isEmpty();
    }

    private void start() {
        until("the default sample can be started", this::canStart);
        try {
            Path file = Files.writeString(folder.resolve("tiny.yaml"), TINY);
            robot.interact(() -> window.open(file));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        until("the tiny experiment can be started", () -> textOf("#field-layers").equals("4") && canStart());
        press("#start");
        until("both arms train", () -> session().snapshots().size() == 2 && steps().stream().allMatch(step -> step > 0));
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

    private List<Integer> steps() {
        return arms().stream().map(Arm::lastStep).toList();
    }

    private static List<String> kinds(ArmSnapshot arm) {
        return arm.events().stream().map(event -> event.kind()).toList();
    }

    private MenuItem item(String id) {
        for (MenuItem item : ((MenuButton) node("#run-menu")).getItems()) {
            if (id.equals(item.getId())) {
                return item;
            }
            if (item instanceof Menu menu) {
                for (MenuItem inner : menu.getItems()) {
                    if (id.equals(inner.getId())) {
                        return inner;
                    }
                }
            }
        }
        throw new AssertionError("There is no " + id + " in the menu.");
    }

    private void fire(String id) {
        robot.interact(() -> item(id).fire());
    }
}
