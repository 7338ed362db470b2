package keelscope.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The program agrees with an independent float64 implementation, training trajectories included. */
class ReferenceVectorsTest {

    static Stream<Path> vectors() throws IOException, URISyntaxException {
        Path folder = Path.of(ReferenceVectorsTest.class.getResource("/keelscope/vectors").toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void float32MeetsTheVector(Path vector) {
        List<Quantity> quantities = Verifier.verify(vector, Device.cpu(), DataType.FLOAT32);
        assertThat(quantities).isNotEmpty().allMatch(Quantity::met);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void float64MeetsTheVectorToItsPrintedDigits(Path vector) {
        // The vectors hold nine digits. Measures come back as float32, so 1e-6 is what can be asked of them.
        for (Quantity quantity : Verifier.verify(vector, Device.cpu(), DataType.FLOAT64)) {
            assertThat(quantity.worst()).as(quantity.toString()).isLessThan(1e-6);
        }
    }

    @Test
    void aVectorWithAWrongNumberIsMissed(@TempDir Path folder) throws IOException, URISyntaxException {
        String json = Files.readString(vectors().filter(p -> p.endsWith("keel-3.json")).findFirst().orElseThrow());
        Path wrong = Files.writeString(folder.resolve("wrong.json"), json.replace("\"loss\": 2.6626065,\n  \"logits", "\"loss\": 2.6826065,\n  \"logits"));
        assertThat(Verifier.verify(wrong, Device.cpu(), DataType.FLOAT32))
                .filteredOn(quantity -> !quantity.met())
                .extracting(Quantity::name)
                .containsExactly("loss");
    }

    @Test
    void aFileThatIsNoVectorIsRefusedWithItsName(@TempDir Path folder) throws IOException {
        Path text = Files.writeString(folder.resolve("text.json"), "not json");
        assertThatThrownBy(() -> Verifier.verify(text, Device.cpu(), DataType.FLOAT32))
                .isInstanceOf(VerificationException.class)
                .hasMessageContaining("text.json is not a reference vector at line 1");
        assertThatThrownBy(() -> Verifier.verify(folder.resolve("missing.json"), Device.cpu(), DataType.FLOAT32))
                .isInstanceOf(VerificationException.class)
                .hasMessageContaining("There is no file");
    }
}
