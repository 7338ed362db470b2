package keelscope.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import keelscope.text.Texts;

/** The list of keys over the window (F1); any of Escape, F1, its button or a click beside it puts it away. */
final class ShortcutsOverlay extends StackPane {
    /** A column is begun for a group that would make the one before longer than this. */
    private static final int LONGEST_COLUMN = 15;

    private final HBox groups = new HBox();
    private final Button close = new Button(Texts.get("shortcuts.close"));
    private Node focusBefore = this;
    private int rows;

    ShortcutsOverlay() {
        setId("shortcuts");
        getStyleClass().add("overlay");
        setAccessibleRole(AccessibleRole.DIALOG);
        setAccessibleText(Texts.get("shortcuts.title"));
        Label title = new Label(Texts.get("shortcuts.title"));
        title.getStyleClass().add("overlay-title");
        groups.getStyleClass().add("shortcut-groups");
        ScrollPane scroll = new ScrollPane(groups);
        scroll.setMinSize(0, 0);
        scroll.getStyleClass().add("overlay-scroll");
        close.setId("shortcuts-close");
        close.setOnAction(event -> show(false));
        VBox card = new VBox(title, scroll, close);
        card.getStyleClass().add("overlay-card");
        card.setMaxSize(USE_PREF_SIZE, USE_PREF_SIZE);
        getChildren().add(card);
        addEventHandler(MouseEvent.MOUSE_CLICKED, event -> {
            if (event.getTarget() == this) {
                show(false);
            }
        });
        addEventFilter(KeyEvent.KEY_PRESSED, event -> {
            if (event.getCode() == KeyCode.ESCAPE) {
                show(false);
                event.consume();
            }
        });
        managedProperty().bind(visibleProperty());
        setVisible(false);
    }

    /** Lists these. */
    void list(List<Shortcuts.Entry> entries) {
        Map<String, List<Shortcuts.Entry>> byGroup =
                entries.stream().collect(Collectors.groupingBy(Shortcuts.Entry::group, LinkedHashMap::new, Collectors.toList()));
        groups.getChildren().clear();
        rows = 0;
        byGroup.forEach((group, of) -> {
            Label heading = new Label(Texts.get("shortcuts.group." + group));
            heading.getStyleClass().add("shortcut-heading");
            GridPane grid = new GridPane();
            grid.getStyleClass().add("shortcut-grid");
            for (int row = 0; row < of.size(); row++) {
                Label keys = new Label(of.get(row).keys());
                keys.getStyleClass().add("shortcut-keys");
                keys.setMinWidth(Region.USE_PREF_SIZE);
                Label what = new Label(of.get(row).title());
                what.setMinWidth(Region.USE_PREF_SIZE);
                grid.addRow(row, keys, what);
            }
            VBox box = new VBox(heading, grid);
            box.getStyleClass().add("shortcut-group");
            if (groups.getChildren().isEmpty() || rows + of.size() > LONGEST_COLUMN) {
                VBox column = new VBox();
                column.getStyleClass().add("shortcut-column");
                groups.getChildren().add(column);
                rows = 0;
            }
            rows += of.size();
            ((VBox) groups.getChildren().get(groups.getChildren().size() - 1)).getChildren().add(box);
        });
    }

    /** Shows the list or puts it away; the focus goes with it and returns. */
    void show(boolean shown) {
        if (shown == isVisible()) {
            return;
        }
        if (shown) {
            Node owner = getScene().getFocusOwner();
            focusBefore = owner == null ? this : owner;
        }
        setVisible(shown);
        if (shown) {
            close.requestFocus();
        } else if (focusBefore != this) {
            focusBefore.requestFocus();
        }
    }
}
