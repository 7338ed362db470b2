package keelscope.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LearningRateTest {

    /** {@code expected.training[].lr} of the reference vector keel-3: peak 3e-3, final 1e-7, warm-up 3, 12 steps. */
    private static final double[] KEEL_3 = {
        0.001, 0.002, 0.003, 0.003, 0.00290954195, 0.00264907836, 0.002250025, 0.00176051358, 0.00123958642, 0.000750075,
        0.000351021638, 9.05580535e-05
    };

    @Test
    void followsTheReferenceVector() {
        LearningRate lr = new LearningRate(3e-3, 1e-7, 3, 12);
        for (int step = 0; step < KEEL_3.length; step++) {
            assertThat(lr.at(step)).isCloseTo(KEEL_3[step], within(1e-8 * KEEL_3[step]));
        }
    }

    @Test
    void reachesItsPeakAtTheLastWarmUpStepAndHalfOfItMidway() {
        LearningRate lr = new LearningRate(1.0, 0.0, 10, 110);
        assertThat(lr.at(0)).isEqualTo(0.1);
        assertThat(lr.at(9)).isEqualTo(1.0);
        assertThat(lr.at(10)).isEqualTo(1.0);
        assertThat(lr.at(60)).isCloseTo(0.5, within(1e-15));
    }

    @Test
    void startsAtThePeakWithoutWarmUp() {
        assertThat(new LearningRate(3e-3, 1e-7, 0, 100).at(0)).isEqualTo(3e-3);
    }

    @Test
    void mayBeWarmUpAlone() {
        assertThat(new LearningRate(2.0, 0.0, 4, 4).at(3)).isEqualTo(2.0);
    }

    @Test
    void refusesWhatIsNotARecipe() {
        assertThatThrownBy(() -> new LearningRate(0, 0, 1, 10)).hasMessage("peak_lr is 0.0; it must be a number above 0.");
        assertThatThrownBy(() -> new LearningRate(Double.NaN, 0, 1, 10)).hasMessageStartingWith("peak_lr is NaN");
        assertThatThrownBy(() -> new LearningRate(1, -1, 1, 10)).hasMessageStartingWith("final_lr is -1.0");
        assertThatThrownBy(() -> new LearningRate(1, 0, 11, 10)).hasMessage("warmup is 11; it must lie from 0 to steps (10).");
        assertThatThrownBy(() -> new LearningRate(1, 0, 0, 0)).hasMessageStartingWith("steps is 0");
    }

    @Test
    void refusesAStepOutsideTheRun() {
        LearningRate lr = new LearningRate(1, 0, 1, 10);
        assertThatThrownBy(() -> lr.at(10)).hasMessage("step is 10; this run has the steps 0 to 9.");
        assertThatThrownBy(() -> lr.at(-1)).hasMessageStartingWith("step is -1");
    }
}
