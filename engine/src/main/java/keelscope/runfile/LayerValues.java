package keelscope.runfile;

/**
 * A per-sub-layer measure at one step.
 *
 * @param step the step it was recorded at
 * @param values one value per sub-layer
 */
public record LayerValues(int step, float[] values) {}
