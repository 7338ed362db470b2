package keelscope.chart;

import java.math.BigDecimal;
import java.math.RoundingMode;
import keelscope.runfile.Measure;

/**
 * How values of a measure lie on an axis or on a scale of colours. What is near 1 (a gate of Keel differs from it by less
 * than a thousandth) is drawn as its distance from 1, on a logarithmic axis turned upside down: 0, 0.9, 0.99, 0.999 at equal
 * distances.
 */
enum Scale {
    LINEAR(false, false),
    LOG(true, false),
    TOWARDS_ONE(true, true);

    // Below the resolution of a float32 just under 1, where 1 − value is 0 and has no place on a logarithmic axis.
    private static final double LEAST_GAP = 3e-8;

    private final boolean log;
    private final boolean inverted;

    Scale(boolean log, boolean inverted) {
        this.log = log;
        this.inverted = inverted;
    }

    /** The scale that is natural to a measure. */
    static Scale of(Measure measure) {
        return switch (measure) {
            case COSINE, RESIDUAL_FACTOR, GATE_LOW, GATE_HIGH, GATE_HISTOGRAM -> LINEAR;
            case CARRY_GATE_MEAN, CARRY_GATE_MIN, CARRY_GATE_P05, CARRY_GATE_P50, CARRY_GATE_P95, CARRY_GATE_MAX -> TOWARDS_ONE;
            default -> LOG;
        };
    }

    /** Whether the axis is logarithmic; then only positions above 0 have a place on it. */
    boolean log() {
        return log;
    }

    /** Whether the axis is turned upside down. */
    boolean inverted() {
        return inverted;
    }

    /** The position beyond which no axis need reach: that of a gate of 0. */
    double farthest() {
        return this == TOWARDS_ONE ? 1 : Double.POSITIVE_INFINITY;
    }

    /** Whether an axis should reach to a position: not to where there is none, nor to a gate that cannot be told from 1. */
    boolean reaches(double position) {
        return Double.isFinite(position) && position > (this == TOWARDS_ONE ? LEAST_GAP : log ? 0 : Double.NEGATIVE_INFINITY);
    }

    /** Where a value lies on the axis, NaN for nowhere. */
    double position(double value) {
        return switch (this) {
            case LINEAR -> value;
            case LOG -> value > 0 ? value : Double.NaN;
            case TOWARDS_ONE -> Double.isNaN(value) ? value : Math.max(LEAST_GAP, 1.0 - value);
        };
    }

    /** What stands at a position of the axis. */
    String label(double position) {
        return this == TOWARDS_ONE ? nines(position) : Numbers.power(position);
    }

    /** A value in words. */
    String text(double value) {
        return this == TOWARDS_ONE ? gate(value) : Numbers.significant(value);
    }

    /** Writes 1 − {@code gap} with the digits it needs: 0, 0.9, 0.998. */
    static String nines(double gap) {
        if (gap <= 0) {
            return "1";
        }
        int digits = (int) Math.max(0, Math.ceil(-Math.log10(gap) - 1e-9));
        if (digits > 5) {
            return "1−" + Numbers.power(gap);
        }
        return BigDecimal.ONE.subtract(new BigDecimal(gap)).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
    }

    /** A gate with enough digits to tell it from 1. */
    static String gate(double carry) {
        if (!Double.isFinite(carry)) {
            return Numbers.significant(carry);
        }
        int digits = (int) Math.max(3, Math.min(7, Math.ceil(-Math.log10(Math.max(1e-7, 1 - carry))) + 1));
        return Numbers.decimals(carry, digits);
    }
}
