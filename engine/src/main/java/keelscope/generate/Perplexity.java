package keelscope.generate;

import java.util.OptionalDouble;
import keelscope.export.Progress;
import keelscope.model.Evaluation;

/**
 * How well a model predicts a text.
 *
 * @param evaluation sum of cross-entropies, nats, and number of predicted tokens
 * @param bytes length of the text read, UTF-8
 * @param whole whether the text was predicted to its end
 */
public record Perplexity(Evaluation evaluation, long bytes, boolean whole) {

    /**
     * Predicts the text.
     *
     * @throws keelscope.data.DataException if the text cannot be read
     * @throws keelscope.checkpoint.CheckpointException if the model knows no text
     * @throws java.util.concurrent.CancellationException if {@code progress} cancels
     */
    public static Perplexity of(TrainedModel model, GivenText text, Progress progress) {
        Evaluation[] sum = {new Evaluation(0, 0, 0)};
        long expected = text.mostTokens() > 0 ? text.mostTokens() : Math.max(1, text.corpus().bytes());
        GivenText.Extent extent = text.read(model.tokenizer(), model.sequence(), batch -> {
            progress.check(Math.min(1, (double) sum[0].count() / expected));
            sum[0] = sum[0].plus(model.program().evaluate(batch.ids(), batch.targets(), batch.rows(), -1));
        });
        return new Perplexity(sum[0], extent.bytes(), extent.whole());
    }

    /** Mean cross-entropy, nats a token. */
    public double loss() {
        return evaluation.loss();
    }

    /** exp(loss). */
    public double perplexity() {
        return Math.exp(loss());
    }

    /** Bits a byte of text, by which models of different tokenizers can be compared; empty where the text was not read to its end. */
    public OptionalDouble bitsPerByte() {
        return whole ? OptionalDouble.of(evaluation.lossSum() / Math.log(2) / bytes) : OptionalDouble.empty();
    }
}
