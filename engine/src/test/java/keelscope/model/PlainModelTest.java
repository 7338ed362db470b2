package keelscope.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The step program equals the plain implementation: loss, every gradient norm, and the course of training. */
class PlainModelTest {

    private static final int[] IDS = {1, 2, 1, 9, 7, 4, 10, 12, 10, 0, 4, 12, 0, 3};
    private static final int[] TARGETS = {2, 1, 9, 7, 4, 10, 11, 10, 0, 4, 12, 0, 3, 12};

    @ParameterizedTest
    @EnumSource(Scheme.class)
    void theStepProgramEqualsIt(Scheme scheme) {
        Architecture model = new Architecture(scheme, 8, 16, 2, 24, 13, Double.NaN, false);
        try (StepProgram program =
                        StepProgram.create(model, 7, Device.cpu(), DataType.FLOAT64, Initializer::referenceValues);
                PlainModel plain = new PlainModel(model, DataType.FLOAT64, Initializer::referenceValues)) {
            List<String> names = model.parameters().stream().map(Architecture.Parameter::name).toList();
            for (int step = 0; step < 4; step++) {
                StepSettings settings = new StepSettings(3e-3, 0.9, 0.95, 1e-8, 0.01, 1, step + 1L, true, false);
                StepResult fast = program.step(IDS, TARGETS, 1, 2, settings);
                PlainModel.Result slow = plain.step(IDS, TARGETS, 2, settings);
                assertThat(fast.loss()).isCloseTo(slow.loss(), within(1e-8));
                assertThat(fast.gradNorm()).isCloseTo(slow.gradNorm(), within(1e-7));
                for (int i = 0; i < names.size(); i++) {
                    double expected = slow.gradNorms().get(names.get(i));
                    // the program's norms are float32
                    assertThat((double) fast.parameterGradNorms()[i]).as(names.get(i)).isCloseTo(expected, within(1e-6 * (1 + expected)));
                }
            }
        }
    }
}
