package keelscope.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javafx.beans.property.Property;
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
import keelscope.text.Texts;

/**
 * A chart with its title, its switches, and a button that lets it fill the window. All methods are called on the JavaFX
 * thread.
 */
public abstract class ChartTile extends BorderPane {
    private static final String STYLE_SHEET =
            Objects.requireNonNull(ChartTile.class.getResource("chart.css")).toExternalForm();

    // A tile that fills a large window is read from afar.
    private static final PseudoClass LARGE = PseudoClass.getPseudoClass("large");

    // While a picture is taken there is nothing to press, and no frame.
    private static final PseudoClass PICTURE = PseudoClass.getPseudoClass("picture");

    // Size of the type of the key, in that of the tile: the style sheet's.
    private static final double KEY_SIZE = 0.9;

    private static final String AXES = "axes";

    private final String title;
    private final String hint;
    private final List<Definition> definitions;
    private final HBox header = new HBox();
    private final VBox top = new VBox();
    private final SwitchRow switches = new SwitchRow();
    private final HBox buttons = new HBox();
    private final Map<String, Choice> choices = new LinkedHashMap<>();
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
    private Optional<FixedAxes> keptAxes = Optional.empty();
    private List<ArmSnapshot> shown = List.of();
    private boolean scaling;

    /** Something the user can choose, as a word that can be kept. */
    private record Choice(Supplier<String> word, Consumer<String> choose) {}

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
        heading.setWrapText(true);
        heading.setMinHeight(Region.USE_PREF_SIZE);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        reset.setVisible(false);
        reset.managedProperty().bind(reset.visibleProperty());
        reset.setOnAction(event -> resetZoom());
        save.setVisible(false);
        save.managedProperty().bind(save.visibleProperty());
        maximise.setOnAction(event -> onMaximise.run());
        buttons.getChildren().addAll(reset, save, maximise);
        buttons.getStyleClass().add("tile-buttons");
        buttons.setMinWidth(Region.USE_PREF_SIZE);
        header.getChildren().addAll(heading, space, switches, buttons);
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
        // In a narrow tile the switches go down into rows of their own, so that the title stays whole.
        double room = getWidth() - snappedLeftInset() - snappedRightInset();
        double wanted = header.getSpacing() * 4;
        for (Node node : List.of(header.getChildren().get(0), switches, buttons)) {
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
        boolean large = width >= 1000 && height >= 560;
        if (!scaling && large != getPseudoClassStates().contains(LARGE)) {
            pseudoClassStateChanged(LARGE, large);
            // ChartFX's styles of words and lines are nodes that nobody sees, which else keep the size they had.
            applyCss();
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

    /** The sub-layers whose gate histograms the chart shows over steps: what a {@link keelscope.run.View} must ask for. */
    public Set<Integer> histograms() {
        return Set.of();
    }

    /** The steps on screen where the chart is zoomed into some: what a {@link keelscope.run.View} may ask for in finer steps. */
    public Optional<StepRange> visibleSteps() {
        return Optional.empty();
    }

    /** What to do when {@link #matrices()}, {@link #histograms()} or {@link #visibleSteps()} has changed. */
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
            keptAxes = Optional.empty();
            draw(shown);
        }
    }

    /** What the axes follow. */
    public final AxisRange range() {
        return range;
    }

    /** What the user has chosen on this chart, each by its name, as words that {@link #choose} takes. */
    public final SortedMap<String, String> chosen() {
        SortedMap<String, String> chosen = new TreeMap<>();
        choices.forEach((name, choice) -> chosen.put(name, choice.word().get()));
        chosen.put(AXES, range.name());
        if (range == AxisRange.FIXED) {
            keptAxes.or(this::axes).ifPresent(axes -> chosen.putAll(axes.words()));
        }
        return chosen;
    }

    /** Chooses what was chosen once; names and words that this version does not know are passed over. */
    public final void choose(Map<String, String> chosen) {
        // In the order in which they are offered: a choice may be the default of those behind it.
        choices.forEach((name, choice) -> Optional.ofNullable(chosen.get(name)).ifPresent(choice.choose()));
        // Last, since other choices change what the axes are of.
        Arrays.stream(AxisRange.values()).filter(each -> each.name().equals(chosen.get(AXES))).forEach(each -> chooseAxes(each, chosen));
    }

    private void chooseAxes(AxisRange wanted, Map<String, String> chosen) {
        keptAxes = wanted == AxisRange.FIXED ? FixedAxes.of(chosen) : Optional.empty();
        // Where no limits were kept there is nothing to stand still at.
        range = wanted == AxisRange.FIXED && keptAxes.isEmpty() ? AxisRange.ALL : wanted;
        draw(shown);
    }

    /** Where the axes are now, once they have limits. */
    Optional<FixedAxes> axes() {
        return plots().stream().findFirst().flatMap(Plot::axes);
    }

    /** Where the axes are to stand still, until there is something to draw there. */
    final Optional<FixedAxes> keptAxes() {
        return keptAxes;
    }

    /** Lets new plots stand where those before them stood still. */
    final void keepAxes() {
        keptAxes = range == AxisRange.FIXED ? keptAxes.or(this::axes) : Optional.empty();
    }

    /**
     * Whether the axes stay where they are; to be asked before a plot is given its {@link Plot#home}. Axes that stand still but show
     * nothing at all of a run that has ended are fitted to it once.
     *
     * @param data where the data lie
     */
    final boolean holds(Plot.View data) {
        boolean fixed = range == AxisRange.FIXED;
        keptAxes.ifPresent(axes -> plots().forEach(plot -> plot.axes(axes)));
        keptAxes = Optional.empty();
        boolean lost = fixed && Arms.still(shown) && plots().stream().noneMatch(plot -> plot.reaches(data));
        for (Plot plot : plots()) {
            plot.held(fixed);
            if (lost) {
                plot.release();
                plot.resetZoom();
            }
        }
        return fixed && !lost;
    }

    /** Lets a choice be part of {@link #chosen}; {@code choose} passes over words that it does not know. */
    final void remember(String name, Supplier<String> word, Consumer<String> choose) {
        choices.put(name, new Choice(word, choose));
    }

    final <E extends Enum<E>> void remember(String name, Class<E> kind, Supplier<E> value, Consumer<E> choose) {
        remember(name, () -> value.get().name(), word -> Arrays.stream(kind.getEnumConstants())
                .filter(constant -> constant.name().equals(word))
                .forEach(choose));
    }

    final void remember(String name, Property<Boolean> on) {
        remember(name, () -> Boolean.toString(on.getValue()), word -> on.setValue(Boolean.parseBoolean(word)));
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
     * A picture of the chart: title, key and plot without what is there to be pressed, {@code scale} pixels per point, sharp at
     * any scale; the tile must be in a scene and laid out.
     */
    public final WritableImage snapshotImage(double scale) {
        if (!(scale > 0)) {
            throw new IllegalArgumentException("scale is " + scale + "; allowed is a number above 0.");
        }
        return drawnAt(scale, () -> snapshot(new SnapshotParameters(), null));
    }

    /**
     * What {@code look} sees while the tile is drawn afresh as a picture, {@code scale} times as large; then the tile is as
     * before.
     */
    public final <T> T drawnAt(double scale, Supplier<T> look) {
        // What a canvas has drawn would only be stretched: so the tile itself is made larger, drawn, and put back.
        double width = getWidth();
        double height = getHeight();
        String style = getStyle();
        boolean managed = isManaged();
        boolean bare = getPseudoClassStates().contains(PICTURE);
        scaling = true;
        try {
            // Else the parent would put the tile back to its size before the picture is taken.
            setManaged(false);
            picture(true);
            draw(scale, width * scale, height * scale, style + ";-fx-font-size: " + key.getFont().getSize() / KEY_SIZE * scale + "px;");
            return look.get();
        } finally {
            picture(bare);
            draw(1, width, height, style);
            setManaged(managed);
            scaling = false;
        }
    }

    /** Takes away what is there to be pressed, and the frame, as nobody can press a picture; or brings it back. */
    public final void picture(boolean is) {
        pseudoClassStateChanged(PICTURE, is);
        for (Node node : List.of(switches, buttons)) {
            node.setVisible(!is);
            node.setManaged(!is);
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
            // In a narrow tile the switches take a further row; their words stay whole.
            if (node instanceof Region region) {
                region.setMinWidth(Region.USE_PREF_SIZE);
            }
        }
    }

    /** The line under the title that says what lines and markers mean. */
    final void key(String text) {
        String whole = range == AxisRange.FIXED && !shown.isEmpty() ? text + " · " + Texts.get("axes.fixed.key") : text;
        if (!whole.equals(key.getText())) {
            key.setText(whole);
        }
    }

    final void showsReset(boolean shows) {
        reset.setVisible(shows);
    }
}
