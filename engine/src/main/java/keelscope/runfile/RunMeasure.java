package keelscope.runfile;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The measures of a whole run over its steps, beside those by sub-layer ({@link Measure}). The definitions are the project's,
 * section 4 of its specification; the id is the word used in exports and on screen.
 */
public enum RunMeasure {
    /** Mean cross-entropy of a step's batch before its update. */
    LOSS("training loss", "nats"),
    /** Mean cross-entropy over the held-out windows. */
    VAL_LOSS("validation loss", "nats"),
    /** Share of held-out targets that were the most likely token. */
    ACCURACY("accuracy", ""),
    /** Total gradient norm before clipping. */
    GRAD_NORM("total gradient norm", ""),
    /** Learning rate of the update. */
    LR("learning rate", ""),
    /** Tokens trained on up to and including a step. */
    TOKENS("tokens", "tokens"),
    TOKENS_PER_S("tokens per second", "tokens/s"),
    /** Duration of a step, measuring included. */
    STEP_MS("time per step", "ms"),
    /** Resident memory of the engine process. */
    MEMORY("memory", "bytes");

    private final String title;
    private final String unit;

    RunMeasure(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    /** The word for this measure, for example {@code val_loss}. */
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

    /** The measure whose {@link #id()} is {@code id}, if there is one. */
    public static Optional<RunMeasure> of(String id) {
        return Arrays.stream(values()).filter(m -> m.id().equals(id)).findFirst();
    }
}
