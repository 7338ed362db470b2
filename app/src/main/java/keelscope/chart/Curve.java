package keelscope.chart;

import io.fair_acc.dataset.DataSet;
import io.fair_acc.dataset.DataSet2D;
import io.fair_acc.dataset.events.ChartBits;
import io.fair_acc.dataset.spi.AbstractDataSet;
import java.util.Arrays;

/**
 * The points of one line, or the edges of one band, as ChartFX sees them. New points replace the old ones as a whole and
 * only on the JavaFX thread, so no lock is taken: ChartFX holds its read locks from layout until the next pulse, and a
 * writer that waited for them on the JavaFX thread would wait for ever.
 */
final class Curve extends AbstractDataSet<Curve> implements DataSet2D {
    private static final long serialVersionUID = 1L;
    private static final double[] NONE = {};

    /** As phase: a marker on every point. */
    static final double EVERY_POINT = -1;

    private final int level;
    private final double phase;
    private double[] x = NONE;
    private double[] y = NONE;
    private double[] low = NONE;
    private boolean changed;

    /**
     * @param level curves of a higher level are drawn above those of a lower one
     * @param phase where between two markers the first one stands, 0 … 1, different for each arm, so that lines that
     *     coincide still show both arms' markers; or {@link #EVERY_POINT}
     */
    Curve(String name, int level, double phase, String... styleClasses) {
        super(name, 2);
        this.level = level;
        this.phase = phase;
        addStyleClasses(styleClasses);
        Limits.leaveToTheChart(this);
    }

    /** Points of a line, ascending in x; a NaN in y is a gap. The arrays are kept. */
    void set(double[] newX, double[] newY) {
        put(newX, newY, NONE);
    }

    /** Lower and upper edge of a band, ascending in x; a NaN is a gap. The arrays are kept. */
    void setBand(double[] newX, double[] newLow, double[] newHigh) {
        put(newX, newHigh, newLow);
    }

    private void put(double[] newX, double[] newY, double[] newLow) {
        if (newX.length != newY.length) {
            throw new IllegalArgumentException("y has " + newY.length + " values; allowed is as many as x, " + newX.length + ".");
        }
        // To compare a thousand points takes microseconds, to draw them again milliseconds.
        if (Arrays.equals(newX, x) && Arrays.equals(newY, y) && Arrays.equals(newLow, low)) {
            return;
        }
        x = newX;
        y = newY;
        low = newLow;
        changed = true;
        fireInvalidated(ChartBits.DataSetData);
    }

    /** Whether it has other points than when this was last asked. */
    boolean takeChanged() {
        boolean taken = changed;
        changed = false;
        return taken;
    }

    int level() {
        return level;
    }

    double phase() {
        return phase;
    }

    boolean isBand() {
        return low.length > 0;
    }

    /** The lower edge; the upper is {@code get(DIM_Y, i)}. */
    double low(int index) {
        return low[index];
    }

    /** Index of the point whose x is nearest to {@code at}, −1 without points. */
    int nearest(double at) {
        if (x.length == 0) {
            return -1;
        }
        int found = Arrays.binarySearch(x, at);
        if (found >= 0) {
            return found;
        }
        int after = -found - 1;
        if (after == 0) {
            return 0;
        }
        if (after == x.length) {
            return x.length - 1;
        }
        return at - x[after - 1] <= x[after] - at ? after - 1 : after;
    }

    @Override
    public double get(int dimIndex, int index) {
        return dimIndex == DIM_X ? x[index] : y[index];
    }

    @Override
    public int getDataCount() {
        return x.length;
    }

    @Override
    public int getIndex(int dimIndex, double... at) {
        if (dimIndex != DIM_X) {
            throw new IllegalArgumentException("dimIndex is " + dimIndex + "; allowed is " + DIM_X + ": y is not sorted.");
        }
        return Math.max(0, nearest(at[0]));
    }

    @Override
    public double getValue(int dimIndex, double... at) {
        int index = nearest(at[0]);
        return index < 0 ? Double.NaN : get(dimIndex, index);
    }

    @Override
    public DataSet set(DataSet other, boolean copy) {
        set(other.getValues(DIM_X).clone(), other.getValues(DIM_Y).clone());
        return this;
    }

    // Identity: ChartFX keeps data sets in sets, and comparing thousands of points there is neither wanted nor cheap.
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
