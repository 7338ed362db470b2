package keelscope.chart;

import java.util.function.Supplier;

/**
 * A kind of chart that a dashboard can hold.
 *
 * @param id its word in settings; it never changes
 * @param title its name on screen
 * @param group the kinds it is listed with
 * @param make makes a new tile of the kind, on the JavaFX thread
 */
public record ChartKind(String id, String title, String group, Supplier<ChartTile> make) {
    public ChartKind {
        if (id.isBlank()) {
            throw new IllegalArgumentException("id is blank; allowed is a word such as loss.");
        }
    }
}
