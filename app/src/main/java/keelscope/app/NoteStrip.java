package keelscope.app;

import java.util.Locale;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import keelscope.run.RunNote;
import keelscope.text.Texts;

/** What the user must know about the run, in sentences that stay above the charts until they are put away. */
final class NoteStrip extends VBox {
    /** More would take the charts' place; what is older can still be read where the arm's state is shown. */
    private static final int MOST = 3;

    NoteStrip() {
        setId("notes");
        getStyleClass().add("notes");
        managedProperty().bind(visibleProperty());
        setVisible(false);
    }

    /** Adds a sentence below the others. */
    void add(RunNote note) {
        Region icon = new Region();
        icon.getStyleClass().addAll("icon", "icon-warning");
        Label text = new Label(note.text());
        text.getStyleClass().add("note-text");
        text.setWrapText(true);
        text.setMinHeight(Region.USE_PREF_SIZE);
        text.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(text, Priority.ALWAYS);
        Button away = new Button();
        Region cross = new Region();
        cross.getStyleClass().addAll("icon", "icon-close");
        away.setGraphic(cross);
        away.getStyleClass().addAll("icon-button", "quiet");
        away.setAccessibleText(Texts.get("note.away"));
        away.setTooltip(new Tooltip(Texts.get("note.away")));
        HBox row = new HBox(icon, text, away);
        row.getStyleClass().addAll("note", "note-" + note.severity().name().toLowerCase(Locale.ROOT));
        away.setOnAction(event -> {
            getChildren().remove(row);
            setVisible(!getChildren().isEmpty());
        });
        getChildren().add(row);
        if (getChildren().size() > MOST) {
            getChildren().remove(0);
        }
        setVisible(true);
    }

    /** Puts all sentences away. */
    void clear() {
        getChildren().clear();
        setVisible(false);
    }
}
