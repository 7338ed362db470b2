package keelscope.experiment;

import keelscope.model.Scheme;
import keelscope.model.Sharing;

/**
 * What an experiment will need, computed before it starts.
 *
 * @param parameters trained parameters of one arm
 * @param memoryBytes peak memory of one engine process, bytes
 * @param stepMs milliseconds a step of one arm on this machine, arms side by side; NaN where the speed is not known
 */
public record Estimate(long parameters, long memoryBytes, double stepMs) {
    /** Number of different tokens that is reckoned with where it is not known before the data are opened. */
    static final int USUAL_VOCABULARY = 256;

    /** Java, PyTorch and its libraries before the first parameter: what an engine process takes when it has loaded. */
    static final long BASE_BYTES = 280L << 20;
    /** Value and AdamW's two moments, float32 each. */
    static final int BYTES_PER_PARAMETER = 3 * 4;
    /** Its gradient; and a second one, to which those of micro-batches are added. */
    static final int BYTES_PER_GRADIENT = 4;
    /**
     * Floats that a block keeps per token for the backward pass, in units of d_model: for each of its two sub-layers the stream, what
     * enters the outer norm and the branch's input, attention's q, k and v, and its result …
     */
    static final double KEPT_PER_WIDTH = 10;
    /** … and in units of ff_hidden: w1 h, w3 h and silu(w1 h). */
    static final double KEPT_PER_FF = 3;
    /** By how much more autograd keeps, where gradients are not written out by hand. */
    static final double KEPT_BY_AUTOGRAD = 1.3;
    /** … and of the vocabulary, once: logits, their softmax and the gradient. */
    static final double KEPT_PER_TOKEN_KIND = 3;

    /**
     * How fast a machine trains.
     *
     * @param gflopsPerCore matrix arithmetic of one core, 10⁹ operations a second
     * @param subLayerMs what a sub-layer costs besides its arithmetic (calls, small kernels, optimiser), ms a step
     * @param cores cores that the arms share
     */
    public record Speed(double gflopsPerCore, double subLayerMs, int cores) {
        /**
         * A machine of this many cores, each like a 2020s x86 core: 60 GFLOP/s in float32 products and 0.4 ms a
         * sub-layer. It is right to a factor of about two, enough to tell a minute from an hour.
         */
        public static Speed typical(int cores) {
            return new Speed(60, 0.4, cores);
        }
    }

    /** The estimate for {@code arm} of {@code experiment} on a machine with as many cores as this one, of typical speed. */
    public static Estimate of(Experiment experiment, ArmSpec arm) {
        return of(experiment, arm, Speed.typical(Runtime.getRuntime().availableProcessors()));
    }

    /** The estimate for {@code arm} of {@code experiment} on a machine of the given speed. */
    public static Estimate of(Experiment experiment, ArmSpec arm, Speed speed) {
        return of(experiment, arm, speed, experiment.data().vocabulary().orElse(USUAL_VOCABULARY));
    }

    /** The estimate where the number of different tokens is known, as once the data are open. */
    public static Estimate of(Experiment experiment, ArmSpec arm, Speed speed, int vocabulary) {
        return new Estimate(
                experiment.architecture(arm, vocabulary).parameterCount(),
                memoryBytes(experiment, arm, vocabulary, experiment.recipe(arm).recompute() == TrainingSpec.Recompute.ON),
                stepMs(experiment, speed, vocabulary));
    }

    /** Weights of all blocks: wq, wk, wv, wo and w1, w2, w3. */
    private static long matrices(ModelSpec model) {
        long d = model.dModel();
        return model.blocks() * (4 * d * d + 3 * d * model.ffHidden());
    }

    /** The same where the vocabulary is not known yet. */
    static long memoryBytes(Experiment experiment, ArmSpec arm, boolean recompute) {
        return memoryBytes(experiment, arm, experiment.data().vocabulary().orElse(USUAL_VOCABULARY), recompute);
    }

    /** Peak memory of an engine process, with or without activations computed again by {@link #segment} blocks. */
    static long memoryBytes(Experiment experiment, ArmSpec arm, int vocabulary, boolean recompute) {
        ModelSpec model = experiment.model();
        double tokens = (double) experiment.data().batch() * experiment.data().sequence();
        long parameters = experiment.architecture(arm, vocabulary).parameterCount();
        double gradients = (double) BYTES_PER_GRADIENT * parameters;
        double perBlock = tokens * keptByBlock(model) * Float.BYTES;
        double atTheEnd = tokens * KEPT_PER_TOKEN_KIND * vocabulary * Float.BYTES;
        double passing;
        if (recompute) {
            double segment = segment(model);
            double bounds = tokens * Math.ceil(model.blocks() / segment) * model.dModel() * Float.BYTES;
            passing = Math.max(gradients, bounds + atTheEnd) + segment * perBlock;
        } else if (arm.scheme() == Scheme.HYBRID_NORM) {
            passing = gradients + KEPT_BY_AUTOGRAD * model.blocks() * perBlock + atTheEnd;
        } else {
            // A block's activations are given up when its gradients are there, so the one takes the other's place.
            passing = Math.max(gradients, model.blocks() * perBlock + atTheEnd);
        }
        long accumulated = experiment.recipe(arm).accumulate() > 1 ? BYTES_PER_GRADIENT * parameters : 0;
        return BASE_BYTES + BYTES_PER_PARAMETER * parameters + accumulated + Math.round(passing)
                + shared(experiment, parameters, passing);
    }

    /**
     * What threads that share a batch take besides: their gradients; and, where their number is found by a trial, what the trial with
     * one thread leaves the others' shares no use of.
     */
    private static long shared(Experiment experiment, long parameters, double passing) {
        int asked = experiment.threads();
        int threads = asked > 0 ? asked : experiment.coresOfAnArm();
        int sharing = Sharing.among(threads, experiment.data().batch(), parameters);
        double left = asked > 0 ? 0 : passing * (sharing - 1) / sharing;
        return Sharing.bytes(sharing, parameters) + Math.round(left);
    }

    private static double keptByBlock(ModelSpec model) {
        return KEPT_PER_WIDTH * model.dModel() + KEPT_PER_FF * model.ffHidden();
    }

    /**
     * How many blocks the backward pass computes again at a time so that least is kept: with n segments, n bounds of d_model and the
     * activations of blocks / n blocks.
     */
    public static int segment(ModelSpec model) {
        return (int) Math.max(1, Math.round(Math.sqrt(model.blocks() * model.dModel() / keptByBlock(model))));
    }

    /** 6 operations per weight and token, forward and backward, plus attention's two products over the sequence. */
    static double operations(Experiment experiment, int vocabulary) {
        ModelSpec model = experiment.model();
        double tokens = (double) experiment.data().batch() * experiment.data().sequence();
        double weights = matrices(model) + (double) vocabulary * model.dModel();
        double attention = 12.0 * model.blocks() * model.dModel() * experiment.data().sequence();
        return tokens * (6 * weights + attention);
    }

    private static double stepMs(Experiment experiment, Speed speed, int vocabulary) {
        double arms = experiment.arms().size();
        double arithmetic = operations(experiment, vocabulary) * arms / (speed.gflopsPerCore() * speed.cores() * 1e9) * 1e3;
        double overhead = experiment.model().layers() * speed.subLayerMs() * Math.max(1, arms / speed.cores());
        return arithmetic + overhead;
    }
}
