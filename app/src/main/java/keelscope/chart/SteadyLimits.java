package keelscope.chart;

import java.util.function.LongSupplier;

/**
 * Limits of an axis that do not jump: a limit grows at once when the data leave it, and shrinks slowly, after a pause,
 * when they no longer need it. Limits are round numbers, so that noise does not move them.
 */
final class SteadyLimits {
    private static final double PAUSE_S = 1.0;
    private static final double SHRINK_S = 1.5;
    // Share of the distance kept free at either end, so that no line runs along the frame.
    private static final double MARGIN = 0.015;

    // Share of the distance by which a limit must be too wide before it shrinks: more than one round number.
    private static final double SLACK = 0.12;

    private final LongSupplier nanoTime;
    private boolean log;
    private boolean set;
    private double low;
    private double high;
    private boolean lowShrinks;
    private boolean highShrinks;
    private long lastGrowth;
    private long lastUpdate;

    SteadyLimits() {
        this(System::nanoTime);
    }

    SteadyLimits(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether there were no data yet. */
    boolean isUnset() {
        return !set;
    }

    /** Forgets everything: the next data are fitted at once. */
    void forget() {
        set = false;
    }

    /** Puts the limits where they were once. */
    void set(boolean logScale, double newLow, double newHigh) {
        log = logScale;
        low = newLow;
        high = newHigh;
        set = true;
        lowShrinks = false;
        highShrinks = false;
        lastGrowth = nanoTime.getAsLong();
        lastUpdate = lastGrowth;
    }

    /**
     * Takes new data limits.
     *
     * @param logScale whether limits are rounded and moved on a logarithmic scale; both data limits are then above 0
     * @param still whether the data will not change any more, so that they are fitted at once
     */
    void update(boolean logScale, double dataLow, double dataHigh, boolean still) {
        double[] target = logScale ? roundedLog(dataLow, dataHigh) : rounded(dataLow, dataHigh);
        long now = nanoTime.getAsLong();
        if (!set || logScale != log || still) {
            set(logScale, target[0], target[1]);
            return;
        }
        double seconds = (now - lastUpdate) * 1e-9;
        lastUpdate = now;
        if (target[0] < low || target[1] > high) {
            lastGrowth = now;
        }
        low = Math.min(low, target[0]);
        high = Math.max(high, target[1]);
        if ((now - lastGrowth) * 1e-9 < PAUSE_S) {
            return;
        }
        double span = scaled(high) - scaled(low);
        lowShrinks = low != target[0] && (lowShrinks || scaled(target[0]) - scaled(low) > SLACK * span);
        highShrinks = high != target[1] && (highShrinks || scaled(high) - scaled(target[1]) > SLACK * span);
        double share = 1 - Math.exp(-seconds / SHRINK_S);
        low = lowShrinks ? towards(low, target[0], share, span) : low;
        high = highShrinks ? towards(high, target[1], share, span) : high;
    }

    private double towards(double from, double to, double share, double span) {
        double a = scaled(from);
        double b = scaled(to);
        double moved = a + (b - a) * share;
        return Math.abs(moved - b) < 0.004 * span ? to : log ? Math.pow(10, moved) : moved;
    }

    private double scaled(double value) {
        return log ? Math.log10(value) : value;
    }

    double low() {
        return low;
    }

    double high() {
        return high;
    }

    /** The limits rounded outwards to a tenth or so of their distance. */
    static double[] rounded(double low, double high) {
        if (low == high) {
            double pad = low == 0 ? 1 : Math.abs(low) * 0.1;
            return new double[] {low - pad, high + pad};
        }
        double margin = MARGIN * (high - low);
        double unit = PaperAxis.roundUnit((high - low) / 10, false);
        double from = Math.floor((low - margin) / unit + 1e-9) * unit;
        double to = Math.ceil((high + margin) / unit - 1e-9) * unit;
        // An axis of what is never negative does not begin below 0.
        return new double[] {low >= 0 ? Math.max(0, from) : from, to};
    }

    /** The limits rounded outwards to 1, 2 or 5 × a power of ten. */
    static double[] roundedLog(double low, double high) {
        double margin = Math.pow(high / low, MARGIN);
        double from = downLog(low / margin);
        double to = upLog(high * margin);
        return from < to ? new double[] {from, to} : new double[] {from / 2, to * 2};
    }

    private static double downLog(double value) {
        double decade = Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
        double m = value / decade * (1 + 1e-9);
        return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * decade;
    }

    private static double upLog(double value) {
        double decade = Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
        double m = value / decade * (1 - 1e-9);
        return (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10) * decade;
    }
}
