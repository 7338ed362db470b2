package keelscope.chart;

import java.util.List;
import javafx.css.Styleable;

/** Style classes that are set again and again, mostly to what they are: to set them makes JavaFX look for a node's style anew. */
public final class StyleClasses {
    private StyleClasses() {}

    /** Lets a node have exactly these. */
    public static void set(Styleable node, String... classes) {
        List<String> wanted = List.of(classes);
        if (!node.getStyleClass().equals(wanted)) {
            node.getStyleClass().setAll(wanted);
        }
    }
}
