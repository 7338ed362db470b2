package keelscope.chart;

import io.fair_acc.dataset.DataSet;
import io.fair_acc.dataset.events.ChartBits;
import io.fair_acc.dataset.spi.AbstractDataSet;
import java.util.Arrays;
import keelscope.runfile.LayerMatrix;

/**
 * A layer × step matrix as ChartFX sees it: point i is the first step of column i, with the column's number of
 * sub-layers. The cells are read with {@link #cells}: values as they lie on a scale of colours. As with {@link Curve}, new cells replace the old ones as a whole on
 * the JavaFX thread and no lock is taken.
 */
final class HeatMapData extends AbstractDataSet<HeatMapData> {
    private static final long serialVersionUID = 1L;
    // log2 of the mantissa 1 … 2 in 2,048 steps: exact to 4e-4, far finer than a colour, at a tenth of Math.log's cost.
    private static final float[] MANTISSA = new float[2048];

    static {
        for (int i = 0; i < MANTISSA.length; i++) {
            MANTISSA[i] = (float) (Math.log(1 + (i + 0.5) / MANTISSA.length) / Math.log(2));
        }
    }

    private transient LayerMatrix matrix = new LayerMatrix(new int[0], new int[0], new float[0][]);
    private Scale scale = Scale.LOG;
    private float[][] cells = new float[0][];
    private boolean changed;

    HeatMapData(String name) {
        super(name, 2);
        addStyleClasses("heat");
        Limits.leaveToTheChart(this);
    }

    void set(LayerMatrix newMatrix, Scale newScale) {
        if (newMatrix == matrix && newScale == scale) {
            return;
        }
        float[][] next = new float[newMatrix.size()][];
        int old = 0;
        for (int c = 0; c < next.length; c++) {
            // Columns that have not changed since the last snapshot need no new logarithms.
            while (old < matrix.size() && matrix.firstStep()[old] < newMatrix.firstStep()[c]) {
                old++;
            }
            next[c] = newScale == scale && old < matrix.size() && matrix.values()[old] == newMatrix.values()[c]
                    ? cells[old]
                    : placed(newMatrix.values()[c], newScale);
        }
        matrix = newMatrix;
        scale = newScale;
        cells = next;
        changed = true;
        fireInvalidated(ChartBits.DataSetData);
    }

    /** Whether it has other cells than when this was last asked. */
    boolean takeChanged() {
        boolean taken = changed;
        changed = false;
        return taken;
    }

    /** Shows cells that were made otherwise; {@code newMatrix} says what was recorded there. */
    void set(LayerMatrix newMatrix, float[][] newCells) {
        matrix = newMatrix;
        cells = newCells;
        changed = true;
        fireInvalidated(ChartBits.DataSetData);
    }

    /** The values as they lie on a scale of colours: their position on the scale's axis, log2 of it on a logarithmic one. */
    static float[] placed(float[] values, Scale scale) {
        float[] placed = new float[values.length];
        for (int l = 0; l < placed.length; l++) {
            placed[l] = switch (scale) {
                case LOG -> fastLog2(values[l]);
                case LINEAR -> Float.isFinite(values[l]) ? values[l] : Float.NaN;
                case TOWARDS_ONE -> fastLog2((float) scale.position(values[l]));
            };
        }
        return placed;
    }

    /** log2 to about 4e-4; NaN for what is not a positive, finite, normal number. */
    static float fastLog2(float value) {
        int bits = Float.floatToRawIntBits(value);
        int exponent = bits >> 23;
        if (exponent <= 0 || exponent == 255) {
            return Float.NaN;
        }
        return exponent - 127 + MANTISSA[bits >> 12 & 2047];
    }

    LayerMatrix matrix() {
        return matrix;
    }

    /** Every cell, {@code [column][l]}, as it lies on the scale of colours; NaN where it has no place there. */
    float[][] cells() {
        return cells;
    }

    /** The column that holds {@code step}, or the last one before it; −1 before the first. */
    int column(double step) {
        int found = Arrays.binarySearch(matrix.firstStep(), (int) Math.floor(step));
        return found >= 0 ? found : -found - 2;
    }

    /** The step behind the last column. */
    double end() {
        return matrix.size() == 0 ? 0 : matrix.lastStep()[matrix.size() - 1] + 1.0;
    }

    @Override
    public double get(int dimIndex, int index) {
        return dimIndex == DIM_X ? matrix.firstStep()[index] : matrix.values()[index].length;
    }

    @Override
    public int getDataCount() {
        return matrix.size();
    }

    @Override
    public int getIndex(int dimIndex, double... at) {
        return Math.max(0, column(at[0]));
    }

    @Override
    public double getValue(int dimIndex, double... at) {
        return get(dimIndex, getIndex(DIM_X, at));
    }

    @Override
    public DataSet set(DataSet other, boolean copy) {
        set(((HeatMapData) other).matrix, scale);
        return this;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
