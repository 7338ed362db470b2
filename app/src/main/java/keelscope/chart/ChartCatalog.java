package keelscope.chart;

import java.util.List;
import java.util.Optional;
import keelscope.runfile.Measure;

/** Every kind of chart there is. */
public final class ChartCatalog {
    private static final String OVER_STEPS = "Over steps";
    private static final String BY_LAYER = "By layer";
    private static final String LAYER_BY_STEP = "Layer × step";

    private static final List<ChartKind> ALL = List.of(
            new ChartKind("loss", "Loss", OVER_STEPS, LossChart::new),
            overSteps("accuracy", StepPlan.ACCURACY),
            overSteps("gradient-norm", StepPlan.GRADIENT_NORM),
            overSteps("learning-rate", StepPlan.LEARNING_RATE),
            overSteps("tokens-per-second", StepPlan.TOKENS_PER_SECOND),
            overSteps("memory", StepPlan.MEMORY),
            new ChartKind("pinned-layers", "Sub-layers over steps", OVER_STEPS, () -> new PinnedChart(Measure.PARAM_GRAD_NORM)),
            byLayer("gradient-by-layer", LayerPlans.PARAMETER_GRADIENT),
            byLayer("activation-gradient-by-layer", LayerPlans.ACTIVATION_GRADIENT),
            byLayer("carry-gate", LayerPlans.CARRY_GATE),
            byLayer("transform-gate", LayerPlans.TRANSFORM_GATE),
            byLayer("trained-gate", LayerPlans.TRAINED_GATE),
            new ChartKind("gate-histogram", "Gate histogram", BY_LAYER, RidgeChart::new),
            byLayer("residual-factor", LayerPlans.RESIDUAL_FACTOR),
            byLayer("highway-transport", LayerPlans.HIGHWAY_TRANSPORT),
            byLayer("input-rms", LayerPlans.INPUT_RMS),
            byLayer("carry-rms", LayerPlans.CARRY_RMS),
            byLayer("transform-rms", LayerPlans.TRANSFORM_RMS),
            byLayer("cosine", LayerPlans.COSINE),
            byLayer("update-ratio", LayerPlans.UPDATE_RATIO),
            byLayer("parameter-norm", LayerPlans.PARAMETER_NORM),
            byLayer("alpha", LayerPlans.ALPHA),
            heatMap("gradient-heat-map", "Gradient, layer × step", Measure.PARAM_GRAD_NORM, false),
            heatMap("carry-gate-heat-map", "Carry gate, layer × step", Measure.CARRY_GATE_MEAN, false),
            heatMap("measure-heat-map", "Measure, layer × step", Measure.ACTIVATION_GRAD_NORM, false),
            heatMap("difference-heat-map", "Difference of two arms", Measure.PARAM_GRAD_NORM, true));

    private static ChartKind overSteps(String id, StepPlan plan) {
        return new ChartKind(id, plan.title(), OVER_STEPS, () -> new RunMeasureChart(plan));
    }

    private static ChartKind byLayer(String id, LayerPlan plan) {
        return new ChartKind(id, plan.title(), BY_LAYER, () -> new LayerChart(plan));
    }

    private static ChartKind heatMap(String id, String title, Measure measure, boolean difference) {
        return new ChartKind(id, title, LAYER_BY_STEP, () -> new HeatMapChart(title, measure, difference));
    }

    private ChartCatalog() {}

    /** All kinds, group by group. */
    public static List<ChartKind> all() {
        return ALL;
    }

    /** The kind of that id, if there is one. */
    public static Optional<ChartKind> of(String id) {
        return ALL.stream().filter(kind -> kind.id().equals(id)).findFirst();
    }
}
