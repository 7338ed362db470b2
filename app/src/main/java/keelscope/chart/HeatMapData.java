package keelscope.chart;

import io.fair_acc.dataset.DataSet;
import io.fair_acc.dataset.events.ChartBits;
import io.fair_acc.dataset.spi.AbstractDataSet;
import java.util.Arrays;
import keelscope.runfile.LayerMatrix;

/**
 * A layer × step matrix as ChartFX sees it: point i is the first step of column i, with the column's number of
 * sub-layers. The cells are read with {@link #log2}. As with {@link Curve}, new cells replace the old ones as a whole on
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
    private float[][] log2 = new float[0][];

    HeatMapData(String name) {
        super(name, 2);
        addStyleClasses("heat");
    }

    void set(LayerMatrix newMatrix) {
        if (newMatrix == matrix) {
            return;
        }
        float[][] logs = new float[newMatrix.size()][];
        for (int c = 0; c < logs.length; c++) {
            // Columns that have not changed since the last snapshot need no new logarithms.
            logs[c] = c < matrix.size() && matrix.values()[c] == newMatrix.values()[c]
                    ? log2[c]
                    : logarithms(newMatrix.values()[c]);
        }
        matrix = newMatrix;
        log2 = logs;
        fireInvalidated(ChartBits.DataSetData);
    }

    private static float[] logarithms(float[] values) {
        float[] logs = new float[values.length];
        for (int l = 0; l < logs.length; l++) {
            logs[l] = fastLog2(values[l]);
        }
        return logs;
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

    /** log2 of every cell, {@code [column][l]}; NaN where there is no positive value. */
    float[][] log2() {
        return log2;
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
        set(((HeatMapData) other).matrix);
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
