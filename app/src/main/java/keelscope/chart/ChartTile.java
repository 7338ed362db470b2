package keelscope.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.SnapshotParameters;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.image.WritableImage;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.scene.transform.Transform;
import keelscope.run.ArmSnapshot;

/**
 * A chart with its title, its switches, and a button that lets it fill the window. All methods are called on the JavaFX
 * thread.
 */
public abstract class ChartTile extends BorderPane {
    private static final String STYLE_SHEET =
            Objects.requireNonNull(ChartTile.class.getResource("chart.css")).toExternalForm();

    private final String title;
    private final String explanation;
    private final HBox switches = new HBox();
    private final Label key = new Label();
    private final Button reset = iconButton("reset-zoom", "Reset zoom");
    private final Button maximise = iconButton("maximise", "Maximise");
    private Runnable onMaximise = () -> {};

    ChartTile(String title, String explanation) {
        this.title = title;
        this.explanation = explanation;
        getStyleClass().add("chart-tile");
        getStylesheets().add(STYLE_SHEET);
        Label heading = new Label(title);
        heading.getStyleClass().add("tile-title");
        heading.setTooltip(new Tooltip(explanation));
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        switches.getStyleClass().add("tile-switches");
        reset.setVisible(false);
        reset.managedProperty().bind(reset.visibleProperty());
        reset.setOnAction(event -> resetZoom());
        maximise.setOnAction(event -> onMaximise.run());
        HBox header = new HBox(heading, space, switches, reset, maximise);
        header.getStyleClass().add("tile-header");
        key.getStyleClass().add("tile-key");
        key.setMinHeight(Region.USE_PREF_SIZE);
        VBox top = new VBox(header, key);
        setTop(top);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setAccessibleText(title + ": no data yet.");
    }

    private static Button iconButton(String name, String text) {
        Region icon = new Region();
        icon.getStyleClass().add("icon");
        Button button = new Button("", icon);
        button.getStyleClass().addAll("tile-button", name);
        button.setAccessibleText(text);
        button.setTooltip(new Tooltip(text));
        return button;
    }

    /** The chart's name, as shown in its header. */
    public final String title() {
        return title;
    }

    /** How to read the chart, in two sentences. */
    public final String explanation() {
        return explanation;
    }

    /** Shows these arms in place of what was shown; an empty list clears the chart. */
    public final void show(List<ArmSnapshot> arms) {
        draw(arms);
        List<String> parts = new ArrayList<>();
        for (ArmSnapshot arm : arms) {
            parts.add(Arms.title(arm) + ": " + summary(arm));
        }
        setAccessibleText(title + ". " + (parts.isEmpty() ? "No data yet." : String.join("; ", parts) + "."));
    }

    /** What the chart says, in words: for screen readers and for runs without a display. */
    public final String summary() {
        return getAccessibleText();
    }

    abstract void draw(List<ArmSnapshot> arms);

    /** What the chart says of one arm, without a full stop. */
    abstract String summary(ArmSnapshot arm);

    /** Undoes zooming: the axes follow the data again. */
    public abstract void resetZoom();

    /** What the maximise button does. */
    public final void setOnMaximise(Runnable action) {
        onMaximise = action;
    }

    /** Tells the header whether the tile fills the window, so that its button says what it will do. */
    public final void setMaximised(boolean maximised) {
        String text = maximised ? "Restore" : "Maximise";
        maximise.setAccessibleText(text);
        maximise.getTooltip().setText(text);
        maximise.getStyleClass().setAll("button", "tile-button", maximised ? "restore" : "maximise");
    }

    /** Draws the tile as it is on screen, {@code scale} pixels per point; it must be in a scene and laid out. */
    public final WritableImage snapshotImage(double scale) {
        if (!(scale > 0)) {
            throw new IllegalArgumentException("scale is " + scale + "; allowed is a number above 0.");
        }
        SnapshotParameters parameters = new SnapshotParameters();
        parameters.setTransform(Transform.scale(scale, scale));
        return snapshot(parameters, null);
    }

    final void addSwitches(Node... nodes) {
        switches.getChildren().addAll(nodes);
        for (Node node : nodes) {
            // In a narrow tile the title gives way, not the words on the switches.
            if (node instanceof Region region) {
                region.setMinWidth(Region.USE_PREF_SIZE);
            }
        }
    }

    /** The line under the title that says what lines and markers mean. */
    final void key(String text) {
        if (!text.equals(key.getText())) {
            key.setText(text);
        }
    }

    final void showsReset(boolean shows) {
        reset.setVisible(shows);
    }
}
