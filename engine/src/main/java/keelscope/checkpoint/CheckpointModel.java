package keelscope.checkpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import keelscope.model.Architecture;
import keelscope.model.Scheme;

/**
 * What it takes to build a checkpoint's model again when its experiment and data are gone, as the texts a {@link CheckpointInfo}
 * holds: the sizes in {@link CheckpointInfo#model()}, what text is to it in {@link CheckpointInfo#state()}.
 *
 * @param architecture sizes and scheme
 * @param sequence tokens per sequence it was trained on, the most it is given at once
 * @param tokenizer definition of the tokenizer ({@code Tokenizer.definition()}); empty for a model of a task
 */
public record CheckpointModel(Architecture architecture, int sequence, Optional<String> tokenizer) {

    /** α where it is a parameter. */
    private static final String TRAINED = "trained";

    private static final String SEQUENCE = "sequence";
    private static final String TOKENIZER = "tokenizer";

    public CheckpointModel {
        if (sequence < 1) {
            throw new IllegalArgumentException("sequence is " + sequence + "; it must be 1 or more.");
        }
    }

    /** For {@link CheckpointInfo#model()}: what must be the same for a run to go on from a checkpoint. */
    public Map<String, String> model() {
        return model(architecture);
    }

    /** The same of a model alone. */
    public static Map<String, String> model(Architecture model) {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("scheme", model.scheme().id());
        texts.put("layers", Integer.toString(model.layers()));
        texts.put("d_model", Integer.toString(model.dModel()));
        texts.put("heads", Integer.toString(model.heads()));
        texts.put("ff_hidden", Integer.toString(model.ffHidden()));
        texts.put("vocabulary", Integer.toString(model.vocabulary()));
        texts.put("alpha", model.trainedAlpha() ? TRAINED : Double.toString(model.rule(model.layers() - 1).alpha()));
        return texts;
    }

    /** To be among the entries of {@link CheckpointInfo#state()}: the length of a sequence and the tokenizer. */
    public Map<String, String> state() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(SEQUENCE, Integer.toString(sequence));
        tokenizer.ifPresent(definition -> texts.put(TOKENIZER, definition));
        return texts;
    }

    /**
     * Reads it back. An α that was not set by hand comes back as the number it was, which makes the same model.
     *
     * @param origin names the checkpoint in a message
     * @throws CheckpointException if an entry is missing or has a value that this program does not know
     */
    public static CheckpointModel of(String origin, CheckpointInfo info) {
        Map<String, String> model = info.model();
        try {
            String alpha = text(model, "alpha");
            Architecture architecture = new Architecture(
                    Scheme.of(text(model, "scheme")).orElseThrow(() -> new IllegalArgumentException("scheme is " + model.get("scheme"))),
                    number(model, "layers"), number(model, "d_model"), number(model, "heads"), number(model, "ff_hidden"),
                    number(model, "vocabulary"), alpha.equals(TRAINED) ? Double.NaN : Double.parseDouble(alpha), alpha.equals(TRAINED));
            return new CheckpointModel(architecture, number(info.state(), SEQUENCE), Optional.ofNullable(info.state().get(TOKENIZER)));
        } catch (IllegalArgumentException e) {
            throw new CheckpointException("The checkpoint " + origin + " does not say what its model is (" + e.getMessage()
                    + "); use the version of Keelscope that wrote it.", e);
        }
    }

    private static int number(Map<String, String> texts, String name) {
        int number = Integer.parseInt(text(texts, name));
        if (number < 1) {
            throw new IllegalArgumentException(name + " is " + number);
        }
        return number;
    }

    private static String text(Map<String, String> texts, String name) {
        String text = texts.get(name);
        if (text == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return text;
    }
}
