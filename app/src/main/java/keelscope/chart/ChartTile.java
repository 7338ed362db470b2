package keelscope.chart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javafx.css.PseudoClass;
import javafx.geometry.Side;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.SnapshotParameters;
import javafx.scene.control.Button;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.image.WritableImage;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import keelscope.run.ArmSnapshot;
import keelscope.run.StepRange;
import keelscope.runfile.Measure;
import keelscope.runfile.RunMeasure;

/**
 * A chart with its title, its switches, and a button that lets it fill the window. All methods are called on the JavaFX
 * thread.
 */
public abstract class ChartTile extends BorderPane {
    private static final String STYLE_SHEET =
            Objects.requireNonNull(ChartTile.class.getResource("chart.css")).toExternalForm();

    // A tile that fills a large window is read from afar.
    private static final PseudoClass LARGE = PseudoClass.getPseudoClass("large");

    // Size of the type of the key, in that of the tile: the style sheet's.
    private static final double KEY_SIZE = 0.9;

    private final String title;
    private final String hint;
    private final List<Definition> definitions;
    private final HBox header = new HBox();
    private final VBox top = new VBox();
    private final HBox switches = new HBox();
    private final Label key = new Label();
    private final Button reset = iconButton("reset-zoom", "Reset zoom");
    private final Button save = iconButton("save", "Save as …");
    private final Button maximise = iconButton("maximise", "Maximise");
    private Runnable onMaximise = () -> {};
    private Runnable onView = () -> {};
    private IntConsumer onCursor = step -> {};
    private IntConsumer onPin = layer -> {};
    private OptionalInt cursor = OptionalInt.empty();
    private SortedSet<Integer> pinned = Collections.emptySortedSet();
    private AxisRange range = AxisRange.ALL;
    private List<ArmSnapshot> shown = List.of();
    private boolean scaling;

    /** What a measure is: its name, its unit (empty for a pure number), its formula on one line, a paragraph, and its source. */
    public record Definition(String title, String unit, String formula, String explanation, String source) {
        static Definition of(Measure measure) {
            return new Definition(
                    measure.title(), measure.unit(), measure.formula(), measure.explanation(), measure.source());
        }

        static Definition of(RunMeasure measure) {
            return new Definition(
                    measure.title(), measure.unit(), measure.formula(), measure.explanation(), measure.source());
        }
    }

    /**
     * @param hint how to read the chart, in two sentences
     * @param definitions the measures it shows, the main one first
     */
    ChartTile(String title, String hint, Definition... definitions) {
        this.title = title;
        this.hint = hint;
        this.definitions = List.of(definitions);
        getStyleClass().add("chart-tile");
        getStylesheets().add(STYLE_SHEET);
        Label heading = new Label(title);
        heading.getStyleClass().add("tile-title");
        heading.setTooltip(new Tooltip(hint));
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        switches.getStyleClass().add("tile-switches");
        reset.setVisible(false);
        reset.managedProperty().bind(reset.visibleProperty());
        reset.setOnAction(event -> resetZoom());
        save.setVisible(false);
        save.managedProperty().bind(save.visibleProperty());
        maximise.setOnAction(event -> onMaximise.run());
        header.getChildren().addAll(heading, space, switches, reset, save, maximise);
        header.getStyleClass().add("tile-header");
        key.getStyleClass().add("tile-key");
        key.setMinHeight(Region.USE_PREF_SIZE);
        key.setMaxWidth(Double.MAX_VALUE);
        key.setWrapText(true);
        top.getChildren().addAll(header, key);
        setTop(top);
        setMinSize(0, 0);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setAccessibleText(title + ": no data yet.");
    }

    @Override
    protected void layoutChildren() {
        // In a narrow tile the switches go down into a row of their own, so that the title stays whole.
        double room = getWidth() - snappedLeftInset() - snappedRightInset();
        double wanted = header.getSpacing() * 4;
        for (Node node : List.of(header.getChildren().get(0), switches, reset, save, maximise)) {
            wanted += node.isManaged() ? node.prefWidth(-1) : 0;
        }
        boolean narrow = wanted > room;
        if (narrow != top.getChildren().contains(switches)) {
            if (narrow) {
                header.getChildren().remove(switches);
                top.getChildren().add(1, switches);
            } else {
                top.getChildren().remove(switches);
                header.getChildren().add(2, switches);
            }
        }
        super.layoutChildren();
    }

    @Override
    public void resize(double width, double height) {
        if (!scaling) {
            pseudoClassStateChanged(LARGE, width >= 1000 && height >= 560);
        }
        super.resize(width, height);
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
    public final String hint() {
        return hint;
    }

    /** What the chart shows now, the main measure first. */
    public List<Definition> definitions() {
        return definitions;
    }

    /** How to read the chart and what its measures are, a paragraph each, parted by line feeds. */
    public final String explanation() {
        StringBuilder text = new StringBuilder(hint);
        definitions().forEach(definition -> text.append('\n').append(definition.explanation()));
        return text.toString();
    }

    /** The formula of the measure shown, one line; of several measures a line each, with their names. */
    public final Optional<String> formula() {
        List<Definition> all = definitions();
        if (all.size() <= 1) {
            return all.stream().findFirst().map(Definition::formula);
        }
        return Optional.of(all.stream()
                .map(definition -> definition.title() + ": " + definition.formula())
                .collect(Collectors.joining("\n")));
    }

    /** The measures that the chart shows as layer × step: what a {@link keelscope.run.View} must ask for. */
    public Set<Measure> matrices() {
        return Set.of();
    }

    /** The steps on screen where the chart is zoomed into some: what a {@link keelscope.run.View} may ask for in finer steps. */
    public Optional<StepRange> visibleSteps() {
        return Optional.empty();
    }

    /** What to do when {@link #matrices()} or {@link #visibleSteps()} has changed. */
    public final void setOnView(Runnable action) {
        onView = action;
    }

    final void viewChanged() {
        onView.run();
    }

    /** Marks a step on charts with an axis of steps; none for the latest. What is shown by layer comes with the snapshots. */
    public final void cursor(OptionalInt step) {
        if (!cursor.equals(step)) {
            cursor = step;
            plots().forEach(plot -> plot.cursor(hasStepAxis() ? step : OptionalInt.empty()));
        }
    }

    final OptionalInt cursor() {
        return cursor;
    }

    /** What to do when the user has clicked at a step, or dragged along an axis of steps, to set the cursor there. */
    public final void setOnCursor(IntConsumer action) {
        onCursor = action;
    }

    /** Marks these sub-layers as followed over time. */
    public final void pinned(SortedSet<Integer> layers) {
        if (!pinned.equals(layers)) {
            pinned = Collections.unmodifiableSortedSet(new TreeSet<>(layers));
            draw(shown);
        }
    }

    final SortedSet<Integer> pinned() {
        return pinned;
    }

    /** What to do when the user has clicked at a sub-layer, to follow it over time or to stop following it. */
    public final void setOnPin(IntConsumer action) {
        onPin = action;
    }

    /** Chooses what the axes follow. */
    public final void range(AxisRange wanted) {
        if (range != wanted) {
            range = wanted;
            draw(shown);
        }
    }

    /** What the axes follow. */
    public final AxisRange range() {
        return range;
    }

    /** Whether the horizontal axis is one of steps. */
    abstract boolean hasStepAxis();

    final void askForCursor(double step) {
        int last = Arms.lastStep(shown);
        if (last >= 0) {
            onCursor.accept((int) Math.max(0, Math.min(last, Math.round(step))));
        }
    }

    final void askForPin(double layer) {
        int at = (int) Math.round(layer);
        if (at >= 0 && at < Arms.layers(shown)) {
            onPin.accept(at);
        }
    }

    /** Shows these arms in place of what was shown; an empty list clears the chart. */
    public final void show(List<ArmSnapshot> arms) {
        shown = List.copyOf(arms);
        draw(arms);
        List<String> parts = new ArrayList<>();
        for (ArmSnapshot arm : arms) {
            parts.add(Arms.title(arm) + ": " + summary(arm));
        }
        setAccessibleText(title + ". " + (parts.isEmpty() ? "No data yet." : String.join("; ", parts) + "."));
    }

    /** The arms it shows. */
    public final List<ArmSnapshot> shown() {
        return shown;
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

    /** Offers a menu by a button in the header and by the right mouse button. */
    public final void setSaveMenu(ContextMenu menu) {
        save.setVisible(true);
        save.setOnAction(event -> menu.show(save, Side.BOTTOM, 0, 0));
        setOnContextMenuRequested(event -> menu.show(this, event.getScreenX(), event.getScreenY()));
    }

    /** The data that is drawn, as CSV (RFC 4180): one line a point, with the name of its line or panel. */
    public final String csv() {
        return ChartCsv.of(plots());
    }

    /** Tells the header whether the tile fills the window, so that its button says what it will do. */
    public final void setMaximised(boolean maximised) {
        String text = maximised ? "Restore" : "Maximise";
        maximise.setAccessibleText(text);
        maximise.getTooltip().setText(text);
        maximise.getStyleClass().setAll("button", "tile-button", maximised ? "restore" : "maximise");
    }

    /**
     * Draws the tile as it is on screen, {@code scale} pixels per point, sharp at any scale; it must be in a scene and laid
     * out.
     */
    public final WritableImage snapshotImage(double scale) {
        if (!(scale > 0)) {
            throw new IllegalArgumentException("scale is " + scale + "; allowed is a number above 0.");
        }
        if (scale == 1) {
            return snapshot(new SnapshotParameters(), null);
        }
        return drawnAt(scale, () -> snapshot(new SnapshotParameters(), null));
    }

    /**
     * What {@code look} sees while the tile is drawn afresh, {@code scale} times as large; then the tile is as before.
     *
     * @param scale not 1, at which nothing would be drawn afresh
     */
    public final <T> T drawnAt(double scale, Supplier<T> look) {
        // What a canvas has drawn would only be stretched: so the tile itself is made larger, drawn, and put back.
        double width = getWidth();
        double height = getHeight();
        String style = getStyle();
        boolean managed = isManaged();
        scaling = true;
        try {
            // Else the parent would put the tile back to its size before the picture is taken.
            setManaged(false);
            draw(scale, width * scale, height * scale, style + ";-fx-font-size: " + key.getFont().getSize() / KEY_SIZE * scale + "px;");
            return look.get();
        } finally {
            draw(1, width, height, style);
            setManaged(managed);
            scaling = false;
        }
    }

    private void draw(double scale, double width, double height, String style) {
        setStyle(style);
        plots().forEach(plot -> plot.scale(scale));
        resize(width, height);
        applyCss();
        layout();
        // Once more: how wide an axis is, is known only once its labels have been made for the new size.
        plots().forEach(Plot::drawNow);
        layout();
        plots().forEach(Plot::drawNow);
    }

    /** The plots in the tile. */
    abstract List<Plot> plots();

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
