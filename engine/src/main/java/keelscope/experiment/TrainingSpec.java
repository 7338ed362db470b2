package keelscope.experiment;

/**
 * The recipe (the paper's): AdamW with decoupled weight decay on 2-D parameters, clipping by total norm, linear
 * warm-up then cosine to {@code finalLr} at the last step.
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
        double clipNorm) {}
