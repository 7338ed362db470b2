package keelscope.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SetupFormTest extends WindowTest {

    @BeforeEach
    void whenTheDefaultSampleIsShown() {
        until("the default sample can be started", this::canStart);
    }

    @Test
    void theDefaultSampleIsReadyToStartWithItsEstimate() {
        assertThat(textOf("#field-layers")).isEqualTo("64");
        until("the estimate is shown", () -> textOf("#estimate-memory").endsWith("B"));
        assertThat(textOf("#estimate-parameters")).contains("million");
        assertThat(textOf("#text-hint")).contains("bytes");
    }

    @Test
    void zeroLayersAreRefusedAsTypedUntilMended() {
        type("#field-layers", "0");
        assertThat(canStart()).isFalse();
        assertThat(textOf("#problem-model")).startsWith("Layers (L) is 0;");
        assertThat(node("#field-layers").getStyleClass()).contains("invalid");
        type("#field-layers", "8");
        until("the experiment can be started again", this::canStart);
        assertThat(textOf("#problem-model")).isEmpty();
        assertThat(node("#field-layers").getStyleClass()).doesNotContain("invalid");
    }

    @Test
    void aWidthThatTheHeadsDoNotDivideIsRefused() {
        type("#field-width", "66");
        assertThat(canStart()).isFalse();
        assertThat(textOf("#problem-model")).startsWith("Heads is 4;").contains("66");
        type("#field-heads", "3");
        until("the experiment can be started again", this::canStart);
    }

    @Test
    void aMissingTextIsRefusedInOneSentence() {
        refusesText(folder.resolve("nowhere.txt"), "nowhere.txt");
    }

    @Test
    void anEmptyTextIsRefusedInOneSentence() throws Exception {
        refusesText(Files.createFile(folder.resolve("empty.txt")), "empty");
    }

    @Test
    void aBinaryFileIsRefusedInOneSentence() throws Exception {
        byte[] bytes = new byte[10_000];
        bytes[0] = (byte) 0x7f;
        refusesText(Files.write(folder.resolve("program.bin"), bytes), "program.bin");
    }

    @Test
    void aTextOfOnesOwnIsTakenAndDescribed() throws Exception {
        Path text = Files.writeString(folder.resolve("own.txt"), "To be, or not to be. ".repeat(1000));
        robot.interact(() -> window.open(text));
        until("the text is described", () -> textOf("#text-hint").contains("own.txt"));
        assertThat(canStart()).isTrue();
    }

    @Test
    void anArmThatIsRemovedIsGoneAndOneIsAddedAgain() {
        press("#arm-remove-2");
        assertThat(exists("#arm-scheme-2")).isFalse();
        press("#arm-add");
        assertThat(exists("#arm-scheme-2")).isTrue();
        until("the experiment can be started", this::canStart);
        assertThat(window.setup().experimentProperty().get().orElseThrow().arms()).hasSize(3);
    }

    @Test
    void aSchemeThatIsAnotherInSoShallowAModelIsSaidAndCanBeTrained() {
        Experiment experiment = ExperimentFile.parse("""
                name: Shallow
                model: {layers: 6, d_model: 8, heads: 2}
                data: {text: sample, batch: 1, sequence: 8}
                training: {steps: 10, peak_lr: 1.0e-3}
                arms:
                  - scheme: mix_ln
                """, "shallow.yaml", Path.of(""));
        robot.interact(() -> window.setup().load(experiment));
        assertThat(textOf("#arm-remarks")).contains("mix_ln trains as pre_ln");
        until("the experiment can be started", this::canStart);
        type("#field-layers", "8");
        assertThat(textOf("#arm-remarks")).isEmpty();
    }

    @Test
    void theLastArmRemovedIsMissed() {
        for (int i = 0; i < 3; i++) {
            press("#arm-remove-0");
        }
        assertThat(canStart()).isFalse();
        assertThat(textOf("#problem-arms")).isNotEmpty();
    }

    @Test
    void anExperimentFileWithAWrongKeyIsRefusedAndTheFormKept() throws Exception {
        Path file = Files.writeString(folder.resolve("wrong.yaml"), "name: x\nmodle:\n  layers: 2\n");
        robot.interact(() -> window.open(file));
        until("the refusal is shown", () -> robot.lookup(".notification-bar").tryQuery().isPresent());
        assertThat(textOf("#field-layers")).isEqualTo("64");
        assertThat(canStart()).isTrue();
    }

    private void refusesText(Path text, String named) {
        type("#field-text", text.toString());
        until("the text is refused", () -> !textOf("#problem-text").isEmpty());
        assertThat(canStart()).isFalse();
        assertThat(textOf("#problem-text")).contains(named).endsWith(".").doesNotContain("\n");
        type("#field-text", "sample");
        until("the experiment can be started again", this::canStart);
        assertThat(textOf("#problem-text")).isEmpty();
    }
}
