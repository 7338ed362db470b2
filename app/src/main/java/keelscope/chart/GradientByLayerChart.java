package keelscope.chart;

import java.util.Optional;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.Measure;

/** Norm of the gradient of each sub-layer's parameters at the latest step, before clipping. */
public final class GradientByLayerChart extends LayerChart {

    public GradientByLayerChart() {
        super(
                "Gradient by layer",
                "How strongly the loss pulls on the parameters of each sub-layer at this step, input at the left."
                        + " A healthy model learns at every depth, so its line is nearly level; where it plunges, those layers stand still.",
                "gradient norm ‖∂loss/∂θ‖₂",
                Measure.PARAM_GRAD_NORM);
        tellSubLayersApart();
        redraw();
    }

    @Override
    boolean log() {
        return true;
    }

    @Override
    void drawArm(ArmSnapshot arm) {
        float[] norms = values(arm, Measure.PARAM_GRAD_NORM);
        double[] shown = new double[norms.length];
        for (int l = 0; l < shown.length; l++) {
            shown[l] = norms[l];
        }
        draw(arm, shown);
    }

    @Override
    String keyText() {
        return atStep(Measure.PARAM_GRAD_NORM);
    }

    @Override
    Optional<String> describe(ArmSnapshot arm, int layer) {
        float[] norms = values(arm, Measure.PARAM_GRAD_NORM);
        return layer < 0 || layer >= norms.length ? Optional.empty() : Optional.of(Numbers.significant(norms[layer]));
    }

    @Override
    String summary(ArmSnapshot arm) {
        float[] norms = values(arm, Measure.PARAM_GRAD_NORM);
        return norms.length == 0 ? "no step yet" : "gradient norm " + extremes(norms);
    }
}
