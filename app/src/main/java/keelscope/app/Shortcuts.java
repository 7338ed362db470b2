package keelscope.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.ComboBoxBase;
import javafx.scene.control.ListView;
import javafx.scene.control.Slider;
import javafx.scene.control.Spinner;
import javafx.scene.control.TabPane;
import javafx.scene.control.TableView;
import javafx.scene.control.TextInputControl;
import javafx.scene.control.TreeView;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyCodeCombination;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyCombination.Modifier;
import javafx.scene.input.KeyEvent;
import keelscope.text.Texts;

/** What can be done with keys: done in the window, and listed for its user under F1. */
final class Shortcuts {

    /**
     * One thing that can be done with keys.
     *
     * @param group id of its heading in the list
     * @param name id of what it does
     * @param keys the keys as the list shows them
     */
    record Entry(String group, String name, String keys) {
        String title() {
            return Texts.get("shortcut." + name);
        }
    }

    private final Scene scene;
    private final List<Entry> entries = new ArrayList<>();

    Shortcuts(Scene scene) {
        this.scene = scene;
    }

    /** Does {@code action} at these keys, wherever the focus is. */
    KeyCombination add(String group, String name, Runnable action, KeyCode key, Modifier... modifiers) {
        KeyCombination keys = new KeyCodeCombination(key, modifiers);
        scene.getAccelerators().put(keys, action);
        entries.add(new Entry(group, name, keys.getDisplayText()));
        return keys;
    }

    /** As {@link #add}, by a second combination that is not listed. */
    void also(Runnable action, KeyCode key, Modifier... modifiers) {
        scene.getAccelerators().put(new KeyCodeCombination(key, modifiers), action);
    }

    /** Does {@code action} at a key that fields and lists need for themselves: only while none of them has the focus. */
    void addOutsideFields(String group, String name, Runnable action, KeyCode key, Modifier... modifiers) {
        KeyCombination keys = new KeyCodeCombination(key, modifiers);
        scene.addEventFilter(KeyEvent.KEY_PRESSED, event -> {
            if (keys.match(event) && !needsArrows(scene.getFocusOwner())) {
                action.run();
                event.consume();
            }
        });
        entries.add(new Entry(group, name, keys.getDisplayText()));
    }

    /** Lists keys that are dealt with elsewhere. */
    void listed(String group, String name, String keys) {
        entries.add(new Entry(group, name, keys));
    }

    /** Everything, in the order in which it was added. */
    List<Entry> entries() {
        return List.copyOf(entries);
    }

    private static boolean needsArrows(Node focus) {
        for (Node node = focus; node != null; node = node.getParent()) {
            boolean timeLine = Optional.ofNullable(node.getId()).filter("scrubber-slider"::equals).isPresent();
            if (node instanceof TextInputControl
                    || node instanceof ComboBoxBase<?>
                    || node instanceof Spinner<?>
                    || node instanceof ListView<?>
                    || node instanceof TableView<?>
                    || node instanceof TreeView<?>
                    || node instanceof TabPane
                    || node instanceof Slider && !timeLine) {
                return true;
            }
        }
        return false;
    }
}
