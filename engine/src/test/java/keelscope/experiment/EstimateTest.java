package keelscope.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalDouble;
import keelscope.model.Architecture;
import keelscope.model.Scheme;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EstimateTest {
    private static Experiment experiment(int layers, int dModel, int heads, int batch, int sequence, int arms) {
        return experiment(layers, dModel, heads, batch, sequence, arms, 1);
    }

    private static Experiment experiment(int layers, int dModel, int heads, int batch, int sequence, int arms, int threads) {
        List<ArmSpec> list = java.util.stream.IntStream.range(0, arms)
                .mapToObj(i -> new ArmSpec("a" + i, Scheme.KEEL, OptionalDouble.empty(), OptionalDouble.empty()))
                .toList();
        return new Experiment("x", 1, "cpu", threads, new ModelSpec(layers, dModel, heads), new DataSpec("sample", 0.05, batch, sequence),
                new TrainingSpec(10, 1e-3, 1), MeasureSpec.defaults(), list);
    }

    // By hand: two blocks of attention 4·16² = 1024 and feed-forward 3·16·24 = 1152 make 4352; embedding and output
    // 2·13·16 = 416; final norm 16; norms of the four sub-layers 16 each, twice in keel but for the first.
    @ParameterizedTest
    @CsvSource({"PRE_LN, 4848", "POST_LN, 4848", "KEEL, 4896"})
    void parametersAreCountedExactly(Scheme scheme, long parameters) {
        assertThat(new Architecture(scheme, 4, 16, 2, 24, 13, Double.NaN, false).parameterCount()).isEqualTo(parameters);
    }

    // Largest memory_bytes in the run files of 20 steps each with default measuring, in MB.
    @ParameterizedTest
    @CsvSource({
        "PRE_LN, 32, 128, 8, 128, 1, 486", "PRE_LN, 32, 128, 8, 128, 2, 517", "KEEL, 32, 128, 8, 128, 1, 521", "KEEL, 32, 128, 8, 128, 2, 580",
        "PRE_LN, 256, 64, 2, 64, 1, 416", "PRE_LN, 256, 64, 2, 64, 2, 496", "KEEL, 256, 64, 2, 64, 1, 431", "KEEL, 256, 64, 2, 64, 2, 515",
        "PRE_LN, 1024, 64, 1, 64, 1, 764", "KEEL, 1024, 64, 1, 64, 1, 782"
    })
    void memoryIsWithinAFifthOfWhatWasMeasured(
            Scheme scheme, int layers, int dModel, int batch, int sequence, int threads, double megabytes) {
        assertThat(megabytes(scheme, layers, dModel, batch, sequence, threads)).isCloseTo(megabytes, within(0.2 * megabytes));
    }

    // The same with threads: auto on two cores, which both are tried.
    @ParameterizedTest
    @CsvSource({
        "PRE_LN, 32, 128, 8, 128, 617", "KEEL, 32, 128, 8, 128, 669", "PRE_LN, 256, 64, 2, 64, 561", "KEEL, 256, 64, 2, 64, 566",
        "PRE_LN, 1024, 64, 1, 64, 787", "KEEL, 1024, 64, 1, 64, 817"
    })
    void andSoItIsAfterATrialOfThreads(Scheme scheme, int layers, int dModel, int batch, int sequence, double megabytes) {
        Assumptions.assumeThat(Runtime.getRuntime().availableProcessors()).isEqualTo(2);
        assertThat(megabytes(scheme, layers, dModel, batch, sequence, 0)).isCloseTo(megabytes, within(0.2 * megabytes));
    }

    private static double megabytes(Scheme scheme, int layers, int dModel, int batch, int sequence, int threads) {
        ArmSpec arm = new ArmSpec("a", scheme, OptionalDouble.empty(), OptionalDouble.empty());
        return Estimate.of(experiment(layers, dModel, 4, batch, sequence, 1, threads), arm).memoryBytes() / 1e6;
    }

    // Times of Keel on two cores, StepBenchmark's column "off, ms", ms a step; the estimate is to tell a minute from an hour.
    @ParameterizedTest
    @CsvSource({"32, 128, 4, 8, 128, 125", "256, 64, 4, 2, 64, 108", "1024, 64, 4, 1, 64, 399"})
    void timeIsWithinAFactorOfTwoOfWhatWasMeasured(int layers, int dModel, int heads, int batch, int sequence, double ms) {
        Experiment experiment = experiment(layers, dModel, heads, batch, sequence, 1);
        double estimated = Estimate.of(experiment, experiment.arms().get(0), Estimate.Speed.typical(2)).stepMs();
        assertThat(estimated).isBetween(ms / 2, ms * 2);
    }

    @Test
    void armsBeyondTheCoresSlowOneAnother() {
        Experiment two = experiment(32, 64, 4, 8, 64, 2);
        Experiment four = experiment(32, 64, 4, 8, 64, 4);
        Estimate.Speed speed = Estimate.Speed.typical(2);
        assertThat(Estimate.of(four, four.arms().get(0), speed).stepMs())
                .isCloseTo(2 * Estimate.of(two, two.arms().get(0), speed).stepMs(), within(1e-9));
    }

    @Test
    void theLargestModelAllowedDoesNotOverflow() {
        Experiment experiment = experiment(65536, 65536, 512, 256, 1024, 64);
        Estimate estimate = Estimate.of(experiment, experiment.arms().get(0));
        assertThat(estimate.parameters()).isPositive();
        assertThat(estimate.memoryBytes()).isPositive();
        assertThat(estimate.stepMs()).isPositive().isFinite();
    }
}
