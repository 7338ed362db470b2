package keelscope.chart;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.Measure;

/**
 * How much of what leaves each sub-layer was carried. Keel's gate differs from 1 by less than a thousandth and Post-LN's
 * lies near 0.7, so the axis is spread towards 1 (0, 0.9, 0.99, 0.999 at equal distances): the curves hold
 * 1 − carry on a logarithmic axis turned upside down. A switch gives the plain axis from 0 to 1.
 */
public final class CarryGateChart extends LayerChart {
    // Below the resolution of a float32 just under 1, where 1 − carry is 0 and has no place on a logarithmic axis.
    private static final double LEAST_GAP = 3e-8;

    private final ToggleButton linear = new ToggleButton("Linear");

    public CarryGateChart() {
        super(
                "Carry gate",
                "The share of the old signal in what leaves each sub-layer: 1 carries it unchanged, 0.71 mixes old and new in equal parts."
                        + " The line is the mean over tokens, the band spans the 5th to the 95th percentile.",
                "carry gate",
                Measure.CARRY_GATE_MEAN);
        linear.getStyleClass().add("tile-switch");
        linear.setAccessibleText("Linear axis");
        linear.setTooltip(new Tooltip("Linear axis, in place of one spread towards 1"));
        linear.selectedProperty().addListener((o, before, now) -> {
            applyScale();
            redraw();
        });
        tellSubLayersApart();
        addSwitches(linear);
        applyScale();
        redraw();
    }

    /** Whether the axis is linear rather than spread towards 1. */
    public boolean isLinear() {
        return linear.isSelected();
    }

    public void setLinear(boolean on) {
        linear.setSelected(on);
    }

    private void applyScale() {
        plot().yAxis().invertAxis(!linear.isSelected());
        if (linear.isSelected()) {
            plot().yAxis().plainLabels();
        } else {
            plot().yAxis().labels(CarryGateChart::nines);
        }
    }

    /** Writes 1 − {@code gap} with the digits it needs: 0, 0.9, 0.998. */
    static String nines(double gap) {
        if (gap <= 0) {
            return "1";
        }
        int digits = (int) Math.max(0, Math.ceil(-Math.log10(gap) - 1e-9));
        if (digits > 5) {
            return "1−" + Numbers.power(gap);
        }
        return BigDecimal.ONE.subtract(new BigDecimal(gap)).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
    }

    @Override
    boolean log() {
        return !linear.isSelected();
    }

    private double[] shown(float[] carry) {
        double[] y = new double[carry.length];
        for (int l = 0; l < y.length; l++) {
            y[l] = linear.isSelected() || Float.isNaN(carry[l]) ? carry[l] : Math.max(LEAST_GAP, 1.0 - carry[l]);
        }
        return y;
    }

    @Override
    void drawArm(ArmSnapshot arm) {
        draw(
                arm,
                shown(values(arm, Measure.CARRY_GATE_MEAN)),
                shown(values(arm, Measure.CARRY_GATE_P05)),
                shown(values(arm, Measure.CARRY_GATE_P95)));
    }

    @Override
    String keyText() {
        return atStep(Measure.CARRY_GATE_MEAN) + " · band: p05–p95";
    }

    @Override
    Optional<String> describe(ArmSnapshot arm, int layer) {
        float[] mean = values(arm, Measure.CARRY_GATE_MEAN);
        if (layer < 0 || layer >= mean.length) {
            return Optional.empty();
        }
        float[] low = values(arm, Measure.CARRY_GATE_P05);
        float[] high = values(arm, Measure.CARRY_GATE_P95);
        String band = layer < low.length && layer < high.length
                ? " (p05–p95 " + gate(low[layer]) + "–" + gate(high[layer]) + ")"
                : "";
        return Optional.of(gate(mean[layer]) + band);
    }

    /** A gate with enough digits to tell it from 1. */
    static String gate(double carry) {
        if (!Double.isFinite(carry)) {
            return Numbers.significant(carry);
        }
        int digits = (int) Math.max(3, Math.min(7, Math.ceil(-Math.log10(Math.max(1e-7, 1 - carry))) + 1));
        return Numbers.decimals(carry, digits);
    }

    @Override
    String summary(ArmSnapshot arm) {
        float[] mean = values(arm, Measure.CARRY_GATE_MEAN);
        return mean.length == 0 ? "not probed yet" : "carry gate " + extremes(mean);
    }
}
