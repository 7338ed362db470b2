package keelscope.dashboard;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.RowConstraints;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import keelscope.chart.ChartCatalog;
import keelscope.chart.ChartTile;
import keelscope.run.ArmSnapshot;
import keelscope.text.Texts;

/**
 * The five charts of an experiment side by side; any of them can fill the whole and return. While there is nothing to
 * draw it says what to do.
 */
public final class Dashboard extends StackPane {
    /** Columns of the grid that both rows can be divided into. */
    private static final int COLUMNS = 20;

    /** Columns that each chart takes, in their order: two above, three below, of which the heat map has a panel an arm. */
    private static final int[] SPANS = {10, 10, 8, 7, 5};

    private static final int ABOVE = 2;

    /** Below this width charts are drawn with smaller letters. */
    private static final double COMPACT_WIDTH = 1100;

    private static final PseudoClass COMPACT = PseudoClass.getPseudoClass("compact");

    private final List<ChartTile> tiles = Stream.of(
                    "loss", "gradient-by-layer", "gradient-heat-map", "carry-gate", "highway-transport")
            .map(id -> ChartCatalog.of(id).orElseThrow().make().get())
            .toList();
    private final GridPane grid = new GridPane();
    private final Label hintTitle = new Label();
    private final Label hintText = new Label();
    private final VBox hint = new VBox(hintTitle, hintText);
    private final ReadOnlyObjectWrapper<Optional<ChartTile>> maximised =
            new ReadOnlyObjectWrapper<>(this, "maximised", Optional.empty());

    public Dashboard() {
        setId("dashboard");
        getStyleClass().add("dashboard");
        setAccessibleRole(AccessibleRole.PARENT);
        setAccessibleText(Texts.get("dashboard.title"));
        grid.getStyleClass().add("tiles");
        for (int i = 0; i < COLUMNS; i++) {
            ColumnConstraints column = new ColumnConstraints();
            column.setPercentWidth(100.0 / COLUMNS);
            grid.getColumnConstraints().add(column);
        }
        for (int i = 0; i < 2; i++) {
            RowConstraints row = new RowConstraints();
            row.setPercentHeight(50);
            row.setVgrow(Priority.ALWAYS);
            grid.getRowConstraints().add(row);
        }
        for (ChartTile tile : tiles) {
            tile.setMinSize(0, 0);
            tile.setMaxSize(Double.MAX_VALUE, Double.MAX_VALUE);
            tile.setOnMaximise(() -> toggle(tile));
        }
        hint.getStyleClass().add("dashboard-hint");
        hint.setMaxSize(USE_PREF_SIZE, USE_PREF_SIZE);
        hint.setId("hint");
        hintTitle.getStyleClass().add("hint-title");
        hintText.getStyleClass().add("hint-text");
        hintText.setWrapText(true);
        hintTitle.setWrapText(true);
        arrange();
        getChildren().setAll(grid, hint);
        widthProperty().addListener((property, before, now) ->
                pseudoClassStateChanged(COMPACT, now.doubleValue() < COMPACT_WIDTH));
        clear(Texts.get("dashboard.empty.title"), Texts.get("dashboard.empty.text"));
    }

    /** The charts, in the order in which they are read. */
    public List<ChartTile> tiles() {
        return tiles;
    }

    /** The chart that fills the whole, if one does. */
    public ReadOnlyObjectProperty<Optional<ChartTile>> maximisedProperty() {
        return maximised.getReadOnlyProperty();
    }

    /** Shows these arms in every chart. */
    public void show(List<ArmSnapshot> arms) {
        for (ChartTile tile : tiles) {
            tile.show(arms);
        }
        showCharts(true);
    }

    /** Empties every chart and says instead what to do or to wait for. */
    public void clear(String title, String text) {
        for (ChartTile tile : tiles) {
            tile.show(List.of());
        }
        hintTitle.setText(title);
        hintText.setText(text);
        restore();
        showCharts(false);
    }

    /** Lets {@code tile} fill the whole. */
    public void maximise(ChartTile tile) {
        maximised.set(Optional.of(tile));
        arrange();
    }

    /** Shows all charts side by side again. */
    public void restore() {
        if (maximised.get().isPresent()) {
            maximised.set(Optional.empty());
            arrange();
        }
    }

    private void toggle(ChartTile tile) {
        if (maximised.get().isPresent()) {
            restore();
        } else {
            maximise(tile);
        }
    }

    private void showCharts(boolean charts) {
        grid.setVisible(charts);
        hint.setVisible(!charts);
    }

    private void arrange() {
        // Charts keep their place in the scene graph, so that filling the window and returning loses no zoom.
        if (grid.getChildren().isEmpty()) {
            grid.getChildren().setAll(tiles);
        }
        Optional<ChartTile> one = maximised.get();
        for (int i = 0; i < tiles.size(); i++) {
            ChartTile tile = tiles.get(i);
            boolean shown = one.isEmpty() || one.get() == tile;
            tile.setVisible(shown);
            tile.setManaged(shown);
            tile.setMaximised(one.isPresent());
            if (one.isPresent()) {
                place(tile, 0, 0, COLUMNS, 2);
            } else {
                int row = i < ABOVE ? 0 : 1;
                int column = 0;
                for (int left = row * ABOVE; left < i; left++) {
                    column += SPANS[left];
                }
                place(tile, column, row, SPANS[i], 1);
            }
        }
    }

    private static void place(Node node, int column, int row, int columns, int rows) {
        GridPane.setConstraints(node, column, row, columns, rows);
    }
}
