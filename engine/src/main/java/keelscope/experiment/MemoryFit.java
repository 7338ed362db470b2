package keelscope.experiment;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether an experiment fits into memory, and what would make it fit; by {@link Estimate}. For training on the processor. */
public final class MemoryFit {

    private MemoryFit() {}

    /**
     * Refuses arms that cannot be trained side by side in {@code freeBytes}.
     *
     * @param arms those that run at once; their vocabulary is taken to be the usual one where it is not known yet
     * @throws InvalidExperimentException with the numbers and the nearest change that fits
     */
    public static void require(Experiment experiment, Collection<ArmSpec> arms, long freeBytes) {
        if (needed(experiment, arms) <= freeBytes) {
            return;
        }
        String many = arms.size() == 1 ? "Arm " + arms.iterator().next().name() + " needs" : arms.size() + " arms side by side need";
        String numbers = many + " about " + amount(needed(experiment, arms)) + " of memory and " + amount(freeBytes) + " are free";
        throw nearest(experiment, arms, freeBytes)
                .map(change -> new InvalidExperimentException(change.key, numbers + "; " + change.text + "."))
                .orElseGet(() -> new InvalidExperimentException("model.layers",
                        numbers + "; not even the smallest model of this width fits, so free some memory first."));
    }

    /**
     * How many blocks the backward pass of an arm should compute again at a time.
     *
     * @param vocabulary number of different tokens
     * @param freeBytes what this arm may take
     * @return 0 for none: where everything may be kept
     */
    public static int recompute(Experiment experiment, ArmSpec arm, int vocabulary, long freeBytes) {
        boolean again = switch (experiment.recipe(arm).recompute()) {
            case ON -> true;
            case OFF -> false;
            case AUTO -> Estimate.memoryBytes(experiment, arm, vocabulary, false) > freeBytes;
        };
        return again ? Estimate.segment(experiment.model()) : 0;
    }

    /** What would make it fit: the key to change, and how, as the second half of a sentence. */
    private record Change(String key, String text) {}

    /** The least loss of what was wanted first: time, then the size of a batch, at last the model. */
    private static Optional<Change> nearest(Experiment experiment, Collection<ArmSpec> arms, long free) {
        long recomputed = arms.stream().mapToLong(arm -> Estimate.memoryBytes(experiment, arm, true)).sum();
        if (recomputed <= free) {
            return Optional.of(new Change("training.recompute", "with training.recompute: auto it is " + amount(recomputed)));
        }
        if (arms.size() > 1) {
            long largest = arms.stream().mapToLong(arm -> needed(experiment, List.of(arm))).max().orElse(0);
            if (largest <= free) {
                return Optional.of(new Change("arms", "one after another it is " + amount(largest)));
            }
        }
        DataSpec data = experiment.data();
        for (int batch = data.batch() / 2; batch >= 1; batch /= 2) {
            Experiment smaller = with(experiment, experiment.model(), data.withBatches(batch, data.sequence()));
            if (needed(smaller, arms) <= free) {
                return Optional.of(new Change("data.batch", "with data.batch " + batch + " instead of " + data.batch() + " it is "
                        + amount(needed(smaller, arms)) + " (training.accumulate " + data.batch() / batch + " keeps the step as it is)"));
            }
        }
        ModelSpec model = experiment.model();
        DataSpec least = data.withBatches(1, data.sequence());
        for (int layers = model.layers() / 4 * 2; layers >= 2; layers = layers / 4 * 2) {
            Experiment smaller = with(experiment, new ModelSpec(layers, model.dModel(), model.heads(), model.ffHidden()), least);
            if (needed(smaller, arms) <= free) {
                return Optional.of(new Change("model.layers", "with data.batch 1 and model.layers " + layers + " instead of "
                        + model.layers() + " it is " + amount(needed(smaller, arms))));
            }
        }
        return Optional.empty();
    }

    /** With activations computed again where that is left to the program and they would not fit otherwise: the least there is. */
    private static long needed(Experiment experiment, Collection<ArmSpec> arms) {
        return arms.stream()
                .mapToLong(arm -> {
                    long kept = Estimate.memoryBytes(experiment, arm, false);
                    long recomputed = Estimate.memoryBytes(experiment, arm, true);
                    return switch (experiment.recipe(arm).recompute()) {
                        case ON -> recomputed;
                        case OFF -> kept;
                        case AUTO -> Math.min(kept, recomputed);
                    };
                })
                .sum();
    }

    private static Experiment with(Experiment e, ModelSpec model, DataSpec data) {
        return new Experiment(e.name(), e.seed(), e.device(), e.threads(), model, data, e.training(), e.measure(), e.arms(), e.lockstep(),
                e.divergence());
    }

    private static String amount(long bytes) {
        return bytes < 10_000_000_000L
                ? String.format(Locale.ROOT, "%.1f GB", bytes / 1e9)
                : String.format(Locale.ROOT, "%,.0f GB", bytes / 1e9);
    }
}
