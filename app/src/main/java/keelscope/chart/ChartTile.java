package keelscope.chart;

import java.util.List;
import javafx.scene.image.WritableImage;
import javafx.scene.layout.BorderPane;
import keelscope.run.ArmSnapshot;

/** A chart with its title, its switches and a button that lets it fill the window. */
public abstract class ChartTile extends BorderPane {

    private final String title;
    private final String explanation;

    ChartTile(String title, String explanation) {
        this.title = title;
        this.explanation = explanation;
    }

    /** The chart's name, as shown in its header. */
    public final String title() {
        return title;
    }

    /** How to read the chart, in two sentences. */
    public final String explanation() {
        return explanation;
    }

    /** Shows these arms in place of what was shown; an empty list clears the chart. Call on the JavaFX thread. */
    public abstract void show(List<ArmSnapshot> arms);

    /** Undoes zooming: the axes follow the data again. */
    public void resetZoom() {}

    /** What the maximise button does. */
    public final void setOnMaximise(Runnable action) {}

    /** Draws the tile as it is on screen, {@code scale} pixels per point. Call on the JavaFX thread, with the tile in a scene. */
    public final WritableImage snapshotImage(double scale) {
        return new WritableImage(1, 1);
    }
}
