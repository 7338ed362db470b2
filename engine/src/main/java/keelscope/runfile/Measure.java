package keelscope.runfile;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The per-sub-layer measures a run file can hold. Each is a vector of float32, one value per sub-layer l = 0 … L−1
 * ({@link #ACTIVATION_GRAD_NORM} has L + 1 values: the last is for x_L). The definitions are the project's, section 4
 * of its specification; the id is the word used in run files, exports and on screen.
 */
public enum Measure {
    /** ‖∂loss/∂θ‖₂ over a sub-layer's parameters, before clipping. Recorded at every step. */
    PARAM_GRAD_NORM("parameter gradient norm", "", true),
    /** ‖∂loss/∂x_l‖₂, all paths together; L + 1 values. */
    ACTIVATION_GRAD_NORM("activation gradient norm", "", false),
    /** sqrt(mean x_l²). */
    INPUT_RMS("input rms", "", false),
    /** Rms of the carried addend. */
    CARRY_RMS("carry rms", "", false),
    /** Rms of the transformed addend. */
    TRANSFORM_RMS("transform rms", "", false),
    /** Mean over tokens of ‖carry‖ / sqrt(‖carry‖² + ‖transform‖²). */
    CARRY_GATE_MEAN("carry gate", "", false),
    CARRY_GATE_STD("carry gate, standard deviation", "", false),
    CARRY_GATE_MIN("carry gate, minimum", "", false),
    CARRY_GATE_P05("carry gate, 5th percentile", "", false),
    CARRY_GATE_P50("carry gate, median", "", false),
    CARRY_GATE_P95("carry gate, 95th percentile", "", false),
    CARRY_GATE_MAX("carry gate, maximum", "", false),
    /** Mean over tokens of sqrt(1 − carry_gate²). */
    TRANSFORM_GATE_MEAN("transform gate", "", false),
    /** Mean over tokens of cos(carry, transform). */
    COSINE("cosine of carry and transform", "", false),
    /** α in force. */
    ALPHA("alpha", "", false),
    /** By how much a sub-layer scales a gradient that stays on the residual path. */
    RESIDUAL_FACTOR("residual factor", "", false),
    /** Product of {@link #RESIDUAL_FACTOR} from l to L − 1. */
    HIGHWAY_TRANSPORT("highway transport", "", false),
    /** ‖θ‖₂ of the sub-layer's parameters, after the update. */
    PARAM_NORM("parameter norm", "", false),
    /** ‖Δθ‖₂ / ‖θ‖₂ of the step just taken. */
    UPDATE_RATIO("update ratio", "", false),
    /** The trained gate T of {@code highway} over all tokens and channels: its mean. */
    GATE_MEAN("gate", "", false),
    GATE_STD("gate, standard deviation", "", false),
    GATE_MIN("gate, minimum", "", false),
    GATE_MAX("gate, maximum", "", false),
    /** Share of gate values below 0.05. */
    GATE_LOW("gate, share below 0.05", "", false),
    /** Share of gate values above 0.95. */
    GATE_HIGH("gate, share above 0.95", "", false),
    /** Share of gate values in each of 32 equal bins on [0, 1]; L × 32 values, a sub-layer's bins together. */
    GATE_HISTOGRAM("gate, histogram", "", false);

    private final String title;
    private final String unit;
    private final boolean everyStep;

    Measure(String title, String unit, boolean everyStep) {
        this.title = title;
        this.unit = unit;
        this.everyStep = everyStep;
    }

    /** The word for this measure in run files and exports, for example {@code param_grad_norm}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name shown on screen, without its unit. */
    public String title() {
        return title;
    }

    /** The unit, empty where the measure is a pure number. */
    public String unit() {
        return unit;
    }

    /** Its definition as a formula, one line. */
    public String formula() {
        return Definitions.formula(id());
    }

    /** What it is and what to look for, one paragraph for a student. */
    public String explanation() {
        return Definitions.explanation(id());
    }

    /** Where it is defined: the paper's equation where there is one. */
    public String source() {
        return Definitions.source(id());
    }

    /** Whether every step records it; the others are recorded at probe steps. */
    public boolean everyStep() {
        return everyStep;
    }

    /**
     * How several steps are put together: by the geometric mean of the positive values, as fits magnitudes that span decades, or
     * by the arithmetic mean where values may be negative and where they are shares of a whole, whose sum must stay 1.
     */
    public boolean geometric() {
        return switch (this) {
            case COSINE, ALPHA, GATE_LOW, GATE_HIGH, GATE_HISTOGRAM -> false;
            default -> true;
        };
    }

    /** The measure whose {@link #id()} is {@code id}, if there is one. */
    public static Optional<Measure> of(String id) {
        return Arrays.stream(values()).filter(m -> m.id().equals(id)).findFirst();
    }
}
