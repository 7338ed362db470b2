package keelscope.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import keelscope.run.FormulaArm;
import org.junit.jupiter.api.Test;

class ChartArithmeticTest {

    // ---- smoothing

    private static double[] ones(int n) {
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static double[] range(int n) {
        return LayerChart.layerNumbers(n);
    }

    @Test
    void smoothingIsTheMeanAndAtTheStartTheLineOfItsFormula() {
        double[] x = {0, 1, 3, 4, 9};
        double[] y = {2, 5, 11, 3, 4};
        double[] weight = {1, 2, 4, 1, 3};
        double[] smooth = Smoothing.smooth(x, y, weight, 2.0);
        for (int i = 0; i < x.length; i++) {
            // Least squares by the normal equations, straight from the definition.
            double s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0;
            for (int j = 0; j < x.length; j++) {
                double w = weight[j] * Math.exp(-Math.abs(x[i] - x[j]) / 2.0);
                double d = x[j] - x[i];
                s0 += w;
                s1 += w * d;
                s2 += w * d * d;
                t0 += w * y[j];
                t1 += w * d * y[j];
            }
            double line = (s2 * t0 - s1 * t1) / (s2 * s0 - s1 * s1);
            double share = Math.exp(-x[i] / 6);
            assertThat(smooth[i]).isCloseTo(share * line + (1 - share) * t0 / s0, within(1e-12));
        }
    }

    @Test
    void smoothingKeepsAStraightLineFromItsStartOn() {
        double[] x = range(400);
        double[] y = Arrays.stream(x).map(at -> 7 - 0.01 * at).toArray();
        double[] smooth = Smoothing.smooth(x, y, ones(400), 5);
        assertThat(smooth[0]).isCloseTo(7, within(1e-9));
        assertThat(smooth[200]).isCloseTo(5, within(1e-9));
    }

    @Test
    void smoothingOnePointIsThatPoint() {
        assertThat(Smoothing.smooth(new double[] {3}, new double[] {4}, ones(1), 5)).containsExactly(4);
    }

    @Test
    void smoothingLeavesOutWhatIsNotFinite() {
        double[] y = {1, Double.NaN, 1, Double.POSITIVE_INFINITY, 1};
        double[] smooth = Smoothing.smooth(range(5), y, ones(5), 3);
        assertThat(smooth[0]).isCloseTo(1, within(1e-12));
        assertThat(smooth[1]).isNaN();
        assertThat(smooth[4]).isCloseTo(1, within(1e-12));
    }

    // ---- limits

    private long now;

    private void seconds(double s) {
        now += (long) (s * 1e9);
    }

    @Test
    void aLimitGrowsAtOnce() {
        SteadyLimits limits = new SteadyLimits(() -> now);
        limits.update(false, 2, 3, false);
        limits.update(false, 1, 9, false);
        assertThat(limits.low()).isBetween(0.0, 1.0);
        assertThat(limits.high()).isBetween(9.0, 11.0);
    }

    @Test
    void aLimitShrinksOnlyAfterAPauseAndThenByAndBy() {
        SteadyLimits limits = new SteadyLimits(() -> now);
        limits.update(false, 0, 100, false);
        double full = limits.high();
        seconds(0.5);
        limits.update(false, 0, 10, false);
        assertThat(limits.high()).as("half a second later").isEqualTo(full);
        double before = full;
        for (int i = 0; i < 20; i++) {
            seconds(0.1);
            limits.update(false, 0, 10, false);
            assertThat(before - limits.high()).as("a tenth of a second").isLessThan(0.1 * full);
            before = limits.high();
        }
        assertThat(limits.high()).isLessThan(full);
        for (int i = 0; i < 300; i++) {
            seconds(0.1);
            limits.update(false, 0, 10, false);
        }
        assertThat(limits.high()).as("in the end").isBetween(10.0, 12.0);
    }

    @Test
    void noiseDoesNotMoveALimit() {
        SteadyLimits limits = new SteadyLimits(() -> now);
        Random random = new Random(1);
        limits.update(true, 1.1e-4, 0.31, false);
        double low = limits.low();
        double high = limits.high();
        for (int i = 0; i < 200; i++) {
            seconds(0.05);
            limits.update(true, 1.1e-4 * (1 + 0.3 * random.nextDouble()), 0.31 * (1 + 0.3 * random.nextDouble()), false);
        }
        assertThat(limits.low()).isEqualTo(low);
        assertThat(limits.high()).isEqualTo(high);
    }

    @Test
    void dataThatWillNotChangeAnyMoreAreFittedAtOnce() {
        SteadyLimits limits = new SteadyLimits(() -> now);
        limits.update(false, 0, 100, false);
        limits.update(false, 0, 10, true);
        assertThat(limits.high()).isBetween(10.0, 12.0);
    }

    @Test
    void limitsOfEqualValuesStillSpanAnAxis() {
        assertThat(SteadyLimits.rounded(3, 3)[0]).isLessThan(3);
        assertThat(SteadyLimits.rounded(0, 0)[1]).isGreaterThan(0);
        assertThat(SteadyLimits.roundedLog(1, 1)[0]).isLessThan(1);
        assertThat(SteadyLimits.roundedLog(1, 1)[1]).isGreaterThan(1);
    }

    // ---- axis of steps

    @Test
    void theAxisOfStepsEndsWithTheRecipeUnlessTooLittleOfALongRunIsDone() {
        assertThat(Arms.stepLimit(List.of(FormulaArm.of("keel", 0, 4, 400, 3, 0)))).isEqualTo(400);
        assertThat(Arms.stepLimit(List.of(FormulaArm.of("keel", 0, 4, 64_000, 32_000, 0)))).isEqualTo(64_000);
        assertThat(Arms.stepLimit(List.of(FormulaArm.of("keel", 0, 4, 64_000, 1_500, 0)))).isEqualTo(8_000);
    }

    // ---- numbers

    @Test
    void numbersAreWrittenWithFourSignificantDigits() {
        assertThat(Numbers.significant(2.41349)).isEqualTo("2.413");
        assertThat(Numbers.significant(0.0123449)).isEqualTo("0.01234");
        assertThat(Numbers.significant(0)).isEqualTo("0");
        assertThat(Numbers.significant(1.234e-7)).isEqualTo("1.23·10⁻⁷");
        assertThat(Numbers.significant(9.999e-7)).isEqualTo("1·10⁻⁶");
        assertThat(Numbers.significant(-3.5)).isEqualTo("−3.500");
        assertThat(Numbers.significant(Double.NaN)).isEqualTo("not a number");
        assertThat(Numbers.significant(Double.POSITIVE_INFINITY)).isEqualTo("∞");
    }

    @Test
    void powersOfTenHaveRaisedExponents() {
        assertThat(Numbers.power(1)).isEqualTo("1");
        assertThat(Numbers.power(1e-10)).isEqualTo("10⁻¹⁰");
        assertThat(Numbers.power(1e4)).isEqualTo("10⁴");
        assertThat(Numbers.power(2e-3)).isEqualTo("2·10⁻³");
    }

    @Test
    void theCarryGateAxisCountsNines() {
        assertThat(Scale.nines(1)).isEqualTo("0");
        assertThat(Scale.nines(0.1)).isEqualTo("0.9");
        assertThat(Scale.nines(0.01)).isEqualTo("0.99");
        assertThat(Scale.nines(0.0001)).isEqualTo("0.9999");
        assertThat(Scale.nines(0.5)).isEqualTo("0.5");
    }

    @Test
    void unitsOfAxesAreOneTwoOrFiveTimesAPowerOfTen() {
        assertThat(PaperAxis.roundUnit(0.013, false)).isCloseTo(0.02, within(1e-12));
        assertThat(PaperAxis.roundUnit(0.4, false)).isCloseTo(0.5, within(1e-12));
        assertThat(PaperAxis.roundUnit(7, false)).isEqualTo(10);
        assertThat(PaperAxis.roundUnit(0.3, true)).isEqualTo(1);
    }

    // ---- theory

    @Test
    void theTheoryOfHighwayTransportIsThePapers() {
        assertThat(LayerPlans.transport(FormulaArm.info("post_ln", 32, 1), 0)).isCloseTo(Math.pow(2, -16), within(1e-15));
        assertThat(LayerPlans.transport(FormulaArm.info("post_ln", 32, 1), 31)).isCloseTo(1 / Math.sqrt(2), within(1e-15));
        assertThat(LayerPlans.transport(FormulaArm.info("keel", 32, 1), 0))
                .isCloseTo(Math.pow(1 + 1.0 / (32 * 32), -16), within(1e-15));
        assertThat(LayerPlans.transport(FormulaArm.info("pre_ln", 32, 1), 5)).isEqualTo(1);
        assertThat(LayerPlans.transport(FormulaArm.info("unknown", 32, 1), 5)).isNaN();
    }

    // ---- colours

    /** CIELAB lightness, 0 … 100, of an sRGB colour (IEC 61966-2-1, CIE 15). */
    private static double lightness(int argb) {
        double y = 0.2126 * linear(argb >> 16 & 255) + 0.7152 * linear(argb >> 8 & 255) + 0.0722 * linear(argb & 255);
        return y > 216.0 / 24389 ? 116 * Math.cbrt(y) - 16 : y * 24389.0 / 27;
    }

    private static double linear(int channel) {
        double c = channel / 255.0;
        return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    }

    @Test
    void theColoursOfTheHeatMapGetLighterEvenly() {
        double first = lightness(ColourMap.VIRIDIS.argb(0));
        double last = lightness(ColourMap.VIRIDIS.argb(1));
        assertThat(last - first).isGreaterThan(70);
        double step = (last - first) / 16;
        for (int i = 0; i < 16; i++) {
            double rise = lightness(ColourMap.VIRIDIS.argb((i + 1) / 16.0)) - lightness(ColourMap.VIRIDIS.argb(i / 16.0));
            assertThat(rise).as("sixteenth " + i).isBetween(0.6 * step, 1.4 * step);
        }
    }

    @Test
    void theColoursOfDifferencesAreAsLightOnBothSidesAndLightestInTheMiddle() {
        double middle = lightness(ColourMap.DIVERGING.argb(0.5));
        for (int i = 1; i <= 8; i++) {
            double below = lightness(ColourMap.DIVERGING.argb(0.5 - i / 16.1));
            double above = lightness(ColourMap.DIVERGING.argb(0.5 + i / 16.1));
            assertThat(below).isCloseTo(above, within(2.5)).isLessThan(middle);
            assertThat(middle - below).as("even steps").isCloseTo(i / 8.05 * (middle - lightness(ColourMap.DIVERGING.argb(0))), within(3.0));
        }
    }

    @Test
    void theLimitsOfColoursIgnoreOnePercentAtEitherEnd() {
        float[][] column = new float[1][1000];
        for (int i = 0; i < 1000; i++) {
            // Ten outliers at either end, the rest 0 … 8.
            column[0][i] = i < 10 ? -100 : i >= 990 ? 100 : 8 * (i - 10) / 979f;
        }
        double[] range = RobustRange.percentiles(List.<float[][]>of(column));
        assertThat(range[0]).isBetween(-0.1, 0.1);
        assertThat(range[1]).isBetween(7.9, 8.1);
        assertThat(RobustRange.percentiles(List.<float[][]>of(new float[][] {{Float.NaN}}))).isEmpty();
    }

    @Test
    void theFastLogarithmIsRightToAThousandth() {
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            float value = (float) Math.pow(10, -30 + 60 * random.nextDouble());
            assertThat((double) HeatMapData.fastLog2(value)).isCloseTo(Math.log(value) / Math.log(2), within(1e-3));
        }
        assertThat(HeatMapData.fastLog2(0)).isNaN();
        assertThat(HeatMapData.fastLog2(-1)).isNaN();
        assertThat(HeatMapData.fastLog2(Float.NaN)).isNaN();
        assertThat(HeatMapData.fastLog2(Float.POSITIVE_INFINITY)).isNaN();
    }
}
