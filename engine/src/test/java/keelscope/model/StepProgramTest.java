package keelscope.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import keelscope.model.Architecture.Parameter;
import keelscope.runfile.Measure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StepProgramTest {

    private static final int BATCH = 2;
    private static final int[] IDS = {1, 2, 1, 9, 7, 4, 10, 12, 10, 0, 4, 12, 0, 3};
    private static final int[] TARGETS = {2, 1, 9, 7, 4, 10, 11, 10, 0, 4, 12, 0, 3, 12};

    private static Architecture tiny(Scheme scheme, boolean trainedAlpha) {
        return new Architecture(scheme, 8, 16, 2, 24, 13, Double.NaN, trainedAlpha);
    }

    private static StepProgram program(Architecture model, DataType type, Function<Parameter, float[]> values) {
        return StepProgram.create(model, 7, Device.cpu(), type, values);
    }

    private static StepSettings measureOnly(boolean watch) {
        return new StepSettings(0, 0.9, 0.95, 1e-8, 0, 1, 1, false, watch);
    }

    private static StepSettings update(int step, boolean watch) {
        return new StepSettings(3e-3, 0.9, 0.95, 1e-8, 0.01, 1, step + 1L, true, watch);
    }

    /** The gradient is read as AdamW's first moment after a step with β₁ = 0 and no clipping: exp_avg = 1 · gradient. */
    @ParameterizedTest
    @EnumSource(Scheme.class)
    void gradientsAgreeWithFiniteDifferences(Scheme scheme) {
        checkGradients(tiny(scheme, false));
    }

    @Test
    void theGradientOfATrainedAlphaAgreesWithFiniteDifferences() {
        Architecture model = tiny(Scheme.KEEL, true);
        assertThat(model.parameters()).filteredOn(p -> p.kind() == Architecture.Kind.ALPHA).hasSize(6);
        checkGradients(model);
    }

    private static void checkGradients(Architecture model) {
        try (StepProgram program = program(model, DataType.FLOAT64, Initializer::referenceValues)) {
            program.step(IDS, TARGETS, 1, BATCH, new StepSettings(0, 0, 0, 1e-8, 0, 1e30, 1, true, false));
            for (Parameter parameter : model.parameters()) {
                int place = (int) (parameter.size() * 5 / 8);
                double gradient = program.read(StepProgram.State.EXP_AVG, parameter).asDoubleBuffer().get(place);
                double numeric = slope(program, parameter, place);
                assertThat(gradient).as(parameter.name()).isCloseTo(numeric, within(1e-7 + 1e-5 * Math.abs(numeric)));
            }
        }
    }

    /** Central difference of the loss in one element of one parameter. */
    private static double slope(StepProgram program, Parameter parameter, int place) {
        double step = 0x1p-14;
        ByteBuffer start = program.read(StepProgram.State.VALUE, parameter);
        double[] loss = new double[2];
        for (int side = 0; side < 2; side++) {
            ByteBuffer moved = ByteBuffer.allocateDirect(start.capacity()).order(start.order());
            moved.duplicate().put(start.duplicate());
            double value = moved.getDouble(place * Double.BYTES);
            moved.putDouble(place * Double.BYTES, side == 0 ? value - step : value + step);
            program.write(StepProgram.State.VALUE, parameter, moved);
            loss[side] = program.evaluate(IDS, TARGETS, BATCH, -1).loss();
        }
        program.write(StepProgram.State.VALUE, parameter, start);
        return (loss[1] - loss[0]) / (2 * step);
    }

    @Test
    void highwayStartsAsKeelFromTheThirdSubLayerOn() {
        // The first block is made to add nothing (wo = w2 = 0), so that both schemes bring the same x_2 to the sub-layers l ≥ 2,
        // where outer() removes the scale in which the two differ.
        Function<Parameter, float[]> start = parameter -> parameter.name().matches("blocks\\.0\\.(attention\\.wo|feed_forward\\.w2).*")
                ? new float[(int) parameter.size()]
                : Initializer.values(parameter, 7);
        try (StepProgram keel = program(tiny(Scheme.KEEL, false), DataType.FLOAT64, start);
                StepProgram highway = program(tiny(Scheme.HIGHWAY, false), DataType.FLOAT64, start)) {
            float[] expected = keel.predict(IDS, BATCH);
            float[] actual = highway.predict(IDS, BATCH);
            for (int i = 0; i < expected.length; i++) {
                // Not to the last digit: ε in the norm weighs more on the highway's smaller sums.
                assertThat(actual[i]).isCloseTo(expected[i], within(1e-4f));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Scheme.class)
    void watchingChangesNoNumber(Scheme scheme) {
        assertThat(losses(scheme, true)).isEqualTo(losses(scheme, false));
    }

    @ParameterizedTest
    @EnumSource(Scheme.class)
    void gradientsByHandAreThoseOfAutograd(Scheme scheme) {
        Architecture model = tiny(scheme, scheme == Scheme.KEEL);
        try (StepProgram hand = program(model, DataType.FLOAT64, Initializer::referenceValues);
                StepProgram autograd = program(model, DataType.FLOAT64, Initializer::referenceValues).byAutograd()) {
            StepResult expected = autograd.step(IDS, TARGETS, 1, BATCH, update(0, true));
            StepResult actual = hand.step(IDS, TARGETS, 1, BATCH, update(0, true));
            assertThat(actual.parameterGradNorms()).containsExactly(expected.parameterGradNorms(), within(1e-6f));
            assertThat(actual.layers().keySet()).isEqualTo(expected.layers().keySet());
            actual.layers().forEach((measure, values) ->
                    assertThat(values).as(measure.id()).containsExactly(expected.layers().get(measure), within(2e-6f)));
        }
    }

    @ParameterizedTest
    @CsvSource({"KEEL, 1", "KEEL, 3", "PRE_LN, 2", "HIGHWAY, 2"})
    void recomputingActivationsChangesNoNumber(Scheme scheme, int blocks) {
        Architecture model = tiny(scheme, false);
        try (StepProgram kept = program(model, DataType.FLOAT32, Initializer::referenceValues);
                StepProgram recomputed = program(model, DataType.FLOAT32, Initializer::referenceValues)) {
            recomputed.recompute(blocks);
            for (int step = 0; step < 3; step++) {
                StepResult expected = kept.step(IDS, TARGETS, 1, BATCH, update(step, true));
                StepResult actual = recomputed.step(IDS, TARGETS, 1, BATCH, update(step, true));
                assertThat(actual.loss()).isEqualTo(expected.loss());
                assertThat(actual.parameterGradNorms()).isEqualTo(expected.parameterGradNorms());
                actual.layers().forEach((measure, values) -> assertThat(values).as(measure.id()).isEqualTo(expected.layers().get(measure)));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"HYBRID_NORM, 1", "KEEL, 2", "MIX_LN, 1", "HIGHWAY, 3"})
    void recomputingUnderAutogradChangesNoNumberButForRounding(Scheme scheme, int blocks) {
        Architecture model = tiny(scheme, scheme == Scheme.KEEL);
        try (StepProgram kept = program(model, DataType.FLOAT64, Initializer::referenceValues).byAutograd();
                StepProgram recomputed = program(model, DataType.FLOAT64, Initializer::referenceValues).byAutograd()) {
            recomputed.recompute(blocks);
            for (int step = 0; step < 3; step++) {
                StepResult expected = kept.step(IDS, TARGETS, 1, BATCH, update(step, true));
                StepResult actual = recomputed.step(IDS, TARGETS, 1, BATCH, update(step, true));
                assertEqualButForRounding(actual, expected);
            }
        }
    }

    private static void assertEqualButForRounding(StepResult actual, StepResult expected) {
        assertThat(actual.loss()).isCloseTo(expected.loss(), within(1e-12));
        assertThat(actual.gradNorm()).isCloseTo(expected.gradNorm(), within(1e-10));
        assertThat(actual.parameterGradNorms()).containsExactly(expected.parameterGradNorms(), within(1e-6f));
        assertThat(actual.layers().keySet()).isEqualTo(expected.layers().keySet());
        actual.layers().forEach((measure, values) ->
                assertThat(values).as(measure.id()).containsExactly(expected.layers().get(measure), within(1e-6f)));
    }

    @Test
    void inBfloat16TheNumbersAreThoseOfFloat32ToItsPrecision() {
        Architecture model = tiny(Scheme.KEEL, false);
        try (StepProgram full = program(model, DataType.FLOAT32, Initializer::referenceValues);
                StepProgram half =
                        StepProgram.create(model, 7, Device.cpu(), DataType.FLOAT32, true, Initializer::referenceValues)) {
            StepResult expected = full.step(IDS, TARGETS, 1, BATCH, measureOnly(true));
            StepResult actual = half.step(IDS, TARGETS, 1, BATCH, measureOnly(true));
            assertThat(actual.loss()).isNotEqualTo(expected.loss());
            // bfloat16 keeps 8 bits of a number: 2⁻⁸ = 0.004
            assertThat(actual.loss()).isCloseTo(expected.loss(), within(0.02));
            assertThat(actual.gradNorm()).isCloseTo(expected.gradNorm(), within(0.02 * expected.gradNorm()));
        }
    }

    @Test
    void theSameSeedGivesTheSameNumbers() {
        assertThat(losses(Scheme.KEEL, false)).isEqualTo(losses(Scheme.KEEL, false));
    }

    private static List<Double> losses(Scheme scheme, boolean watch) {
        List<Double> losses = new ArrayList<>();
        try (StepProgram program = program(tiny(scheme, false), DataType.FLOAT32, p -> Initializer.values(p, 1))) {
            for (int step = 0; step < 6; step++) {
                StepResult result = program.step(IDS, TARGETS, 1, BATCH, update(step, watch));
                losses.add(result.loss());
                losses.add(result.gradNorm());
            }
        }
        return losses;
    }

    @Test
    void twoMicroBatchesGiveTheGradientOfTheirUnion() {
        try (StepProgram program = program(tiny(Scheme.KEEL, false), DataType.FLOAT64, Initializer::referenceValues)) {
            StepResult whole = program.step(IDS, TARGETS, 1, 2, measureOnly(false));
            StepResult halves = program.step(IDS, TARGETS, 2, 1, measureOnly(false));
            assertThat(halves.loss()).isCloseTo(whole.loss(), within(1e-9));
            assertThat(halves.gradNorm()).isCloseTo(whole.gradNorm(), within(1e-9));
        }
    }

    /** Three sequences on two threads: shares of unequal size, one of them with targets that do not count. */
    @ParameterizedTest
    @EnumSource(Scheme.class)
    void threadsThatShareABatchChangeNoNumberButForRounding(Scheme scheme) {
        Architecture model = tiny(scheme, scheme == Scheme.KEEL);
        int micro = 2;
        int batch = 3;
        int[] ids = new Random(5).ints(micro * batch * 7L, 0, 13).toArray();
        int[] targets = new Random(6).ints(ids.length, 0, 13).toArray();
        Arrays.fill(targets, 16, 26, -100);
        try (StepProgram alone = program(model, DataType.FLOAT64, Initializer::referenceValues);
                StepProgram shared = program(model, DataType.FLOAT64, Initializer::referenceValues)) {
            for (int threads = 2; threads <= 4; threads++) {
                shared.useThreads(threads);
                StepResult expected = alone.step(ids, targets, micro, batch, update(threads, true));
                StepResult actual = shared.step(ids, targets, micro, batch, update(threads, true));
                assertEqualButForRounding(actual, expected);
            }
            assertThat(shared.evaluate(ids, targets, micro * batch, -1).loss())
                    .isCloseTo(alone.evaluate(ids, targets, micro * batch, -1).loss(), within(1e-10));
        } finally {
            JniUtils.setNumThreads(1);
        }
    }

    @Test
    void theSameNumberOfThreadsGivesTheSameNumbers() {
        Architecture model = tiny(Scheme.KEEL, false);
        List<List<Double>> runs = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            List<Double> losses = new ArrayList<>();
            try (StepProgram program = program(model, DataType.FLOAT32, p -> Initializer.values(p, 1))) {
                program.useThreads(2);
                for (int step = 0; step < 20; step++) {
                    StepResult result = program.step(IDS, TARGETS, 1, BATCH, update(step, step % 3 == 0));
                    losses.add(result.loss());
                    losses.add(result.gradNorm());
                }
            } finally {
                JniUtils.setNumThreads(1);
            }
            runs.add(losses);
        }
        assertThat(runs.get(0)).isEqualTo(runs.get(1));
    }

    /** In float32, so by oneDNN where the processor is one for it, against float64, which is always PyTorch's own product. */
    @ParameterizedTest
    @CsvSource({"128", "512"})
    void largeProductsAreExactToTheirPrecision(int tokens) {
        Architecture model = new Architecture(Scheme.KEEL, 4, 128, 2, 344, 13, Double.NaN, false);
        int[] ids = new Random(5).ints(tokens, 0, 13).toArray();
        int[] targets = new Random(6).ints(tokens, 0, 13).toArray();
        try (StepProgram exact = StepProgram.create(model, 64, Device.cpu(), DataType.FLOAT64, p -> Initializer.values(p, 1));
                StepProgram fast = StepProgram.create(model, 64, Device.cpu(), DataType.FLOAT32, p -> Initializer.values(p, 1))) {
            StepResult expected = exact.step(ids, targets, 1, tokens / 64, measureOnly(false));
            StepResult actual = fast.step(ids, targets, 1, tokens / 64, measureOnly(false));
            assertThat(actual.loss()).isCloseTo(expected.loss(), within(1e-5));
            for (int i = 0; i < expected.parameterGradNorms().length; i++) {
                float norm = expected.parameterGradNorms()[i];
                assertThat(actual.parameterGradNorms()[i]).isCloseTo(norm, within(1e-4f * norm));
            }
        }
    }

    @Test
    void aStepWhoseLossIsNotFiniteChangesNothing() {
        Architecture model = tiny(Scheme.PRE_LN, false);
        Parameter output = model.parameters().get(model.parameters().size() - 1);
        try (StepProgram program = program(model, DataType.FLOAT32, p -> {
            float[] values = Initializer.values(p, 1);
            if (p.name().equals(output.name())) {
                values[3] = Float.POSITIVE_INFINITY;
            }
            return values;
        })) {
            Parameter embedding = model.parameters().get(0);
            var before = program.read(StepProgram.State.VALUE, embedding);
            StepResult result = program.step(IDS, TARGETS, 1, BATCH, update(0, false));
            assertThat(result.loss()).isNaN();
            assertThat(program.read(StepProgram.State.VALUE, embedding)).isEqualTo(before);
        }
    }

    @Test
    void evaluationIsTheLossOfTheSameBatch() {
        try (StepProgram program = program(tiny(Scheme.KEEL, false), DataType.FLOAT64, Initializer::referenceValues)) {
            double loss = program.step(IDS, TARGETS, 1, BATCH, measureOnly(false)).loss();
            Evaluation evaluation = program.evaluate(IDS, TARGETS, BATCH, -1);
            assertThat(evaluation.loss()).isCloseTo(loss, within(1e-12));
            assertThat(evaluation.count()).isEqualTo(TARGETS.length);
            int[] masked = TARGETS.clone();
            Arrays.fill(masked, 0, 10, -100);
            assertThat(program.evaluate(IDS, masked, BATCH, -1).count()).isEqualTo(4);
        }
    }

    @Test
    void aSkippedSubLayerPassesItsInputOn() {
        // With wo = 0 attention adds nothing in Pre-LN, so leaving that sub-layer out changes nothing; leaving out another does.
        Architecture model = tiny(Scheme.PRE_LN, false);
        try (StepProgram program = program(model, DataType.FLOAT64, p -> p.name().equals("blocks.1.attention.wo.weight")
                ? new float[(int) p.size()]
                : Initializer.referenceValues(p))) {
            double whole = program.evaluate(IDS, TARGETS, BATCH, -1).loss();
            assertThat(program.evaluate(IDS, TARGETS, BATCH, 2).loss()).isEqualTo(whole);
            assertThat(program.evaluate(IDS, TARGETS, BATCH, 3).loss()).isNotEqualTo(whole);
        }
    }

    @Test
    void stateWrittenIsStateRead() {
        Architecture model = tiny(Scheme.KEEL, false);
        try (StepProgram one = program(model, DataType.FLOAT32, p -> Initializer.values(p, 1));
                StepProgram two = program(model, DataType.FLOAT32, p -> Initializer.values(p, 2))) {
            one.step(IDS, TARGETS, 1, BATCH, update(0, false));
            for (Parameter parameter : model.parameters()) {
                for (StepProgram.State state : StepProgram.State.values()) {
                    two.write(state, parameter, one.read(state, parameter));
                    assertThat(two.read(state, parameter)).isEqualTo(one.read(state, parameter));
                }
            }
            StepResult first = one.step(IDS, TARGETS, 1, BATCH, update(1, false));
            StepResult second = two.step(IDS, TARGETS, 1, BATCH, update(1, false));
            assertThat(second.loss()).isEqualTo(first.loss());
            assertThat(second.gradNorm()).isEqualTo(first.gradNorm());
        }
    }

    /** Spec section 2: embedding and output V·D each, D for the last norm, per block 4·D² + 3·D·F, and D a norm. */
    @ParameterizedTest
    @CsvSource({"PRE_LN, 8", "POST_LN, 8", "KEEL, 15", "DEEPNORM, 8", "MIX_LN, 8", "KEEL_NO_INNER, 7", "KEEL_SCALED_NORM, 23"})
    void parametersAreCountedByTheFormula(String scheme, int norms) {
        Architecture model = tiny(Scheme.of(scheme.toLowerCase(Locale.ROOT)).orElseThrow(), false);
        assertThat(model.parameterCount()).isEqualTo(2 * 13 * 16 + 16 + 4 * (4 * 16 * 16 + 3 * 16 * 24) + norms * 16L);
    }

    @Test
    void transportIsTheProductOfTheFactorsAbove() {
        try (StepProgram program = program(tiny(Scheme.POST_LN, false), DataType.FLOAT64, Initializer::referenceValues)) {
            StepResult result = program.step(IDS, TARGETS, 1, BATCH, measureOnly(true));
            float[] factor = result.layers().get(Measure.RESIDUAL_FACTOR);
            double product = 1;
            for (float f : factor) {
                product *= f;
            }
            assertThat(result.layers().get(Measure.HIGHWAY_TRANSPORT)[0]).isCloseTo((float) product, within(1e-6f));
            assertThat(result.layers().get(Measure.ACTIVATION_GRAD_NORM)).hasSize(9);
            assertThat(result.layers().get(Measure.CARRY_GATE_MIN)[3]).isLessThanOrEqualTo(result.layers().get(Measure.CARRY_GATE_P05)[3]);
        }
    }
}
