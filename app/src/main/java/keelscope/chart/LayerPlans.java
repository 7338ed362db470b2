package keelscope.chart;

import keelscope.model.Scheme;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;

/** The charts by layer. */
final class LayerPlans {
    // Float32 has nothing below; a theory that goes on falling would only push the measured lines together.
    private static final double LEAST = 1e-45;

    static final LayerPlan PARAMETER_GRADIENT = LayerPlan.of(
                    "Gradient by layer",
                    "gradient norm ‖∂loss/∂θ‖₂",
                    Measure.PARAM_GRAD_NORM,
                    Scale.LOG,
                    "How strongly the loss pulls on the parameters of each sub-layer at this step, input at the left."
                            + " A healthy model learns at every depth, so its line is nearly level; where it plunges, those layers stand still.")
            .tellingApart();

    static final LayerPlan ACTIVATION_GRADIENT = LayerPlan.of(
            "Activation gradient",
            "gradient norm ‖∂loss/∂x‖₂",
            Measure.ACTIVATION_GRAD_NORM,
            Scale.LOG,
            "The gradient that arrives where the residual stream enters each sub-layer, by all paths together; read it from right to left."
                    + " A slope means that every sub-layer on the way shrinks the gradient or makes it grow.");

    static final LayerPlan CARRY_GATE = LayerPlan.of(
                    "Carry gate",
                    "carry gate",
                    Measure.CARRY_GATE_MEAN,
                    Scale.TOWARDS_ONE,
                    "The share of the old signal in what leaves each sub-layer: 1 carries it unchanged, 0.71 mixes old and new in equal parts."
                            + " The line is the mean over tokens, the band spans the 5th to the 95th percentile.")
            .tellingApart()
            .withBand("Band", "p05–p95", LayerPlan.Values.of(Measure.CARRY_GATE_P05), LayerPlan.Values.of(Measure.CARRY_GATE_P95));

    // The transform gate falls as the carry gate rises, so its percentiles follow from the other's.
    static final LayerPlan TRANSFORM_GATE = LayerPlan.of(
                    "Transform gate",
                    "transform gate",
                    Measure.TRANSFORM_GATE_MEAN,
                    Scale.LOG,
                    "The share of new signal in what leaves each sub-layer: near 0 the branch adds next to nothing, 0.71 mixes old and new"
                            + " in equal parts. The line is the mean over tokens, the band spans the 5th to the 95th percentile.")
            .tellingApart()
            .withBand("Band", "p05–p95", arm -> transform(arm, Measure.CARRY_GATE_P95), arm -> transform(arm, Measure.CARRY_GATE_P05));

    static final LayerPlan TRAINED_GATE = LayerPlan.of(
                    "Trained gate",
                    "gate T",
                    Measure.GATE_MEAN,
                    Scale.LOG,
                    "How far the trained gate of Highway is open in each sub-layer: T of the branch and 1 − T of the old signal pass."
                            + " The dashed line is the share of gate values below 0.05 or above 0.95, which hardly learn any more.")
            .tellingApart()
            .withBand("±std", "mean ± standard deviation", arm -> around(arm, -1), arm -> around(arm, 1))
            .withBand("Min–max", "min–max", LayerPlan.Values.of(Measure.GATE_MIN), LayerPlan.Values.of(Measure.GATE_MAX))
            .withSecond("share saturated", LayerPlans::saturated, Measure.GATE_LOW, Measure.GATE_HIGH);

    static final LayerPlan RESIDUAL_FACTOR = LayerPlan.of(
                    "Residual factor",
                    "residual factor",
                    Measure.RESIDUAL_FACTOR,
                    Scale.LINEAR,
                    "By how much each sub-layer scales a gradient that stays on the residual path: at 1 the path is an open road."
                            + " Factors multiply with depth, so even 0.99 leaves almost nothing after a thousand sub-layers.")
            .tellingApart()
            .withTheory((info, l) -> factor(info));

    static final LayerPlan HIGHWAY_TRANSPORT = LayerPlan.of(
                    "Highway transport",
                    "highway transport",
                    Measure.HIGHWAY_TRANSPORT,
                    Scale.LOG,
                    "How much of a gradient at the top would reach each sub-layer if it took the residual path only; 1 is all of it."
                            + " It is one factor of the gradient, not all of it: read it beside the gradient by layer.")
            .withTheory((info, l) -> {
                double value = transport(info, l);
                return value >= LEAST ? value : Double.NaN;
            });

    static final LayerPlan INPUT_RMS = LayerPlan.of(
                    "Input rms",
                    "rms of x",
                    Measure.INPUT_RMS,
                    Scale.LOG,
                    "The size of the residual stream where it enters each sub-layer."
                            + " Without an outer norm it grows like √l (the dotted guide), and deep branches become small beside it.")
            .withGuide("√l", l -> l == 0 ? Double.NaN : Math.sqrt(l));

    static final LayerPlan CARRY_RMS = LayerPlan.of(
                    "Carry rms",
                    "rms of the carried addend",
                    Measure.CARRY_RMS,
                    Scale.LOG,
                    "The size of what each sub-layer passes on, before any outer norm."
                            + " What counts is its ratio to the transform rms, since an outer norm takes a common factor out again.")
            .tellingApart();

    static final LayerPlan TRANSFORM_RMS = LayerPlan.of(
                    "Transform rms",
                    "rms of the transformed addend",
                    Measure.TRANSFORM_RMS,
                    Scale.LOG,
                    "The size of what the branch of each sub-layer, attention or feed-forward, adds."
                            + " A branch that stays near 0 adds nothing and could be removed.")
            .tellingApart();

    static final LayerPlan COSINE = LayerPlan.of(
                    "Cosine",
                    "cos(carry, transform)",
                    Measure.COSINE,
                    Scale.LINEAR,
                    "Above 0 a branch adds to the old signal, below 0 it takes from it, and near 0 it writes something new beside it."
                            + " It is the mean over tokens of the cosine between the two addends.")
            .tellingApart()
            .withGuide("0", l -> 0);

    static final LayerPlan UPDATE_RATIO = LayerPlan.of(
                    "Update ratio",
                    "update ratio ‖Δθ‖₂ / ‖θ‖₂",
                    Measure.UPDATE_RATIO,
                    Scale.LOG,
                    "By which share of their own size the parameters of each sub-layer moved in this step."
                            + " Near 10⁻³ (the dotted guide) is usual; far above it a layer is shaken, far below it stands still.")
            .tellingApart()
            .withGuide("10⁻³", l -> 1e-3);

    static final LayerPlan PARAMETER_NORM = LayerPlan.of(
                    "Parameter norm",
                    "parameter norm ‖θ‖₂",
                    Measure.PARAM_NORM,
                    Scale.LOG,
                    "The size of the parameters of each sub-layer after this step."
                            + " Growth over the steps says where the model puts what it learns; weight decay pulls the other way.")
            .tellingApart();

    static final LayerPlan ALPHA = LayerPlan.of(
                    "Alpha",
                    "α",
                    Measure.ALPHA,
                    Scale.LOG,
                    "The factor α with which each sub-layer carries the old signal; where it is trained, the line leaves its start, the dashed line."
                            + " A larger α carries more and lets a branch change less.")
            .tellingApart()
            .withTheory((info, l) -> l < 2 ? Double.NaN : info.alpha());

    private LayerPlans() {}

    /**
     * The transport that theory gives a scheme at sub-layer {@code l} of L, NaN where the project knows none: Post-LN
     * 2^(−(L−l)/2) (Chen and Wei, equation 15), Keel (1 + 1/α²)^(−(L−l)/2) with α = L unless set by hand (equation
     * 19), Pre-LN 1.
     */
    static double transport(RunInfo info, int l) {
        return Math.pow(factor(info), info.layers() - l);
    }

    private static double factor(RunInfo info) {
        double alpha = Double.isFinite(info.alpha()) ? info.alpha() : info.layers();
        return Scheme.of(info.scheme()).map(scheme -> scheme.theoryFactor(alpha)).orElse(Double.NaN);
    }

    private static float[] transform(ArmSnapshot arm, Measure carry) {
        float[] gates = LayerPlan.Values.of(carry).of(arm).clone();
        for (int l = 0; l < gates.length; l++) {
            gates[l] = (float) Math.sqrt(Math.max(0, 1 - (double) gates[l] * gates[l]));
        }
        return gates;
    }

    private static float[] around(ArmSnapshot arm, int sign) {
        float[] mean = LayerPlan.Values.of(Measure.GATE_MEAN).of(arm);
        float[] std = LayerPlan.Values.of(Measure.GATE_STD).of(arm);
        // A standard deviation may reach beyond what there is.
        float[] bound = LayerPlan.Values.of(sign < 0 ? Measure.GATE_MIN : Measure.GATE_MAX).of(arm);
        float[] edge = new float[Math.min(bound.length, Math.min(mean.length, std.length))];
        for (int l = 0; l < edge.length; l++) {
            float at = mean[l] + sign * std[l];
            edge[l] = sign < 0 ? Math.max(bound[l], at) : Math.min(bound[l], at);
        }
        return edge;
    }

    private static float[] saturated(ArmSnapshot arm) {
        float[] low = LayerPlan.Values.of(Measure.GATE_LOW).of(arm);
        float[] high = LayerPlan.Values.of(Measure.GATE_HIGH).of(arm);
        float[] share = new float[Math.min(low.length, high.length)];
        for (int l = 0; l < share.length; l++) {
            share[l] = low[l] + high[l];
        }
        return share;
    }
}
