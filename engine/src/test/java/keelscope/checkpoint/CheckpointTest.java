package keelscope.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {

    @TempDir
    Path folder;

    private Path saved() {
        return new CheckpointStore(folder, "keel", 3).save(Tensors.info(123, 2.5), Tensors.model(100, 1));
    }

    @Test
    void whatWasSavedIsReadBackBitByBit() {
        try (Checkpoint checkpoint = Checkpoint.open(saved())) {
            assertThat(checkpoint.info()).isEqualTo(Tensors.info(123, 2.5));
            for (TensorSource tensor : Tensors.model(100, 1)) {
                assertThat(checkpoint.read(tensor.info().name())).isEqualTo(tensor.content().get());
            }
        }
    }

    @Test
    void aCheckpointOfAnotherModelIsRefusedNamingEachDifference() {
        Path file = saved();
        try (Checkpoint checkpoint = Checkpoint.open(file)) {
            checkpoint.requireModel(Map.of("scheme", "keel", "layers", "64", "d_model", "8"));
            assertThatThrownBy(() -> checkpoint.requireModel(Map.of("scheme", "pre_ln", "layers", "32", "d_model", "8")))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessage("The checkpoint " + file
                            + " is of another model: layers is 64 there and 32 here, scheme is keel there and pre_ln here.");
            assertThatThrownBy(() -> checkpoint.requireModel(Map.of("scheme", "keel", "layers", "64", "d_model", "8", "alpha", "2")))
                    .hasMessageEndingWith("alpha is not set there and 2 here.");
        }
    }

    @Test
    void aCheckpointOfOtherDataIsRefused() {
        try (Checkpoint checkpoint = Checkpoint.open(saved())) {
            checkpoint.requireData("ab12");
            assertThatThrownBy(() -> checkpoint.requireData("ffff")).hasMessageContaining("was trained on other data (hash ab12 there, ffff here)");
        }
    }

    @Test
    void tensorsThatAreMissingOfAnotherShapeOrTooManyAreNamed() {
        try (Checkpoint checkpoint = Checkpoint.open(saved())) {
            List<TensorInfo> expected = new ArrayList<>(Tensors.model(100, 1).stream().map(TensorSource::info).toList());
            checkpoint.requireTensors(expected);
            expected.set(0, TensorInfo.of("tok_embeddings.weight", Dtype.F32, 256, 8));
            expected.set(1, TensorInfo.of("output.weight", Dtype.F32, 256, 8));
            assertThatThrownBy(() -> checkpoint.requireTensors(expected))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageEndingWith(" does not fit the model: tok_embeddings.weight is F32[100, 8] there and F32[256, 8] here,"
                            + " output.weight is missing, norm.weight is not part of the model.");
        }
    }

    @Test
    void aTensorItDoesNotHoldIsNamed() {
        try (Checkpoint checkpoint = Checkpoint.open(saved())) {
            assertThatThrownBy(() -> checkpoint.read("none")).isInstanceOf(CheckpointException.class).hasMessageContaining("holds no tensor none");
        }
    }

    @Test
    void anyDamagedByteIsNoticed() throws IOException {
        Path file = saved();
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(3);
        for (int round = 0; round < 400; round++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            assertThatThrownBy(() -> Checkpoint.open(file)).isInstanceOf(CheckpointException.class).hasMessageNotContaining("\n");
        }
        Files.write(file, whole);
        Checkpoint.open(file).close();
    }

    @Test
    void aFileOfAnotherProgramOrANewerFormatIsRefused() {
        assertThatThrownBy(() -> CheckpointInfo.fromMetadata("x", Map.of("format", "pt")))
                .hasMessage("x was not written by Keelscope, so training cannot go on from it.");
        assertThatThrownBy(() -> CheckpointInfo.fromMetadata("x", Map.of("keelscope", "2")))
                .hasMessage("x has the format version 2 and this program reads 1; use the version of Keelscope that wrote it.");
        assertThatThrownBy(() -> CheckpointInfo.fromMetadata("x", Map.of("keelscope", "1", "step", "many")))
                .isInstanceOf(CheckpointException.class);
    }
}
