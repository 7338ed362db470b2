package keelscope.generate;

import java.util.ArrayList;
import java.util.List;
import keelscope.data.TokenBatch;
import keelscope.export.Progress;
import keelscope.model.Evaluation;

/**
 * What each sub-layer is worth: ΔPPL_l = PPL without sub-layer l − PPL of the whole model, where a removed sub-layer passes x_l on
 * (Chen & Wei, appendix A). A sub-layer whose ΔPPL is near 0 is redundant.
 *
 * @param whole prediction of the text by the whole model
 * @param without prediction without sub-layer l, for each l
 */
public record LayerRedundancy(Evaluation whole, List<Evaluation> without) {

    public LayerRedundancy {
        without = List.copyOf(without);
    }

    /**
     * Predicts the text L + 1 times. It is held in memory, so give it a limit.
     *
     * @throws keelscope.data.DataException if the text cannot be read
     * @throws keelscope.checkpoint.CheckpointException if the model knows no text
     * @throws java.util.concurrent.CancellationException if {@code progress} cancels
     */
    public static LayerRedundancy of(TrainedModel model, GivenText text, Progress progress) {
        List<TokenBatch> batches = new ArrayList<>();
        text.read(model.tokenizer(), model.sequence(), batches::add);
        int layers = model.architecture().layers();
        List<Evaluation> all = new ArrayList<>();
        for (int skip = -1; skip < layers; skip++) {
            Evaluation sum = new Evaluation(0, 0, 0);
            for (int i = 0; i < batches.size(); i++) {
                progress.check((skip + 1 + (double) i / batches.size()) / (layers + 1));
                TokenBatch batch = batches.get(i);
                sum = sum.plus(model.program().evaluate(batch.ids(), batch.targets(), batch.rows(), skip));
            }
            all.add(sum);
        }
        return new LayerRedundancy(all.get(0), all.subList(1, all.size()));
    }

    /** Perplexity of the whole model. */
    public double perplexity() {
        return Math.exp(whole.loss());
    }

    /** Perplexity without sub-layer l. */
    public double perplexityWithout(int l) {
        return Math.exp(without.get(l).loss());
    }

    /** ΔPPL_l. */
    public double delta(int l) {
        return perplexityWithout(l) - perplexity();
    }
}
