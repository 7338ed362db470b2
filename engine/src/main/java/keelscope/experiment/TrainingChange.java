package keelscope.experiment;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import keelscope.experiment.TrainingSpec.Precision;
import keelscope.experiment.TrainingSpec.Recompute;

/**
 * What is different in an arm's recipe. A component left empty is as in the recipe of the experiment, whichever that is; their
 * meanings are those of {@link TrainingSpec}.
 */
public record TrainingChange(
        OptionalInt steps,
        OptionalDouble peakLr,
        OptionalInt warmup,
        OptionalDouble finalLr,
        OptionalDouble beta1,
        OptionalDouble beta2,
        OptionalDouble adamEps,
        OptionalDouble weightDecay,
        OptionalDouble clipNorm,
        OptionalInt accumulate,
        Optional<Precision> precision,
        Optional<Recompute> recompute,
        OptionalInt checkpointEvery,
        OptionalInt keepCheckpoints) {

    /** Nothing is different. */
    public static final TrainingChange NONE = new TrainingChange(
            OptionalInt.empty(), OptionalDouble.empty(), OptionalInt.empty(), OptionalDouble.empty(), OptionalDouble.empty(),
            OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), OptionalInt.empty(),
            Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalInt.empty());

    /** Everything is as {@code recipe} says, whatever the experiment's. */
    public static TrainingChange all(TrainingSpec recipe) {
        return new TrainingChange(
                OptionalInt.of(recipe.steps()),
                OptionalDouble.of(recipe.peakLr()),
                OptionalInt.of(recipe.warmup()),
                OptionalDouble.of(recipe.finalLr()),
                OptionalDouble.of(recipe.beta1()),
                OptionalDouble.of(recipe.beta2()),
                OptionalDouble.of(recipe.adamEps()),
                OptionalDouble.of(recipe.weightDecay()),
                OptionalDouble.of(recipe.clipNorm()),
                OptionalInt.of(recipe.accumulate()),
                Optional.of(recipe.precision()),
                Optional.of(recipe.recompute()),
                OptionalInt.of(recipe.checkpointEvery()),
                OptionalInt.of(recipe.keepCheckpoints()));
    }

    /** The same with this peak rate where there is one. */
    public TrainingChange withPeakLr(OptionalDouble rate) {
        return new TrainingChange(steps, rate.isPresent() ? rate : peakLr, warmup, finalLr, beta1, beta2, adamEps, weightDecay, clipNorm,
                accumulate, precision, recompute, checkpointEvery, keepCheckpoints);
    }

    /** The same with this warm-up where it has none. */
    TrainingChange orWarmup(int usual) {
        return new TrainingChange(steps, peakLr, OptionalInt.of(warmup.orElse(usual)), finalLr, beta1, beta2, adamEps, weightDecay, clipNorm,
                accumulate, precision, recompute, checkpointEvery, keepCheckpoints);
    }

    /**
     * The recipe that differs in this from {@code whole}. One that is longer or shorter warms up for the same share of its steps.
     *
     * @throws InvalidExperimentException if a value is not allowed
     */
    public TrainingSpec of(TrainingSpec whole) {
        int length = steps.orElse(whole.steps());
        return new TrainingSpec(
                length,
                peakLr.orElse(whole.peakLr()),
                warmup.orElse((int) ((long) whole.warmup() * length / whole.steps())),
                finalLr.orElse(whole.finalLr()),
                beta1.orElse(whole.beta1()),
                beta2.orElse(whole.beta2()),
                adamEps.orElse(whole.adamEps()),
                weightDecay.orElse(whole.weightDecay()),
                clipNorm.orElse(whole.clipNorm()),
                accumulate.orElse(whole.accumulate()),
                precision.orElse(whole.precision()),
                recompute.orElse(whole.recompute()),
                checkpointEvery.orElse(whole.checkpointEvery()),
                keepCheckpoints.orElse(whole.keepCheckpoints()));
    }

    /** What it says, by the words of YAML, in their order: numbers as they are, of choices the word. */
    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        steps.ifPresent(value -> values.put("steps", value));
        peakLr.ifPresent(value -> values.put("peak_lr", value));
        warmup.ifPresent(value -> values.put("warmup", value));
        finalLr.ifPresent(value -> values.put("final_lr", value));
        beta1.ifPresent(value -> values.put("beta1", value));
        beta2.ifPresent(value -> values.put("beta2", value));
        adamEps.ifPresent(value -> values.put("adam_eps", value));
        weightDecay.ifPresent(value -> values.put("weight_decay", value));
        clipNorm.ifPresent(value -> values.put("clip_norm", value));
        accumulate.ifPresent(value -> values.put("accumulate", value));
        precision.ifPresent(value -> values.put("precision", value.id()));
        recompute.ifPresent(value -> values.put("recompute", value.id()));
        checkpointEvery.ifPresent(value -> values.put("checkpoint_every", ExperimentFile.checkpointEvery(value)));
        keepCheckpoints.ifPresent(value -> values.put("keep_checkpoints", value));
        return values;
    }
}
