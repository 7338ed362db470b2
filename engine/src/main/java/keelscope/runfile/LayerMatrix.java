package keelscope.runfile;

/**
 * A per-sub-layer measure over steps: a heat map's content.
 *
 * @param firstStep first recorded step in each column, ascending
 * @param lastStep last recorded step in each column
 * @param values one row of float per column: {@code values[column][l]}; over several steps the geometric mean of
 *     positive values (the arithmetic mean for measures that are not {@link Measure#geometric()}), the greatest value where
 *     none is positive, NaN where nothing finite was recorded; a column of one record holds what was recorded
 */
public record LayerMatrix(int[] firstStep, int[] lastStep, float[][] values) {
    /** Number of columns. */
    public int size() {
        return firstStep.length;
    }
}
