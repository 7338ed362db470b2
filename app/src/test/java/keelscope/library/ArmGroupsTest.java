package keelscope.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import keelscope.run.ArmSnapshot;
import keelscope.run.FormulaArm;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;
import keelscope.runfile.StepSeries;
import org.junit.jupiter.api.Test;

class ArmGroupsTest {
    /** Student's t, 0.975 quantiles, from any printed table. */
    private static final double T1 = 12.706;

    private static final double T2 = 4.303;

    @Test
    void theIntervalIsStudents() {
        // 1, 2, 3: mean 2, s = 1.
        SeedMean seeds = SeedMean.of(1, 2, 3);
        assertThat(seeds.mean()).isEqualTo(2);
        assertThat(seeds.high()).isCloseTo(2 + T2 / Math.sqrt(3), within(1e-3));
        assertThat(seeds.low()).isCloseTo(2 - T2 / Math.sqrt(3), within(1e-3));
        // 1, 3: mean 2, s = sqrt(2), s / sqrt(n) = 1.
        assertThat(SeedMean.of(1, 3).high()).isCloseTo(2 + T1, within(1e-3));
    }

    @Test
    void ofOneRunThereIsNoInterval() {
        assertThat(SeedMean.of(5)).isEqualTo(new SeedMean(5, 5, 5));
        assertThat(SeedMean.of(5, Double.NaN)).isEqualTo(new SeedMean(5, 5, 5));
        assertThat(SeedMean.of().mean()).isNaN();
    }

    @Test
    void theGeometricMeanAndItsIntervalAreAboveZero() {
        // Logarithms 0 and ln 100: mean ln 10, s / sqrt(2) = ln 10.
        SeedMean seeds = SeedMean.geometric(1, 100);
        assertThat(seeds.mean()).isCloseTo(10, within(1e-9));
        assertThat(Math.log10(seeds.high())).isCloseTo(1 + T1, within(1e-3));
        assertThat(seeds.low()).isPositive();
        assertThat(SeedMean.geometric(0, 2).mean()).isEqualTo(1);
    }

    @Test
    void seedsOfASchemeBecomeOneArmUpToTheStepThatAllHave() {
        ArmSnapshot a = FormulaArm.of("keel", 0, 8, 100, 99, 0.1);
        ArmSnapshot b = FormulaArm.of("keel", 3, 8, 100, 79, 0.1);
        ArmSnapshot other = FormulaArm.of("pre_ln", 1, 8, 100, 99, 0.1);
        List<ArmSnapshot> groups = ArmGroups.by(arm -> arm.info().scheme(), List.of(a, other, b)).snapshots();
        assertThat(groups).extracting(arm -> arm.info().arm()).containsExactly("keel (n = 2)", "pre_ln");
        assertThat(groups).extracting(ArmSnapshot::colour).containsExactly(0, 1);
        ArmSnapshot keel = groups.get(0);
        assertThat(keel.lastStep()).isEqualTo(79);
        assertThat(keel.steps().size()).isEqualTo(80);
        double x = a.steps().loss()[40];
        double y = b.steps().loss()[40];
        assertThat(keel.steps().loss()[40]).isCloseTo((x + y) / 2, within(1e-12));
        // Of two values s / sqrt(2) is half their distance.
        assertThat(keel.steps().lossMax()[40] - keel.steps().loss()[40]).isCloseTo(T1 * Math.abs(x - y) / 2, within(1e-3));
        LayerValues gradient = keel.layers().get(Measure.PARAM_GRAD_NORM);
        double one = a.layers().get(Measure.PARAM_GRAD_NORM).values()[5];
        double two = b.layers().get(Measure.PARAM_GRAD_NORM).values()[5];
        assertThat(gradient.values()[5]).isCloseTo((float) Math.sqrt(one * two), within(1e-6f));
        assertThat(gradient.low()[5]).isLessThan(gradient.values()[5]);
        assertThat(groups.get(1).steps().loss()).isEqualTo(other.steps().loss());
    }

    @Test
    void bucketsOfOtherWidthsAreWeighedByTheStepsTheyShare() {
        double[] none = {Double.NaN, Double.NaN};
        // Steps 0–1 at 2 and steps 2–3 at 4.
        StepSeries wide = new StepSeries(new int[] {0, 2}, new int[] {1, 3}, new double[] {2, 4}, none, none, none, none, none, none, none, none,
                new long[] {10, 20});
        double[] nan = {Double.NaN, Double.NaN, Double.NaN, Double.NaN};
        StepSeries fine = new StepSeries(new int[] {0, 1, 2, 3}, new int[] {0, 1, 2, 3}, new double[] {1, 3, 7, Double.NaN}, nan, nan, nan, nan,
                nan, nan, nan, nan, new long[] {5, 10, 15, 20});
        StepSeries mean = ArmGroups.steps(List.of(fine, wide), 3);
        assertThat(mean.firstStep()).containsExactly(0, 2);
        assertThat(mean.lastStep()).containsExactly(1, 3);
        assertThat(mean.loss()).containsExactly(2, 5.5);
    }

    @Test
    void layersOfOtherDepthsAreNotPutTogether() {
        ArmSnapshot eight = FormulaArm.of("keel", 0, 8, 100, 9, 0);
        ArmSnapshot four = FormulaArm.of("keel", 1, 4, 100, 9, 0);
        ArmSnapshot mean = ArmGroups.by(arm -> "all", List.of(eight, four)).snapshots().get(0);
        assertThat(mean.layers()).isEmpty();
        assertThat(mean.matrices()).isEmpty();
        assertThat(mean.steps().size()).isEqualTo(10);
    }
}
