package keelscope.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The residual schemes that can be trained. The name in lower case is the word used in YAML, in run files and on screen. */
public enum Scheme {
    PRE_LN("Pre-LN"),
    POST_LN("Post-LN"),
    KEEL("Keel");

    private final String title;

    Scheme(String title) {
        this.title = title;
    }

    /** The word for this scheme in YAML and in run files, for example {@code pre_ln}. */
    public String id() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The name a reader of the paper knows, for example {@code Pre-LN}. */
    public String title() {
        return title;
    }

    /** The scheme whose {@link #id()} is {@code id}, if there is one. */
    public static Optional<Scheme> of(String id) {
        return Arrays.stream(values()).filter(s -> s.id().equals(id)).findFirst();
    }

    /** All ids, in the order in which they are offered. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(Scheme::id).toList();
    }
}
