package keelscope.chart;

import javafx.scene.Node;
import javafx.scene.layout.FlowPane;

/** The switches of a tile: one row by preference, and as many as they need where there is less room. */
final class SwitchRow extends FlowPane {
    SwitchRow() {
        getStyleClass().add("tile-switches");
    }

    @Override
    protected double computePrefWidth(double height) {
        double width = snappedLeftInset() + snappedRightInset();
        double gap = 0;
        for (Node child : getManagedChildren()) {
            width += gap + snapSizeX(child.prefWidth(-1));
            gap = snapSpaceX(getHgap());
        }
        return width;
    }
}
