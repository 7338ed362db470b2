package keelscope.chart;

import java.util.ArrayList;
import java.util.List;
import javafx.scene.control.Label;
import javafx.scene.control.Slider;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.RunMeasure;
import keelscope.runfile.StepSeries;
import keelscope.runfile.ValidationRecord;
import keelscope.text.Quantities;

/** Training and validation loss of every arm over steps. */
public final class LossChart extends StepChart {
    private static final String UNIT = "nats per token";

    // A mean that hardly reaches the next step smooths nothing that could be seen.
    private static final double LEAST_SMOOTHING = 1.5;

    private final Slider smoothing = new Slider(0, 1, 0.5);
    private double start;
    private double length;
    private double cutAt;

    public LossChart() {
        super(
                "Loss",
                "How well each arm predicts the next token: lower is better, ln 256 = 5.55 is guessing bytes blindly,"
                        + " and a curve that flattens far above the others has stopped learning."
                        + " Keel starts higher and, by its paper, needs plenty of data: on little text it may stay behind Pre-LN.",
                "loss (" + UNIT + ")",
                Definition.of(RunMeasure.LOSS),
                Definition.of(RunMeasure.VAL_LOSS));
        Label smoothingName = new Label("Smoothing");
        smoothingName.setLabelFor(smoothing);
        smoothing.getStyleClass().add("tile-slider");
        smoothing.setAccessibleText("Smoothing");
        smoothing.valueProperty().addListener((o, before, now) -> redraw());
        addSwitches(smoothingName, smoothing);
        remember("smoothing", () -> Double.toString(smoothing.getValue()),
                word -> Quantities.parse(word).ifPresent(smoothing::setValue));
        offerLog(false);
        redraw();
    }

    /** Strength of smoothing, 0 (none) to 1. */
    public void setSmoothing(double strength) {
        smoothing.setValue(strength);
    }

    /** The smoothing length in steps: up to a tenth of the recipe, finer at the low end; 0, for none, where it would be no step. */
    static double smoothingSteps(double strength, int recipeSteps) {
        double steps = recipeSteps * 0.1 * Math.pow(strength, 3);
        return steps < LEAST_SMOOTHING ? 0 : steps;
    }

    @Override
    List<Said> drawCurves() {
        start = Double.NEGATIVE_INFINITY;
        length = 0;
        cutAt = Double.NaN;
        for (ArmSnapshot arm : arms()) {
            StepSeries s = arm.steps();
            double[] x = middles(s);
            Curve raw = curve(arm, "raw");
            if (spreads(s.lossMin(), s.lossMax())) {
                raw.setBand(x, s.lossMin(), s.lossMax());
            } else {
                raw.set(x, s.loss());
            }
        }
        List<Said> said = new ArrayList<>();
        for (ArmSnapshot arm : arms()) {
            StepSeries s = arm.steps();
            double[] x = middles(s);
            length = smoothingSteps(smoothing.getValue(), arm.info().steps());
            double[] weight = new double[s.size()];
            double[] least = new double[s.size()];
            double[] most = new double[s.size()];
            for (int i = 0; i < weight.length; i++) {
                weight[i] = s.lastStep()[i] - s.firstStep()[i] + 1;
                if (Double.isFinite(s.loss()[i])) {
                    start = start == Double.NEGATIVE_INFINITY ? s.loss()[i] : start;
                }
                least[i] = usable(s.lossMin()[i], s.loss()[i]);
                most[i] = usable(s.lossMax()[i], s.loss()[i]);
            }
            widen(x, least, most);
            curve(arm, "smooth").set(x, Smoothing.smooth(x, s.loss(), weight, length));
            plot().name(key(arm, "smooth"), Arms.title(arm), Arms.style(arm));
            said.add(new Said(arm, key(arm, "smooth"), i -> stepsText(s.firstStep()[i], s.lastStep()[i]), i -> text(arm, i)));
        }
        for (ArmSnapshot arm : arms()) {
            double[] x = arm.validation().stream().mapToDouble(ValidationRecord::step).toArray();
            double[] y = arm.validation().stream().mapToDouble(ValidationRecord::loss).toArray();
            curve(arm, "validation").set(x, y);
            widen(x, y, y);
        }
        return said;
    }

    private String text(ArmSnapshot arm, int i) {
        StepSeries s = arm.steps();
        StringBuilder text = new StringBuilder(Arms.title(arm) + "  " + Numbers.significant(s.loss()[i]) + " " + UNIT);
        for (ValidationRecord v : arm.validation()) {
            if (Math.abs(v.step() - 0.5 * ((double) s.firstStep()[i] + s.lastStep()[i])) <= 5 * perPixel()) {
                text.append(", validation ").append(Numbers.significant(v.loss()));
            }
        }
        return text.toString();
    }

    @Override
    double[] shownRange(double lowest, double most) {
        // An interval over few arms may reach below 0, where no loss is.
        double least = Math.max(0, lowest);
        // A diverging arm must not squeeze the others into a line at the bottom.
        double sensible = 3 * Math.max(start, least);
        if (isLog() || most <= sensible) {
            return new double[] {least, most};
        }
        cutAt = most;
        return new double[] {least, sensible};
    }

    @Override
    String keyText() {
        return (length > 0 ? "thin: each step · thick: smoothed over " + Numbers.grouped(Math.round(length)) + " steps" : "line: each step")
                + " · markers: validation"
                + (Double.isNaN(cutAt) ? "" : " · highest loss " + Numbers.significant(cutAt) + ", above the axis");
    }

    private static double usable(double edge, double mean) {
        return Double.isFinite(edge) ? edge : mean;
    }

    private Curve curve(ArmSnapshot arm, String kind) {
        int level = Arms.level(List.of("raw", "smooth", "validation").indexOf(kind), arm);
        return curve(key(arm, kind), level, Curve.EVERY_POINT, kind, Arms.style(arm), Arms.round(arm));
    }

    /** Whether any entry stands for values that differ: of several steps, or of several arms drawn as one. */
    static boolean spreads(double[] low, double[] high) {
        for (int i = 0; i < low.length; i++) {
            if (high[i] > low[i]) {
                return true;
            }
        }
        return false;
    }

    /** The middle step of each bucket. */
    static double[] middles(StepSeries s) {
        double[] x = new double[s.size()];
        for (int i = 0; i < x.length; i++) {
            x[i] = 0.5 * ((double) s.firstStep()[i] + s.lastStep()[i]);
        }
        return x;
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
