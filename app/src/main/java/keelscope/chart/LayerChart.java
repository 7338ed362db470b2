package keelscope.chart;

import io.fair_acc.dataset.DataSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;

/**
 * A measure of every sub-layer at one step: the latest, or that of the cursor. Which measure and what is drawn with it, a
 * {@link LayerPlan} says.
 */
final class LayerChart extends ChartTile {
    private static final Curve NOTHING = new Curve("nothing", 0, 0);

    private static final String LINE = "line";
    private static final String BAND = "band";

    private final LayerPlan plan;
    private final Plot plot;
    private final ToggleGroup parts = new ToggleGroup();
    private final ToggleGroup bands = new ToggleGroup();
    private final ToggleButton linear = new ToggleButton("Linear");
    private final SteadyLimits limits = new SteadyLimits();
    private final Set<String> used = new HashSet<>();
    private final List<double[]> intervals = new ArrayList<>();
    private List<ArmSnapshot> arms = List.of();
    private double low;
    private double high;

    LayerChart(LayerPlan plan) {
        super(plan.title(), plan.hint(), definitions(plan));
        this.plan = plan;
        plot = new Plot(new PaperAxis("sub-layer l", true), new PaperAxis(plan.axis(), false), new CurveRenderer());
        plot.onHover(this::hover);
        plot.onViewChanged(() -> showsReset(plot.zoomed()));
        plot.onPick(this::askForPin);
        setCenter(plot);
        if (plan.apart()) {
            tellSubLayersApart();
        }
        if (plan.bands().size() > 1) {
            offerBands();
        }
        if (plan.scale() != Scale.LINEAR) {
            linear.getStyleClass().add("tile-switch");
            linear.setAccessibleText("Linear axis");
            linear.setTooltip(new Tooltip(plan.scale() == Scale.LOG
                    ? "Linear axis, in place of a logarithmic one"
                    : "Linear axis, in place of one spread towards 1"));
            linear.selectedProperty().addListener((o, before, now) -> {
                plot.release();
                applyScale();
                redraw();
            });
            addSwitches(linear);
            remember("linear", linear.selectedProperty());
        }
        applyScale();
        redraw();
    }

    private static Definition[] definitions(LayerPlan plan) {
        return Stream.concat(
                        Stream.of(plan.measure()),
                        plan.second().stream().flatMap(line -> Arrays.stream(line.measures())))
                .map(Definition::of)
                .toArray(Definition[]::new);
    }

    /** Whether the axis is linear rather than the one that is natural to the measure. */
    boolean isLinear() {
        return linear.isSelected();
    }

    void setLinear(boolean on) {
        linear.setSelected(on);
    }

    private Scale scale() {
        return linear.isSelected() ? Scale.LINEAR : plan.scale();
    }

    private void applyScale() {
        plot.yAxis().invertAxis(scale().inverted());
        if (scale() == Scale.TOWARDS_ONE) {
            plot.yAxis().labels(Scale::nines);
        } else {
            plot.yAxis().plainLabels();
        }
    }

    private void offerBands() {
        for (LayerPlan.Band band : plan.bands()) {
            ToggleButton button = new ToggleButton(band.switchText());
            button.setUserData(band);
            button.setToggleGroup(bands);
            button.getStyleClass().add("tile-switch");
            button.setAccessibleText("Band: " + band.text());
            button.setTooltip(new Tooltip("Band: " + band.text()));
            addSwitches(button);
        }
        bands.selectToggle(bands.getToggles().get(0));
        remember("band", () -> chosenBand().map(LayerPlan.Band::switchText).orElse(""), word -> bands.getToggles().stream()
                .filter(toggle -> ((LayerPlan.Band) toggle.getUserData()).switchText().equals(word))
                .forEach(bands::selectToggle));
        bands.selectedToggleProperty().addListener((o, before, now) -> {
            if (now == null) {
                bands.selectToggle(before);
            } else {
                redraw();
            }
        });
    }

    private Optional<LayerPlan.Band> band() {
        return showsInterval() ? Optional.empty() : chosenBand();
    }

    private Optional<LayerPlan.Band> chosenBand() {
        return bands.getSelectedToggle() == null
                ? plan.bands().stream().findFirst()
                : Optional.of((LayerPlan.Band) bands.getSelectedToggle().getUserData());
    }

    /** Draws attention and feed-forward sub-layers as lines of their own, with switches to show either alone. */
    private void tellSubLayersApart() {
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
        remember("sub-layers", SubLayers.class, this::subLayers, this::show);
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
    public void show(SubLayers part) {
        parts.getToggles().stream().filter(toggle -> toggle.getUserData() == part).forEach(parts::selectToggle);
    }

    /** Which sub-layers are drawn. */
    public SubLayers subLayers() {
        return parts.getSelectedToggle() == null ? SubLayers.ALL : (SubLayers) parts.getSelectedToggle().getUserData();
    }

    Plot plot() {
        return plot;
    }

    @Override
    boolean hasStepAxis() {
        return false;
    }

    @Override
    List<Plot> plots() {
        return List.of(plot);
    }

    List<ArmSnapshot> arms() {
        return arms;
    }

    @Override
    public void resetZoom() {
        plot.resetZoom();
    }

    void redraw() {
        draw(arms);
    }

    @Override
    void draw(List<ArmSnapshot> newArms) {
        if (!Arms.sameFiles(arms, newArms)) {
            limits.forget();
        }
        arms = newArms;
        used.clear();
        intervals.clear();
        low = Double.POSITIVE_INFINITY;
        high = Double.NEGATIVE_INFINITY;
        int last = Math.max(1, Arms.layers(arms) - 1);
        for (ArmSnapshot arm : arms) {
            last = Math.max(last, drawArm(arm) - 1);
        }
        if (low <= high) {
            widenByIntervals();
            int to = last;
            plan.guides().forEach(guide -> drawGuide(guide, to));
        }
        plot.retain(used);
        plot.marks(pinned().stream().map(l -> new Plot.Mark(l, Integer.toString(l), "pinned", true)).toList());
        if (low <= high) {
            if (!holds(new Plot.View(0, last, low, high)) || limits.isUnset()) {
                limits.update(scale().log(), low, high, Arms.still(arms));
            }
            double[] layers = Arms.room(0, last);
            plot.home(false, scale().log(), new Plot.View(layers[0], layers[1], limits.low(), Math.min(scale().farthest(), limits.high())));
        }
        plot.commit();
        key(keyText() + (showsInterval() ? " · band: 95 % interval over arms" : ""));
    }

    private int drawArm(ArmSnapshot arm) {
        double[] values = shown(LayerPlan.Values.of(plan.measure()).of(arm));
        if (values.length == 0) {
            return 0;
        }
        Optional<LayerPlan.Band> band = band();
        draw(arm, values,
                shown(band.map(b -> b.low().of(arm)).orElseGet(() -> interval(arm, LayerValues::low))),
                shown(band.map(b -> b.high().of(arm)).orElseGet(() -> interval(arm, LayerValues::high))),
                plan.second().map(line -> shown(line.values().of(arm))).orElse(new double[0]));
        plan.theory().ifPresent(theory -> {
            double[] at = new double[values.length];
            for (int l = 0; l < at.length; l++) {
                at[l] = scale().position(theory.at(arm.info(), l));
            }
            curve(arm, theoryKey(arm), 2, "theory", "first-line").set(layerNumbers(at.length), widened(at));
        });
        return values.length;
    }

    /** An end of the interval over the arms that this one is the mean of; empty where it is one arm. */
    private float[] interval(ArmSnapshot arm, Function<LayerValues, float[]> end) {
        return Optional.ofNullable(arm.layers().get(plan.measure())).map(end).orElse(new float[0]);
    }

    /** Whether arms stand for several each, so that the band is the interval over these rather than one of the measure's own. */
    private boolean showsInterval() {
        return arms.stream()
                .map(arm -> arm.layers().get(plan.measure()))
                .anyMatch(values -> values != null && values.low().length > 0);
    }

    private void drawGuide(LayerPlan.Guide guide, int last) {
        double[] at = new double[last + 1];
        for (int l = 0; l <= last; l++) {
            at[l] = scale().position(guide.at().applyAsDouble(l));
        }
        String key = guideKey(guide);
        used.add(key);
        plot.curve(key, -1, 0, "guide").set(layerNumbers(at.length), widened(at));
        plot.name(key, guide.text(), "guide-name");
    }

    static String guideKey(LayerPlan.Guide guide) {
        return "guide " + guide.text();
    }

    private double[] shown(float[] values) {
        double[] y = new double[values.length];
        for (int l = 0; l < y.length; l++) {
            y[l] = scale().position(values[l]);
        }
        return y;
    }

    private String keyText() {
        if (arms.stream().allMatch(arm -> values(arm, plan.measure()).length == 0)) {
            return arms.isEmpty() || plan.measure() != Measure.GATE_MEAN ? Arms.withoutValues(arms) : "only Highway has a trained gate";
        }
        StringBuilder text = new StringBuilder(atStep(plan.measure()));
        plan.theory().ifPresent(theory -> text.append(" · solid: measured · dashed: theory"));
        band().ifPresent(band -> text.append(" · band: ").append(band.text()));
        plan.second().ifPresent(line -> text.append(" · dashed: ").append(line.text()));
        return text + linesText();
    }

    /** The lines of {@link SubLayers#ALL}, for the text under the title; empty where the chart draws one line an arm. */
    private String linesText() {
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
    String atStep(Measure measure) {
        Set<Integer> steps = new TreeSet<>();
        for (ArmSnapshot arm : arms) {
            Optional.ofNullable(arm.layers().get(measure)).ifPresent(values -> steps.add(values.step()));
        }
        if (steps.isEmpty()) {
            return Arms.withoutValues(arms);
        }
        return (steps.size() == 1 ? "step " : "steps ")
                + steps.stream().map(step -> Numbers.grouped(step)).collect(Collectors.joining(", "));
    }

    private void draw(ArmSnapshot arm, double[] values, double[] low, double[] high, double[] second) {
        if (!tellsApart()) {
            drawPart(arm, SubLayers.ALL, "first-line", values, low, high, second);
            name(arm, SubLayers.ALL);
            return;
        }
        boolean attention = subLayers() != SubLayers.FEED_FORWARD;
        boolean feedForward = subLayers() != SubLayers.ATTENTION;
        if (attention) {
            drawPart(arm, SubLayers.ATTENTION, "first-line", values, low, high, second);
        }
        if (feedForward) {
            drawPart(arm, SubLayers.FEED_FORWARD, attention ? "second-line" : "first-line", values, low, high, second);
        }
        name(arm, attention ? SubLayers.ATTENTION : SubLayers.FEED_FORWARD);
    }

    private void drawPart(
            ArmSnapshot arm, SubLayers part, String style, double[] values, double[] low, double[] high, double[] second) {
        int[] shown = IntStream.range(0, values.length).filter(part::contains).toArray();
        double[] x = Arrays.stream(shown).asDoubleStream().toArray();
        if (low.length == values.length && high.length == values.length) {
            double[] lower = edge(pick(low, shown));
            double[] upper = edge(pick(high, shown));
            curve(arm, bandKey(arm, part), 0, BAND, style).setBand(x, lower, upper);
        }
        if (second.length == values.length) {
            curve(arm, secondKey(arm, part), 2, "theory", style).set(x, widened(pick(second, shown)));
        }
        curve(arm, lineKey(arm, part), 1, LINE, style).set(x, widened(pick(values, shown)));
    }

    private static double[] pick(double[] values, int[] indices) {
        return Arrays.stream(indices).mapToDouble(i -> values[i]).toArray();
    }

    /** An edge of a band; of an interval it is looked at last, when it is known how far the means reach. */
    private double[] edge(double[] values) {
        if (showsInterval()) {
            intervals.add(values);
            return values;
        }
        return widened(values);
    }

    /** Lets the axis reach to the intervals, but by no more than the means need: those of two arms may be without measure. */
    private void widenByIntervals() {
        boolean log = scale().log();
        double least = log ? low * low / high : 2 * low - high;
        double most = log ? high * high / low : 2 * high - low;
        for (double[] edge : intervals) {
            for (double value : edge) {
                widen(Double.isNaN(value) ? value : Math.max(least, Math.min(most, value)));
            }
        }
    }

    private double[] widened(double[] values) {
        for (double value : values) {
            widen(value);
        }
        return values;
    }

    private void name(ArmSnapshot arm, SubLayers part) {
        plot.name(lineKey(arm, part), Arms.title(arm), Arms.style(arm));
    }

    private void widen(double value) {
        if (scale().reaches(value)) {
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

    static String secondKey(ArmSnapshot arm, SubLayers part) {
        return key(arm, "second of " + part.text());
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
        boolean behind = layer >= Arms.layers(arms);
        return Optional.of(new HoverCard.Content(layer, behind ? "what leaves the last sub-layer" : layerName(layer), rows));
    }

    /** The value of an arm at a sub-layer in words, if it has one. */
    private Optional<String> describe(ArmSnapshot arm, int layer) {
        float[] values = values(arm, plan.measure());
        if (layer < 0 || layer >= values.length) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder(plan.scale().text(values[layer]));
        band().ifPresent(band -> {
            float[] least = band.low().of(arm);
            float[] most = band.high().of(arm);
            if (layer < least.length && layer < most.length) {
                text.append(" (").append(band.said()).append(' ').append(plan.scale().text(least[layer])).append('–')
                        .append(plan.scale().text(most[layer])).append(')');
            }
        });
        float[] least = interval(arm, LayerValues::low);
        float[] most = interval(arm, LayerValues::high);
        if (layer < least.length && layer < most.length) {
            text.append(" (95 % ").append(plan.scale().text(least[layer])).append('–').append(plan.scale().text(most[layer])).append(')');
        }
        plan.second().ifPresent(line -> {
            float[] second = line.values().of(arm);
            if (layer < second.length) {
                text.append(", ").append(line.text()).append(' ').append(Numbers.significant(second[layer]));
            }
        });
        plan.theory().ifPresent(theory -> {
            double at = theory.at(arm.info(), layer);
            if (!Double.isNaN(at)) {
                text.append(" (theory ").append(plan.scale().text(at)).append(')');
            }
        });
        return Optional.of(text.toString());
    }

    @Override
    String summary(ArmSnapshot arm) {
        float[] values = values(arm, plan.measure());
        if (values.length == 0) {
            return plan.measure().everyStep() && arm.lastStep() < 0 ? "no step yet" : Arms.withoutValues(arm);
        }
        String theory = plan.theory().map(t -> t.at(arm.info(), 0)).filter(at -> !Double.isNaN(at))
                .map(at -> ", at the input " + plan.scale().text(values[0]) + " where theory says " + plan.scale().text(at)).orElse("");
        return plan.measure().title() + " " + extremes(values) + theory;
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
