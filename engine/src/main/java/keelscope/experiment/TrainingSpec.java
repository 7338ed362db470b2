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
 * @param accumulate micro-batches of {@code data.batch} rows whose gradients are averaged to one step, 1 or more
 * @param precision in what the matrix products are computed
 * @param recompute whether activations are kept for the backward pass or computed again
 * @param checkpointEvery steps from one checkpoint to the next; {@link #AT_END} for none but that at the end, {@link #AUTO} for
 *     one a minute or so
 * @param keepCheckpoints how many of the latest checkpoints are kept, besides the best
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
        double clipNorm,
        int accumulate,
        Precision precision,
        Recompute recompute,
        int checkpointEvery,
        int keepCheckpoints) {
    /** {@link #checkpointEvery} for a checkpoint at the end only. */
    public static final int AT_END = 0;
    /** {@link #checkpointEvery} for checkpoints by the clock, so that they cost next to nothing. */
    public static final int AUTO = -1;

    private static final int MOST_MICRO_BATCHES = 1 << 16;
    private static final int MOST_CHECKPOINTS = 1000;

    /** In what the matrix products and attention are computed; parameters, norms, optimiser and measures are float32 in any case. */
    public enum Precision {
        FLOAT32,
        /** On a GPU: float32 with the products' factors rounded to 10 bits of mantissa, where the card has it. */
        TF32,
        /** On a GPU: factors cast to bfloat16, as PyTorch's autocast does. */
        BF16;

        /** The word in YAML. */
        public String id() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Whether the backward pass computes the activations of a part of the layers again, which costs time and spares memory. */
    public enum Recompute {
        /** Where they would not fit into memory. */
        AUTO,
        ON,
        OFF;

        /** The word in YAML. */
        public String id() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** The longest run. */
    static final int MOST_STEPS = 1_000_000_000;

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
        Require.between("training.accumulate", accumulate, 1, MOST_MICRO_BATCHES);
        Require.present("training.precision", precision);
        Require.present("training.recompute", recompute);
        Require.between("training.checkpoint_every", checkpointEvery, AUTO, Integer.MAX_VALUE);
        Require.between("training.keep_checkpoints", keepCheckpoints, 1, MOST_CHECKPOINTS);
    }

    /** The recipe with the defaults for accumulation and checkpoints. */
    public TrainingSpec(
            int steps,
            double peakLr,
            int warmup,
            double finalLr,
            double beta1,
            double beta2,
            double adamEps,
            double weightDecay,
            double clipNorm) {
        this(
                steps,
                peakLr,
                warmup,
                finalLr,
                beta1,
                beta2,
                adamEps,
                weightDecay,
                clipNorm,
                Defaults.ACCUMULATE,
                Defaults.PRECISION,
                Defaults.RECOMPUTE,
                Defaults.CHECKPOINT_EVERY,
                Defaults.KEEP_CHECKPOINTS);
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
