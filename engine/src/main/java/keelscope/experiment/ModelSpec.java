package keelscope.experiment;

/**
 * Sizes of the decoder-only language model.
 *
 * @param layers L, the number of sub-layers; even, at least 2
 * @param dModel width
 * @param heads attention heads; divides {@code dModel}, with an even head dimension (RoPE turns pairs)
 * @param ffHidden hidden width of the feed-forward; by default 8/3 d_model rounded to a multiple of 8
 */
public record ModelSpec(int layers, int dModel, int heads, int ffHidden) {
    private static final int MOST_LAYERS = 1 << 16;
    private static final int MOST_WIDTH = 1 << 16;

    /** @throws InvalidExperimentException if a size is not allowed */
    public ModelSpec {
        Require.between("model.layers", layers, 2, MOST_LAYERS);
        if (layers % 2 != 0) {
            throw Require.refuse(
                    "model.layers", layers, "an even number, since a block is one attention and one feed-forward sub-layer");
        }
        Require.between("model.d_model", dModel, 2, MOST_WIDTH);
        Require.between("model.heads", heads, 1, dModel);
        if (dModel % heads != 0 || dModel / heads % 2 != 0) {
            throw Require.refuse(
                    "model.heads",
                    heads,
                    "a number that divides d_model (" + dModel + ") into heads of an even size" + examples(dModel));
        }
        Require.between("model.ff_hidden", ffHidden, 1, 4 * MOST_WIDTH);
    }

    /** The sizes with the default hidden width of the feed-forward. */
    public ModelSpec(int layers, int dModel, int heads) {
        this(layers, dModel, heads, Defaults.ffHidden(dModel));
    }

    /** Size of one head. */
    public int headSize() {
        return dModel / heads;
    }

    /** Number of blocks: one attention and one feed-forward sub-layer each. */
    public int blocks() {
        return layers / 2;
    }

    private static String examples(int dModel) {
        StringBuilder fitting = new StringBuilder();
        for (int heads = 1, found = 0; heads <= dModel / 2 && found < 6; heads++) {
            if (dModel % heads == 0 && dModel / heads % 2 == 0) {
                fitting.append(found++ == 0 ? ", for example " : ", ").append(heads);
            }
        }
        return fitting.isEmpty() ? "; an odd d_model has none" : fitting.toString();
    }
}
