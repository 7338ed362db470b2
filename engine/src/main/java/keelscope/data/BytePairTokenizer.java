package keelscope.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;

/**
 * The vocabulary that {@link BpeTrainer} learnt. It gives the tokens that the written {@code tokenizer.json} gives anywhere
 * else; since words recur and are remembered, it is many times faster at it than the general {@link JsonTokenizer}.
 */
final class BytePairTokenizer implements Tokenizer {
    static final String PREFIX = "byte pairs:";
    private static final int REMEMBERED_WORDS = 1 << 16;

    private final String json;
    private final byte[][] bytes;
    /** Of a pair of neighbours, left in the upper half, the token they make; older tokens are made first. */
    private final Map<Long, Integer> merges = new HashMap<>();
    private final Map<String, int[]> remembered = new HashMap<>();

    /** @param json what {@link BpeTrainer#train} wrote */
    BytePairTokenizer(String json) {
        this.json = json;
        JsonNode model;
        try {
            model = new ObjectMapper().readTree(json).path("model");
        } catch (JsonProcessingException e) {
            throw new DataException("The byte-pair vocabulary kept with the run is damaged; train again.", e);
        }
        Map<String, Integer> ids = new HashMap<>();
        model.path("vocab").fields().forEachRemaining(entry -> ids.put(entry.getKey(), entry.getValue().asInt()));
        bytes = new byte[ids.size()][];
        for (int b = 0; b < 256; b++) {
            bytes[b] = new byte[] {(byte) b};
        }
        for (JsonNode merge : model.path("merges")) {
            String[] pair = merge.asText().split(" ");
            int left = ids.get(pair[0]);
            int right = ids.get(pair[1]);
            int joined = ids.get(pair[0] + pair[1]);
            merges.putIfAbsent(key(left, right), joined);
            bytes[joined] = Arrays.copyOf(bytes[left], bytes[left].length + bytes[right].length);
            System.arraycopy(bytes[right], 0, bytes[joined], bytes[left].length, bytes[right].length);
        }
    }

    @Override
    public int vocabulary() {
        return bytes.length;
    }

    @Override
    public synchronized int[] encode(String text) {
        int[] ids = new int[text.length() / 2 + 16];
        int length = 0;
        Matcher words = BpeTrainer.WORD.matcher(text);
        while (words.find()) {
            int[] word = remembered.get(words.group());
            if (word == null) {
                if (remembered.size() >= REMEMBERED_WORDS) {
                    remembered.clear();
                }
                word = join(words.group());
                remembered.put(words.group(), word);
            }
            if (length + word.length > ids.length) {
                ids = Arrays.copyOf(ids, 2 * (length + word.length));
            }
            System.arraycopy(word, 0, ids, length, word.length);
            length += word.length;
        }
        return Arrays.copyOf(ids, length);
    }

    /** Joins the pair that was learnt first, wherever it stands, until there is none. */
    private int[] join(String word) {
        int[] ids = BYTES.encode(word);
        int length = ids.length;
        while (true) {
            int first = Integer.MAX_VALUE;
            for (int i = 0; i + 1 < length; i++) {
                first = Math.min(first, merges.getOrDefault(key(ids[i], ids[i + 1]), Integer.MAX_VALUE));
            }
            if (first == Integer.MAX_VALUE) {
                return Arrays.copyOf(ids, length);
            }
            int to = 0;
            for (int i = 0; i < length; i++) {
                boolean here = i + 1 < length && merges.getOrDefault(key(ids[i], ids[i + 1]), -1) == first;
                ids[to++] = here ? first : ids[i];
                i += here ? 1 : 0;
            }
            length = to;
        }
    }

    @Override
    public String decode(int[] ids) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int id : ids) {
            text.writeBytes(bytes[id]);
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    @Override
    public String description() {
        return vocabulary() + " byte pairs learnt from the text";
    }

    @Override
    public String definition() {
        return PREFIX + json;
    }

    private static long key(int left, int right) {
        return (long) left << 32 | right;
    }
}
