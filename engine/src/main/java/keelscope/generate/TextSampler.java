package keelscope.generate;

import java.util.Arrays;
import java.util.function.Consumer;
import keelscope.data.DataException;
import keelscope.data.Tokenizer;
import keelscope.random.SplitMix64;

/** Lets a trained model go on with a text, token by token. */
public final class TextSampler {

    /** What a text without a prompt begins after, where the vocabulary has it. */
    private static final String LINE_END = "\n";

    private final TrainedModel model;
    private final Sampling sampling;

    public TextSampler(TrainedModel model, Sampling sampling) {
        this.model = model;
        this.sampling = sampling;
    }

    /**
     * Writes on. Each token is predicted from as many before it as a training sequence had. The same model, prompt and sampling give
     * the same text.
     *
     * @param prompt the text to go on with; empty to begin a new one, on a new line
     * @param tokens how many tokens are drawn
     * @param out is given the text as it settles, always whole characters; a character that the last token left incomplete is left out
     * @throws DataException if the prompt holds what the vocabulary has no token for
     * @throws keelscope.checkpoint.CheckpointException if the model knows no text
     */
    public void write(String prompt, int tokens, Consumer<String> out) {
        Tokenizer tokenizer = model.tokenizer();
        int[] context = prompt.isEmpty() ? start(tokenizer) : tokenizer.encode(prompt);
        TextStream text = new TextStream(tokenizer, context);
        SplitMix64 random = new SplitMix64(sampling.seed());
        int vocabulary = model.architecture().vocabulary();
        for (int i = 0; i < tokens; i++) {
            context = last(context, model.sequence());
            float[] logits = model.program().predict(context, 1);
            int id = sampling.draw(Arrays.copyOfRange(logits, logits.length - vocabulary, logits.length), random);
            String settled = text.add(id);
            if (!settled.isEmpty()) {
                out.accept(settled);
            }
            context = Arrays.copyOf(context, context.length + 1);
            context[context.length - 1] = id;
        }
    }

    private static int[] start(Tokenizer tokenizer) {
        try {
            int[] line = tokenizer.encode(LINE_END);
            return line.length > 0 ? line : new int[1];
        } catch (DataException noLineEnds) {
            return new int[1]; // the first token of the vocabulary
        }
    }

    private static int[] last(int[] ids, int most) {
        return ids.length <= most ? ids : Arrays.copyOfRange(ids, ids.length - most, ids.length);
    }
}
