package keelscope.chart;

import io.fair_acc.dataset.DataSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javafx.scene.control.Label;
import javafx.scene.control.Slider;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import keelscope.run.ArmSnapshot;
import keelscope.run.StepRange;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunMeasure;
import keelscope.runfile.StepSeries;
import keelscope.runfile.ValidationRecord;

/** Training and validation loss of every arm over steps. */
public final class LossChart extends ChartTile {
    private static final String UNIT = "nats per token";
    // What an engine noted about itself; it belongs in the status bar, not on a chart.
    private static final String PACE = "pace";
    private static final Set<String> IMPORTANT = Set.of(
            "diverged", "stagnation", "instability", "degradation", "spike", "killed", "failed", "stop");

    private static final Curve NOTHING = new Curve("nothing", 0, 0);

    private final Plot plot = new Plot(
            new PaperAxis("step", true), new PaperAxis("loss (" + UNIT + ")", false), new CurveRenderer());
    private final SteadyLimits limits = new SteadyLimits();
    private final ToggleButton log = new ToggleButton("Log");
    private final Slider smoothing = new Slider(0, 1, 0.5);
    private List<ArmSnapshot> arms = List.of();

    public LossChart() {
        super(
                "Loss",
                "How well each arm predicts the next token: lower is better, ln 256 = 5.55 is guessing bytes blindly,"
                        + " and a curve that flattens far above the others has stopped learning."
                        + " Keel starts higher and, by its paper, needs plenty of data: on little text it may stay behind Pre-LN.",
                Definition.of(RunMeasure.LOSS),
                Definition.of(RunMeasure.VAL_LOSS));
        log.getStyleClass().add("tile-switch");
        log.setAccessibleText("Logarithmic loss axis");
        log.setTooltip(new Tooltip("Logarithmic loss axis"));
        log.selectedProperty().addListener((o, before, now) -> redraw());
        Label smoothingName = new Label("Smoothing");
        smoothingName.setLabelFor(smoothing);
        smoothing.getStyleClass().add("tile-slider");
        smoothing.setAccessibleText("Smoothing");
        smoothing.valueProperty().addListener((o, before, now) -> redraw());
        addSwitches(smoothingName, smoothing, log);
        plot.onHover(this::hover);
        plot.onViewChanged(() -> {
            showsReset(plot.zoomed());
            viewChanged();
        });
        plot.onPick(this::askForCursor);
        setCenter(plot);
        redraw();
    }

    /** Whether the loss axis is logarithmic. */
    public boolean isLog() {
        return log.isSelected();
    }

    public void setLog(boolean on) {
        log.setSelected(on);
    }

    /** Strength of smoothing, 0 (none) to 1. */
    public void setSmoothing(double strength) {
        smoothing.setValue(strength);
    }

    Plot plot() {
        return plot;
    }

    @Override
    boolean hasStepAxis() {
        return true;
    }

    @Override
    public Optional<StepRange> visibleSteps() {
        return plot.visibleSteps();
    }

    @Override
    List<Plot> plots() {
        return List.of(plot);
    }

    @Override
    public void resetZoom() {
        plot.resetZoom();
    }

    private void redraw() {
        draw(arms);
    }

    /** The smoothing length in steps: up to a tenth of the recipe, finer at the low end. */
    static double smoothingSteps(double strength, int recipeSteps) {
        return strength <= 0 ? 0 : Math.max(1, recipeSteps * 0.1 * Math.pow(strength, 3));
    }

    @Override
    void draw(List<ArmSnapshot> newArms) {
        if (!sameFiles(arms, newArms)) {
            limits.forget();
        }
        arms = newArms;
        Set<String> used = new HashSet<>();
        List<Plot.Mark> marks = new ArrayList<>();
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        double start = Double.NEGATIVE_INFINITY;
        double length = 0;
        for (ArmSnapshot arm : arms) {
            StepSeries s = arm.steps();
            double[] x = middles(s);
            // Of buckets of steps, or of several arms drawn as one.
            boolean spreads = false;
            for (int i = 0; i < s.size() && !spreads; i++) {
                spreads = s.lossMax()[i] > s.lossMin()[i];
            }
            Curve raw = curve(used, arm, "raw");
            if (spreads) {
                raw.setBand(x, s.lossMin(), s.lossMax());
            } else {
                raw.set(x, s.loss());
            }
        }
        for (ArmSnapshot arm : arms) {
            StepSeries s = arm.steps();
            length = smoothingSteps(smoothing.getValue(), arm.info().steps());
            double[] weight = new double[s.size()];
            for (int i = 0; i < weight.length; i++) {
                weight[i] = s.lastStep()[i] - s.firstStep()[i] + 1;
                if (Double.isFinite(s.loss()[i])) {
                    start = start == Double.NEGATIVE_INFINITY ? s.loss()[i] : start;
                    low = Math.min(low, usable(s.lossMin()[i], s.loss()[i]));
                    high = Math.max(high, usable(s.lossMax()[i], s.loss()[i]));
                }
            }
            Curve smooth = curve(used, arm, "smooth");
            smooth.set(middles(s), Smoothing.smooth(middles(s), s.loss(), weight, length));
            plot.name(key(arm, "smooth"), Arms.title(arm), Arms.style(arm));
        }
        for (ArmSnapshot arm : arms) {
            double[] x = arm.validation().stream().mapToDouble(ValidationRecord::step).toArray();
            double[] y = arm.validation().stream().mapToDouble(ValidationRecord::loss).toArray();
            curve(used, arm, "validation").set(x, y);
            for (double loss : y) {
                if (Double.isFinite(loss)) {
                    low = Math.min(low, loss);
                    high = Math.max(high, loss);
                }
            }
            for (RunEvent event : shownEvents(arm)) {
                boolean important = IMPORTANT.contains(event.kind());
                marks.add(new Plot.Mark(
                        event.step(),
                        Arms.title(arm) + (important ? " " + event.kind() + ", step " + event.step() : ": " + event.text()),
                        Arms.style(arm),
                        important));
            }
        }
        plot.retain(used);
        plot.marks(marks);
        boolean cut = false;
        if (low <= high) {
            // A diverging arm must not squeeze the others into a line at the bottom.
            double sensible = 3 * Math.max(start, low);
            cut = !log.isSelected() && high > sensible;
            double top = cut ? sensible : high;
            boolean onLog = log.isSelected() && low > 0;
            limits.update(onLog, onLog ? low : Math.min(low, top), top, Arms.ended(arms));
            double[] steps = Arms.room(0, Arms.stepLimit(arms));
            plot.home(false, onLog, new Plot.View(steps[0], steps[1], limits.low(), limits.high()));
        }
        plot.commit();
        key((length > 0 ? "thin: each step · thick: smoothed over " + steps(length) : "line: each step")
                + " · markers: validation"
                + (cut ? " · highest loss " + Numbers.significant(high) + ", above the axis" : ""));
    }

    private static List<RunEvent> shownEvents(ArmSnapshot arm) {
        return arm.events().stream().filter(event -> !event.kind().equals(PACE)).toList();
    }

    private static double usable(double edge, double mean) {
        return Double.isFinite(edge) ? edge : mean;
    }

    private static String steps(double length) {
        long n = Math.round(length);
        return n <= 1 ? "1 step" : Numbers.grouped(n) + " steps";
    }

    private Curve curve(Set<String> used, ArmSnapshot arm, String kind) {
        String key = key(arm, kind);
        used.add(key);
        int level = Arms.level(List.of("raw", "smooth", "validation").indexOf(kind), arm);
        return plot.curve(key, level, Curve.EVERY_POINT, kind, Arms.style(arm), Arms.round(arm));
    }

    private static String key(ArmSnapshot arm, String kind) {
        return kind + " " + arm.colour() + " " + arm.info().arm();
    }

    static boolean sameFiles(List<ArmSnapshot> a, List<ArmSnapshot> b) {
        return a.stream().map(ArmSnapshot::file).toList().equals(b.stream().map(ArmSnapshot::file).toList());
    }

    /** The middle step of each bucket. */
    static double[] middles(StepSeries s) {
        double[] x = new double[s.size()];
        for (int i = 0; i < x.length; i++) {
            x[i] = 0.5 * ((double) s.firstStep()[i] + s.lastStep()[i]);
        }
        return x;
    }

    private Optional<HoverCard.Content> hover(double x, double y) {
        List<HoverCard.Row> rows = new ArrayList<>();
        double shown = Double.NaN;
        String heading = "";
        double best = Double.POSITIVE_INFINITY;
        int bestRow = -1;
        double perPixel = (plot.xAxis().getMax() - plot.xAxis().getMin()) / Math.max(1, plot.xAxis().getLength());
        for (ArmSnapshot arm : arms) {
            Curve curve = plot.find(key(arm, "smooth")).orElse(NOTHING);
            int i = curve.nearest(x);
            StepSeries s = arm.steps();
            if (i < 0) {
                continue;
            }
            if (Double.isNaN(shown) || Math.abs(curve.get(DataSet.DIM_X, i) - x) < Math.abs(shown - x)) {
                shown = curve.get(DataSet.DIM_X, i);
                heading = s.firstStep()[i] == s.lastStep()[i]
                        ? "step " + Numbers.grouped(s.firstStep()[i])
                        : "steps " + Numbers.grouped(s.firstStep()[i]) + "–" + Numbers.grouped(s.lastStep()[i]);
            }
            if (Math.abs(curve.get(DataSet.DIM_X, i) - x) > 12 * perPixel + 1) {
                continue;
            }
            double smooth = curve.get(DataSet.DIM_Y, i);
            double away = Math.abs(plot.yAxis().getDisplayPosition(smooth) - plot.yAxis().getDisplayPosition(y));
            if (away < best) {
                best = away;
                bestRow = rows.size();
            }
            String text = Arms.title(arm) + "  " + Numbers.significant(s.loss()[i]) + " " + UNIT;
            for (ValidationRecord v : arm.validation()) {
                if (Math.abs(v.step() - x) <= 5 * perPixel) {
                    text += ", validation " + Numbers.significant(v.loss());
                }
            }
            rows.add(new HoverCard.Row(Arms.style(arm), text, false, curve.get(DataSet.DIM_X, i), smooth));
        }
        for (ArmSnapshot arm : arms) {
            for (RunEvent event : shownEvents(arm)) {
                if (Math.abs(event.step() - x) <= 5 * perPixel) {
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
        return Optional.of(new HoverCard.Content(shown, heading, rows));
    }

    @Override
    String summary(ArmSnapshot arm) {
        StepSeries s = arm.steps();
        if (s.size() == 0) {
            return "no step yet";
        }
        String text = "step " + arm.lastStep() + ", loss " + Numbers.significant(s.loss()[s.size() - 1]) + " " + UNIT;
        if (!arm.validation().isEmpty()) {
            ValidationRecord last = arm.validation().get(arm.validation().size() - 1);
            text += ", validation loss " + Numbers.significant(last.loss()) + " after step " + last.step();
        }
        return text;
    }
}
