package keelscope.device;

import static keelscope.device.RecordedMachine.H200;
import static keelscope.device.RecordedMachine.RTX_5090;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceChoiceTest {

    private static final String TWO_CARDS =
            "0, GPU-aaaa1111, NVIDIA A100-SXM4-80GB, 550.54.15, 1024, Disabled, 8.0\n"
                    + "1, GPU-bbbb2222, NVIDIA A100-SXM4-80GB, 550.54.15, 80000, Disabled, 8.0\n";

    private static RecordedMachine with(String cards) {
        return new RecordedMachine().gpus(cards).libraries("/cuda");
    }

    @Test
    void withoutNvidiaSmiTheProcessorIsUsedAndNothingIsTried() {
        RecordedMachine machine = new RecordedMachine();
        Choice choice = DeviceChoice.choose("auto", machine);
        assertThat(choice.device()).isEqualTo("cpu");
        assertThat(choice.isGpu()).isFalse();
        assertThat(choice.note()).isEqualTo("No NVIDIA GPU was found (there is no nvidia-smi).");
        assertThat(machine.tried).isEmpty();
    }

    @Test
    void aGpuThatPassesTheTrialIsUsed() {
        Choice choice = DeviceChoice.choose("auto", with(H200));
        assertThat(choice.device()).isEqualTo("gpu:0");
        assertThat(choice.gpuIndex()).isZero();
        assertThat(choice.description()).isEqualTo("gpu:0 NVIDIA H200");
        assertThat(choice.note()).contains("580.159.03").contains("PyTorch 2.7.1 in /cuda");
    }

    @Test
    void theEngineIsGivenTheCudaBuildByNameAndOneGpuByIdentity() {
        RecordedMachine machine = with(RTX_5090).variable("LD_LIBRARY_PATH", "/opt/lib");
        Map<String, String> environment = DeviceChoice.choose("gpu", machine).environment();
        assertThat(environment)
                .containsEntry("PYTORCH_FLAVOR", "cu128")
                .containsEntry("PYTORCH_VERSION", PyTorchBuild.version())
                .containsEntry("PYTORCH_LIBRARY_PATH", "/cuda")
                .containsEntry("LD_LIBRARY_PATH", "/cuda" + File.pathSeparator + "/opt/lib")
                .containsEntry("CUDA_VISIBLE_DEVICES", "GPU-2f1cbb90-7e58-4a11-8f2b-1c9d0e5a7742");
        assertThat(environment).containsAllEntriesOf(machine.tried.get(0).getValue());
    }

    @Test
    void onWindowsTheLibrariesAreFoundThroughPath() {
        RecordedMachine machine = with(RTX_5090).platform("win-x86_64").variable("PATH", "C:\\Windows");
        assertThat(DeviceChoice.choose("auto", machine).environment())
                .containsEntry("PATH", "/cuda" + File.pathSeparator + "C:\\Windows")
                .doesNotContainKey("LD_LIBRARY_PATH");
    }

    @Test
    void aTrialThatFailsLeavesTheProcessorWithTheReason() {
        Choice choice = DeviceChoice.choose("auto", with(H200).trialFails("CUDA error: out of memory"));
        assertThat(choice.device()).isEqualTo("cpu");
        assertThat(choice.note()).contains("NVIDIA H200 is present but unused").contains("CUDA error: out of memory");
        assertThat(choice.environment()).doesNotContainKey("PYTORCH_LIBRARY_PATH");
    }

    @Test
    void withoutTheLibrariesForCudaTheNoteTellsHowToFetchThem() {
        Choice choice = DeviceChoice.choose("auto", new RecordedMachine().gpus(H200));
        assertThat(choice.device()).isEqualTo("cpu");
        assertThat(choice.note()).contains("NVIDIA H200 is present but unused").contains("doctor --fetch-cuda");
    }

    @Test
    void aDriverBefore525IsTooOldForCuda12AlsoWhenItCannotTellTheCapability() {
        RecordedMachine machine = new RecordedMachine()
                .libraries("/cuda")
                .answers(Gpu.QUERY, 2, "Field \"compute_cap\" is not a valid field to query.\n\n")
                .answers(Gpu.SHORT_QUERY, 0, "0, GPU-cccc3333, Tesla V100-PCIE-32GB, 470.57.02, 32505\n");
        Choice choice = DeviceChoice.choose("auto", machine);
        assertThat(choice.device()).isEqualTo("cpu");
        assertThat(choice.note()).contains("470.57.02 is too old for CUDA 12").contains("525");
        assertThat(machine.tried).isEmpty();
    }

    @Test
    void aBlackwellCardNeedsADriverThatKnowsIt() {
        Choice choice = DeviceChoice.choose("auto", with(RTX_5090.replace("595.79", "550.54.15")));
        assertThat(choice.note()).contains("550.54.15 is too old for this card").contains("570");
    }

    @Test
    void aCardForWhichPyTorchHasNoCodeIsNotTried() {
        RecordedMachine machine = with("0, GPU-dddd4444, NVIDIA GeForce GTX 1080, 550.54.15, 8000, [N/A], 6.1\n");
        Choice choice = DeviceChoice.choose("auto", machine);
        assertThat(choice.device()).isEqualTo("cpu");
        assertThat(choice.note()).contains("compute capability 6.1");
        assertThat(machine.tried).isEmpty();
    }

    @Test
    void ofSeveralGpusAutoTakesTheOneWithTheMostFreeMemory() {
        Choice choice = DeviceChoice.choose("auto", with(TWO_CARDS));
        assertThat(choice.description()).isEqualTo("gpu:1 NVIDIA A100-SXM4-80GB");
        assertThat(choice.device()).isEqualTo("gpu:0");
        assertThat(choice.environment()).containsEntry("CUDA_VISIBLE_DEVICES", "GPU-bbbb2222");
    }

    @Test
    void autoPassesOverACardThatCannotBeUsed() {
        String old = "0, GPU-dddd4444, NVIDIA TITAN V, 550.54.15, 99000, [N/A], 7.0\n";
        Choice choice = DeviceChoice.choose("auto", with(old + TWO_CARDS.replaceFirst("0,", "2,")));
        assertThat(choice.description()).contains("A100");
    }

    @Test
    void aNumberedGpuIsTheOneThatNvidiaSmiNumbersSo() {
        Choice choice = DeviceChoice.choose("gpu:0", with(TWO_CARDS));
        assertThat(choice.description()).isEqualTo("gpu:0 NVIDIA A100-SXM4-80GB");
        assertThat(choice.environment()).containsEntry("CUDA_VISIBLE_DEVICES", "GPU-aaaa1111");
    }

    @Test
    void aNumberBeyondTheLastGpuIsAnsweredWithTheOnesThereAre() {
        Choice choice = DeviceChoice.choose("gpu:7", with(TWO_CARDS));
        assertThat(choice.device()).isEqualTo("cpu");
        assertThat(choice.note())
                .isEqualTo("'gpu:7' was asked for, but the processor is used. There are gpu:0 to gpu:1.");
    }

    @Test
    void aDividedCardIsUsedThroughItsInstances() {
        RecordedMachine machine = with(H200.replace("Disabled", "Enabled"))
                .answers(
                        List.of("-L"),
                        0,
                        "GPU 0: NVIDIA H200 (UUID: GPU-b2acda36-db78-a209-f9ef-d07b4336c449)\n"
                                + "  MIG 2g.35gb     Device  0: (UUID: MIG-b05c0034-4d0e-5d3c-a25c-e6795d1779df)\n"
                                + "  MIG 1g.18gb     Device  1: (UUID: MIG-be041b89-b751-5c96-84aa-85315833c669)\n");
        Choice choice = DeviceChoice.choose("gpu:1", machine);
        assertThat(choice.description()).isEqualTo("gpu:1 NVIDIA H200 MIG 1g.18gb");
        assertThat(choice.device()).isEqualTo("gpu:0");
        assertThat(choice.environment())
                .containsEntry("CUDA_VISIBLE_DEVICES", "MIG-be041b89-b751-5c96-84aa-85315833c669");
    }

    @Test
    void aDividedCardWithoutInstancesCannotBeUsed() {
        RecordedMachine machine = with(H200.replace("Disabled", "Enabled"))
                .answers(List.of("-L"), 0, "GPU 0: NVIDIA H200 (UUID: GPU-b2acda36-db78-a209-f9ef-d07b4336c449)\n");
        Choice choice = DeviceChoice.choose("auto", machine);
        assertThat(choice.device()).isEqualTo("cpu");
        assertThat(choice.note()).contains("MIG is on").contains("no instance");
    }

    @Test
    void onlyGpusThatCudaVisibleDevicesNamesAreCounted() {
        Choice second = DeviceChoice.choose("gpu:0", with(TWO_CARDS).variable("CUDA_VISIBLE_DEVICES", "1"));
        assertThat(second.environment()).containsEntry("CUDA_VISIBLE_DEVICES", "GPU-bbbb2222");

        Choice hidden = DeviceChoice.choose("auto", with(TWO_CARDS).variable("CUDA_VISIBLE_DEVICES", "-1"));
        assertThat(hidden.device()).isEqualTo("cpu");
        assertThat(hidden.note()).contains("CUDA_VISIBLE_DEVICES is '-1'");
    }

    @Test
    void aDriverThatDoesNotAnswerIsToldFromNoGpu() {
        String failed = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the"
                + " latest NVIDIA driver is installed and running.\n\n";
        assertThat(DeviceChoice.choose("auto", new RecordedMachine().answers(Gpu.QUERY, 9, failed)).note())
                .startsWith("The NVIDIA driver does not answer");
        assertThat(DeviceChoice.choose("auto", new RecordedMachine().answers(Gpu.QUERY, 6, "No devices were found\n"))
                        .note())
                .isEqualTo("The NVIDIA driver is here, but finds no GPU.");
    }

    @Test
    void whereThereIsNoCudaBuildThePlatformIsNamed() {
        Choice choice = DeviceChoice.choose("auto", with(H200).platform("linux-aarch64"));
        assertThat(choice.device()).isEqualTo("cpu");
        assertThat(choice.note()).contains("linux-aarch64");
    }

    @Test
    void theProcessorIsUsedWhenAskedForWhateverTheMachineHas() {
        RecordedMachine machine = with(H200);
        assertThat(DeviceChoice.choose("cpu", machine).device()).isEqualTo("cpu");
        assertThat(machine.tried).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gpus", "gpu:", "gpu:-1", "gpu:x", "cuda", "tpu"})
    void anotherWordIsRefusedWithWhatIsAllowed(String request) {
        assertThatThrownBy(() -> DeviceChoice.choose(request, new RecordedMachine()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device is '" + request + "', but must be auto, cpu, gpu or gpu:N.");
    }

    @Test
    void anEngineProcessReadsTheChoiceFromItsEnvironment() {
        Choice choice = DeviceChoice.choose("auto", with(TWO_CARDS));
        Choice inherited = Choice.inherited(choice.environment()).orElseThrow();
        assertThat(inherited.device()).isEqualTo(choice.device());
        assertThat(inherited.description()).isEqualTo(choice.description());
        assertThat(inherited.note()).isEqualTo(choice.note());
        assertThat(Choice.inherited(Map.of())).isEmpty();
    }

    /** The build named here must be one that DJL's library on the class path can load; another version may have another. */
    @Test
    void djlHasItsPartOfTheCudaBuildForLinuxAndWindows() {
        assertThat(PyTorchBuild.version()).matches("[0-9]+\\.[0-9]+\\.[0-9]+");
        assertThat(PyTorchBuild.hasCuda("linux-x86_64")).isTrue();
        assertThat(PyTorchBuild.hasCuda("win-x86_64")).isTrue();
        assertThat(PyTorchBuild.hasCuda("osx-aarch64")).isFalse();
    }
}
