package keelscope.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import keelscope.runfile.RunStatus;
import keelscope.runfile.StepSeries;
import org.junit.jupiter.api.Test;

class RunProgressTest {
    /** A {@link FormulaArm} whose every step took 1 ms. */
    private static Arm arm(ArmPhase phase, int steps, int lastStep) {
        ArmSnapshot formula = FormulaArm.of("keel", 0, 8, steps, lastStep, 0, RunStatus.RUNNING, List.of());
        StepSeries s = formula.steps();
        double[] stepMs = new double[s.size()];
        Arrays.fill(stepMs, 1);
        StepSeries timed = new StepSeries(s.firstStep(), s.lastStep(), s.loss(), s.lossMin(), s.lossMax(), s.lr(), s.gradNorm(),
                s.gradNormMin(), s.gradNormMax(), stepMs, s.memoryBytes(), s.tokens());
        ArmSnapshot snapshot = new ArmSnapshot(formula.file(), formula.info(), formula.state(), formula.colour(), formula.lastStep(), timed,
                formula.validation(), formula.events(), formula.cursor(), formula.layers(), formula.matrices(), formula.histograms());
        return new Arm("keel", 0, phase, "", Optional.of(snapshot));
    }

    @Test
    void theShareIsTheMeanOverArmsAndTheTimeLeftThatOfTheSlowest() {
        RunProgress progress = RunProgress.of(List.of(arm(ArmPhase.RUNNING, 400, 99), arm(ArmPhase.RUNNING, 400, 299)));
        assertThat(progress.share()).isEqualTo((0.25 + 0.75) / 2);
        assertThat(progress.slowest()).isEqualTo(100);
        assertThat(progress.fastest()).isEqualTo(300);
        assertThat(progress.taken()).isEqualTo("100–300 of 400 steps");
        assertThat(progress.left()).contains(Duration.ofMillis(300));
    }

    @Test
    void whatIsAheadOfNoOtherIsOneNumber() {
        assertThat(RunProgress.of(List.of(arm(ArmPhase.FINISHED, 400, 399), arm(ArmPhase.FINISHED, 400, 399))).taken())
                .isEqualTo("400 of 400 steps");
    }

    @Test
    void anArmThatEndedEarlyCountsAsDone() {
        RunProgress progress = RunProgress.of(List.of(arm(ArmPhase.DIVERGED, 400, 9), arm(ArmPhase.RUNNING, 400, 199)));
        assertThat(progress.share()).isEqualTo((1 + 0.5) / 2);
        assertThat(progress.slowest()).isEqualTo(200);
        assertThat(progress.left()).contains(Duration.ofMillis(200));
    }

    @Test
    void theTimeLeftIsNotGuessedWhileAnArmHasNotTakenAStep() {
        Arm starting = new Arm("pre_ln", 1, ArmPhase.STARTING, "", Optional.empty());
        RunProgress progress = RunProgress.of(List.of(arm(ArmPhase.RUNNING, 400, 99), starting));
        assertThat(progress.left()).isEmpty();
        assertThat(progress.share()).isEqualTo(0.125);
    }

    @Test
    void onlyAnArmThatRunsHasASpeed() {
        // 512 tokens a step of 1 ms
        assertThat(arm(ArmPhase.RUNNING, 400, 99).tokensPerSecond()).isEqualTo(512_000);
        assertThat(arm(ArmPhase.PAUSED, 400, 99).tokensPerSecond()).isZero();
    }

    @Test
    void anArmNamedAfterItsSchemeIsShownByTheNameReadersKnow() {
        assertThat(arm(ArmPhase.RUNNING, 400, 9).title()).isEqualTo("Keel");
        assertThat(new Arm("my keel", 0, ArmPhase.RUNNING, "", Optional.empty()).title()).isEqualTo("my keel");
    }
}
