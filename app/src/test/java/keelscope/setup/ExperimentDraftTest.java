package keelscope.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import keelscope.data.Task;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.DataSpec;
import keelscope.experiment.DivergenceRule;
import keelscope.experiment.Experiment;
import keelscope.experiment.MeasureSpec;
import keelscope.experiment.ModelSpec;
import keelscope.experiment.TaskSpec;
import keelscope.experiment.TrainingChange;
import keelscope.experiment.TrainingSpec;
import keelscope.model.Scheme;
import org.junit.jupiter.api.Test;

class ExperimentDraftTest {
    private static final TrainingChange DECAYS_MORE = change(OptionalInt.of(70), OptionalInt.empty(), OptionalDouble.of(0.5));

    private static final Experiment WHOLE = new Experiment(
            "all of it",
            7,
            "cpu",
            2,
            new ModelSpec(6, 32, 2, 100),
            new DataSpec("sample", 0.1, 3, 16),
            new TrainingSpec(50, 4e-3, 5, 1e-5, 0.8, 0.9, 1e-7, 0.02, 2, 3, TrainingSpec.Precision.TF32, TrainingSpec.Recompute.ON, 20, 4),
            new MeasureSpec(3, 10, 2),
            List.of(
                    new ArmSpec("deep keel", Scheme.KEEL, OptionalDouble.of(2.5), OptionalDouble.empty()),
                    new ArmSpec("own", Scheme.KEEL, OptionalDouble.of(3), OptionalDouble.empty(), true,
                            DECAYS_MORE),
                    new ArmSpec("pre_ln", Scheme.PRE_LN, OptionalDouble.empty(), OptionalDouble.of(1e-7 * 200))),
            true,
            DivergenceRule.DEFAULT.with(Map.of("patience_min", 7)));

    private final ExperimentDraft draft = new ExperimentDraft();

    @Test
    void givesBackTheExperimentThatWasLoadedIncludingWhatIsNotOnScreen() {
        draft.load(WHOLE);
        assertThat(draft.check().problems()).isEmpty();
        assertThat(draft.check().experiment()).contains(WHOLE);
    }

    @Test
    void aTaskIsKeptUntilATextIsNamed() {
        Experiment task = new Experiment(
                "a task", 1, "cpu", 1, WHOLE.model(), new DataSpec(new TaskSpec(Task.PERMUTATIONS), 0.1, 4, 24),
                WHOLE.training(), WHOLE.measure(), WHOLE.arms());
        draft.load(task);
        assertThat(draft.check().experiment()).contains(task);
        draft.value(Field.BATCH).set("8");
        assertThat(draft.check().experiment().orElseThrow().data()).isEqualTo(task.data().withBatches(8, 24));
        draft.value(Field.TEXT).set("sample");
        assertThat(draft.check().experiment().orElseThrow().data()).isEqualTo(new DataSpec("sample", 0.1, 8, 24));
    }

    @Test
    void aNewWidthTakesTheDefaultHiddenWidth() {
        draft.load(WHOLE);
        draft.value(Field.WIDTH).set("64");
        assertThat(draft.check().experiment().orElseThrow().model()).isEqualTo(new ModelSpec(6, 64, 2));
    }

    @Test
    void zeroLayersAreRefusedUnderTheNameOnScreen() {
        draft.load(WHOLE);
        draft.value(Field.LAYERS).set("0");
        assertThat(draft.check().experiment()).isEmpty();
        assertThat(draft.check().problems()).containsOnlyKeys("model.layers");
        assertThat(draft.check().problems().get("model.layers")).startsWith("Layers (L) is 0; allowed is ");
    }

    @Test
    void everySettingAtFaultIsNamedAtOnce() {
        draft.load(WHOLE);
        draft.value(Field.NAME).set(" ");
        draft.value(Field.TEXT).set("");
        draft.value(Field.LAYERS).set("three");
        draft.value(Field.HEADS).set("3");
        draft.value(Field.BATCH).set("0");
        draft.value(Field.LENGTH).set("-1");
        draft.value(Field.STEPS).set("");
        draft.value(Field.PEAK_LR).set("0");
        draft.value(Field.SEED).set("1.5");
        draft.value(Field.DEVICE).set("tpu");
        draft.arms().get(0).alphaProperty().set("-2");
        draft.arms().get(1).peakLrProperty().set("fast");
        assertThat(draft.check().problems())
                .containsOnlyKeys(
                        "name",
                        "data.text",
                        "model.layers",
                        "model.heads",
                        "data.batch",
                        "data.sequence",
                        "training.steps",
                        "training.peak_lr",
                        "seed",
                        "device",
                        "arms[0].alpha",
                        "arms[1].peak_lr");
        assertThat(draft.check().problems().values()).allSatisfy(sentence -> assertThat(sentence)
                .endsWith(".")
                .doesNotContain("d_model")
                .doesNotContain("training.")
                .doesNotContain("data.")
                .doesNotContain("arms["));
    }

    @Test
    void anEditOfTheRecipeReachesAnArmThatDiffersInOtherThings() {
        draft.load(WHOLE);
        draft.value(Field.PEAK_LR).set("0.02");
        Experiment experiment = draft.check().experiment().orElseThrow();
        TrainingSpec own = experiment.recipe(experiment.arms().get(1));
        assertThat(own.peakLr()).isEqualTo(0.02);
        assertThat(own.steps()).isEqualTo(70);
        assertThat(own.weightDecay()).isEqualTo(0.5);
        assertThat(own.warmup()).as("a tenth of its own steps, as in the experiment").isEqualTo(7);
    }

    @Test
    void aRecipeThatAnArmCannotFollowIsRefusedAtTheArm() {
        TrainingChange longWarmup = change(OptionalInt.empty(), OptionalInt.of(30), OptionalDouble.empty());
        ArmSpec slow = new ArmSpec("slow", Scheme.KEEL, OptionalDouble.empty(), OptionalDouble.empty(), false, longWarmup);
        draft.load(new Experiment(
                "Slow", 1, "cpu", 1, WHOLE.model(), WHOLE.data(), WHOLE.training(), WHOLE.measure(), List.of(slow)));
        assertThat(draft.check().problems()).isEmpty();
        draft.value(Field.STEPS).set("20");
        assertThat(draft.check().problems()).containsOnlyKeys("arms[0].training.warmup");
        assertThat(draft.check().problems().get("arms[0].training.warmup")).startsWith("Arm 1, training.warmup is 30; allowed is ");
    }

    @Test
    void anExperimentWithoutArmsIsRefused() {
        draft.load(WHOLE);
        draft.arms().clear();
        assertThat(draft.check().problems()).containsOnlyKeys("arms");
    }

    @Test
    void alphaTypedForAnArmThatBecomesAnotherSchemeIsLeftOut() {
        draft.load(WHOLE);
        draft.arms().get(0).schemeProperty().set(Scheme.POST_LN);
        Experiment experiment = draft.check().experiment().orElseThrow();
        assertThat(experiment.arms().get(0))
                .isEqualTo(new ArmSpec("post_ln", Scheme.POST_LN, OptionalDouble.empty(), OptionalDouble.empty()));
    }

    @Test
    void twoArmsOfOneSchemeGetDifferentNames() {
        draft.load(WHOLE);
        draft.arms().add(new ArmDraft(Scheme.PRE_LN));
        assertThat(draft.check().experiment().orElseThrow().arms())
                .extracting(ArmSpec::name)
                .doesNotHaveDuplicates()
                .contains("pre_ln");
    }

    @Test
    void aDecimalCommaIsUnderstood() {
        draft.load(WHOLE);
        draft.value(Field.PEAK_LR).set("0,25");
        assertThat(draft.check().experiment().orElseThrow().training().peakLr()).isEqualTo(0.25);
    }

    @Test
    void aRelativeTextIsResolvedAgainstTheWorkingDirectory() {
        assertThat(ExperimentDraft.resolved("books/moby.txt"))
                .isEqualTo(Path.of("").toAbsolutePath().resolve("books/moby.txt").toString());
        assertThat(ExperimentDraft.resolved("sample")).isEqualTo("sample");
    }

    private static TrainingChange change(OptionalInt steps, OptionalInt warmup, OptionalDouble weightDecay) {
        return new TrainingChange(
                steps, OptionalDouble.empty(), warmup, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(),
                OptionalDouble.empty(), weightDecay, OptionalDouble.empty(), OptionalInt.empty(), Optional.empty(), Optional.empty(),
                OptionalInt.empty(), OptionalInt.empty());
    }
}
