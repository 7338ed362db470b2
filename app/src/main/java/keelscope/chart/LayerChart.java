package keelscope.chart;

import io.fair_acc.dataset.DataSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;

/**
 * A measure of every sub-layer as it is now. Attention and feed-forward sub-layers often differ so much that one line
 * through both would be a saw; charts for which that is so draw them as two lines an arm and can show either alone.
 */
abstract class LayerChart extends ChartTile {
    private static final Curve NOTHING = new Curve("nothing", 0, 0);

    private static final String LINE = "line";
    private static final String BAND = "band";

    private final Plot plot;
    private final ToggleGroup parts = new ToggleGroup();
    private final SteadyLimits limits = new SteadyLimits();
    private final Set<String> used = new HashSet<>();
    private List<ArmSnapshot> arms = List.of();
    private double low;
    private double high;

    LayerChart(String title, String hint, String axis, Measure measure) {
        super(title, hint, Definition.of(measure));
        plot = new Plot(new PaperAxis("sub-layer l", true), new PaperAxis(axis, false), new CurveRenderer());
        plot.onHover(this::hover);
        plot.onViewChanged(() -> showsReset(plot.zoomed()));
        plot.onPick(this::askForPin);
        setCenter(plot);
    }

    /** Draws attention and feed-forward sub-layers as lines of their own, with switches to show either alone. */
    final void tellSubLayersApart() {
        for (SubLayers part : SubLayers.values()) {
            ToggleButton button = new ToggleButton(part.title());
            button.setUserData(part);
            button.setToggleGroup(parts);
            button.getStyleClass().add("tile-switch");
            button.setAccessibleText("Show " + part.text());
            button.setTooltip(new Tooltip("Show " + part.text()));
            addSwitches(button);
        }
        show(SubLayers.ALL);
        parts.selectedToggleProperty().addListener((o, before, now) -> {
            if (now == null) {
                parts.selectToggle(before);
            } else {
                redraw();
            }
        });
    }

    private boolean tellsApart() {
        return !parts.getToggles().isEmpty();
    }

    /** Chooses which sub-layers are drawn, where the chart offers the choice. */
    public final void show(SubLayers part) {
        parts.getToggles().stream().filter(toggle -> toggle.getUserData() == part).forEach(parts::selectToggle);
    }

    /** Which sub-layers are drawn. */
    public final SubLayers subLayers() {
        return parts.getSelectedToggle() == null ? SubLayers.ALL : (SubLayers) parts.getSelectedToggle().getUserData();
    }

    final Plot plot() {
        return plot;
    }

    @Override
    final boolean hasStepAxis() {
        return false;
    }

    @Override
    final List<Plot> plots() {
        return List.of(plot);
    }

    final List<ArmSnapshot> arms() {
        return arms;
    }

    @Override
    public final void resetZoom() {
        plot.resetZoom();
    }

    final void redraw() {
        draw(arms);
    }

    @Override
    final void draw(List<ArmSnapshot> newArms) {
        if (!LossChart.sameFiles(arms, newArms)) {
            limits.forget();
        }
        arms = newArms;
        used.clear();
        low = Double.POSITIVE_INFINITY;
        high = Double.NEGATIVE_INFINITY;
        for (ArmSnapshot arm : arms) {
            drawArm(arm);
        }
        plot.retain(used);
        if (low <= high) {
            limits.update(log(), low, high, Arms.ended(arms));
            double[] layers = Arms.room(0, Math.max(1, Arms.layers(arms) - 1));
            plot.home(false, log(), new Plot.View(layers[0], layers[1], limits.low(), limits.high()));
        }
        plot.commit();
        key(keyText() + linesText());
    }

    /** Whether the axis of values is logarithmic; then only values above 0 are shown. */
    abstract boolean log();

    /** Draws one arm with {@link #draw(ArmSnapshot, double[])} or its siblings. */
    abstract void drawArm(ArmSnapshot arm);

    /** What the chart shows and of which step, for under the title. */
    abstract String keyText();

    /** The value of an arm at a sub-layer in words, if it has one. */
    abstract Optional<String> describe(ArmSnapshot arm, int layer);

    /** The lines of {@link SubLayers#ALL}, for the text under the title; empty where the chart draws one line an arm. */
    final String linesText() {
        if (!tellsApart()) {
            return "";
        }
        return switch (subLayers()) {
            case ALL -> " · solid: attention · dotted: FFN";
            case ATTENTION -> " · attention";
            case FEED_FORWARD -> " · feed-forward";
        };
    }

    /** Values of the measure at the latest step that has it, empty before the first. */
    static float[] values(ArmSnapshot arm, Measure measure) {
        LayerValues values = arm.layers().get(measure);
        return values == null ? new float[0] : values.values();
    }

    /** The steps the arms' values are of: {@code step 120}, or {@code steps 118, 120}. */
    final String atStep(Measure measure) {
        Set<Integer> steps = new TreeSet<>();
        for (ArmSnapshot arm : arms) {
            Optional.ofNullable(arm.layers().get(measure)).ifPresent(values -> steps.add(values.step()));
        }
        if (steps.isEmpty()) {
            return "no data yet";
        }
        return (steps.size() == 1 ? "step " : "steps ")
                + steps.stream().map(step -> Numbers.grouped(step)).collect(Collectors.joining(", "));
    }

    /** Draws the arm's value of every sub-layer, NaN for none, and writes the arm's name beside it. */
    final void draw(ArmSnapshot arm, double[] values) {
        draw(arm, values, new double[0], new double[0]);
    }

    /** As {@link #draw(ArmSnapshot, double[])}, with a band from {@code low} to {@code high} behind where they are given. */
    final void draw(ArmSnapshot arm, double[] values, double[] low, double[] high) {
        if (!tellsApart()) {
            drawPart(arm, SubLayers.ALL, "first-line", values, low, high);
            name(arm, SubLayers.ALL);
            return;
        }
        boolean attention = subLayers() != SubLayers.FEED_FORWARD;
        boolean feedForward = subLayers() != SubLayers.ATTENTION;
        if (attention) {
            drawPart(arm, SubLayers.ATTENTION, "first-line", values, low, high);
        }
        if (feedForward) {
            drawPart(arm, SubLayers.FEED_FORWARD, attention ? "second-line" : "first-line", values, low, high);
        }
        name(arm, attention ? SubLayers.ATTENTION : SubLayers.FEED_FORWARD);
    }

    private void drawPart(
            ArmSnapshot arm, SubLayers part, String style, double[] values, double[] low, double[] high) {
        int[] shown = IntStream.range(0, values.length).filter(part::contains).toArray();
        double[] x = Arrays.stream(shown).asDoubleStream().toArray();
        if (low.length == values.length && high.length == values.length) {
            double[] lower = widened(pick(low, shown));
            double[] upper = widened(pick(high, shown));
            curve(arm, bandKey(arm, part), 0, BAND, style).setBand(x, lower, upper);
        }
        curve(arm, lineKey(arm, part), 1, LINE, style).set(x, widened(pick(values, shown)));
    }

    private static double[] pick(double[] values, int[] indices) {
        return Arrays.stream(indices).mapToDouble(i -> values[i]).toArray();
    }

    private double[] widened(double[] values) {
        for (double value : values) {
            widen(value);
        }
        return values;
    }

    /** Draws a line over the arm's, dashed, without a name. */
    final void drawTheory(ArmSnapshot arm, double[] values) {
        curve(arm, theoryKey(arm), 2, "theory", "first-line").set(layerNumbers(values.length), widened(values));
    }

    private void name(ArmSnapshot arm, SubLayers part) {
        plot.name(lineKey(arm, part), Arms.title(arm), Arms.style(arm));
    }

    private void widen(double value) {
        if (Double.isFinite(value) && (!log() || value > 0)) {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
    }

    private Curve curve(ArmSnapshot arm, String key, int level, String kind, String style) {
        used.add(key);
        return plot.curve(
                key, Arms.level(level, arm), Arms.phase(arm), kind, style, Arms.style(arm), Arms.round(arm));
    }

    static String lineKey(ArmSnapshot arm, SubLayers part) {
        return key(arm, "line of " + part.text());
    }

    static String bandKey(ArmSnapshot arm, SubLayers part) {
        return key(arm, "band of " + part.text());
    }

    static String theoryKey(ArmSnapshot arm) {
        return key(arm, "theory");
    }

    private static String key(ArmSnapshot arm, String kind) {
        return kind + " " + arm.colour() + " " + arm.info().arm();
    }

    /** 0, 1, …, n − 1. */
    static double[] layerNumbers(int n) {
        double[] x = new double[n];
        for (int l = 0; l < n; l++) {
            x[l] = l;
        }
        return x;
    }

    private Optional<HoverCard.Content> hover(double x, double y) {
        int layer = (int) Math.round(x);
        List<HoverCard.Row> rows = new ArrayList<>();
        double best = Double.POSITIVE_INFINITY;
        int bestRow = -1;
        for (ArmSnapshot arm : arms) {
            Optional<String> text = subLayers().contains(layer) ? describe(arm, layer) : Optional.empty();
            if (text.isEmpty()) {
                continue;
            }
            SubLayers part = !tellsApart() ? SubLayers.ALL : layer % 2 == 0 ? SubLayers.ATTENTION : SubLayers.FEED_FORWARD;
            Curve curve = plot.find(lineKey(arm, part)).orElse(NOTHING);
            int i = curve.nearest(layer);
            boolean there = i >= 0 && curve.get(DataSet.DIM_X, i) == layer;
            double value = there ? curve.get(DataSet.DIM_Y, i) : Double.NaN;
            double away = Math.abs(plot.yAxis().getDisplayPosition(value) - plot.yAxis().getDisplayPosition(y));
            if (away < best) {
                best = away;
                bestRow = rows.size();
            }
            rows.add(new HoverCard.Row(Arms.style(arm), Arms.title(arm) + "  " + text.get(), false, layer, value));
        }
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        if (bestRow >= 0) {
            HoverCard.Row r = rows.get(bestRow);
            rows.set(bestRow, new HoverCard.Row(r.styleClass(), r.text(), true, r.dotX(), r.dotY()));
        }
        return Optional.of(new HoverCard.Content(layer, layerName(layer), rows));
    }

    /** {@code sub-layer 12 (attention of block 6)}. */
    static String layerName(int layer) {
        return "sub-layer " + layer + " (" + (layer % 2 == 0 ? "attention" : "feed-forward") + " of block " + layer / 2 + ")";
    }

    /** The smallest and the largest value and their sub-layers, in words. */
    static String extremes(float[] values) {
        int least = -1;
        int most = -1;
        for (int l = 0; l < values.length; l++) {
            if (Float.isFinite(values[l])) {
                least = least < 0 || values[l] < values[least] ? l : least;
                most = most < 0 || values[l] > values[most] ? l : most;
            }
        }
        return least < 0
                ? "no finite value"
                : "from " + Numbers.significant(values[least]) + " at sub-layer " + least + " to "
                        + Numbers.significant(values[most]) + " at sub-layer " + most;
    }
}
