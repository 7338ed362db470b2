package keelscope.chart;

import io.fair_acc.chartfx.axes.spi.AxisRange;
import io.fair_acc.chartfx.axes.spi.DefaultNumericAxis;
import io.fair_acc.dataset.spi.fastutil.DoubleArrayList;
import java.util.function.DoubleFunction;
import javafx.util.StringConverter;

/**
 * An axis as in a printed figure: few ticks at round numbers, powers of ten on a logarithmic scale, limits set by the
 * chart. Its thickness grows with its labels but never shrinks, so the plot beside it does not move.
 */
final class PaperAxis extends DefaultNumericAxis {
    private static final int[] DECADE_STRIDES = {1, 2, 3, 4, 5, 10, 20, 50, 100, 200};

    private static final int MOST_LABELS = 10;

    private final boolean wholeNumbers;
    private DoubleFunction<String> labels = this::plain;
    private double unit = 1;
    private boolean powers;
    private boolean limited;
    private double thickest;
    private double thickestAtFont;

    /** @param wholeNumbers whether only whole numbers are marked (steps, layers) */
    PaperAxis(String name, boolean wholeNumbers) {
        super(name, 0, 1, 1);
        this.wholeNumbers = wholeNumbers;
        // Units stand in the name; ChartFX would add its own brackets.
        setUnit(null);
        setAutoRanging(false);
        setAutoGrowRanging(false);
        setTickLabelFormatter(new StringConverter<>() {
            @Override
            public String toString(Number value) {
                return labels.apply(value.doubleValue());
            }

            @Override
            public Number fromString(String text) {
                throw new UnsupportedOperationException("Tick labels are only written, never read.");
            }
        });
    }

    /** Writes tick labels with {@code format} in place of plain numbers. */
    void labels(DoubleFunction<String> format) {
        labels = format;
        thickest = 0;
    }

    /** Writes tick labels as plain numbers, or as powers of ten on a long logarithmic scale. */
    void plainLabels() {
        labels = this::plain;
        thickest = 0;
    }

    /** Sets scale and limits together, on a logarithmic scale both above 0; true where they were others before. */
    boolean limits(boolean log, double min, double max) {
        if (!(min < max) || log && min <= 0 || !Double.isFinite(min) || !Double.isFinite(max)) {
            throw new IllegalArgumentException("limits are " + min + " … " + max
                    + "; allowed are finite numbers, the first below the second, above 0 on a logarithmic scale.");
        }
        boolean rescaled = log != isLogAxis() || !limited;
        boolean moved = min != getMin() || max != getMax();
        if (rescaled) {
            limited = true;
            thickest = 0;
        }
        if (!log && isLogAxis()) {
            setLogAxis(false);
        }
        if (moved) {
            set(min, max);
        }
        if (log && !isLogAxis()) {
            setLogAxis(true);
        }
        return rescaled || moved;
    }

    private double fontSize() {
        return getTickLabelFont().getSize();
    }

    private double labelRoom() {
        return fontSize() * (getSide().isHorizontal() ? 4.5 : 2.4);
    }

    @Override
    protected void calculateMajorTickValues(AxisRange range, DoubleArrayList ticks) {
        double min = getMin();
        double max = getMax();
        int most = Math.max(2, Math.min(MOST_LABELS, (int) (getLength() / labelRoom())));
        if (isLogAxis()) {
            logTicks(min, max, most, ticks);
            if (ticks.size() >= 2) {
                return;
            }
            ticks.clear();
        }
        powers = false;
        unit = roundUnit((max - min) / most, wholeNumbers);
        for (double k = Math.ceil(min / unit - 1e-9); k * unit <= max * (1 + 1e-12) + 1e-300; k++) {
            ticks.add(k * unit);
        }
    }

    private void logTicks(double min, double max, int most, DoubleArrayList ticks) {
        int first = (int) Math.ceil(Math.log10(min) - 1e-9);
        int last = (int) Math.floor(Math.log10(max) + 1e-9);
        int stride = stride(last - first + 1, most);
        powers = first < -2 || last > 3;
        if (last - first >= 2 || last - first == 1 && most < 5) {
            for (int e = Math.floorDiv(first + stride - 1, stride) * stride; e <= last; e += stride) {
                ticks.add(Math.pow(10, e));
            }
            return;
        }
        for (int e = first - 1; e <= last; e++) {
            for (int mantissa : new int[] {1, 2, 5}) {
                double value = mantissa * Math.pow(10, e);
                if (value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9)) {
                    ticks.add(value);
                }
            }
        }
        if (ticks.size() > most) {
            ticks.clear();
            for (int e = first; e <= last; e++) {
                ticks.add(Math.pow(10, e));
            }
        }
    }

    private static int stride(int decades, int most) {
        for (int stride : DECADE_STRIDES) {
            if ((decades + stride - 1) / stride <= most) {
                return stride;
            }
        }
        return DECADE_STRIDES[DECADE_STRIDES.length - 1];
    }

    @Override
    protected void calculateMinorTickValues(DoubleArrayList ticks) {
        if (!isLogAxis()) {
            return;
        }
        int first = (int) Math.floor(Math.log10(getMin()));
        int last = (int) Math.ceil(Math.log10(getMax()));
        int decades = last - first;
        int[] mantissas = decades <= 8 ? new int[] {2, 3, 4, 5, 6, 7, 8, 9} : new int[] {1};
        if (decades > 60) {
            return;
        }
        for (int e = first; e <= last; e++) {
            for (int mantissa : mantissas) {
                double value = mantissa * Math.pow(10, e);
                if (value > getMin() && value < getMax()) {
                    ticks.add(value);
                }
            }
        }
    }

    /** The smallest of 1, 2, 5 × a power of ten that is not below {@code raw}; at least 1 for whole numbers. */
    static double roundUnit(double raw, boolean whole) {
        if (!(raw > 0) || !Double.isFinite(raw)) {
            return 1;
        }
        double decade = Math.pow(10, Math.floor(Math.log10(raw)));
        double unit = 10 * decade;
        for (int mantissa : new int[] {5, 2, 1}) {
            if (raw <= mantissa * decade * (1 + 1e-9)) {
                unit = mantissa * decade;
            }
        }
        return whole ? Math.max(1, unit) : unit;
    }

    private String plain(double value) {
        if (isLogAxis()) {
            if (powers) {
                return Numbers.power(value);
            }
            return Numbers.plain(value);
        }
        if (wholeNumbers && getMax() >= 20_000) {
            return Numbers.thousands(value);
        }
        return Numbers.decimals(value, Math.max(0, (int) -Math.floor(Math.log10(unit) + 1e-9)));
    }

    // ChartFX works out where values lie while it only asks how wide the axis would be: at a length that need not be the last,
    // and from the height that the axis had before. Drawn so, every curve would lie off its axis by the difference.
    @Override
    protected void layoutChildren() {
        super.layoutChildren();
        updateCachedTransforms();
        updateTickMarkPositions(getTickMarks());
        updateTickMarkPositions(getMinorTickMarks());
    }

    @Override
    public void drawAxis() {
        updateDirtyContent(getSide().isHorizontal() ? getWidth() : getHeight());
        super.drawAxis();
    }

    @Override
    protected double computePrefWidth(double height) {
        double wanted = super.computePrefWidth(height);
        if (getSide().isHorizontal()) {
            return wanted;
        }
        if (fontSize() != thickestAtFont) {
            thickestAtFont = fontSize();
            thickest = 0;
        }
        thickest = Math.max(thickest, wanted);
        return limited ? thickest : wanted;
    }
}
