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
    // The compact constructor refuses what is not valid: see Experiments.
}
