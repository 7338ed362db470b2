package keelscope.runfile;

/**
 * A per-sub-layer measure at one step.
 *
 * @param step the step it was recorded at
 * @param values one value per sub-layer
 * @param low lower end of each value's interval; empty where the values are of one run and so have none
 * @param high upper end
 */
public record LayerValues(int step, float[] values, float[] low, float[] high) {
    private static final float[] NONE = {};

    public LayerValues {
        if (low.length != high.length || low.length > 0 && low.length != values.length) {
            throw new IllegalArgumentException("low and high have " + low.length + " and " + high.length
                    + " values; allowed are none, or as many as values has, " + values.length + ".");
        }
    }

    /** Values of one run. */
    public LayerValues(int step, float[] values) {
        this(step, values, NONE, NONE);
    }
}
