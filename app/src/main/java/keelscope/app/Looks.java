package keelscope.app;

import java.util.List;
import java.util.Objects;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.scene.Scene;
import org.controlsfx.control.Notifications;

/**
 * How the window looks: light or dark, for a desk or for a projector, and the size of its type. Each is a style sheet
 * over that of the light window.
 */
final class Looks {
    /** ControlsFX adds it to the window at the first message, which has every node in it styled anew while the user waits. */
    private static final String NOTIFICATIONS =
            Objects.requireNonNull(Notifications.class.getResource("notificationpopup.css")).toExternalForm();

    /** Sizes of the type, in per cent. */
    static final List<Integer> SIZES = List.of(100, 125, 150, 175, 200);

    private final BooleanProperty dark = new SimpleBooleanProperty(this, "dark");
    private final BooleanProperty projector = new SimpleBooleanProperty(this, "projector");
    private final IntegerProperty size = new SimpleIntegerProperty(this, "size", 100);
    private final Scene scene;

    Looks(Scene scene) {
        this.scene = scene;
        dark.addListener((property, before, now) -> apply());
        projector.addListener((property, before, now) -> apply());
        size.addListener((property, before, now) -> apply());
        apply();
    }

    BooleanProperty darkProperty() {
        return dark;
    }

    BooleanProperty projectorProperty() {
        return projector;
    }

    /** Size of the type in per cent, one of {@link #SIZES}. */
    IntegerProperty sizeProperty() {
        return size;
    }

    /** The next larger ({@code by} 1) or smaller (−1) size of the type. */
    void resize(int by) {
        int at = Math.max(0, SIZES.indexOf(size.get())) + by;
        size.set(SIZES.get(Math.max(0, Math.min(SIZES.size() - 1, at))));
    }

    /** Looks as they were remembered. */
    void restore(Settings settings) {
        dark.set(settings.is("dark"));
        projector.set(settings.is("projector"));
        int kept = settings.number("text", 100);
        size.set(SIZES.contains(kept) ? kept : 100);
    }

    void keep(Settings settings) {
        settings.set("dark", dark.get());
        settings.set("projector", projector.get());
        settings.set("text", size.get());
    }

    private void apply() {
        List<String> sheets = new java.util.ArrayList<>(List.of(NOTIFICATIONS, sheet("light")));
        if (dark.get()) {
            sheets.add(sheet("dark"));
        }
        if (size.get() != 100) {
            sheets.add(sheet("text-" + size.get()));
        }
        if (projector.get()) {
            sheets.add(sheet("projector"));
        }
        if (dark.get() && projector.get()) {
            sheets.add(sheet("dark-projector"));
        }
        scene.getStylesheets().setAll(sheets);
        styleClass("dark", dark.get());
        styleClass("projector", projector.get());
    }

    private void styleClass(String name, boolean on) {
        List<String> classes = scene.getRoot().getStyleClass();
        if (on && !classes.contains(name)) {
            classes.add(name);
        } else if (!on) {
            classes.remove(name);
        }
    }

    private static String sheet(String name) {
        return Objects.requireNonNull(Looks.class.getResource(name + ".css")).toExternalForm();
    }
}
