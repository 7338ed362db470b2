package keelscope.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import keelscope.experiment.TrainingSpec.Recompute;
import keelscope.model.Scheme;
import org.junit.jupiter.api.Test;

class MemoryFitTest {
    private static final long GB = 1_000_000_000;

    private static Experiment experiment(int layers, int batch, Recompute recompute, int arms) {
        TrainingSpec training =
                new TrainingSpec(10, 1e-3, 1, 0, 0.9, 0.95, 1e-8, 0, 1, 1, TrainingSpec.Precision.FLOAT32, recompute, TrainingSpec.AUTO, 2);
        List<ArmSpec> list = IntStream.range(0, arms)
                .mapToObj(i -> new ArmSpec("a" + i, Scheme.KEEL, OptionalDouble.empty(), OptionalDouble.empty()))
                .toList();
        return new Experiment("x", 1, "cpu", 1, new ModelSpec(layers, 128, 4), new DataSpec("sample", 0.05, batch, 512), training,
                MeasureSpec.defaults(), list);
    }

    private static String refusal(Experiment experiment, long free) {
        InvalidExperimentException e = catchThrowableOfType(
                InvalidExperimentException.class, () -> MemoryFit.require(experiment, experiment.arms(), free));
        assertThat(e).isNotNull();
        assertThat(e.getMessage()).doesNotContain("\n").endsWith(".");
        return e.getMessage();
    }

    // Keel, 64 blocks of width 128 and ff_hidden 344, 8 × 512 tokens: a block keeps 10·128 + 3·344 = 2312 floats a token, 37.9 MB,
    // 64 of them 2.4 GB; recomputed by sqrt(64·128/2312) = 2 blocks, two of them and 32 bounds of 2.1 MB are 0.14 GB.
    @Test
    void whatFitsIsNotRefused() {
        Experiment kept = experiment(128, 8, Recompute.OFF, 1);
        assertThat(Estimate.memoryBytes(kept, kept.arms().get(0), 256, false)).isBetween(2_800_000_000L, 3_000_000_000L);
        assertThat(Estimate.segment(kept.model())).isEqualTo(2);
        assertThat(Estimate.memoryBytes(kept, kept.arms().get(0), 256, true)).isBetween(600_000_000L, 800_000_000L);
        assertThatCode(() -> MemoryFit.require(kept, kept.arms(), 3 * GB)).doesNotThrowAnyException();
        Experiment auto = experiment(128, 8, Recompute.AUTO, 1);
        assertThatCode(() -> MemoryFit.require(auto, auto.arms(), GB)).doesNotThrowAnyException();
    }

    @Test
    void theNearestChangeThatFitsIsNamedWithTheNumbers() {
        assertThat(refusal(experiment(128, 8, Recompute.OFF, 1), GB))
                .startsWith("Arm a0 needs about 2.9 GB of memory and 1.0 GB are free; with training.recompute: auto");
        assertThat(refusal(experiment(128, 8, Recompute.AUTO, 3), GB)).contains("3 arms side by side need about").contains("one after another");
        assertThat(refusal(experiment(128, 64, Recompute.AUTO, 1), GB))
                .contains("with data.batch 16 instead of 64 it is")
                .contains("training.accumulate 4 keeps the step as it is");
        // 512 blocks of 197,632 weights and 16 bytes are 1.6 GB, 1024 of them 3.2 GB.
        assertThat(refusal(experiment(4096, 1, Recompute.AUTO, 1), 2 * GB)).contains("model.layers 1024 instead of 4096");
        assertThat(refusal(experiment(128, 8, Recompute.AUTO, 1), GB / 10)).contains("so free some memory first");
    }

    @Test
    void activationsAreComputedAgainWhereTheyWouldNotFit() {
        Experiment auto = experiment(128, 8, Recompute.AUTO, 1);
        assertThat(MemoryFit.recompute(auto, auto.arms().get(0), 256, 3 * GB)).isZero();
        assertThat(MemoryFit.recompute(auto, auto.arms().get(0), 256, 2 * GB)).isEqualTo(2);
        Experiment on = experiment(128, 8, Recompute.ON, 1);
        assertThat(MemoryFit.recompute(on, on.arms().get(0), 256, 3 * GB)).isEqualTo(2);
        Experiment off = experiment(128, 8, Recompute.OFF, 1);
        assertThat(MemoryFit.recompute(off, off.arms().get(0), 256, GB)).isZero();
    }
}
