package keelscope.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorTest {

    @Test
    void oneDnnIsForProcessorsOfAmdWithAvx512() {
        assertThat(described("AuthenticAMD", "fpu sse2 avx2 avx512f avx512dq").multipliesFasterByOneDnn()).isTrue();
        assertThat(described("AuthenticAMD", "fpu sse2 avx2").multipliesFasterByOneDnn()).isFalse();
        assertThat(described("GenuineIntel", "fpu sse2 avx2 avx512f").multipliesFasterByOneDnn()).isFalse();
    }

    @Test
    void whatIsNotDescribedIsMultipliedAsPyTorchDoes(@TempDir Path folder) {
        assertThat(Processor.parse("").multipliesFasterByOneDnn()).isFalse();
        assertThat(Processor.read(folder.resolve("none")).multipliesFasterByOneDnn()).isFalse();
    }

    private static Processor described(String vendor, String flags) {
        return Processor.parse("processor\t: 0\nvendor_id\t: " + vendor + "\ncpu family\t: 26\nflags\t\t: " + flags + "\n\nprocessor\t: 1\n");
    }
}
