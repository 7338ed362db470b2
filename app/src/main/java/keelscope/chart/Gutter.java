package keelscope.chart;

import java.util.List;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.text.Font;
import javafx.scene.text.FontWeight;
import javafx.scene.text.Text;

/** How much room the names of curves need right of a plot. */
final class Gutter {
    private static final double GAPS = 16;

    private Gutter() {}

    /** Width in pixels of the longest of {@code names}, in the type of curve names within {@code tile}. */
    static double width(Node tile, List<String> names) {
        // The type comes from the style sheet, by way of any label of the tile that has been styled already.
        double size = tile.lookup(".tile-key") instanceof Label label ? label.getFont().getSize() : Font.getDefault().getSize();
        double widest = 0;
        for (String name : names) {
            Text text = new Text(name);
            text.setFont(Font.font(Font.getDefault().getFamily(), FontWeight.BOLD, size * 1.08));
            widest = Math.max(widest, text.getLayoutBounds().getWidth());
        }
        return Math.ceil(widest + GAPS);
    }
}
