package keelscope.dashboard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.geometry.Bounds;
import javafx.geometry.Orientation;
import javafx.geometry.Point2D;
import javafx.scene.Cursor;
import javafx.scene.Node;
import javafx.scene.control.Control;
import javafx.scene.control.Label;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;
import keelscope.chart.ChartTile;
import keelscope.dashboard.Arrangement.Side;

/**
 * Lays charts out as an {@link Arrangement} says, or one of them alone. Borders between charts can be dragged, and a
 * chart can be dragged by its header to a place beside, above or below another.
 */
final class TileGrid extends Region {
    /** The mouse must move so far before a press on a header becomes a drag. */
    private static final double DRAG_DISTANCE = 6;

    /** A drop so near to a chart's upper or lower edge, as a share of its height, makes a row of its own. */
    private static final double ROW_EDGE = 0.22;

    private final Map<String, ChartTile> tiles = new LinkedHashMap<>();
    private final List<Border> borders = new ArrayList<>();
    private final Region least = new Region();
    private final Region dropMark = new Region();
    private Arrangement arrangement = new Arrangement(List.of());
    private Optional<ChartTile> alone = Optional.empty();
    private Consumer<Arrangement> onArranged = arranged -> {};
    private Optional<Drag> drag = Optional.empty();

    /** A chart on its way to another place. */
    private record Drag(String chart, Point2D from, boolean begun, Optional<Drop> drop) {}

    /** Where a chart would go if it were let go now. */
    private record Drop(String target, Side side) {}

    TileGrid() {
        setId("tiles");
        getStyleClass().add("tiles");
        least.getStyleClass().add("least-tile");
        least.setManaged(false);
        least.setVisible(false);
        dropMark.getStyleClass().add("drop-mark");
        dropMark.setManaged(false);
        dropMark.setVisible(false);
        dropMark.setMouseTransparent(true);
        getChildren().addAll(least, dropMark);
        addEventFilter(MouseEvent.MOUSE_PRESSED, this::pressed);
        addEventFilter(MouseEvent.MOUSE_DRAGGED, this::dragged);
        addEventFilter(MouseEvent.MOUSE_RELEASED, this::released);
    }

    /** What is told an arrangement that the user made with the mouse; it is to be shown with {@link #arrange}. */
    void setOnArranged(Consumer<Arrangement> action) {
        onArranged = action;
    }

    /** Shows these charts; {@code shown} holds a tile for every chart of {@code arranged}. */
    void arrange(Arrangement arranged, Map<String, ChartTile> shown) {
        arrangement = arranged;
        List<String> charts = arranged.charts();
        // Charts that stay keep their place in the scene graph, so that they lose neither zoom nor focus.
        for (String chart : List.copyOf(tiles.keySet())) {
            if (!charts.contains(chart)) {
                getChildren().remove(tiles.remove(chart));
            }
        }
        for (String chart : charts) {
            if (!tiles.containsKey(chart)) {
                ChartTile tile = shown.get(chart);
                tiles.put(chart, tile);
                getChildren().add(0, tile);
            }
        }
        // The order in which the Tab key goes from chart to chart is that of the children.
        List<Node> order = new ArrayList<>(charts.stream().map(chart -> (Node) tiles.get(chart)).toList());
        if (!getChildren().subList(0, order.size()).equals(order)) {
            charts.forEach(chart -> tiles.get(chart).setViewOrder(0));
            List<Node> rest = new ArrayList<>(getChildren());
            rest.removeAll(order);
            order.addAll(rest);
            getChildren().setAll(order);
        }
        makeBorders();
        showAlone(alone.filter(tiles::containsValue));
        requestLayout();
    }

    /** Lets one chart fill the whole; empty shows all of them. */
    void showAlone(Optional<ChartTile> tile) {
        alone = tile;
        for (ChartTile each : tiles.values()) {
            boolean shown = tile.isEmpty() || tile.get() == each;
            each.setVisible(shown);
            each.setManaged(shown);
        }
        borders.forEach(border -> border.setVisible(tile.isEmpty()));
        requestLayout();
    }

    private void makeBorders() {
        List<Border> wanted = new ArrayList<>();
        for (int row = 0; row < arrangement.rows().size(); row++) {
            for (int column = 0; column + 1 < arrangement.rows().get(row).places().size(); column++) {
                wanted.add(new Border(row, column));
            }
            if (row + 1 < arrangement.rows().size()) {
                wanted.add(new Border(row, -1));
            }
        }
        boolean same = wanted.size() == borders.size();
        for (int i = 0; same && i < wanted.size(); i++) {
            same = wanted.get(i).row == borders.get(i).row && wanted.get(i).column == borders.get(i).column;
        }
        if (!same) {
            // A border that is being dragged stays the same node.
            getChildren().removeAll(borders);
            borders.clear();
            borders.addAll(wanted);
            getChildren().addAll(getChildren().size() - 1, wanted);
        }
    }

    // --- layout -----------------------------------------------------------------------------------------------------

    @Override
    protected double computeMinHeight(double width) {
        int rows = arrangement.rows().size();
        return alone.isPresent() || rows == 0
                ? 0
                : snappedTopInset() + snappedBottomInset() + rows * least.minHeight(-1) + (rows - 1) * gap();
    }

    @Override
    protected double computePrefHeight(double width) {
        return computeMinHeight(width);
    }

    @Override
    protected double computeMinWidth(double height) {
        return 0;
    }

    @Override
    protected double computePrefWidth(double height) {
        return 0;
    }

    private double gap() {
        return snapSizeX(least.minWidth(-1));
    }

    @Override
    protected void layoutChildren() {
        double left = snappedLeftInset();
        double top = snappedTopInset();
        double width = getWidth() - left - snappedRightInset();
        double height = getHeight() - top - snappedBottomInset();
        if (alone.isPresent()) {
            place(alone.get(), left, top, width, height);
            return;
        }
        double gap = gap();
        List<Arrangement.Row> rows = arrangement.rows();
        double heights = rows.stream().mapToDouble(Arrangement.Row::height).sum();
        double room = height - gap * (rows.size() - 1);
        double y = top;
        double doneHeights = 0;
        int next = 0;
        for (int r = 0; r < rows.size(); r++) {
            Arrangement.Row row = rows.get(r);
            doneHeights += row.height();
            double bottom = snapPositionY(top + room * doneHeights / heights + gap * r);
            double widths = row.places().stream().mapToDouble(Arrangement.Place::width).sum();
            double across = width - gap * (row.places().size() - 1);
            double x = left;
            double doneWidths = 0;
            for (int c = 0; c < row.places().size(); c++) {
                doneWidths += row.places().get(c).width();
                double right = snapPositionX(left + across * doneWidths / widths + gap * c);
                place(tiles.get(row.places().get(c).chart()), x, y, right - x, bottom - y);
                if (c + 1 < row.places().size()) {
                    place(borders.get(next++), right, y, gap, bottom - y);
                }
                x = right + gap;
            }
            if (r + 1 < rows.size()) {
                place(borders.get(next++), left, bottom, width, gap);
            }
            y = bottom + gap;
        }
    }

    private static void place(Node node, double x, double y, double width, double height) {
        // A tile of which a picture is being taken is larger for that moment and not the grid's to lay out.
        if (node.isManaged()) {
            node.resizeRelocate(x, y, Math.max(0, width), Math.max(0, height));
        }
    }

    // --- dragging a chart -------------------------------------------------------------------------------------------

    private void pressed(MouseEvent event) {
        drag = Optional.empty();
        if (event.getButton() != MouseButton.PRIMARY || alone.isPresent() || !(event.getTarget() instanceof Node)) {
            return;
        }
        boolean header = false;
        for (Node node = (Node) event.getTarget(); node != null && node != this; node = node.getParent()) {
            if (node instanceof Control && !(node instanceof Label)) {
                return;
            }
            header |= node.getStyleClass().contains("tile-header");
            if (header && node instanceof ChartTile tile) {
                drag = chartOf(tile).map(chart -> new Drag(chart, here(event), false, Optional.empty()));
            }
        }
    }

    private void dragged(MouseEvent event) {
        if (drag.isEmpty()) {
            return;
        }
        Point2D here = here(event);
        Drag now = drag.get();
        if (!now.begun() && here.distance(now.from()) < DRAG_DISTANCE) {
            return;
        }
        Optional<Drop> drop = dropAt(now.chart(), here);
        drag = Optional.of(new Drag(now.chart(), now.from(), true, drop));
        tiles.get(now.chart()).setOpacity(0.6);
        setCursor(Cursor.CLOSED_HAND);
        dropMark.setVisible(drop.isPresent());
        drop.ifPresent(this::mark);
        event.consume();
    }

    private void released(MouseEvent event) {
        Optional<Drag> ended = drag;
        drag = Optional.empty();
        if (ended.isEmpty() || !ended.get().begun()) {
            return;
        }
        tiles.get(ended.get().chart()).setOpacity(1);
        setCursor(Cursor.DEFAULT);
        dropMark.setVisible(false);
        event.consume();
        ended.get().drop().ifPresent(drop ->
                onArranged.accept(arrangement.move(ended.get().chart(), drop.target(), drop.side())));
    }

    private Point2D here(MouseEvent event) {
        return sceneToLocal(event.getSceneX(), event.getSceneY());
    }

    private Optional<String> chartOf(ChartTile tile) {
        return tiles.entrySet().stream()
                .filter(entry -> entry.getValue() == tile)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private Optional<Drop> dropAt(String chart, Point2D point) {
        for (Map.Entry<String, ChartTile> entry : tiles.entrySet()) {
            Bounds bounds = entry.getValue().getBoundsInParent();
            if (bounds.contains(point) && !entry.getKey().equals(chart)) {
                double down = (point.getY() - bounds.getMinY()) / bounds.getHeight();
                Side side = down < ROW_EDGE
                        ? Side.ABOVE
                        : down > 1 - ROW_EDGE
                                ? Side.BELOW
                                : point.getX() < bounds.getCenterX() ? Side.LEFT : Side.RIGHT;
                return Optional.of(new Drop(entry.getKey(), side));
            }
        }
        return Optional.empty();
    }

    private void mark(Drop drop) {
        Bounds bounds = tiles.get(drop.target()).getBoundsInParent();
        double thick = gap();
        double left = snappedLeftInset();
        double width = getWidth() - left - snappedRightInset();
        switch (drop.side()) {
            case LEFT -> place(dropMark, bounds.getMinX() - thick, bounds.getMinY(), thick, bounds.getHeight());
            case RIGHT -> place(dropMark, bounds.getMaxX(), bounds.getMinY(), thick, bounds.getHeight());
            case ABOVE -> place(dropMark, left, bounds.getMinY() - thick, width, thick);
            case BELOW -> place(dropMark, left, bounds.getMaxY(), width, thick);
        }
        dropMark.toFront();
    }

    // --- dragging a border ------------------------------------------------------------------------------------------

    /** The border to the right of a chart, or ({@code column} −1) below a row. */
    private final class Border extends Region {
        private final int row;
        private final int column;
        private Arrangement begun = arrangement;
        private Point2D from = Point2D.ZERO;

        Border(int row, int column) {
            this.row = row;
            this.column = column;
            Orientation orientation = column < 0 ? Orientation.HORIZONTAL : Orientation.VERTICAL;
            setId("border-" + row + (column < 0 ? "" : "-" + column));
            getStyleClass().add("tile-border");
            setCursor(orientation == Orientation.HORIZONTAL ? Cursor.V_RESIZE : Cursor.H_RESIZE);
            setOnMousePressed(event -> {
                begun = arrangement;
                from = here(event);
            });
            setOnMouseDragged(event -> {
                Point2D moved = here(event).subtract(from);
                double width = TileGrid.this.getWidth() - snappedLeftInset() - snappedRightInset();
                double height = TileGrid.this.getHeight() - snappedTopInset() - snappedBottomInset();
                onArranged.accept(
                        column < 0
                                ? begun.moveRowBorder(row, moved.getY() / height)
                                : begun.moveColumnBorder(row, column, moved.getX() / width));
                event.consume();
            });
        }
    }
}
