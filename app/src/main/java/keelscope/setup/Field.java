package keelscope.setup;

import keelscope.text.Texts;

/** The settings that the set-up shows, each with its key in the experiment's YAML. */
enum Field {
    NAME("name"),
    TEXT("data.text"),
    LAYERS("model.layers"),
    WIDTH("model.d_model"),
    HEADS("model.heads"),
    BATCH("data.batch"),
    LENGTH("data.sequence"),
    STEPS("training.steps"),
    PEAK_LR("training.peak_lr"),
    WARMUP("training.warmup"),
    SEED("seed"),
    DEVICE("device");

    private final String key;

    Field(String key) {
        this.key = key;
    }

    /** Dotted path in the YAML. */
    String key() {
        return key;
    }

    /** The name on screen. */
    String label() {
        return Texts.get("setup.field." + key);
    }

    /** One sentence: what it is and what is usual. */
    String help() {
        return Texts.get("setup.help." + key);
    }

    /** Part of the id of its control and style class. */
    String id() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
