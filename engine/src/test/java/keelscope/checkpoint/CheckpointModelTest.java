package keelscope.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import keelscope.model.Architecture;
import keelscope.model.Scheme;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CheckpointModelTest {

    private static CheckpointInfo info(Map<String, String> model, Map<String, String> state) {
        return new CheckpointInfo(1, 1, 1, "", Double.NaN, model, state);
    }

    /** The same in what makes it: its parameters, where they start, and its program, which follow from its rules. */
    @ParameterizedTest
    @EnumSource(Scheme.class)
    void theModelThatWasWrittenIsTheModelThatIsRead(Scheme scheme) {
        for (double alpha : new double[] {Double.NaN, 2.5}) {
            Architecture architecture = new Architecture(scheme, 8, 16, 2, 40, 256, alpha, false);
            CheckpointModel model = new CheckpointModel(architecture, 64, Optional.of("characters:\nab"));
            CheckpointModel read = CheckpointModel.of("x", CheckpointInfo.fromMetadata("x", info(model.model(), model.state()).toMetadata()));
            assertThat(read.sequence()).isEqualTo(64);
            assertThat(read.tokenizer()).contains("characters:\nab");
            for (int l = 0; l < 8; l++) {
                assertThat(read.architecture().rule(l)).isEqualTo(architecture.rule(l));
            }
            assertThat(read.architecture().parameters()).isEqualTo(architecture.parameters());
            assertThat(CheckpointModel.model(read.architecture())).isEqualTo(model.model());
        }
    }

    @Test
    void aTrainedAlphaIsAParameterAgain() {
        Architecture architecture = new Architecture(Scheme.KEEL, 8, 16, 2, 40, 256, Double.NaN, true);
        CheckpointModel model = new CheckpointModel(architecture, 64, Optional.empty());
        assertThat(CheckpointModel.of("x", info(model.model(), model.state()))).isEqualTo(model);
    }

    @Test
    void aModelOfATaskHasNoTokenizer() {
        CheckpointModel model = new CheckpointModel(new Architecture(Scheme.KEEL, 2, 4, 2, 8, 5, Double.NaN, false), 7, Optional.empty());
        assertThat(CheckpointModel.of("x", info(model.model(), model.state())).tokenizer()).isEmpty();
    }

    @Test
    void whatIsMissingOrUnknownIsNamed() {
        CheckpointModel model = new CheckpointModel(new Architecture(Scheme.KEEL, 2, 4, 2, 8, 5, Double.NaN, false), 7, Optional.empty());
        for (Map.Entry<String, String> wrong : List.of(Map.entry("heads", ""), Map.entry("scheme", "sandwich"), Map.entry("layers", "0"))) {
            Map<String, String> texts = new HashMap<>(model.model());
            if (wrong.getValue().isEmpty()) {
                texts.remove(wrong.getKey());
            } else {
                texts.put(wrong.getKey(), wrong.getValue());
            }
            assertThatThrownBy(() -> CheckpointModel.of("x.safetensors", info(texts, model.state())))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageStartingWith("The checkpoint x.safetensors does not say what its model is (" + wrong.getKey());
        }
    }
}
