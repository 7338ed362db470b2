package keelscope.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.OptionalDouble;
import keelscope.data.Task;
import keelscope.model.Scheme;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpecTest {
    private static final ModelSpec MODEL = new ModelSpec(4, 16, 2);
    private static final DataSpec DATA = new DataSpec("sample", 0.05, 2, 8);
    private static final TrainingSpec TRAINING = new TrainingSpec(10, 1e-3, 1);

    private static void refuses(String key, ThrowingCallable making) {
        InvalidExperimentException e = catchThrowableOfType(InvalidExperimentException.class, making);
        assertThat(e).as(key + " refused").isNotNull();
        assertThat(e.key()).isEqualTo(key);
        assertThat(e.getMessage()).startsWith(key + " ").endsWith(".").doesNotContain("\n");
    }

    private static ArmSpec arm(String name) {
        return new ArmSpec(name, Scheme.KEEL, OptionalDouble.empty(), OptionalDouble.empty());
    }

    private static Experiment experiment(String name, String device, int threads, List<ArmSpec> arms) {
        return new Experiment(name, 1, device, threads, MODEL, DATA, TRAINING, MeasureSpec.defaults(), arms);
    }

    @Test
    void layersAreEvenAndAtLeastTwo() {
        for (int layers : new int[] {-2, 0, 1, 7, 65537, Integer.MIN_VALUE}) {
            refuses("model.layers", () -> new ModelSpec(layers, 16, 2));
        }
        assertThat(new ModelSpec(1024, 16, 2).blocks()).isEqualTo(512);
    }

    @Test
    void headsDivideTheWidthIntoEvenHeads() {
        refuses("model.heads", () -> new ModelSpec(4, 16, 0));
        refuses("model.heads", () -> new ModelSpec(4, 16, 3));
        refuses("model.heads", () -> new ModelSpec(4, 16, 16));
        refuses("model.heads", () -> new ModelSpec(4, 15, 3));
        refuses("model.d_model", () -> new ModelSpec(4, 0, 1));
        refuses("model.ff_hidden", () -> new ModelSpec(4, 16, 2, 0));
        assertThat(new ModelSpec(4, 16, 8).headSize()).isEqualTo(2);
    }

    @Test
    void dataHoldsOutASharePositiveAndAtMostHalf() {
        for (double share : new double[] {0, -0.1, 0.51, Double.NaN, Double.POSITIVE_INFINITY}) {
            refuses("data.validation_share", () -> new DataSpec("sample", share, 2, 8));
        }
        refuses("data.batch", () -> new DataSpec("sample", 0.1, 0, 8));
        refuses("data.sequence", () -> new DataSpec("sample", 0.1, 1, 0));
        refuses("data.text", () -> new DataSpec(" ", 0.1, 1, 1));
        refuses("data.sequence", () -> new DataSpec(new TaskSpec(Task.LOOKUP, 4), 0.1, 1, 19));
        refuses("data.hops", () -> new TaskSpec(Task.LOOKUP, 0));
        refuses("data.batch", () -> new DataSpec("sample", 0.1, 65536, 1 << 20));
    }

    @Test
    void warmupIsShorterThanTheRun() {
        assertThatCode(() -> new TrainingSpec(1, 1e-3, 0)).doesNotThrowAnyException();
        refuses("training.warmup", () -> new TrainingSpec(10, 1e-3, 10));
        refuses("training.warmup", () -> new TrainingSpec(10, 1e-3, -1));
        refuses("training.steps", () -> new TrainingSpec(0, 1e-3, 0));
    }

    @Test
    void ratesArePositiveAndFinite() {
        for (double rate : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            refuses("training.peak_lr", () -> new TrainingSpec(10, rate, 1));
            refuses("peak_lr", () -> new ArmSpec("a", Scheme.PRE_LN, OptionalDouble.empty(), OptionalDouble.of(rate)));
            refuses("alpha", () -> new ArmSpec("a", Scheme.KEEL, OptionalDouble.of(rate), OptionalDouble.empty()));
            refuses("training.clip_norm", () -> new TrainingSpec(10, 1, 1, 0, 0.9, 0.95, 1e-8, 0, rate));
            refuses("training.adam_eps", () -> new TrainingSpec(10, 1, 1, 0, 0.9, 0.95, rate, 0, 1));
        }
        refuses("training.final_lr", () -> new TrainingSpec(10, 1, 1, 2, 0.9, 0.95, 1e-8, 0, 1));
        refuses("training.beta1", () -> new TrainingSpec(10, 1, 1, 0, 1, 0.95, 1e-8, 0, 1));
        refuses("training.beta2", () -> new TrainingSpec(10, 1, 1, 0, 0.9, -0.1, 1e-8, 0, 1));
        refuses("training.weight_decay", () -> new TrainingSpec(10, 1, 1, 0, 0.9, 0.95, 1e-8, -1, 1));
    }

    @Test
    void measuringHasAtLeastOneBatch() {
        refuses("measure.validation_batches", () -> new MeasureSpec(0, 0, 0));
        refuses("measure.probe_every", () -> new MeasureSpec(-1, 0, 1));
        refuses("measure.validate_every", () -> new MeasureSpec(0, -1, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ".", "..", "a/b", "a\\b", "a:b", ".hidden", "end.", "end ", " a", "NUL", "com1.txt", "é", "a\nb", "a*", "-o"})
    void anArmsNameThatCannotBeAFileNameIsRefused(String name) {
        refuses("name", () -> arm(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"keel", "keel-2", "a", "keel a", "lr=3e-3", "1.5", "A_b+c"})
    void anArmsNameMayBeAnyPlainFileName(String name) {
        assertThat(arm(name).name()).isEqualTo(name);
    }

    @Test
    void onlyKeelTakesAlpha() {
        refuses("alpha", () -> new ArmSpec("a", Scheme.PRE_LN, OptionalDouble.of(1), OptionalDouble.empty()));
        refuses("alpha", () -> new ArmSpec("a", Scheme.POST_LN, OptionalDouble.of(1), OptionalDouble.empty()));
    }

    @Test
    void aMixLnTooShallowForAPostLnBlockIsSaidToBePreLn() {
        ArmSpec mixed = new ArmSpec("mixed", Scheme.MIX_LN, OptionalDouble.empty(), OptionalDouble.empty());
        List<ArmSpec> arms = List.of(mixed, arm("a"));
        for (int layers : new int[] {2, 4, 6}) {
            assertThat(deep(layers, arms).remarks(arms)).singleElement().asString()
                    .startsWith("The arm mixed trains as pre_ln, since mix_ln (")
                    .endsWith(") with model.layers = " + layers + " is the same.");
        }
        assertThat(deep(8, arms).remarks(arms)).isEmpty();
    }

    private static Experiment deep(int layers, List<ArmSpec> arms) {
        return new Experiment("x", 1, "cpu", 1, new ModelSpec(layers, 16, 2, 40), DATA, TRAINING, MeasureSpec.defaults(), arms);
    }

    @Test
    void anExperimentHasArmsThatDifferInName() {
        refuses("arms", () -> experiment("x", "cpu", 1, List.of()));
        refuses("arms[2].name", () -> experiment("x", "cpu", 1, List.of(arm("a"), arm("b"), arm("A"))));
    }

    @Test
    void aDeviceIsAutoCpuOrAGpu() {
        for (String device : List.of("", "cuda", "GPU", "gpu:", "gpu:-1", "gpu:x", "cpu:0", "gpu:0 ")) {
            refuses("device", () -> experiment("x", device, 1, List.of(arm("a"))));
        }
        for (String device : List.of("auto", "cpu", "gpu", "gpu:0", "gpu:12")) {
            assertThat(experiment("x", device, 1, List.of(arm("a"))).device()).isEqualTo(device);
        }
        refuses("threads", () -> experiment("x", "cpu", -1, List.of(arm("a"))));
        refuses("name", () -> experiment(" ", "cpu", 1, List.of(arm("a"))));
        refuses("name", () -> experiment("a\nb", "cpu", 1, List.of(arm("a"))));
    }

    @Test
    void armsCannotBeChangedFromOutside() {
        List<ArmSpec> arms = new java.util.ArrayList<>(List.of(arm("a")));
        Experiment experiment = experiment("x", "cpu", 1, arms);
        arms.clear();
        assertThat(experiment.arms()).hasSize(1);
    }
}
