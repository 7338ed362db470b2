package keelscope.runfile;

import java.util.Locale;
import java.util.ResourceBundle;

/** What each measure is, in words, from one resource bundle ({@code keelscope/runfile/measures.properties}). */
final class Definitions {
    private static final ResourceBundle BUNDLE = ResourceBundle.getBundle("keelscope.runfile.measures", Locale.ROOT);

    private Definitions() {}

    static String formula(String id) {
        return BUNDLE.getString(id + ".formula");
    }

    static String explanation(String id) {
        return BUNDLE.getString(id + ".explanation");
    }

    static String source(String id) {
        return BUNDLE.getString(id + ".source");
    }
}
