package keelscope.data;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A Hugging Face {@code tokenizer.json}: byte-pair, word-piece or unigram. Special tokens are not added to the text. */
final class JsonTokenizer implements Tokenizer {
    private static final ObjectMapper JSON = new ObjectMapper();

    static {
        // Else DJL looks for the cloud it might run on and reports its use there.
        if (System.getProperty("OPT_OUT_TRACKING") == null) {
            System.setProperty("OPT_OUT_TRACKING", "true");
        }
    }

    private final String definition;
    private final int vocabulary;
    private final HuggingFaceTokenizer tokenizer;

    private JsonTokenizer(String definition, int vocabulary, HuggingFaceTokenizer tokenizer) {
        this.definition = definition;
        this.vocabulary = vocabulary;
        this.tokenizer = tokenizer;
    }

    /**
     * The content of a file.
     *
     * @throws DataException if it cannot be read
     */
    static String read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new DataException("The tokenizer " + file
                    + " is not there; check data.tokenizer: bytes, characters, bpe:N or the path of a tokenizer.json.");
        }
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw DataException.unreadable("The tokenizer " + file, e);
        }
    }

    /** The tokenizer of a file's content; {@code name} begins a message. */
    static JsonTokenizer of(String json, String name) {
        int vocabulary = vocabulary(json, name);
        try {
            // Without these two, DJL cuts each text at 512 tokens.
            Map<String, String> options =
                    Map.of("truncation", "false", "padding", "false", "addSpecialTokens", "false");
            HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.newInstance(
                    new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), options);
            return new JsonTokenizer(json, vocabulary, tokenizer);
        } catch (IOException | RuntimeException e) {
            throw new DataException(name + " cannot be used (" + firstLine(e) + "); choose another tokenizer.json.", e);
        }
    }

    /** One more than the largest id in the file, which is what an embedding needs. */
    static int vocabulary(String json, String name) {
        try {
            JsonNode root = JSON.readTree(json);
            JsonNode entries = root.path("model").path("vocab");
            int largest = entries.isArray() ? entries.size() - 1 : -1;
            if (entries.isObject()) {
                for (JsonNode id : entries) {
                    largest = Math.max(largest, id.asInt());
                }
            }
            for (JsonNode token : root.path("added_tokens")) {
                largest = Math.max(largest, token.path("id").asInt());
            }
            if (largest < 0) {
                throw new DataException(name + " has no vocabulary (model.vocab); choose a Hugging Face tokenizer.json.");
            }
            return largest + 1;
        } catch (JsonProcessingException e) {
            throw new DataException(name + " is not JSON; choose a Hugging Face tokenizer.json.", e);
        }
    }

    @Override
    public int vocabulary() {
        return vocabulary;
    }

    @Override
    public int[] encode(String text) {
        long[] tokens = tokenizer.encode(text, false, false).getIds();
        int[] ids = new int[tokens.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = Math.toIntExact(tokens[i]);
        }
        return ids;
    }

    @Override
    public String decode(int[] ids) {
        long[] tokens = new long[ids.length];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = ids[i];
        }
        return tokenizer.decode(tokens, false);
    }

    @Override
    public String description() {
        return "tokenizer.json of " + vocabulary + " tokens, SHA-256 " + Sha256.of(definition).substring(0, 12);
    }

    @Override
    public String definition() {
        return definition;
    }

    @Override
    public void close() {
        tokenizer.close();
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
    }
}
