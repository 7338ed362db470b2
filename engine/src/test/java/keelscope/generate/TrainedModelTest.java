package keelscope.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import keelscope.checkpoint.CheckpointException;
import keelscope.data.DataException;
import keelscope.data.Tokenizer;
import keelscope.export.Progress;
import keelscope.model.Architecture;
import keelscope.model.Initializer;
import keelscope.model.Scheme;
import keelscope.model.StepProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainedModelTest {

    private static final int SEQUENCE = 16;

    @TempDir
    Path folder;

    private static Architecture architecture(Scheme scheme) {
        return new Architecture(scheme, 4, 16, 2, 40, 256, Double.NaN, false);
    }

    private TrainedModel model(Scheme scheme) {
        return TrainedModel.open(Checkpoints.write(folder, architecture(scheme), SEQUENCE, Optional.of(Tokenizer.BYTES.definition())), Device.cpu());
    }

    private static String sample(TrainedModel model, String prompt, int tokens, Sampling sampling) {
        StringBuilder text = new StringBuilder();
        new TextSampler(model, sampling).write(prompt, tokens, text::append);
        return text.toString();
    }

    @Test
    void theModelOfACheckpointPredictsAsTheOneThatWroteIt() {
        int[] ids = Tokenizer.BYTES.encode("residual streams");
        for (Scheme scheme : List.of(Scheme.KEEL, Scheme.HIGHWAY, Scheme.HYBRID_NORM)) {
            try (StepProgram written =
                            StepProgram.create(architecture(scheme), SEQUENCE, Device.cpu(), DataType.FLOAT32, p -> Initializer.values(p, 3));
                    TrainedModel model = model(scheme)) {
                assertThat(model.program().predict(ids, 1)).containsExactly(written.predict(ids, 1));
            }
        }
    }

    @Test
    void theSameSeedWritesTheSameTextAndAnotherSeedAnother() {
        try (TrainedModel model = model(Scheme.KEEL)) {
            String first = sample(model, "The ", 40, new Sampling(1, 50, 7));
            assertThat(sample(model, "The ", 40, new Sampling(1, 50, 7))).isEqualTo(first).isNotEmpty();
            assertThat(sample(model, "The ", 40, new Sampling(1, 50, 8))).isNotEqualTo(first);
        }
    }

    /** Beyond the length of a sequence too: there the last SEQUENCE tokens count. */
    @Test
    void atTemperatureZeroEachTokenIsTheMostLikelyAfterThoseBeforeIt() {
        try (TrainedModel model = model(Scheme.KEEL)) {
            int[] ids = Tokenizer.BYTES.encode("The long prompt of a text ");
            int start = ids.length;
            for (int i = 0; i < 10; i++) {
                int[] context = Arrays.copyOfRange(ids, ids.length - SEQUENCE, ids.length);
                float[] logits = model.program().predict(context, 1);
                int best = 0;
                for (int v = 1; v < 256; v++) {
                    best = logits[(SEQUENCE - 1) * 256 + v] > logits[(SEQUENCE - 1) * 256 + best] ? v : best;
                }
                ids = Arrays.copyOf(ids, ids.length + 1);
                ids[ids.length - 1] = best;
            }
            String expected = Tokenizer.BYTES.decode(Arrays.copyOfRange(ids, start, ids.length));
            String written = sample(model, "The long prompt of a text ", 10, new Sampling(0, 0, 1));
            assertThat(expected).startsWith(written);
            assertThat(expected.length() - written.length()).isLessThan(2); // the end of an incomplete character is left out
        }
    }

    /** exp of the mean of −log softmax(logits)[next], each predicted from those before it in its window of SEQUENCE. */
    @Test
    void perplexityIsThatOfItsDefinition() throws IOException {
        String text = "One sub-layer carries, another transforms; the norm scales both. Ünïcode too.\n";
        Path file = Files.writeString(folder.resolve("text.txt"), text);
        int[] ids = Tokenizer.BYTES.encode(text);
        try (TrainedModel model = model(Scheme.PRE_LN)) {
            double sum = 0;
            for (int start = 0; start < ids.length - 1; start += SEQUENCE) {
                int end = Math.min(start + SEQUENCE, ids.length - 1);
                float[] logits = model.program().predict(Arrays.copyOfRange(ids, start, end), 1);
                for (int i = start; i < end; i++) {
                    double total = 0;
                    for (int v = 0; v < 256; v++) {
                        total += Math.exp(logits[(i - start) * 256 + v]);
                    }
                    sum += Math.log(total) - logits[(i - start) * 256 + ids[i + 1]];
                }
            }
            Perplexity all = Perplexity.of(model, GivenText.of(file.toString(), "text", 0), Progress.UNWATCHED);
            assertThat(all.evaluation().count()).isEqualTo(ids.length - 1);
            assertThat(all.loss()).isCloseTo(sum / (ids.length - 1), within(1e-4));
            assertThat(all.perplexity()).isCloseTo(Math.exp(sum / (ids.length - 1)), within(1e-4 * all.perplexity()));
            assertThat(all.bitsPerByte().orElseThrow()).isCloseTo(sum / Math.log(2) / ids.length, within(1e-3));
            Perplexity part = Perplexity.of(model, GivenText.of(file.toString(), "text", 20), Progress.UNWATCHED);
            assertThat(part.evaluation().count()).isEqualTo(20);
            assertThat(part.bitsPerByte()).isEmpty();
        }
    }

    @Test
    void redundancyIsTheGrowthOfPerplexityWithoutEachSubLayer() throws IOException {
        Path file = Files.writeString(folder.resolve("text.txt"), "A residual stream carries what a branch adds. ".repeat(20));
        GivenText text = GivenText.of(file.toString(), "text", 200);
        try (TrainedModel model = model(Scheme.PRE_LN)) {
            LayerRedundancy result = LayerRedundancy.of(model, text, Progress.UNWATCHED);
            assertThat(result.without()).hasSize(4);
            assertThat(result.perplexity()).isEqualTo(Perplexity.of(model, text, Progress.UNWATCHED).perplexity());
            for (int l = 0; l < 4; l++) {
                assertThat(result.without().get(l).count()).isEqualTo(200);
                assertThat(result.delta(l)).isEqualTo(result.perplexityWithout(l) - result.perplexity()).isNotZero();
            }
            assertThatThrownBy(() -> LayerRedundancy.of(model, text, share -> share < 0.5)).isInstanceOf(CancellationException.class);
        }
    }

    /** In pre_ln x passes a removed sub-layer unchanged, as it does one whose last product is 0. */
    @Test
    void aSubLayerThatAddsNothingIsRedundant() throws IOException {
        Path file = Files.writeString(folder.resolve("text.txt"), "What adds nothing is not missed. ".repeat(10));
        Path checkpoint = Checkpoints.write(folder, architecture(Scheme.PRE_LN), SEQUENCE, Optional.of(Tokenizer.BYTES.definition()),
                p -> p.name().equals("blocks.1.attention.wo.weight") ? new float[(int) p.size()] : Initializer.values(p, 3));
        try (TrainedModel model = TrainedModel.open(checkpoint, Device.cpu())) {
            LayerRedundancy result = LayerRedundancy.of(model, GivenText.of(file.toString(), "text", 0), Progress.UNWATCHED);
            assertThat(result.delta(2)).isZero();
            assertThat(result.delta(1)).isNotZero();
        }
    }

    @Test
    void whatHasNoTextIsRefusedInOneSentence() throws IOException {
        Path task = Checkpoints.write(folder, architecture(Scheme.KEEL), SEQUENCE, Optional.empty());
        try (TrainedModel model = TrainedModel.open(task, Device.cpu())) {
            assertThatThrownBy(model::tokenizer)
                    .isInstanceOf(CheckpointException.class)
                    .hasMessage("The model of " + task + " was trained on a task and knows no text; choose a model that was trained on text.");
        }
        Path one = Files.writeString(folder.resolve("one.txt"), "a");
        try (TrainedModel model = model(Scheme.KEEL)) {
            assertThatThrownBy(() -> Perplexity.of(model, GivenText.of(one.toString(), "text", 0), Progress.UNWATCHED))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("at least two tokens are needed");
        }
    }

    @Test
    void aCheckpointWithoutOneOfItsParametersIsRefused() {
        Path file = Checkpoints.write(folder, architecture(Scheme.KEEL), SEQUENCE, Optional.empty(), Map.of("output.weight", new float[0]));
        assertThatThrownBy(() -> TrainedModel.open(file, Device.cpu()))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("output.weight is missing and should be F32[256, 16]");
    }
}
