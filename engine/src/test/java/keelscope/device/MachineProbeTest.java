package keelscope.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import keelscope.process.JavaCommand;
import org.junit.jupiter.api.Test;

class MachineProbeTest {

    /** A program that never ends by itself. */
    static final class Endless {
        public static void main(String[] args) throws InterruptedException {
            Thread.currentThread().join();
        }
    }

    @Test
    void theProcessorGivesARightGradientInAProcessOfItsOwn() {
        Probe.Trial trial = new MachineProbe().tryDevice("cpu", Map.of());
        assertThat(trial.works()).as(trial.detail()).isTrue();
        assertThat(trial.detail()).startsWith("PyTorch " + PyTorchBuild.version() + " in ");
    }

    @Test
    void aGpuFailsTheTrialWithAReasonWherePyTorchIsForProcessors() {
        Probe.Trial trial = new MachineProbe().tryDevice("gpu:0", Map.of());
        assertThat(trial.works()).isFalse();
        assertThat(trial.detail()).isNotBlank();
    }

    @Test
    void aTrialThatDiesWithoutAWordIsReportedWithItsStatus() {
        Probe.Trial trial = MachineProbe.result(new Probe.Output(139, "some library's talk\n"));
        assertThat(trial.works()).isFalse();
        assertThat(trial.detail()).isEqualTo("its process ended with status 139 and no result");
    }

    @Test
    void aCommandThatDoesNotEndIsEnded() throws IOException {
        Probe.Output output = Child.run(JavaCommand.of(Endless.class), Map.of(), Duration.ofMillis(50));
        assertThat(output.status()).isEqualTo(Child.ENDED);
        assertThat(output.text()).contains("no answer within");
    }

    @Test
    void theClassPathCanBeHadWithoutPyTorchForProcessors() {
        assertThat(System.getProperty("java.class.path")).contains("pytorch-native-cpu");
        assertThat(JavaCommand.classPathWithout("pytorch-native-"))
                .doesNotContain("pytorch-native-")
                .contains("pytorch-engine");
    }

    @Test
    void everyProcessIsStartedWithoutReportingItsUse() {
        assertThat(List.of(JavaCommand.of(Endless.class).toArray())).contains("-DOPT_OUT_TRACKING=true");
    }
}
