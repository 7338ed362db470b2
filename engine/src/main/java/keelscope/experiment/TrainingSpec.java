package keelscope.experiment;

/**
 * The recipe (the paper's): AdamW with decoupled weight decay on 2-D parameters, clipping by total norm, linear
 * warm-up then cosine to {@code finalLr} at the last step.
 *
 * @param steps number of optimiser steps
 * @param peakLr learning rate at the end of the warm-up, greater than 0
 * @param warmup steps of linear warm-up, from 0 (none) to steps − 1
 * @param finalLr learning rate at the last step, from 0 to {@code peakLr}
 * @param beta1 decay of AdamW's first moment, in [0, 1)
 * @param beta2 decay of AdamW's second moment, in [0, 1)
 * @param adamEps AdamW's ε, greater than 0
 * @param weightDecay at least 0
 * @param clipNorm total gradient norm above which gradients are scaled down, greater than 0
 */
public record TrainingSpec(
        int steps,
        double peakLr,
        int warmup,
        double finalLr,
        double beta1,
        double beta2,
        double adamEps,
        double weightDecay,
        double clipNorm) {
    private static final int MOST_STEPS = 1_000_000_000;

    /** @throws InvalidExperimentException if a value is not allowed */
    public TrainingSpec {
        Require.between("training.steps", steps, 1, MOST_STEPS);
        Require.positive("training.peak_lr", peakLr);
        if (warmup < 0 || warmup >= steps) {
            throw Require.refuse(
                    "training.warmup",
                    warmup,
                    "a whole number from 0 (no warm-up) to " + (steps - 1) + ", one less than training.steps");
        }
        Require.notNegative("training.final_lr", finalLr);
        if (finalLr > peakLr) {
            throw Require.refuse("training.final_lr", finalLr, "at most training.peak_lr (" + peakLr + ")");
        }
        beta("training.beta1", beta1);
        beta("training.beta2", beta2);
        Require.positive("training.adam_eps", adamEps);
        Require.notNegative("training.weight_decay", weightDecay);
        Require.positive("training.clip_norm", clipNorm);
    }

    /** The recipe with the defaults for all but its length and rate. */
    public TrainingSpec(int steps, double peakLr, int warmup) {
        this(
                steps,
                peakLr,
                warmup,
                Defaults.FINAL_LR,
                Defaults.BETA1,
                Defaults.BETA2,
                Defaults.ADAM_EPS,
                Defaults.WEIGHT_DECAY,
                Defaults.CLIP_NORM);
    }

    private static void beta(String key, double value) {
        if (!(value >= 0) || value >= 1) {
            throw Require.refuse(key, value, "a number of at least 0 and less than 1");
        }
    }
}
