package keelscope.chart;

import java.util.Optional;
import keelscope.model.Scheme;
import keelscope.run.ArmSnapshot;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;

/** How much of a gradient at the top reaches each sub-layer along the residual path alone, measured and in theory. */
public final class HighwayTransportChart extends LayerChart {
    // Float32 has nothing below; a theory that goes on falling would only push the measured lines together.
    private static final double LEAST = 1e-45;

    public HighwayTransportChart() {
        super(
                "Highway transport",
                "How much of a gradient at the top would reach each sub-layer if it took the residual path only; 1 is all of it."
                        + " It is one factor of the gradient, not all of it: read it beside the gradient by layer.",
                "highway transport",
                Measure.HIGHWAY_TRANSPORT);
        redraw();
    }

    /**
     * The transport that theory gives a scheme at sub-layer {@code l} of L, NaN where the project knows none: Post-LN
     * 2^(−(L−l)/2) (Chen and Wei, equation 15), Keel (1 + 1/α²)^(−(L−l)/2) with α = L unless set by hand (equation
     * 19), Pre-LN 1.
     */
    public static double theory(RunInfo info, int l) {
        double alpha = Double.isFinite(info.alpha()) ? info.alpha() : info.layers();
        return Scheme.of(info.scheme())
                .map(scheme -> Math.pow(scheme.theoryFactor(alpha), info.layers() - l))
                .orElse(Double.NaN);
    }

    @Override
    boolean log() {
        return true;
    }

    @Override
    void drawArm(ArmSnapshot arm) {
        float[] values = values(arm, Measure.HIGHWAY_TRANSPORT);
        double[] measured = new double[values.length];
        for (int l = 0; l < measured.length; l++) {
            measured[l] = values[l] > 0 ? values[l] : Double.NaN;
        }
        draw(arm, measured);
        double[] theory = new double[measured.length];
        for (int l = 0; l < theory.length; l++) {
            double value = theory(arm.info(), l);
            theory[l] = value >= LEAST ? value : Double.NaN;
        }
        drawTheory(arm, theory);
    }

    @Override
    String keyText() {
        return atStep(Measure.HIGHWAY_TRANSPORT) + " · solid: measured · dashed: theory";
    }

    @Override
    Optional<String> describe(ArmSnapshot arm, int layer) {
        float[] values = values(arm, Measure.HIGHWAY_TRANSPORT);
        if (layer < 0 || layer >= values.length) {
            return Optional.empty();
        }
        double theory = theory(arm.info(), layer);
        return Optional.of(Numbers.significant(values[layer])
                + (Double.isNaN(theory) ? "" : " (theory " + Numbers.significant(theory) + ")"));
    }

    @Override
    String summary(ArmSnapshot arm) {
        float[] values = values(arm, Measure.HIGHWAY_TRANSPORT);
        return values.length == 0
                ? "not probed yet"
                : "highway transport at the input " + Numbers.significant(values[0]) + " (theory "
                        + Numbers.significant(theory(arm.info(), 0)) + ")";
    }
}
