package keelscope.chart;

import java.util.Arrays;
import java.util.Optional;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.Measure;

/** Norm of the gradient of each sub-layer's parameters at the latest step, before clipping. */
public final class GradientByLayerChart extends LayerChart {
    private static final String LINE = "line";

    /** Which sub-layers are drawn. */
    public enum Part {
        ALL("All", "all sub-layers"),
        ATTENTION("Attn", "attention sub-layers only"),
        FEED_FORWARD("FFN", "feed-forward sub-layers only");

        private final String title;
        private final String text;

        Part(String title, String text) {
            this.title = title;
            this.text = text;
        }
    }

    private final ToggleGroup parts = new ToggleGroup();

    public GradientByLayerChart() {
        super(
                "Gradient by layer",
                "How strongly the loss pulls on the parameters of each sub-layer at this step, input at the left."
                        + " A healthy model learns at every depth, so its line is nearly level; where it plunges, those layers stand still.",
                "gradient norm ‖∂loss/∂θ‖₂");
        for (Part part : Part.values()) {
            ToggleButton button = new ToggleButton(part.title);
            button.setUserData(part);
            button.setToggleGroup(parts);
            button.getStyleClass().add("tile-switch");
            button.setAccessibleText("Show " + part.text);
            button.setTooltip(new Tooltip("Show " + part.text));
            addSwitches(button);
        }
        show(Part.ALL);
        parts.selectedToggleProperty().addListener((o, before, now) -> {
            if (now == null) {
                parts.selectToggle(before);
            } else {
                redraw();
            }
        });
        redraw();
    }

    /** Chooses which sub-layers are drawn. */
    public void show(Part part) {
        parts.getToggles().forEach(toggle -> toggle.setSelected(toggle.getUserData() == part));
    }

    /** Which sub-layers are drawn. */
    public Part part() {
        return parts.getSelectedToggle() == null ? Part.ALL : (Part) parts.getSelectedToggle().getUserData();
    }

    private boolean shows(int layer) {
        return switch (part()) {
            case ALL -> true;
            case ATTENTION -> layer % 2 == 0;
            case FEED_FORWARD -> layer % 2 == 1;
        };
    }

    @Override
    boolean log() {
        return true;
    }

    @Override
    String mainKind() {
        return LINE;
    }

    @Override
    void drawArm(ArmSnapshot arm) {
        float[] values = values(arm, Measure.PARAM_GRAD_NORM);
        int n = 0;
        double[] x = new double[values.length];
        double[] y = new double[values.length];
        for (int l = 0; l < values.length; l++) {
            if (shows(l)) {
                x[n] = l;
                y[n++] = values[l];
            }
        }
        line(arm, LINE, 1, Arrays.copyOf(x, n), Arrays.copyOf(y, n));
        name(arm, LINE);
    }

    @Override
    String keyText() {
        return atStep(Measure.PARAM_GRAD_NORM) + "   even l: attention, odd l: feed-forward";
    }

    @Override
    Optional<String> describe(ArmSnapshot arm, int layer) {
        float[] values = values(arm, Measure.PARAM_GRAD_NORM);
        return layer < 0 || layer >= values.length || !shows(layer)
                ? Optional.empty()
                : Optional.of(Numbers.significant(values[layer]));
    }

    @Override
    String summary(ArmSnapshot arm) {
        return "gradient norm " + extremes(values(arm, Measure.PARAM_GRAD_NORM));
    }
}
