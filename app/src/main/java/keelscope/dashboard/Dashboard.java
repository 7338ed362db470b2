package keelscope.dashboard;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import javafx.animation.AnimationTimer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.css.PseudoClass;
import javafx.geometry.Bounds;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Label;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.ToggleGroup;
import javafx.scene.input.ContextMenuEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import keelscope.chart.AxisRange;
import keelscope.chart.ChartCatalog;
import keelscope.chart.ChartTile;
import keelscope.dashboard.Arrangement.Side;
import keelscope.run.ArmSnapshot;
import keelscope.run.View;
import keelscope.runfile.Measure;
import keelscope.text.Texts;

/**
 * The charts of an experiment as the user has arranged them; any of them can fill the whole and return. All show the
 * same moment. While there is nothing to draw it says what to do.
 */
public final class Dashboard extends StackPane {
    /** Below this width, in sizes of type, charts are drawn with smaller letters. */
    private static final double COMPACT_WIDTH = 80;

    private static final int WARM_UP_FRAMES = 3;

    /** So long at a time charts are given new values; the others get theirs in the next frame, so that the window answers in between. */
    private static final long SLICE_MS = 10;

    private static final PseudoClass COMPACT = PseudoClass.getPseudoClass("compact");

    /** How much a chart grows by one press of a key, as a share of its row or of all rows. */
    private static final double STEP = 0.05;

    private final Map<String, ChartTile> tiles = new HashMap<>();
    private final Map<ChartTile, List<ArmSnapshot>> drawn = new IdentityHashMap<>();
    /** What was chosen on charts that are not shown now. */
    private final Map<String, Map<String, String>> kept = new HashMap<>();
    /** Charts in sight that have yet to draw the newest values, those first that have waited longest. */
    private final Set<ChartTile> waiting = new LinkedHashSet<>();
    private final TileGrid grid = new TileGrid();
    private final ScrollPane scroll = new ScrollPane(grid);
    private final Label hintTitle = new Label();
    private final Label hintText = new Label();
    private final VBox hint = new VBox(hintTitle, hintText);
    private final TimeCursor time = new TimeCursor();
    private final ReadOnlyObjectWrapper<Arrangement> arrangement =
            new ReadOnlyObjectWrapper<>(this, "arrangement", Preset.OVERVIEW.arrangement());
    private final ReadOnlyObjectWrapper<Optional<ChartTile>> maximised =
            new ReadOnlyObjectWrapper<>(this, "maximised", Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<ChartTile>> attended =
            new ReadOnlyObjectWrapper<>(this, "attended", Optional.empty());
    private final ReadOnlyObjectWrapper<View> view = new ReadOnlyObjectWrapper<>(this, "view", View.live());
    private final AnimationTimer nextSlice = new AnimationTimer() {
        @Override
        public void handle(long now) {
            drawWaiting();
        }
    };
    private List<ArmSnapshot> arms = List.of();
    private SortedSet<Integer> pinned = Collections.emptySortedSet();

    public Dashboard() {
        setId("dashboard");
        getStyleClass().add("dashboard");
        setAccessibleRole(AccessibleRole.PARENT);
        setAccessibleText(Texts.get("dashboard.title"));
        scroll.setId("dashboard-scroll");
        scroll.getStyleClass().add("dashboard-scroll");
        scroll.setFitToWidth(true);
        scroll.setFitToHeight(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.setFocusTraversable(false);
        scroll.vvalueProperty().addListener((property, before, now) -> drawInSight());
        scroll.viewportBoundsProperty().addListener((property, before, now) -> drawInSight());
        hint.getStyleClass().add("dashboard-hint");
        hint.setMaxSize(USE_PREF_SIZE, USE_PREF_SIZE);
        hint.setId("hint");
        hintTitle.getStyleClass().add("hint-title");
        hintText.getStyleClass().add("hint-text");
        hintText.setWrapText(true);
        hintTitle.setWrapText(true);
        getChildren().setAll(scroll, hint);
        widthProperty().addListener(property -> refreshCompact());
        hintText.fontProperty().addListener(property -> refreshCompact());
        grid.setOnArranged(this::arrange);
        time.stepProperty().addListener((property, before, now) -> {
            tiles.values().forEach(tile -> tile.cursor(now));
            refreshView();
        });
        sceneProperty().addListener((property, before, now) -> {
            if (now != null) {
                now.focusOwnerProperty().addListener((owner, left, taken) ->
                        tileAround(taken).ifPresent(this::attend));
            }
        });
        arrange(arrangement.get());
        clear(Texts.get("dashboard.empty.title"), Texts.get("dashboard.empty.text"));
        warmUp();
    }

    /**
     * Lets the empty charts be styled and laid out while nobody waits for them, rather than when the first point of a run
     * is to be seen.
     */
    private void warmUp() {
        scroll.setOpacity(0);
        scroll.setVisible(true);
        new AnimationTimer() {
            private int left = WARM_UP_FRAMES;

            @Override
            public void handle(long now) {
                if (getScene() != null && getScene().getWindow() != null && --left <= 0) {
                    stop();
                    scroll.setVisible(!hint.isVisible());
                    scroll.setOpacity(1);
                }
            }
        }.start();
    }

    /** The charts that are shown, in the order in which they are read. */
    public List<ChartTile> tiles() {
        return arrangement.get().charts().stream().map(tiles::get).toList();
    }

    /** Those of them of which something is in sight. */
    public List<ChartTile> inSight() {
        return tiles().stream().filter(this::isInSight).toList();
    }

    /** The moment that all charts show. */
    public TimeCursor time() {
        return time;
    }

    /** What of the run files has to be read for the charts that are shown. */
    public ReadOnlyObjectProperty<View> viewProperty() {
        return view.getReadOnlyProperty();
    }

    /** Which charts are shown, and where. */
    public ReadOnlyObjectProperty<Arrangement> arrangementProperty() {
        return arrangement.getReadOnlyProperty();
    }

    /** The chart that fills the whole, if one does. */
    public ReadOnlyObjectProperty<Optional<ChartTile>> maximisedProperty() {
        return maximised.getReadOnlyProperty();
    }

    /** The chart the user last turned to, by focus or with the mouse, if it is still shown. */
    public ReadOnlyObjectProperty<Optional<ChartTile>> attendedProperty() {
        return attended.getReadOnlyProperty();
    }

    /** The id of a chart that is shown. */
    public Optional<String> chartOf(ChartTile tile) {
        return tiles.entrySet().stream()
                .filter(entry -> entry.getValue() == tile)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** What the user has chosen on each chart, shown or not, by the chart's id; as {@link ChartTile#chosen}. */
    public SortedMap<String, Map<String, String>> chosen() {
        SortedMap<String, Map<String, String>> all = new TreeMap<>(kept);
        tiles.forEach((chart, tile) -> all.put(chart, tile.chosen()));
        return all;
    }

    /** Chooses on each chart what was chosen once. */
    public void choose(Map<String, Map<String, String>> chosen) {
        kept.putAll(chosen);
        tiles.forEach((chart, tile) -> tile.choose(chosen.getOrDefault(chart, Map.of())));
        refreshView();
    }

    /** Lets the axes of every chart that is shown follow this. */
    public void range(AxisRange range) {
        tiles.values().forEach(tile -> tile.range(range));
    }

    /** Shows these charts in these places; charts that this version does not know are left out. */
    public void arrange(Arrangement wanted) {
        Arrangement known = wanted.keepingOnly(wanted.charts().stream()
                .filter(chart -> ChartCatalog.of(chart).isPresent())
                .toList());
        Map<String, ChartTile> shown = new LinkedHashMap<>();
        for (String chart : known.charts()) {
            shown.put(chart, tiles.computeIfAbsent(chart, this::make));
        }
        for (String chart : List.copyOf(tiles.keySet())) {
            if (!shown.containsKey(chart)) {
                ChartTile gone = tiles.remove(chart);
                kept.put(chart, gone.chosen());
                drawn.remove(gone);
            }
        }
        arrangement.set(known);
        grid.arrange(known, shown);
        if (maximised.get().isPresent() && !shown.containsValue(maximised.get().get())) {
            restore();
        }
        if (attended.get().isPresent() && !shown.containsValue(attended.get().get())) {
            attended.set(Optional.empty());
        }
        refreshView();
        drawInSight();
    }

    /** Shows or hides a chart. */
    public void show(String chart, boolean shown) {
        restore();
        arrange(shown ? arrangement.get().with(chart) : arrangement.get().without(chart));
    }

    /** Shows these arms in every chart. */
    public void show(List<ArmSnapshot> now) {
        arms = List.copyOf(now);
        drawInSight();
        showCharts(true);
    }

    /** Empties every chart and says instead what to do or to wait for. */
    public void clear(String title, String text) {
        arms = List.of();
        drawn.clear();
        waiting.clear();
        for (ChartTile tile : tiles.values()) {
            tile.show(List.of());
        }
        time.recorded(-1);
        hintTitle.setText(title);
        hintText.setText(text);
        restore();
        showCharts(false);
    }

    /** Lets {@code tile} fill the whole. */
    public void maximise(ChartTile tile) {
        maximised.set(Optional.of(tile));
        showMaximised();
    }

    /** Shows all charts side by side again. */
    public void restore() {
        if (maximised.get().isPresent()) {
            maximised.set(Optional.empty());
            showMaximised();
        }
    }

    /** Lets the chart the user turned to fill the whole, or return. */
    public void maximiseOrRestore() {
        if (maximised.get().isPresent()) {
            restore();
        } else {
            attended.get().ifPresent(this::maximise);
        }
    }

    /** Moves the chart the user turned to one place further. */
    public void moveAttended(Side side) {
        attendedChart().ifPresent(chart -> arrange(arrangement.get().nudge(chart, side)));
    }

    /** Makes the chart the user turned to wider ({@code wider} 1) or narrower (−1), higher or lower. */
    public void growAttended(int wider, int higher) {
        attendedChart().ifPresent(chart -> arrange(arrangement
                .get()
                .widen(chart, wider * STEP)
                .heighten(chart, higher * STEP)));
    }

    /** Hides the chart the user turned to. */
    public void hideAttended() {
        attendedChart().ifPresent(chart -> show(chart, false));
    }

    /** Puts the focus on the next or the previous chart and brings it into sight. */
    public void turnToNext(int direction) {
        List<ChartTile> all = tiles();
        if (all.isEmpty()) {
            return;
        }
        int at = attended.get().map(all::indexOf).orElse(direction > 0 ? -1 : 0);
        ChartTile next = all.get(Math.floorMod(at + direction, all.size()));
        if (maximised.get().isPresent()) {
            maximise(next);
        }
        next.requestFocus();
        attend(next);
        bringIntoSight(next);
    }

    private Optional<String> attendedChart() {
        return attended.get().flatMap(this::chartOf);
    }

    private void toggle(ChartTile tile) {
        if (maximised.get().isPresent()) {
            restore();
        } else {
            maximise(tile);
        }
    }

    private void showMaximised() {
        grid.showAlone(maximised.get());
        boolean one = maximised.get().isPresent();
        tiles.values().forEach(tile -> tile.setMaximised(one));
        // The grid's least height changes with it, which the pane around it must learn.
        scroll.requestLayout();
        drawInSight();
    }

    private void refreshCompact() {
        pseudoClassStateChanged(COMPACT, getWidth() < COMPACT_WIDTH * hintText.getFont().getSize());
    }

    private void showCharts(boolean charts) {
        scroll.setOpacity(1);
        scroll.setVisible(charts);
        hint.setVisible(!charts);
    }

    // --- one chart --------------------------------------------------------------------------------------------------

    private ChartTile make(String chart) {
        ChartTile tile = ChartCatalog.of(chart)
                .orElseThrow(() -> new IllegalArgumentException("chart is " + chart + "; allowed is the id of a chart."))
                .make()
                .get();
        tile.setId("chart-" + chart);
        tile.setMinSize(0, 0);
        tile.setMaxSize(Double.MAX_VALUE, Double.MAX_VALUE);
        tile.setFocusTraversable(true);
        tile.setOnMaximise(() -> toggle(tile));
        tile.setOnCursor(step -> {
            time.pause();
            time.at(step);
        });
        tile.setOnPin(this::pinOrUnpin);
        tile.setOnView(this::refreshView);
        tile.cursor(time.stepProperty().get());
        tile.pinned(pinned);
        tile.setMaximised(maximised.get().isPresent());
        tile.choose(kept.getOrDefault(chart, Map.of()));
        tile.addEventFilter(MouseEvent.MOUSE_ENTERED, event -> attend(tile));
        tile.addEventFilter(MouseEvent.MOUSE_PRESSED, event -> attend(tile));
        tile.addEventHandler(MouseEvent.MOUSE_PRESSED, event -> {
            if (tileAround(getScene().getFocusOwner()).filter(tile::equals).isEmpty()) {
                tile.requestFocus();
            }
        });
        tile.addEventFilter(ScrollEvent.SCROLL, event -> scrolled(tile, event));
        ContextMenu menu = menu(tile);
        tile.addEventHandler(ContextMenuEvent.CONTEXT_MENU_REQUESTED, event -> {
            attend(tile);
            menu.show(tile, event.getScreenX(), event.getScreenY());
            event.consume();
        });
        tile.addEventFilter(MouseEvent.MOUSE_PRESSED, event -> menu.hide());
        return tile;
    }

    /** Where charts are scrolled, the wheel zooms only the chart in focus: else it would be stuck at the first chart it meets. */
    private void scrolled(ChartTile tile, ScrollEvent event) {
        double beyond = grid.getHeight() - scroll.getViewportBounds().getHeight();
        boolean inFocus = tileAround(getScene().getFocusOwner()).filter(tile::equals).isPresent();
        if (beyond > 1 && !inFocus && !event.isShiftDown() && !event.isControlDown()) {
            scroll.setVvalue(Math.max(0, Math.min(1, scroll.getVvalue() - event.getDeltaY() / beyond)));
            event.consume();
        }
    }

    private ContextMenu menu(ChartTile tile) {
        ContextMenu menu = new ContextMenu(
                item("maximise", () -> toggle(tile)),
                item("hide", this::hideAttended),
                new SeparatorMenuItem(),
                item("left", () -> moveAttended(Side.LEFT)),
                item("right", () -> moveAttended(Side.RIGHT)),
                item("above", () -> moveAttended(Side.ABOVE)),
                item("below", () -> moveAttended(Side.BELOW)),
                new SeparatorMenuItem(),
                item("wider", () -> growAttended(1, 0)),
                item("narrower", () -> growAttended(-1, 0)),
                item("higher", () -> growAttended(0, 1)),
                item("lower", () -> growAttended(0, -1)));
        menu.getItems().add(0, axes(tile));
        menu.setAutoHide(true);
        return menu;
    }

    private static Menu axes(ChartTile tile) {
        Menu axes = new Menu(Texts.get("tile.axes"));
        ToggleGroup one = new ToggleGroup();
        for (AxisRange range : AxisRange.values()) {
            RadioMenuItem item = new RadioMenuItem(Texts.get("axes." + range.name().toLowerCase(Locale.ROOT)));
            item.setToggleGroup(one);
            item.setUserData(range);
            item.setOnAction(event -> tile.range(range));
            axes.getItems().add(item);
        }
        axes.setOnMenuValidation(event -> one.getToggles().stream()
                .filter(toggle -> toggle.getUserData() == tile.range())
                .forEach(one::selectToggle));
        return axes;
    }

    private static MenuItem item(String name, Runnable action) {
        MenuItem item = new MenuItem(Texts.get("tile." + name));
        item.setOnAction(event -> action.run());
        return item;
    }

    private Optional<ChartTile> tileAround(Node inside) {
        for (Node node = inside; node != null; node = node.getParent()) {
            if (node instanceof ChartTile tile && tiles.containsValue(tile)) {
                return Optional.of(tile);
            }
        }
        return Optional.empty();
    }

    private void attend(ChartTile tile) {
        attended.set(Optional.of(tile));
    }

    private void pinOrUnpin(int layer) {
        SortedSet<Integer> changed = new TreeSet<>(pinned);
        if (!changed.remove(layer)) {
            changed.add(layer);
        }
        pinned = Collections.unmodifiableSortedSet(changed);
        tiles.values().forEach(tile -> tile.pinned(pinned));
        refreshView();
    }

    private void refreshView() {
        Set<Measure> matrices = EnumSet.noneOf(Measure.class);
        List<ChartTile> shown = tiles();
        shown.forEach(tile -> matrices.addAll(tile.matrices()));
        Optional<keelscope.run.StepRange> zoomed =
                shown.stream().flatMap(tile -> tile.visibleSteps().stream()).findFirst();
        SortedSet<Integer> histograms = new TreeSet<>(pinned);
        shown.forEach(tile -> histograms.addAll(tile.histograms()));
        view.set(new View(time.stepProperty().get(), matrices, histograms, zoomed));
    }

    // --- what is in sight -------------------------------------------------------------------------------------------

    /** Draws the newest values in every chart in sight that has not drawn them; the others do so when scrolled to. */
    private void drawInSight() {
        List<ChartTile> inSight = arms.isEmpty() ? List.of() : inSight();
        waiting.retainAll(inSight);
        inSight.stream().filter(tile -> drawn.get(tile) != arms).forEach(waiting::add);
        drawWaiting();
    }

    private void drawWaiting() {
        long end = System.nanoTime() + SLICE_MS * 1_000_000;
        for (ChartTile tile : List.copyOf(waiting)) {
            waiting.remove(tile);
            drawn.put(tile, arms);
            tile.show(arms);
            if (System.nanoTime() > end) {
                break;
            }
        }
        if (waiting.isEmpty()) {
            nextSlice.stop();
        } else {
            nextSlice.start();
        }
    }

    private boolean isInSight(ChartTile tile) {
        if (!tile.isVisible()) {
            return false;
        }
        double height = scroll.getViewportBounds().getHeight();
        Bounds bounds = tile.getBoundsInParent();
        if (height <= 0 || bounds.getHeight() <= 0) {
            // Nothing is laid out yet.
            return true;
        }
        double top = scroll.getVvalue() * Math.max(0, grid.getHeight() - height);
        return bounds.getMaxY() > top && bounds.getMinY() < top + height;
    }

    private void bringIntoSight(ChartTile tile) {
        double height = scroll.getViewportBounds().getHeight();
        double beyond = grid.getHeight() - height;
        if (beyond <= 0) {
            return;
        }
        Bounds bounds = tile.getBoundsInParent();
        double top = scroll.getVvalue() * beyond;
        if (bounds.getMinY() < top) {
            scroll.setVvalue(bounds.getMinY() / beyond);
        } else if (bounds.getMaxY() > top + height) {
            scroll.setVvalue((bounds.getMaxY() - height) / beyond);
        }
    }

    /** The sub-layers that are followed over time. */
    public SortedSet<Integer> pinned() {
        return pinned;
    }

}
