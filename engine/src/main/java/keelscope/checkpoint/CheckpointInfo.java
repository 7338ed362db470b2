package keelscope.checkpoint;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a checkpoint says about itself besides its tensors; texts in the file's metadata.
 *
 * @param step number of steps taken before it was written, and so the number of the step to go on with
 * @param tokens tokens trained on up to then
 * @param seed the run's seed
 * @param dataHash SHA-256 of the data, hexadecimal
 * @param validationLoss the latest validation loss, nats; NaN where there was none
 * @param model what must be the same for the tensors to fit and mean the same: scheme, layers, d_model, …, by name
 * @param state what else a resume needs (data position, random state, settings changed on the way), by name
 */
public record CheckpointInfo(
        int step, long tokens, long seed, String dataHash, double validationLoss, Map<String, String> model, Map<String, String> state) {

    /** Version of the names below and of the tensors' names. */
    static final int VERSION = 1;

    private static final String MODEL = "model.";
    private static final String STATE = "state.";

    public CheckpointInfo {
        if (step < 0) {
            throw new IllegalArgumentException("step is " + step + "; it must be 0 or more.");
        }
        model = Map.copyOf(model);
        state = Map.copyOf(state);
    }

    Map<String, String> toMetadata() {
        Map<String, String> texts = new LinkedHashMap<>();
        // Loaders of the PyTorch world ask for this entry.
        texts.put("format", "pt");
        texts.put("keelscope", Integer.toString(VERSION));
        texts.put("step", Integer.toString(step));
        texts.put("tokens", Long.toString(tokens));
        texts.put("seed", Long.toString(seed));
        texts.put("data_hash", dataHash);
        texts.put("val_loss", Double.toString(validationLoss));
        model.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(e -> texts.put(MODEL + e.getKey(), e.getValue()));
        state.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(e -> texts.put(STATE + e.getKey(), e.getValue()));
        return texts;
    }

    static CheckpointInfo fromMetadata(String origin, Map<String, String> texts) {
        String version = texts.get("keelscope");
        if (version == null) {
            throw new CheckpointException(origin + " was not written by Keelscope, so training cannot go on from it.");
        }
        if (!version.equals(Integer.toString(VERSION))) {
            throw new CheckpointException(origin + " has the format version " + version + " and this program reads " + VERSION
                    + "; use the version of Keelscope that wrote it.");
        }
        Map<String, String> model = new LinkedHashMap<>();
        Map<String, String> state = new LinkedHashMap<>();
        texts.forEach((name, text) -> {
            if (name.startsWith(MODEL)) {
                model.put(name.substring(MODEL.length()), text);
            } else if (name.startsWith(STATE)) {
                state.put(name.substring(STATE.length()), text);
            }
        });
        try {
            return new CheckpointInfo(
                    Integer.parseInt(text(texts, "step")),
                    Long.parseLong(text(texts, "tokens")),
                    Long.parseLong(text(texts, "seed")),
                    text(texts, "data_hash"),
                    Double.parseDouble(text(texts, "val_loss")),
                    model,
                    state);
        } catch (IllegalArgumentException e) {
            throw new CheckpointException(origin + " is damaged or not a checkpoint: its metadata cannot be read.", e);
        }
    }

    private static String text(Map<String, String> texts, String name) {
        String text = texts.get(name);
        if (text == null) {
            throw new IllegalArgumentException(name + " is missing.");
        }
        return text;
    }
}
