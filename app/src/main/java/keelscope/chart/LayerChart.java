package keelscope.chart;

import io.fair_acc.dataset.DataSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;

/** A measure of every sub-layer as it is now, one line an arm. */
abstract class LayerChart extends ChartTile {
    private static final Curve NOTHING = new Curve("nothing", 0, 0);

    private final Plot plot;
    private final SteadyLimits limits = new SteadyLimits();
    private final Set<String> used = new HashSet<>();
    private List<ArmSnapshot> arms = List.of();
    private double low;
    private double high;

    LayerChart(String title, String explanation, String axis) {
        super(title, explanation);
        plot = new Plot(new PaperAxis("sub-layer l", true), new PaperAxis(axis, false), new CurveRenderer());
        plot.onHover(this::hover);
        plot.onViewChanged(() -> showsReset(plot.zoomed()));
        setCenter(plot);
    }

    final Plot plot() {
        return plot;
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
        plot.gutter(arms.isEmpty() ? 0 : Gutter.width(this, arms.stream().map(Arms::title).toList()));
        if (low <= high) {
            limits.update(log(), low, high, Arms.ended(arms));
            double[] layers = Arms.room(0, Math.max(1, Arms.layers(arms) - 1));
            plot.home(false, log(), new Plot.View(layers[0], layers[1], limits.low(), limits.high()));
        }
        plot.commit();
        key(keyText());
    }

    /** Whether the axis of values is logarithmic; then {@link #line} and {@link #band} show only values above 0. */
    abstract boolean log();

    /** Draws one arm with {@link #line}, {@link #band} and {@link #name}. */
    abstract void drawArm(ArmSnapshot arm);

    /** What the lines mean, for under the title. */
    abstract String keyText();

    /** The value of an arm at a sub-layer in words, if it has one. */
    abstract Optional<String> describe(ArmSnapshot arm, int layer);

    /** The kind of line that the mouse finds, as given to {@link #line}. */
    abstract String mainKind();

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

    final void line(ArmSnapshot arm, String kind, int level, double[] x, double[] y) {
        curve(arm, kind, level).set(x, y);
        for (double value : y) {
            widen(value);
        }
    }

    final void band(ArmSnapshot arm, String kind, int level, double[] x, double[] lower, double[] upper) {
        curve(arm, kind, level).setBand(x, lower, upper);
        for (int i = 0; i < x.length; i++) {
            widen(lower[i]);
            widen(upper[i]);
        }
    }

    /** Writes the arm's name beside its line of that kind. */
    final void name(ArmSnapshot arm, String kind) {
        plot.name(key(arm, kind), Arms.title(arm), Arms.style(arm));
    }

    private void widen(double value) {
        if (Double.isFinite(value) && (!log() || value > 0)) {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
    }

    private Curve curve(ArmSnapshot arm, String kind, int level) {
        String key = key(arm, kind);
        used.add(key);
        return plot.curve(key, Arms.level(level, arm), Arms.phase(arm), kind, Arms.style(arm), Arms.round(arm));
    }

    static String key(ArmSnapshot arm, String kind) {
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
            Optional<String> text = describe(arm, layer);
            if (text.isEmpty()) {
                continue;
            }
            Curve curve = plot.find(key(arm, mainKind())).orElse(NOTHING);
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
