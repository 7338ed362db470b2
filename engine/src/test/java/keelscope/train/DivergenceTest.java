package keelscope.train;

import static keelscope.train.LossCurves.healthy;
import static keelscope.train.LossCurves.heavyTailed;
import static keelscope.train.LossCurves.lost;
import static keelscope.train.LossCurves.normal;
import static keelscope.train.LossCurves.plateau;
import static keelscope.train.LossCurves.spike;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import keelscope.experiment.DivergenceRule;
import keelscope.train.Verdict.Degradation;
import keelscope.train.Verdict.Healthy;
import keelscope.train.Verdict.Instability;
import keelscope.train.Verdict.NotFinite;
import keelscope.train.Verdict.Spike;
import keelscope.train.Verdict.Stagnation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DivergenceTest {

    private static final IntToDoubleFunction HEALTHY = healthy(1.8, 0.4);

    /** What was found, and the detector after the last step. */
    private record Watched(List<Verdict> found, Verdict last) {
        boolean has(Class<? extends Verdict> kind) {
            return found.stream().anyMatch(kind::isInstance);
        }

        <T extends Verdict> T only(Class<T> kind) {
            List<T> those = found.stream().filter(kind::isInstance).map(kind::cast).toList();
            assertThat(those).hasSize(1);
            return those.get(0);
        }
    }

    private static Watched watch(Divergence divergence, double[] losses) {
        List<Verdict> found = new ArrayList<>();
        for (int s = 0; s < losses.length; s++) {
            found.addAll(divergence.observe(s, losses[s], 1.0));
        }
        return new Watched(found, divergence.verdict());
    }

    private static Watched watch(double[] losses) {
        return watch(new Divergence(losses.length, losses.length / 10), losses);
    }

    private static Watched watchBeside(IntToDoubleFunction reference, double[] losses) {
        int[] steps = IntStream.range(0, losses.length).toArray();
        LossCurve curve = LossCurve.of(steps, normal(reference, losses.length, 0.05, 99));
        return watch(new Divergence(DivergenceRule.DEFAULT, losses.length, losses.length / 10, OptionalDouble.empty(), Optional.of(curve)), losses);
    }

    // ---- healthy runs

    @ParameterizedTest
    @ValueSource(ints = {100, 400, 2_000, 20_000})
    void fewerThanOneHealthyRunInAHundredIsCalledAnythingElse(int steps) {
        int runs = 0;
        int wrong = 0;
        int seeds = steps > 2_000 ? 5 : 25;
        for (double exponent : new double[] {0.15, 0.3, 0.5}) {
            for (double sigma : new double[] {0.01, 0.05, 0.15}) {
                for (int seed = 0; seed < seeds; seed++) {
                    IntToDoubleFunction curve = healthy(1.8, exponent);
                    runs += 2;
                    wrong += watch(normal(curve, steps, sigma, seed)).found().isEmpty() ? 0 : 1;
                    wrong += watch(heavyTailed(curve, steps, sigma, seed)).found().isEmpty() ? 0 : 1;
                }
            }
        }
        assertThat((double) wrong / runs).as("%d of %d", wrong, runs).isLessThan(0.01);
    }

    @Test
    void aHealthyRunOfAMillionStepsIsHealthy() {
        assertThat(watch(normal(healthy(1.8, 0.15), 1_000_000, 0.1, 1)).found()).isEmpty();
        assertThat(watch(normal(HEALTHY, 1_000_000, 0.1, 1)).last()).isInstanceOf(Healthy.class);
    }

    @Test
    void aSolvedTaskIsNotStagnation() {
        IntToDoubleFunction solved = s -> 4.8 * Math.exp(-s / 20.0);
        assertThat(watch(normal(solved, 1_000, 0.002, 1)).found()).isEmpty();
    }

    @Test
    void aLossAtTheTasksFloorIsNotStagnation() {
        double[] losses = normal(plateau(1.1, 20), 1_000, 0.02, 1);
        Divergence known = new Divergence(DivergenceRule.DEFAULT, 1_000, 100, OptionalDouble.of(1.1), Optional.empty());
        assertThat(watch(known, losses).found()).isEmpty();
        assertThat(watch(losses).has(Stagnation.class)).isTrue();
    }

    @Test
    void aLossThatStaysWhereTheHealthyRunStaysIsNotStagnation() {
        IntToDoubleFunction both = plateau(1.1, 20);
        assertThat(watchBeside(both, normal(both, 1_000, 0.02, 1)).found()).isEmpty();
    }

    // ---- spikes

    @ParameterizedTest
    @ValueSource(ints = {100, 400, 10_000, 100_000})
    void aSpikeThatComesBackIsASpikeWithItsStepAndNoDivergence(int steps) {
        int at = steps / 2;
        double halfLife = Math.max(2, steps / 400.0);
        for (int seed = 0; seed < 10; seed++) {
            Watched run = watch(normal(spike(HEALTHY, at, 2.0, halfLife), steps, 0.05, seed));
            assertThat(run.found()).hasSize(2).allMatch(v -> v instanceof Spike && !v.diverged());
            Spike over = (Spike) run.found().get(1);
            assertThat(over.step()).isEqualTo(at);
            assertThat(over.recovered()).isTrue();
            assertThat(over.before()).isCloseTo(HEALTHY.applyAsDouble(at), within(0.15));
            assertThat(over.peak()).isCloseTo(HEALTHY.applyAsDouble(at) + 2.0, within(0.3));
            assertThat(run.last()).isEqualTo(over);
        }
    }

    @Test
    void oneWildBatchIsNoSpike() {
        double[] losses = normal(HEALTHY, 1_000, 0.05, 1);
        losses[500] += 3;
        losses[501] += 3;
        losses[700] += 3;
        assertThat(watch(losses).found()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 400, 10_000, 100_000})
    void aSpikeThatNeverComesBackIsInstabilityWithItsStep(int steps) {
        int at = steps / 2;
        for (int seed = 0; seed < 10; seed++) {
            Watched run = watch(normal(lost(HEALTHY, at, 5.0), steps, 0.05, seed));
            assertThat(run.only(Instability.class).step()).isBetween(at, at + 5);
            assertThat(run.only(Instability.class).seen()).isLessThanOrEqualTo(at + 5 + Math.max(20, steps / 10));
            assertThat(run.last()).isInstanceOf(Instability.class);
            assertThat(run.has(Stagnation.class)).isFalse();
        }
    }

    @Test
    void aRiseTooSlowForASpikeIsInstabilityToo() {
        // Rises by 0.5 nats over 1,000 steps, five standard deviations of the noise, so hardly a single step stands out.
        IntToDoubleFunction rising = s -> HEALTHY.applyAsDouble(Math.min(s, 4_000)) + 0.5 * Math.min(1, Math.max(0, (s - 4_000) / 1_000.0));
        for (int seed = 0; seed < 10; seed++) {
            Watched run = watch(normal(rising, 10_000, 0.1, seed));
            assertThat(run.only(Instability.class).step()).isBetween(4_000, 5_100);
        }
    }

    @Test
    void aWarmUpWithoutEndThatBlowsUpIsInstabilityAtTheStepWhereTheLossTurned() {
        // The protocol of the maximum tolerable rate: the rate rises all the time; here the loss turns at step 620.
        IntToDoubleFunction curve = lost(s -> START_AT_REST(s), 620, 3.2);
        Watched run = watch(new Divergence(1_000, 1_000), normal(curve, 1_000, 0.06, 5));
        assertThat(run.only(Instability.class).step()).isBetween(620, 628);
    }

    /** Nothing is learnt while the rate is tiny, then the loss falls to 2.4. */
    private static double START_AT_REST(int step) {
        return 2.4 + 3.2 / (1 + Math.pow(step / 120.0, 3));
    }

    @Test
    void aLossThatComesBackAfterAllIsReported() {
        IntToDoubleFunction late = s -> s >= 300 && s < 500 ? 4.0 : HEALTHY.applyAsDouble(s);
        Watched run = watch(normal(late, 1_000, 0.05, 3));
        assertThat(run.found()).extracting(Verdict::kind).containsExactly("spike", "instability", "spike");
        assertThat(run.last()).isInstanceOf(Spike.class);
        assertThat(((Spike) run.last()).recovered()).isTrue();
    }

    // ---- stagnation

    @ParameterizedTest
    @ValueSource(ints = {100, 400, 10_000, 1_000_000})
    void aPlateauAtTheEntropyOfSingleBytesIsStagnationWithItsLevel(int steps) {
        double tau = steps * 0.02;
        for (int seed = 0; seed < (steps > 10_000 ? 1 : 10); seed++) {
            Watched run = watch(normal(plateau(3.2, tau), steps, 0.08, seed));
            Stagnation stuck = run.only(Stagnation.class);
            assertThat(stuck.level()).isCloseTo(3.2, within(0.1));
            // From the formula the loss is within 2 % of its fall of the level after τ ln 50 = 3.9 τ; blocks have 5 steps or more.
            assertThat(stuck.step()).isBetween((int) (2 * tau), (int) Math.ceil(5.5 * tau) + 10);
            assertThat(run.found()).hasSize(1);
            assertThat(run.last()).isEqualTo(stuck);
        }
    }

    @Test
    void aLossThatNeverFallsIsStagnationFromTheStart() {
        Stagnation stuck = watch(normal(s -> 5.55, 1_000, 0.03, 1)).only(Stagnation.class);
        assertThat(stuck.step()).isZero();
        assertThat(stuck.level()).isCloseTo(5.55, within(0.02));
    }

    @Test
    void aPlateauThatIsLeftIsReported() {
        IntToDoubleFunction wakes = s -> s < 500 ? plateau(3.2, 20).applyAsDouble(s) : 2.2 + Math.exp(-(s - 500) / 50.0);
        Watched run = watch(normal(wakes, 1_000, 0.05, 2));
        assertThat(run.found()).extracting(Verdict::kind).containsExactly("stagnation", "healthy");
        assertThat(run.last().diverged()).isFalse();
    }

    // ---- degradation

    @ParameterizedTest
    @ValueSource(ints = {400, 10_000})
    void aLossThatFallsFarMoreSlowlyThanAHealthyRunIsDegradation(int steps) {
        IntToDoubleFunction slow = s -> 1.8 + 3.8 * Math.pow(1 + s / 10.0, -0.15);
        for (int seed = 0; seed < 10; seed++) {
            Watched run = watchBeside(HEALTHY, normal(slow, steps, 0.05, seed));
            Degradation lags = run.only(Degradation.class);
            assertThat(lags.healthy()).isCloseTo(HEALTHY.applyAsDouble(lags.seen()), within(0.06));
            assertThat(run.last()).isEqualTo(lags);
            assertThat(watch(normal(slow, steps, 0.05, seed)).found()).as("without a healthy run it cannot be told").isEmpty();
        }
    }

    @Test
    void aRunALittleBehindTheHealthyOneIsHealthy() {
        // 0.1 nats behind at the end of 400 steps, as a scheme that starts with a higher loss is.
        IntToDoubleFunction behind = s -> HEALTHY.applyAsDouble((int) (s * 0.8));
        for (int seed = 0; seed < 20; seed++) {
            assertThat(watchBeside(HEALTHY, normal(behind, 400, 0.08, seed)).found()).isEmpty();
        }
    }

    @Test
    void aStuckRunBesideAHealthyOneIsStagnationRatherThanDegradation() {
        Watched run = watchBeside(HEALTHY, normal(plateau(3.2, 10), 400, 0.05, 1));
        assertThat(run.found()).extracting(Verdict::kind).containsExactly("stagnation");
    }

    // ---- not finite

    @Test
    void aLossOrGradientThatIsNotFiniteEndsTheRunAndNamesWhat() {
        Divergence byLoss = new Divergence(100, 10);
        byLoss.observe(0, 5.6, 1);
        assertThat(byLoss.observe(1, Double.NaN, 1)).containsExactly(new NotFinite(1, "loss", Double.NaN));
        assertThat(byLoss.verdict().stops()).isTrue();
        assertThat(byLoss.verdict().sentence()).isEqualTo("The loss is not a number at step 1, so training cannot go on.");
        assertThat(byLoss.observe(2, Double.NaN, 1)).isEmpty();

        Divergence byGradient = new Divergence(100, 10);
        assertThat(byGradient.observe(0, 5.6, Double.POSITIVE_INFINITY).get(0).sentence())
                .isEqualTo("The gradient norm is infinite at step 0, so training cannot go on.");
    }

    @Test
    void onlyWhatIsNotFiniteStopsTheRun() {
        assertThat(new Stagnation(60, 3.18, 180).stops()).isFalse();
        assertThat(new Instability(60, 2, 3, 180).stops()).isFalse();
        assertThat(new Degradation(60, 3, 2, 180).stops()).isFalse();
        assertThat(new NotFinite(60, "loss", Double.NaN).stops()).isTrue();
    }

    // ---- sentences, rule, misuse

    @Test
    void everyVerdictIsOneSentence() {
        assertThat(new Stagnation(62, 3.184, 190).sentence())
                .isEqualTo("The loss has stayed near 3.18 nats since step 62: it stopped falling far too early.");
        assertThat(new Spike(100, 2.3, 3.1, false, 103).sentence())
                .isEqualTo("The loss rose from 2.30 to 3.10 nats at step 100 and has not come back yet.");
        assertThat(new Spike(100, 2.3, 3.1, true, 140).sentence())
                .isEqualTo("The loss rose from 2.30 to 3.10 nats at step 100 and came back within 40 steps.");
        assertThat(new Instability(100, 2.3, 3.2, 140).sentence())
                .isEqualTo("The loss rose at step 100 and never came back: 2.30 nats before it, 3.20 still 40 steps later.");
        assertThat(new Degradation(100, 3.1, 2.3, 200).sentence())
                .isEqualTo("The loss falls far too slowly since step 100: 3.10 nats at step 200, where the healthy run had 2.30.");
    }

    @Test
    void theRuleSurvivesJson() {
        String json = DivergenceRule.DEFAULT.toJson();
        assertThat(json).contains("\"spike_sigmas\":6.0").doesNotContain("\n");
        assertThat(DivergenceRule.fromJson(json)).isEqualTo(DivergenceRule.DEFAULT);
        assertThatThrownBy(() -> DivergenceRule.fromJson(json.replace("spike_rise", "spike_ris"))).hasMessage("The divergence rule has no key spike_ris.");
        assertThatThrownBy(() -> DivergenceRule.fromJson(json.replace("\"stay_share\":0.2", "\"stay_share\":2")))
                .hasMessage("stay_share is 2.0; it must lie above 0 and up to 1.");
        assertThatThrownBy(() -> DivergenceRule.fromJson("[")).hasMessageStartingWith("The divergence rule is not readable as JSON");
    }

    @Test
    void stepsMustAscend() {
        Divergence divergence = new Divergence(100, 10);
        divergence.observe(3, 5, 1);
        assertThatThrownBy(() -> divergence.observe(3, 5, 1)).hasMessage("step is 3; it must be greater than the one before, 3.");
    }
}
