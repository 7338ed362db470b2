package keelscope.chart;

import io.fair_acc.dataset.DataSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import keelscope.run.ArmSnapshot;
import keelscope.run.StepRange;
import keelscope.runfile.RunEvent;

/** Lines over steps, with what happened as marks. */
abstract class StepChart extends ChartTile {
    // What an engine noted about itself; it belongs in the status bar, not on a chart.
    private static final String PACE = "pace";
    private static final Set<String> IMPORTANT = Set.of(
            "diverged", "stagnation", "instability", "degradation", "spike", "killed", "failed", "stop");
    // A run may write thousands of checkpoints; the latest few tell how often.
    private static final int MOST_MARKS = 120;
    // More kinds of ticks are not listed one by one.
    private static final int MOST_KINDS = 2;
    private static final Curve NOTHING = new Curve("nothing", 0, 0);

    /**
     * A line whose values are said under the mouse.
     *
     * @param curve key of its curve
     * @param heading the steps of a point, in words
     * @param text name and value of a point
     */
    record Said(ArmSnapshot arm, String curve, IntFunction<String> heading, IntFunction<String> text) {}

    private final Plot plot;
    private final SteadyLimits limits = new SteadyLimits();
    private final ToggleButton log = new ToggleButton("Log");
    private final Set<String> used = new HashSet<>();
    private List<ArmSnapshot> arms = List.of();
    private List<Said> said = List.of();
    private double from;
    private double to;
    private double low;
    private double high;

    StepChart(String title, String hint, String axis, Definition... definitions) {
        super(title, hint, definitions);
        plot = new Plot(new PaperAxis("step", true), new PaperAxis(axis, false), new CurveRenderer());
        plot.onHover(this::hover);
        plot.onViewChanged(() -> {
            showsReset(plot.zoomed());
            viewChanged();
        });
        plot.onPick(this::askForCursor);
        log.getStyleClass().add("tile-switch");
        log.setAccessibleText("Logarithmic axis");
        log.setTooltip(new Tooltip("Logarithmic axis"));
        log.selectedProperty().addListener((o, before, now) -> {
            limits.forget();
            redraw();
        });
        setCenter(plot);
    }

    /** Offers a logarithmic axis; to be called once, after the switches that stand left of it. */
    final void offerLog(boolean first) {
        log.setSelected(first);
        addSwitches(log);
        remember("log", log.selectedProperty());
    }

    /** Whether the axis of values is logarithmic. */
    public final boolean isLog() {
        return log.isSelected();
    }

    public final void setLog(boolean on) {
        log.setSelected(on);
    }

    final Plot plot() {
        return plot;
    }

    final List<ArmSnapshot> arms() {
        return arms;
    }

    @Override
    final boolean hasStepAxis() {
        return true;
    }

    @Override
    public final Optional<StepRange> visibleSteps() {
        return plot.visibleSteps();
    }

    @Override
    final List<Plot> plots() {
        return List.of(plot);
    }

    @Override
    public final void resetZoom() {
        plot.resetZoom();
    }

    final void redraw() {
        draw(arms);
    }

    final void forgetLimits() {
        limits.forget();
        plot.release();
    }

    @Override
    final void draw(List<ArmSnapshot> newArms) {
        if (!Arms.sameFiles(arms, newArms)) {
            limits.forget();
        }
        arms = newArms;
        used.clear();
        low = Double.POSITIVE_INFINITY;
        high = Double.NEGATIVE_INFINITY;
        double[] steps = Arms.steps(arms, range());
        from = range() == AxisRange.RECENT ? steps[0] : Double.NEGATIVE_INFINITY;
        to = Double.POSITIVE_INFINITY;
        said = List.copyOf(drawCurves());
        plot.retain(used);
        plot.marks(marks());
        if (low <= high) {
            double[] shown = shownRange(low, high);
            boolean onLog = log.isSelected() && low > 0;
            if (!holds(new Plot.View(0, Math.max(0, Arms.lastStep(arms)), low, high)) || limits.isUnset()) {
                limits.update(onLog, onLog ? low : Math.min(shown[0], shown[1]), shown[1], Arms.still(arms));
            }
            double[] room = Arms.room(steps[0], steps[1]);
            plot.home(false, onLog, new Plot.View(room[0], room[1], limits.low(), limits.high()));
        }
        plot.cursor(cursor());
        plot.commit();
        key(low <= high ? keyText() + ticksText() : keyText());
    }

    /** Draws every arm with {@link #curve} and {@link #widen}, and returns the lines that are said under the mouse. */
    abstract List<Said> drawCurves();

    abstract String keyText();

    /** Which values the axis shows of those there are. */
    double[] shownRange(double least, double most) {
        return new double[] {least, most};
    }

    /** Lets the axis reach to these values, where their steps are on it. */
    final void widen(double[] x, double[] least, double[] most) {
        for (int i = 0; i < x.length; i++) {
            if (x[i] >= from && x[i] <= to) {
                widen(least[i]);
                widen(most[i]);
            }
        }
    }

    private void widen(double value) {
        if (Double.isFinite(value) && (!log.isSelected() || value > 0)) {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
    }

    final Curve curve(String key, int level, double phase, String... styles) {
        used.add(key);
        return plot.curve(key, level, phase, styles);
    }

    static String key(ArmSnapshot arm, String kind) {
        return kind + " " + arm.colour() + " " + arm.info().arm();
    }

    private List<Plot.Mark> marks() {
        List<Plot.Mark> important = new ArrayList<>();
        List<Plot.Mark> minor = new ArrayList<>();
        for (ArmSnapshot arm : arms) {
            for (RunEvent event : shownEvents(arm)) {
                boolean is = IMPORTANT.contains(event.kind());
                (is ? important : minor).add(new Plot.Mark(
                        event.step(),
                        Arms.title(arm) + (is ? " " + event.kind() + ", step " + event.step() : ": " + event.text()),
                        Arms.style(arm),
                        is));
            }
        }
        minor.sort(Comparator.comparingDouble(Plot.Mark::x));
        return Stream.concat(
                        important.stream().limit(MOST_MARKS),
                        minor.subList(Math.max(0, minor.size() - MOST_MARKS), minor.size()).stream())
                .toList();
    }

    /** What the short ticks on the axis of steps are, for the text under the title; empty where there are none. */
    private String ticksText() {
        Set<String> kinds = arms.stream()
                .flatMap(arm -> shownEvents(arm).stream())
                .map(RunEvent::kind)
                .filter(kind -> !IMPORTANT.contains(kind))
                .map(kind -> kind.equals("lr") ? "learning rate" : kind)
                .collect(Collectors.toCollection(TreeSet::new));
        return kinds.isEmpty() ? "" : " · ticks: " + (kinds.size() > MOST_KINDS ? "commands and checkpoints" : String.join(", ", kinds));
    }

    private static List<RunEvent> shownEvents(ArmSnapshot arm) {
        return arm.events().stream().filter(event -> !event.kind().equals(PACE)).toList();
    }

    /** {@code step 5}, or {@code steps 5–9}. */
    static String stepsText(int first, int last) {
        return first == last ? "step " + Numbers.grouped(first) : "steps " + Numbers.grouped(first) + "–" + Numbers.grouped(last);
    }

    /** Steps to a pixel. */
    final double perPixel() {
        return (plot.xAxis().getMax() - plot.xAxis().getMin()) / Math.max(1, plot.xAxis().getLength());
    }

    private Optional<HoverCard.Content> hover(double x, double y) {
        List<HoverCard.Row> rows = new ArrayList<>();
        double shown = Double.NaN;
        String heading = "";
        double best = Double.POSITIVE_INFINITY;
        int bestRow = -1;
        double pixel = perPixel();
        for (Said line : said) {
            Curve curve = plot.find(line.curve()).orElse(NOTHING);
            int i = curve.nearest(x);
            if (i < 0) {
                continue;
            }
            double at = curve.get(DataSet.DIM_X, i);
            if (Double.isNaN(shown) || Math.abs(at - x) < Math.abs(shown - x)) {
                shown = at;
                heading = line.heading().apply(i);
            }
            // Sparse points, as of validations, are found from half way to the next.
            double gap = curve.getDataCount() < 2 ? 0 : curve.get(DataSet.DIM_X, Math.max(1, i)) - curve.get(DataSet.DIM_X, Math.max(1, i) - 1);
            if (Math.abs(at - x) > Math.max(12 * pixel + 1, 0.5 * gap)) {
                continue;
            }
            double value = curve.get(DataSet.DIM_Y, i);
            double away = Math.abs(plot.yAxis().getDisplayPosition(value) - plot.yAxis().getDisplayPosition(y));
            if (away < best) {
                best = away;
                bestRow = rows.size();
            }
            rows.add(new HoverCard.Row(Arms.style(line.arm()), line.text().apply(i), false, at, value));
        }
        for (ArmSnapshot arm : arms) {
            for (RunEvent event : shownEvents(arm)) {
                if (Math.abs(event.step() - x) <= 5 * pixel) {
                    rows.add(new HoverCard.Row(
                            Arms.style(arm), Arms.title(arm) + ": " + event.text(), false, Double.NaN, Double.NaN));
                }
            }
        }
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        if (bestRow >= 0) {
            HoverCard.Row r = rows.get(bestRow);
            rows.set(bestRow, new HoverCard.Row(r.styleClass(), r.text(), true, r.dotX(), r.dotY()));
        }
        return Optional.of(new HoverCard.Content(Double.isNaN(shown) ? x : shown, heading, rows));
    }
}
