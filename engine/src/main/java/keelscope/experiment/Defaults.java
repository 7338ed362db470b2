package keelscope.experiment;

/** The value of every setting that an experiment may leave out, in one place. */
public final class Defaults {
    /** Seed of the initial values and of the order of batches. */
    public static final long SEED = 1;
    /** A GPU where PyTorch can use one, else the CPU. */
    public static final String DEVICE = "auto";
    /** 0 stands for {@code auto}: chosen by a short trial when the engine starts. */
    public static final int THREADS = 0;

    /** The text that Keelscope writes itself. */
    public static final String TEXT = "sample";
    /** A token is a byte. */
    public static final String TOKENIZER = "bytes";
    /** What is read of a document of a .jsonl file. */
    public static final String FIELD = "text";
    /** A text that is not UTF-8 is refused. */
    public static final boolean REPLACE_INVALID = false;
    /** Share of the text held out from its end. */
    public static final double VALIDATION_SHARE = 0.05;

    /** Learning rate that the cosine falls to at the end of the run. */
    public static final double FINAL_LR = 1e-7;
    public static final double BETA1 = 0.9;
    public static final double BETA2 = 0.95;
    public static final double ADAM_EPS = 1e-8;
    /** Decoupled, on 2-D parameters only. */
    public static final double WEIGHT_DECAY = 0.01;
    /** Total norm to which gradients are clipped. */
    public static final double CLIP_NORM = 1.0;

    /** A step is one batch. */
    public static final int ACCUMULATE = 1;
    /** Activations are computed again only where they would not fit. */
    public static final TrainingSpec.Precision PRECISION = TrainingSpec.Precision.FLOAT32;
    public static final TrainingSpec.Recompute RECOMPUTE = TrainingSpec.Recompute.AUTO;
    /** Checkpoints by the clock. */
    public static final int CHECKPOINT_EVERY = TrainingSpec.AUTO;
    /** Latest checkpoints kept, besides the best. */
    public static final int KEEP_CHECKPOINTS = 2;

    /** 0 stands for {@code auto}: probing may cost 5 % of the time. */
    public static final int PROBE_EVERY = 0;
    /** Steps between validations. */
    public static final int VALIDATE_EVERY = 100;
    /** Batches per validation. */
    public static final int VALIDATION_BATCHES = 4;

    private Defaults() {}

    /** Hidden width of the feed-forward: 8/3 {@code dModel} rounded to a multiple of 8, so that SwiGLU has 8 d² weights. */
    public static int ffHidden(int dModel) {
        return Math.max(8, (int) (Math.round(dModel / 3.0) * 8));
    }

    /** Steps of linear warm-up: a tenth of all steps. */
    public static int warmup(int steps) {
        return steps / 10;
    }
}
