package keelscope.chart;

import io.fair_acc.chartfx.XYChart;
import io.fair_acc.chartfx.plugins.ChartPlugin;
import io.fair_acc.chartfx.renderer.Renderer;
import io.fair_acc.chartfx.ui.geometry.Side;
import io.fair_acc.dataset.DataSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.DoubleConsumer;
import javafx.application.Platform;
import javafx.event.EventHandler;
import javafx.geometry.BoundingBox;
import javafx.geometry.Bounds;
import javafx.geometry.Point2D;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.shape.Line;
import javafx.scene.shape.Rectangle;
import keelscope.run.StepRange;

/**
 * A ChartFX chart dressed as a figure of a paper: curves with their names written beside them, marks for events, the
 * values under the mouse, zooming by dragging and by the wheel.
 */
final class Plot extends StackPane {
    private static final double LABEL_GAP = 8;

    /** Words beside marks take so many rows at most, and this share of the plot's height. */
    private static final int MARK_ROWS = 4;

    private static final double MARKED_SHARE = 0.3;

    /** Curves that end within this share of the plot's width of each other are named at the same distance from the left. */
    private static final double NEAR_END = 0.15;

    /** An event drawn as an upright line; the text stands beside the line where {@code important}. */
    record Mark(double x, String text, String styleClass, boolean important) {}

    /** Axis limits. */
    record View(double xMin, double xMax, double yMin, double yMax) {}

    /** What to say about a place in the plot. */
    interface HoverSource {
        /** @param x and {@code y} in data units */
        Optional<HoverCard.Content> at(double x, double y);
    }

    private final PaperAxis xAxis;
    private final PaperAxis yAxis;
    private final DrawnChart chart;
    private final Region gutter = new Region();
    private final Pane overlay = new Pane();
    private final Line hairline = new Line();
    private final Rectangle rubberBand = new Rectangle();
    private final HoverCard hoverCard = new HoverCard();
    private final List<Region> dots = new ArrayList<>();

    private final Map<String, Curve> curves = new LinkedHashMap<>();
    private final Map<String, NameLabel> names = new LinkedHashMap<>();
    private final List<Mark> marks = new ArrayList<>();
    private final List<Line> markLines = new ArrayList<>();
    private final List<Label> markLabels = new ArrayList<>();

    private final Line cursorLine = new Line();
    private OptionalInt cursor = OptionalInt.empty();
    private DoubleConsumer onPick = x -> {};
    private HoverSource hoverSource = (x, y) -> Optional.empty();
    private Runnable onViewChanged = () -> {};
    private boolean zoomed;
    private View home = new View(0, 1, 0, 1);
    private boolean held;
    private boolean begun;
    private boolean homeLogX;
    private boolean homeLogY;
    private double scale = 1;
    private Point2D pressed;
    private Point2D mouse;

    /** @param text the name alone; the label may have an arrow behind it */
    private record NameLabel(Label label, String curve, String text) {}

    /** @param renderer draws the data sets, a {@link CurveRenderer} or a {@link HeatMapRenderer} */
    Plot(PaperAxis xAxis, PaperAxis yAxis, Renderer renderer) {
        this.xAxis = xAxis;
        this.yAxis = yAxis;
        getStyleClass().add("plot");
        chart = new DrawnChart(xAxis, yAxis);
        chart.getRenderers().setAll(renderer);
        chart.setAnimated(false);
        chart.getLegend().getNode().setVisible(false);
        chart.getLegend().getNode().setManaged(false);
        // ChartFX's own tool bar would slide in under the mouse; the tile has its switches in the header.
        chart.getMenuPane().setTop(null);
        chart.getMenuPane().setTriggerDistance(0);
        // Panes with nothing to be done in them would be stops on the way of the Tab key.
        chart.getMenuPane().setFocusTraversable(false);
        chart.getPlotArea().setFocusTraversable(false);
        gutter.getStyleClass().add("chart-gutter");
        chart.getAxesAndCanvasPane().addSide(Side.RIGHT, gutter);
        chart.getPlugins().add(new AfterDrawing());
        // How wide an axis is, is known only once its labels have been made for a new size: so all is laid out once more after it.
        chart.getCanvas().widthProperty().addListener(property -> Platform.runLater(this::requestOverlay));
        chart.getCanvas().heightProperty().addListener(property -> Platform.runLater(this::requestOverlay));

        overlay.setMouseTransparent(true);
        overlay.setManaged(false);
        hairline.getStyleClass().add("chart-hairline");
        rubberBand.getStyleClass().add("chart-rubber-band");
        cursorLine.getStyleClass().add("chart-cursor");
        for (Node node : List.of(cursorLine, hairline, rubberBand, hoverCard)) {
            node.setManaged(false);
            node.setVisible(false);
        }
        overlay.getChildren().addAll(cursorLine, hairline, rubberBand, hoverCard);
        getChildren().addAll(chart, overlay);
        listenToMouse();
    }

    /** A chart that can be drawn outside of a pulse, for pictures. */
    private static final class DrawnChart extends XYChart {
        DrawnChart(PaperAxis xAxis, PaperAxis yAxis) {
            super(xAxis, yAxis);
        }

        void drawNow() {
            invalidate();
            runPreLayout();
            layout();
            runPostLayout();
        }
    }

    /** Draws lines, markers and gaps {@code newScale} times as large as the style sheet says; type is the tile's to set. */
    void scale(double newScale) {
        scale = newScale;
        if (renderer() instanceof CurveRenderer curveRenderer) {
            curveRenderer.scale(newScale);
        }
        requestLayout();
    }

    /** Draws at once what would be drawn with the next pulse; the plot must have been laid out. */
    void drawNow() {
        chart.drawNow();
    }

    PaperAxis xAxis() {
        return xAxis;
    }

    PaperAxis yAxis() {
        return yAxis;
    }

    XYChart chart() {
        return chart;
    }

    Renderer renderer() {
        return chart.getRenderers().get(0);
    }

    /** The curve of that key; made with these style classes when first asked for. Those of a higher level lie above. */
    Curve curve(String key, int level, double phase, String... styleClasses) {
        return curves.computeIfAbsent(key, k -> new Curve(k, level, phase, styleClasses));
    }

    /** The curve of that key, if there is one. */
    Optional<Curve> find(String key) {
        return Optional.ofNullable(curves.get(key));
    }

    /** Removes every curve and name whose key is not among {@code keys}. */
    void retain(Set<String> keys) {
        curves.keySet().retainAll(keys);
        names.entrySet().removeIf(entry -> {
            boolean gone = !keys.contains(entry.getValue().curve());
            if (gone) {
                overlay.getChildren().remove(entry.getValue().label());
            }
            return gone;
        });
    }

    /**
     * Gives ChartFX the curves that have points: with an empty one it would redraw for ever. Draws nothing where curves, limits, names and
     * marks are what they were.
     */
    void commit() {
        List<Curve> wanted = new ArrayList<>(curves.values());
        wanted.removeIf(curve -> curve.getDataCount() == 0);
        wanted.sort(Comparator.comparingInt(Curve::level));
        if (!renderer().getDatasets().equals(wanted)) {
            renderer().getDatasets().setAll(wanted);
        }
        boolean changed = false;
        for (Curve curve : curves.values()) {
            changed |= curve.takeChanged();
        }
        if (changed) {
            requestOverlay();
        }
    }

    /** Draws with the next pulse. */
    void redraw() {
        requestOverlay();
    }

    /** Writes {@code text} beside the right end of a curve. */
    void name(String curveKey, String text, String... styleClasses) {
        NameLabel name = names.get(curveKey);
        if (name == null) {
            Label label = new Label();
            label.getStyleClass().add("curve-name");
            label.getStyleClass().addAll(styleClasses);
            label.setManaged(false);
            overlay.getChildren().add(0, label);
            name = new NameLabel(label, curveKey, "");
        }
        if (!name.text().equals(text)) {
            names.put(curveKey, new NameLabel(name.label(), curveKey, text));
            written(name.label(), text);
        }
    }

    private void written(Label label, String text) {
        if (!label.getText().equals(text)) {
            label.setText(text);
            requestLayout();
            requestOverlay();
        }
    }

    List<String> names() {
        return names.values().stream().map(NameLabel::text).toList();
    }

    /** The names that can be read beside the plot now, with an arrow where the curve has left the axis. */
    List<String> shownNames() {
        return names.values().stream().map(NameLabel::label).filter(Node::isVisible).map(Label::getText).toList();
    }

    void marks(List<Mark> newMarks) {
        if (newMarks.equals(marks)) {
            return;
        }
        marks.clear();
        marks.addAll(newMarks);
        overlay.getChildren().removeAll(markLines);
        overlay.getChildren().removeAll(markLabels);
        markLines.clear();
        markLabels.clear();
        for (Mark mark : marks) {
            Line line = new Line();
            line.getStyleClass().addAll("mark", mark.styleClass(), mark.important() ? "important" : "minor");
            line.setManaged(false);
            Label label = new Label(mark.important() ? mark.text() : "");
            label.getStyleClass().addAll("mark-name", mark.styleClass());
            label.setManaged(false);
            label.setVisible(mark.important());
            markLines.add(line);
            markLabels.add(label);
        }
        overlay.getChildren().addAll(0, markLabels);
        overlay.getChildren().addAll(0, markLines);
        requestOverlay();
    }

    List<Mark> marks() {
        return List.copyOf(marks);
    }

    /** Draws an upright line at a step, or none. */
    void cursor(OptionalInt step) {
        cursor = step;
        layoutOverlay();
    }

    OptionalInt cursor() {
        return cursor;
    }

    /** What to do with the x, in data units, at which the user clicks in the plot, or to which he drags along its axis. */
    void onPick(DoubleConsumer action) {
        onPick = action;
    }

    /** The steps on screen, where x is a step and the plot is zoomed. */
    Optional<StepRange> visibleSteps() {
        if (!zoomed || xAxis.getMax() < 0) {
            return Optional.empty();
        }
        int first = (int) Math.max(0, Math.floor(xAxis.getMin()));
        return Optional.of(new StepRange(first, (int) Math.max(first, Math.ceil(xAxis.getMax()))));
    }

    void onHover(HoverSource source) {
        hoverSource = source;
    }

    void onViewChanged(Runnable action) {
        onViewChanged = action;
    }

    /** Whether the axes stay as they are whatever {@link #home} is set, once they have had one. */
    void held(boolean holds) {
        held = holds;
    }

    /** Lets the axes take the next {@link #home}, though they are held. */
    void release() {
        begun = false;
    }

    /** Whether anything of a part of the plane lies within the axes, as far as they have limits and when they are not zoomed. */
    boolean reaches(View part) {
        return !begun
                || part.xMin() <= home.xMax() && part.xMax() >= home.xMin() && part.yMin() <= home.yMax() && part.yMax() >= home.yMin();
    }

    /** Where the axes are, once they have limits. */
    Optional<FixedAxes> axes() {
        return begun ? Optional.of(new FixedAxes(homeLogY, home, zoomed ? Optional.of(view()) : Optional.empty(), Optional.empty())) : Optional.empty();
    }

    /** Puts the axes where they were once. */
    void axes(FixedAxes were) {
        begun = true;
        homeLogY = were.log();
        home = were.home();
        zoomed = were.zoom().isPresent();
        apply(were.zoom().orElse(home));
        onViewChanged.run();
    }

    /** Sets scale and limits for when the plot is not zoomed; a zoomed plot keeps its view unless its scale changes. */
    void home(boolean logX, boolean logY, View view) {
        boolean rescaled = logX != homeLogX || logY != homeLogY;
        homeLogX = logX;
        homeLogY = logY;
        if (held && begun && !rescaled) {
            return;
        }
        begun = true;
        home = view;
        if (zoomed && !rescaled) {
            return;
        }
        boolean was = zoomed;
        zoomed = false;
        apply(view);
        if (was) {
            onViewChanged.run();
        }
    }

    private void apply(View view) {
        boolean movedX = xAxis.limits(homeLogX, view.xMin(), view.xMax());
        boolean movedY = yAxis.limits(homeLogY, view.yMin(), view.yMax());
        if (movedX || movedY) {
            requestOverlay();
        }
    }

    View view() {
        return new View(xAxis.getMin(), xAxis.getMax(), yAxis.getMin(), yAxis.getMax());
    }

    boolean zoomed() {
        return zoomed;
    }

    void zoomTo(View view) {
        if (!(view.xMin() < view.xMax()) || !(view.yMin() < view.yMax())) {
            return;
        }
        zoomed = true;
        apply(view);
        onViewChanged.run();
    }

    void resetZoom() {
        zoomed = false;
        apply(home);
        onViewChanged.run();
    }

    /** The text shown for the mouse at these coordinates of the plot area, as a reader would read it aloud. */
    String hoverText() {
        return hoverCard.isVisible() ? hoverCard.text() : "";
    }

    // ---- mouse

    private void listenToMouse() {
        Node area = chart.getPlotArea();
        area.setOnMouseMoved(event -> {
            mouse = inPlot(event.getSceneX(), event.getSceneY());
            layoutOverlay();
        });
        area.setOnMouseExited(event -> {
            mouse = null;
            layoutOverlay();
        });
        area.setOnMousePressed(event -> {
            if (event.isPrimaryButtonDown()) {
                pressed = inPlot(event.getSceneX(), event.getSceneY());
            }
        });
        area.setOnMouseDragged(event -> {
            mouse = inPlot(event.getSceneX(), event.getSceneY());
            layoutOverlay();
        });
        area.setOnMouseReleased(event -> {
            Point2D from = pressed;
            pressed = null;
            if (from != null) {
                dragged(from, inPlot(event.getSceneX(), event.getSceneY()));
            }
            layoutOverlay();
        });
        area.setOnMouseClicked(event -> {
            if (!event.isStillSincePress() || event.getButton() != MouseButton.PRIMARY) {
                return;
            }
            if (event.getClickCount() == 2) {
                resetZoom();
            } else if (event.getClickCount() == 1) {
                onPick.accept(xAxis.getValueForDisplay(inPlot(event.getSceneX(), event.getSceneY()).getX()));
            }
        });
        EventHandler<MouseEvent> alongAxis = event -> {
            if (event.isPrimaryButtonDown()) {
                double x = clamp(inPlot(event.getSceneX(), event.getSceneY()).getX(), chart.getCanvas().getWidth());
                onPick.accept(xAxis.getValueForDisplay(x));
                event.consume();
            }
        };
        xAxis.addEventHandler(MouseEvent.MOUSE_PRESSED, alongAxis);
        xAxis.addEventHandler(MouseEvent.MOUSE_DRAGGED, alongAxis);
        area.setOnScroll(event -> {
            if (event.getDeltaY() == 0) {
                return;
            }
            Point2D at = inPlot(event.getSceneX(), event.getSceneY());
            double factor = Math.pow(1.0015, -event.getDeltaY());
            boolean alongX = !event.isShiftDown();
            boolean alongY = !event.isControlDown();
            zoomTo(around(at, alongX ? factor : 1, alongY ? factor : 1));
            event.consume();
        });
    }

    private Point2D inPlot(double sceneX, double sceneY) {
        return chart.getCanvas().sceneToLocal(sceneX, sceneY);
    }

    private void dragged(Point2D from, Point2D to) {
        double w = chart.getCanvas().getWidth();
        double h = chart.getCanvas().getHeight();
        boolean wide = Math.abs(to.getX() - from.getX()) > 6;
        boolean high = Math.abs(to.getY() - from.getY()) > 6;
        if (!wide && !high) {
            return;
        }
        // A drag along one axis only zooms that axis.
        double left = wide ? clamp(Math.min(from.getX(), to.getX()), w) : 0;
        double right = wide ? clamp(Math.max(from.getX(), to.getX()), w) : w;
        double top = high ? clamp(Math.min(from.getY(), to.getY()), h) : 0;
        double bottom = high ? clamp(Math.max(from.getY(), to.getY()), h) : h;
        zoomTo(viewOf(left, right, top, bottom));
    }

    private View around(Point2D at, double factorX, double factorY) {
        double w = chart.getCanvas().getWidth();
        double h = chart.getCanvas().getHeight();
        return viewOf(
                at.getX() - at.getX() * factorX,
                at.getX() + (w - at.getX()) * factorX,
                at.getY() - at.getY() * factorY,
                at.getY() + (h - at.getY()) * factorY);
    }

    private View viewOf(double left, double right, double top, double bottom) {
        double y1 = yAxis.getValueForDisplay(top);
        double y2 = yAxis.getValueForDisplay(bottom);
        return new View(
                xAxis.getValueForDisplay(left), xAxis.getValueForDisplay(right), Math.min(y1, y2), Math.max(y1, y2));
    }

    private static double clamp(double value, double max) {
        return Math.max(0, Math.min(max, value));
    }

    // ---- what lies over the plot

    private final class AfterDrawing extends ChartPlugin {
        @Override
        public void runPostLayout() {
            layoutOverlay();
        }
    }

    // Names and hover follow the canvas, which ChartFX draws in the next pulse.
    private void requestOverlay() {
        chart.invalidate();
    }

    @Override
    protected void layoutChildren() {
        // Room for the names right of the plot, in the type that the style sheet gives them.
        double widest = 0;
        for (NameLabel name : names.values()) {
            widest = Math.max(widest, name.label().prefWidth(-1));
        }
        double width = names.isEmpty() ? 0 : Math.ceil(widest + scale * LABEL_GAP);
        if (gutter.getPrefWidth() != width) {
            gutter.setMinWidth(width);
            gutter.setPrefWidth(width);
        }
        super.layoutChildren();
        overlay.resizeRelocate(0, 0, getWidth(), getHeight());
    }

    private void layoutOverlay() {
        Bounds area = overlay.sceneToLocal(
                chart.getCanvas().localToScene(chart.getCanvas().getLayoutBounds()));
        if (area == null || area.getWidth() <= 0) {
            return;
        }
        layoutMarks(area);
        layoutNames(area);
        layoutCursor(area);
        layoutHover(area);
    }

    private void layoutCursor(Bounds area) {
        double x = cursor.isPresent() ? xAxis.getDisplayPosition(cursor.getAsInt()) : -1;
        cursorLine.setVisible(x >= 0 && x <= area.getWidth());
        double at = Math.round(area.getMinX() + x) + 0.5;
        cursorLine.setStartX(at);
        cursorLine.setEndX(at);
        cursorLine.setStartY(area.getMinY());
        cursorLine.setEndY(area.getMaxY());
    }

    /** A name before it gives way to others: x of its left edge, y of its middle. */
    private record Placed(Label label, double x, double y, double height) {
        boolean overlaps(Placed other) {
            return x < other.x + other.label.getWidth() && other.x < x + label.getWidth();
        }
    }

    private void layoutNames(Bounds area) {
        double end = curves.values().stream().mapToDouble(this::endOf).max().orElse(0);
        List<Placed> placed = new ArrayList<>();
        double left = area.getHeight();
        for (NameLabel name : names.values()) {
            Curve curve = curves.get(name.curve());
            int last = curve == null ? -1 : lastVisible(curve);
            if (last >= 0) {
                double y = yAxis.getDisplayPosition(curve.get(DataSet.DIM_Y, last));
                // What has left the axis is named where it left.
                written(name.label(), name.text() + (y < -2 ? " ↑" : y > area.getHeight() + 2 ? " ↓" : ""));
                name.label().autosize();
                left -= name.label().getHeight();
                // Behind a curve that ends only a little further right, so that the name does not lie on it.
                double x = endOf(curve) > end - NEAR_END * area.getWidth() ? end : endOf(curve);
                placed.add(belowMarks(
                        new Placed(name.label(), x + scale * LABEL_GAP, clamp(y, area.getHeight()), name.label().getHeight()), area));
            }
            // Names that do not fit one above the other are left to the mouse.
            name.label().setVisible(last >= 0 && (left >= 0 || placed.size() == 1));
        }
        placed.removeIf(name -> !name.label().isVisible());
        // Curves that end at the same height keep the order of their arms.
        placed.sort(Comparator.comparingLong(name -> Math.round(name.y() / 3)));
        double[] centre = placed.stream().mapToDouble(Placed::y).toArray();
        for (int i = 0; i < centre.length; i++) {
            for (int j = 0; j < i; j++) {
                if (placed.get(i).overlaps(placed.get(j))) {
                    centre[i] = Math.max(centre[i], centre[j] + 0.5 * (placed.get(i).height() + placed.get(j).height()));
                }
            }
        }
        for (int i = centre.length - 1; i >= 0; i--) {
            centre[i] = Math.min(centre[i], area.getHeight() - 0.5 * placed.get(i).height());
            for (int j = i + 1; j < centre.length; j++) {
                if (placed.get(i).overlaps(placed.get(j))) {
                    centre[i] = Math.min(centre[i], centre[j] - 0.5 * (placed.get(i).height() + placed.get(j).height()));
                }
            }
        }
        for (int i = 0; i < centre.length; i++) {
            Placed name = placed.get(i);
            name.label().relocate(
                    Math.round(area.getMinX() + name.x()), Math.round(area.getMinY() + centre[i] - name.height() / 2));
            // Where there is no other place, the name is worth more.
            markLabels.stream().filter(mark -> mark.isVisible() && meet(mark, name.label())).forEach(mark -> mark.setVisible(false));
        }
    }

    private static boolean meet(Label one, Label other) {
        Bounds a = one.getBoundsInParent();
        Bounds b = other.getBoundsInParent();
        // Boxes of words that touch do not yet lie on each other.
        return a.getMinX() + 1 < b.getMaxX() && b.getMinX() + 1 < a.getMaxX() && a.getMinY() + 1 < b.getMaxY() && b.getMinY() + 1 < a.getMaxY();
    }

    /** A name lower down where it would lie on words beside a mark. */
    private Placed belowMarks(Placed name, Bounds area) {
        double y = name.y();
        for (Label mark : markLabels) {
            Bounds words = mark.getBoundsInParent();
            boolean meets = mark.isVisible()
                    && area.getMinX() + name.x() < words.getMaxX()
                    && words.getMinX() < area.getMinX() + name.x() + name.label().getWidth()
                    && area.getMinY() + y - name.height() / 2 < words.getMaxY()
                    && words.getMinY() < area.getMinY() + y + name.height() / 2;
            y = meets ? words.getMaxY() - area.getMinY() + name.height() / 2 : y;
        }
        return new Placed(name.label(), name.x(), y, name.height());
    }

    /** Where a curve ends on screen, 0 where it is not seen. */
    private double endOf(Curve curve) {
        int last = lastVisible(curve);
        return last < 0 ? 0 : Math.min(xAxis.getLength(), xAxis.getDisplayPosition(curve.get(DataSet.DIM_X, last)));
    }

    /** The last point at a step or layer that is on screen and has a value, −1 where there is none. */
    private int lastVisible(Curve curve) {
        for (int i = curve.getDataCount() - 1; i >= 0; i--) {
            double x = xAxis.getDisplayPosition(curve.get(DataSet.DIM_X, i));
            double y = yAxis.getDisplayPosition(curve.get(DataSet.DIM_Y, i));
            if (x <= xAxis.getLength() + 1 && Double.isFinite(y)) {
                return x >= 0 ? i : -1;
            }
        }
        return -1;
    }

    private void layoutMarks(Bounds area) {
        // To which x each row of words is taken.
        double[] taken = new double[MARK_ROWS];
        for (int i = 0; i < marks.size(); i++) {
            Mark mark = marks.get(i);
            double x = xAxis.getDisplayPosition(mark.x());
            boolean inside = x >= 0 && x <= area.getWidth();
            Line line = markLines.get(i);
            line.setVisible(inside);
            markLabels.get(i).setVisible(false);
            if (!inside) {
                continue;
            }
            double at = Math.round(area.getMinX() + x) + 0.5;
            line.setStartX(at);
            line.setEndX(at);
            line.setStartY(mark.important() ? area.getMinY() : area.getMaxY() - 10 * scale);
            line.setEndY(area.getMaxY());
            if (mark.important()) {
                layoutMarkName(area, x, markLabels.get(i), taken);
            }
        }
    }

    /** Puts a mark's words beside it, in the first row that has room for them; else they are left to the mouse. */
    private void layoutMarkName(Bounds area, double x, Label label, double[] taken) {
        label.autosize();
        double width = label.getWidth();
        double gap = 4 * scale;
        double left = x + gap + width <= area.getWidth() ? x + gap : x - gap - width;
        double height = label.getHeight();
        for (int row = 0; row < taken.length && (row + 1) * height <= MARKED_SHARE * area.getHeight(); row++) {
            if (left >= taken[row]) {
                taken[row] = left + width + gap;
                label.relocate(Math.round(area.getMinX() + left), Math.round(area.getMinY() + row * height));
                label.setVisible(true);
                return;
            }
        }
    }

    private void layoutHover(Bounds area) {
        boolean dragging = pressed != null && mouse != null && mouse.distance(pressed) > 6;
        rubberBand.setVisible(dragging);
        if (dragging) {
            boolean wide = Math.abs(mouse.getX() - pressed.getX()) > 6;
            boolean high = Math.abs(mouse.getY() - pressed.getY()) > 6;
            double left = wide ? clamp(Math.min(mouse.getX(), pressed.getX()), area.getWidth()) : 0;
            double right = wide ? clamp(Math.max(mouse.getX(), pressed.getX()), area.getWidth()) : area.getWidth();
            double top = high ? clamp(Math.min(mouse.getY(), pressed.getY()), area.getHeight()) : 0;
            double bottom = high ? clamp(Math.max(mouse.getY(), pressed.getY()), area.getHeight()) : area.getHeight();
            rubberBand.setX(area.getMinX() + left);
            rubberBand.setY(area.getMinY() + top);
            rubberBand.setWidth(right - left);
            rubberBand.setHeight(bottom - top);
        }
        Optional<HoverCard.Content> content = mouse == null || dragging
                        || !new BoundingBox(0, 0, area.getWidth(), area.getHeight()).contains(mouse)
                ? Optional.empty()
                : hoverSource.at(xAxis.getValueForDisplay(mouse.getX()), yAxis.getValueForDisplay(mouse.getY()));
        hoverCard.setVisible(content.isPresent());
        // Above the plots beside it, as far as the card reaches.
        setViewOrder(content.isPresent() ? -1 : 0);
        hairline.setVisible(content.isPresent());
        showDots(content.map(HoverCard.Content::rows).orElse(List.of()), area);
        if (content.isEmpty()) {
            return;
        }
        hoverCard.show(content.get());
        // New lines have no style yet, and without it no size.
        hoverCard.applyCss();
        hoverCard.autosize();
        hoverCard.layout();
        double x = Math.round(area.getMinX() + xAxis.getDisplayPosition(content.get().x())) + 0.5;
        hairline.setStartX(x);
        hairline.setEndX(x);
        hairline.setStartY(area.getMinY());
        hairline.setEndY(area.getMaxY());
        // The card may stand over what lies beside the plot, but within the tile.
        Bounds room = getParent() == null
                ? overlay.getLayoutBounds()
                : overlay.sceneToLocal(getParent().localToScene(getParent().getLayoutBounds()));
        double width = hoverCard.getWidth();
        double height = hoverCard.getHeight();
        double cardX = x + 14 + width <= room.getMaxX() ? x + 14 : x - 14 - width;
        double above = area.getMinY() + mouse.getY() - height - 12;
        double cardY = above >= room.getMinY() ? above : area.getMinY() + mouse.getY() + 18;
        hoverCard.relocate(
                Math.round(within(cardX, room.getMinX(), room.getMaxX() - width)),
                Math.round(within(cardY, room.getMinY(), room.getMaxY() - height)));
    }

    private static double within(double value, double min, double max) {
        return Math.max(min, Math.min(value, max));
    }

    private void showDots(List<HoverCard.Row> rows, Bounds area) {
        while (dots.size() < rows.size()) {
            Region dot = new Region();
            dot.setManaged(false);
            dots.add(dot);
            overlay.getChildren().add(overlay.getChildren().indexOf(hoverCard), dot);
        }
        for (int i = 0; i < dots.size(); i++) {
            Region dot = dots.get(i);
            boolean there = i < rows.size() && Double.isFinite(rows.get(i).dotX()) && Double.isFinite(rows.get(i).dotY());
            double x = there ? xAxis.getDisplayPosition(rows.get(i).dotX()) : 0;
            double y = there ? yAxis.getDisplayPosition(rows.get(i).dotY()) : 0;
            there &= x >= 0 && x <= area.getWidth() && y >= 0 && y <= area.getHeight();
            dot.setVisible(there);
            if (there) {
                StyleClasses.set(dot, "hover-dot", rows.get(i).styleClass());
                dot.resizeRelocate(area.getMinX() + x - 5, area.getMinY() + y - 5, 10, 10);
            }
        }
    }
}
