package keelscope.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import keelscope.device.Finding.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckupTest {

    private static final long GB = 1_000_000_000L;

    @TempDir
    private Path folder;

    @Test
    void everythingIsLookedAtOnThisMachineAndPyTorchWorks() {
        List<Finding> findings = Checkup.of(new MachineProbe(), folder.resolve("runs"));
        assertThat(findings)
                .extracting(Finding::topic)
                .startsWith("Java", "PyTorch", "device", "cores", "memory", "disk, runs", "disk, cache", "display", "JavaFX");
        assertThat(findings.get(0).level()).isEqualTo(Level.OK);
        assertThat(findings.get(1).level()).isEqualTo(Level.OK);
        assertThat(findings).allSatisfy(finding -> {
            assertThat(finding.text()).isNotBlank().doesNotContain("\n");
            assertThat(finding.remedy().isEmpty()).isEqualTo(finding.level() == Level.OK);
        });
    }

    @Test
    void aGpuThatLiesIdleIsAWarningWithItsReasonAndNoGpuIsNone() {
        RecordedMachine idle = new RecordedMachine().gpus(RecordedMachine.H200);
        Finding warning = Checkup.device(DeviceChoice.choose("auto", idle));
        assertThat(warning.level()).isEqualTo(Level.WARN);
        assertThat(warning.remedy()).contains("NVIDIA H200").contains("--fetch-cuda");

        Finding fine = Checkup.device(DeviceChoice.choose("auto", new RecordedMachine()));
        assertThat(fine.level()).isEqualTo(Level.OK);
    }

    @Test
    void aPyTorchThatDoesNotWorkIsAFailureWithItsReason() {
        Finding finding = Checkup.pytorch(new Probe.Trial(false, "UnsatisfiedLinkError: libgomp.so.1"));
        assertThat(finding.level()).isEqualTo(Level.FAIL);
        assertThat(finding.text()).contains("libgomp.so.1");
    }

    @Test
    void littleMemoryIsAWarningAndTooLittleAFailure() {
        assertThat(Checkup.memory(8 * GB, 16 * GB).level()).isEqualTo(Level.OK);
        assertThat(Checkup.memory(1 * GB, 16 * GB).level()).isEqualTo(Level.WARN);
        assertThat(Checkup.memory(GB / 4, 16 * GB).level()).isEqualTo(Level.FAIL);
        assertThat(Checkup.memory(8 * GB, 16 * GB).text()).isEqualTo("8.0 GB free of 16.0 GB");
    }

    @Test
    void aFolderYetToBeMadeIsMeasuredWhereItWouldBe() {
        Finding finding = Checkup.disk("disk, runs", folder.resolve("a/b/c"), 0);
        assertThat(finding.level()).isNotEqualTo(Level.FAIL);
        assertThat(finding.text()).contains("free in " + folder.resolve("a/b/c"));
    }

    @Test
    void aFileInTheWayOfTheRunFolderIsAFailureThatNamesIt() throws IOException {
        Path file = Files.writeString(folder.resolve("runs"), "");
        Finding finding = Checkup.disk("disk, runs", file.resolve("mine"), 0);
        assertThat(finding.level()).isEqualTo(Level.FAIL);
        assertThat(finding.text()).contains(file.toString());
        assertThat(finding.remedy()).contains("KEELSCOPE_RUNS");
    }

    @Test
    void moreDiskThanThereIsCannotBeNeeded() {
        assertThat(Checkup.disk("disk, cache", folder, Long.MAX_VALUE).level()).isEqualTo(Level.FAIL);
    }

    @Test
    void noDisplayIsAWarningThatSaysWhatHappensWithoutOne() {
        Finding finding = Checkup.display(new RecordedMachine());
        assertThat(finding.level()).isEqualTo(Level.WARN);
        assertThat(finding.remedy()).contains("pictures");
        assertThat(Checkup.display(new RecordedMachine().platform("win-x86_64")).level()).isEqualTo(Level.OK);
    }

    @Test
    void aDisplayThatNothingAnswersIsTold() {
        Finding finding = Checkup.display(new RecordedMachine().variable("DISPLAY", ":4711"));
        assertThat(finding.level()).isEqualTo(Level.WARN);
        assertThat(finding.text()).contains(":4711").contains("nothing answers");
    }

    @Test
    void aDisplayAnswersWhereAServerListensOnItsSocket() throws IOException {
        int number = 4712;
        Path socket = folder.resolve("X" + number);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            assertThat(Checkup.answers(":" + number, folder)).isTrue();
            assertThat(Checkup.answers(":" + number + ".0", folder)).isTrue();
            assertThat(Checkup.answers(":" + (number + 1), folder)).isFalse();
            assertThat(Checkup.answers("nonsense", folder)).isFalse();
        }
    }

    @Test
    void javaFxIsFoundByTheJarOfItsLibraries() {
        assertThat(Checkup.javafx("/m2/javafx-graphics-21.0.11.jar:/m2/javafx-graphics-21.0.11-linux.jar"))
                .isEqualTo(Finding.ok("JavaFX", "21.0.11 for linux"));
        assertThat(Checkup.javafx("/m2/picocli.jar").level()).isEqualTo(Level.WARN);
    }

    @Test
    void missingLibrariesOfTheWindowFailOnlyWhereThereIsADisplay() {
        String cache = "\tlibfreetype.so.6 (libc6,x86-64) => /lib/libfreetype.so.6\n"
                + "\tlibfontconfig.so.1 (libc6,x86-64) => /lib/libfontconfig.so.1\n"
                + "\tlibpango-1.0.so.0 (libc6,x86-64) => /lib/libpango-1.0.so.0\n"
                + "\tlibpangoft2-1.0.so.0 (libc6,x86-64) => /lib/libpangoft2-1.0.so.0\n";
        Optional<List<SystemLibraries.Library>> missing = Optional.of(SystemLibraries.missing(cache));
        Finding headless = Checkup.systemLibraries(missing, false);
        assertThat(headless.level()).isEqualTo(Level.WARN);
        assertThat(headless.remedy()).contains("apt-get install libgtk-3-0 ");
        assertThat(Checkup.systemLibraries(missing, true).level()).isEqualTo(Level.FAIL);
        assertThat(Checkup.systemLibraries(Optional.of(SystemLibraries.missing("")), false).level())
                .isEqualTo(Level.FAIL);
        assertThat(Checkup.systemLibraries(Optional.of(List.of()), true).level()).isEqualTo(Level.OK);
    }
}
