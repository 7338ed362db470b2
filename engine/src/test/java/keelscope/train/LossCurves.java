package keelscope.train;

import java.util.Random;
import java.util.function.IntToDoubleFunction;

/**
 * Loss curves of each kind from stated formulas, in nats over steps s of a run of n steps.
 *
 * <p>Healthy is a power law above the data's entropy, H(s) = E + (S − E)·(1 + s/τ)^−a with S = 5.6 (a little above ln 256, where
 * byte models start), which is how losses of language models are known to fall (Kaplan et al. 2020; Hoffmann et al. 2022). Batch
 * noise is added: normal of deviation σ, or Student's t with 4 degrees of freedom scaled by σ, whose tails are far heavier.
 */
final class LossCurves {

    static final double START = 5.6;

    private LossCurves() {}

    /** E = entropy, exponent a, τ = 10 steps. */
    static IntToDoubleFunction healthy(double entropy, double exponent) {
        return s -> entropy + (START - entropy) * Math.pow(1 + s / 10.0, -exponent);
    }

    /** To {@code base} adds {@code height} at step {@code at}, falling off by half every {@code halfLife} steps. */
    static IntToDoubleFunction spike(IntToDoubleFunction base, int at, double height, double halfLife) {
        return s -> base.applyAsDouble(s) + (s < at ? 0 : height * Math.pow(2, -(s - at) / halfLife));
    }

    /** {@code base} until {@code at}, then towards {@code level} with a time constant of 5 steps, and there for ever. */
    static IntToDoubleFunction lost(IntToDoubleFunction base, int at, double level) {
        return s -> s < at ? base.applyAsDouble(s) : level + (base.applyAsDouble(at) - level) * Math.exp(-(s - at) / 5.0);
    }

    /** From S to {@code level} with the time constant {@code tau}, and there for ever. */
    static IntToDoubleFunction plateau(double level, double tau) {
        return s -> level + (START - level) * Math.exp(-s / tau);
    }

    static double[] normal(IntToDoubleFunction curve, int steps, double sigma, long seed) {
        Random random = new Random(seed);
        double[] losses = new double[steps];
        for (int s = 0; s < steps; s++) {
            losses[s] = curve.applyAsDouble(s) + sigma * random.nextGaussian();
        }
        return losses;
    }

    static double[] heavyTailed(IntToDoubleFunction curve, int steps, double sigma, long seed) {
        Random random = new Random(seed);
        double[] losses = new double[steps];
        for (int s = 0; s < steps; s++) {
            double squares = 0;
            for (int i = 0; i < 4; i++) {
                double g = random.nextGaussian();
                squares += g * g;
            }
            losses[s] = curve.applyAsDouble(s) + sigma * random.nextGaussian() / Math.sqrt(squares / 4);
        }
        return losses;
    }
}
