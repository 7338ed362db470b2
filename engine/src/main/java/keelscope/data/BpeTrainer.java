package keelscope.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Learns a byte-level byte-pair vocabulary from a text (Sennrich et al. 2016; the bytes and the cut into words as in GPT-2,
 * Radford et al. 2019) and writes it as a Hugging Face {@code tokenizer.json}: beginning with the 256 bytes, the most
 * frequent pair of neighbours within words becomes a token, over and over.
 */
final class BpeTrainer {
    /** GPT-2's words; the same as the pre-tokenizer {@code ByteLevel} of the written file. */
    static final Pattern WORD = Pattern.compile(
            "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
            Pattern.UNICODE_CHARACTER_CLASS);
    /** Of a longer text, chunks evenly spread over it are looked at. */
    private static final long ENOUGH_BYTES = 64L << 20;
    /** When so many different words are held, those seen once are forgotten. */
    private static final int MOST_WORDS = 1 << 21;

    private record Pair(int left, int right) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            return left != other.left ? Integer.compare(left, other.left) : Integer.compare(right, other.right);
        }
    }

    private record Candidate(Pair pair, long count) {}

    private final List<String> tokens = new ArrayList<>();
    private final List<String> merges = new ArrayList<>();
    private final List<int[]> words = new ArrayList<>();
    private final List<Long> wordCounts = new ArrayList<>();
    private final Map<Pair, Long> pairCounts = new HashMap<>();
    private final Map<Pair, TreeSet<Integer>> pairWords = new HashMap<>();
    // The most frequent first; among equals the one whose tokens are older, so that the result is the same each time.
    private final PriorityQueue<Candidate> queue = new PriorityQueue<>(
            Comparator.comparingLong(Candidate::count).reversed().thenComparing(Candidate::pair));

    private BpeTrainer() {}

    /** A {@code tokenizer.json} of at most {@code size} tokens, at least 256; fewer where the text has no pair left to join. */
    static String train(Corpus corpus, int size) {
        return new BpeTrainer().learn(count(corpus), size);
    }

    private static Map<String, Long> count(Corpus corpus) {
        long bytes = corpus.sources().stream().mapToLong(Corpus.Source::bytes).sum();
        long every = 1 + bytes / ENOUGH_BYTES;
        long[] number = {0};
        Map<String, Long> counts = new HashMap<>();
        corpus.read(chunk -> {
            if (number[0]++ % every == 0) {
                Matcher word = WORD.matcher(chunk);
                while (word.find()) {
                    counts.merge(word.group(), 1L, Long::sum);
                }
                if (counts.size() > MOST_WORDS) {
                    counts.values().removeIf(count -> count == 1);
                }
            }
        });
        // Sorted, so that the result is the same each time.
        return new TreeMap<>(counts);
    }

    private String learn(Map<String, Long> counts, int size) {
        String[] alphabet = alphabet();
        tokens.addAll(Arrays.asList(alphabet));
        counts.forEach((word, count) -> {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            int[] ids = new int[bytes.length];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = bytes[i] & 0xFF;
            }
            words.add(ids);
            wordCounts.add(count);
            tally(words.size() - 1, 1);
        });
        pairCounts.forEach((pair, count) -> queue.add(new Candidate(pair, count)));
        while (tokens.size() < size && !queue.isEmpty()) {
            Candidate best = queue.poll();
            long now = pairCounts.getOrDefault(best.pair(), 0L);
            if (now != best.count()) {
                // Its count has changed since it was queued.
                if (now > 1) {
                    queue.add(new Candidate(best.pair(), now));
                }
            } else if (now > 1) {
                join(best.pair());
            }
        }
        return json();
    }

    private void join(Pair pair) {
        int joined = tokens.size();
        tokens.add(tokens.get(pair.left()) + tokens.get(pair.right()));
        merges.add(tokens.get(pair.left()) + " " + tokens.get(pair.right()));
        TreeSet<Pair> grown = new TreeSet<>();
        for (int index : new ArrayList<>(pairWords.getOrDefault(pair, new TreeSet<>()))) {
            tally(index, -1);
            int[] word = words.get(index);
            int[] shorter = new int[word.length];
            int length = 0;
            for (int i = 0; i < word.length; i++) {
                boolean here = i + 1 < word.length && word[i] == pair.left() && word[i + 1] == pair.right();
                shorter[length++] = here ? joined : word[i];
                i += here ? 1 : 0;
            }
            words.set(index, Arrays.copyOf(shorter, length));
            tally(index, 1);
            for (int i = 0; i + 1 < length; i++) {
                if (shorter[i] == joined || shorter[i + 1] == joined) {
                    grown.add(new Pair(shorter[i], shorter[i + 1]));
                }
            }
        }
        for (Pair neighbours : grown) {
            queue.add(new Candidate(neighbours, pairCounts.get(neighbours)));
        }
    }

    /** Counts a word's pairs in, or out with sign −1. */
    private void tally(int index, int sign) {
        int[] word = words.get(index);
        long count = sign * wordCounts.get(index);
        for (int i = 0; i + 1 < word.length; i++) {
            Pair pair = new Pair(word[i], word[i + 1]);
            pairCounts.merge(pair, count, Long::sum);
            TreeSet<Integer> places = pairWords.computeIfAbsent(pair, p -> new TreeSet<>());
            if (sign > 0) {
                places.add(index);
            } else {
                places.remove(index);
            }
        }
    }

    private String json() {
        Map<String, Integer> vocabulary = new LinkedHashMap<>();
        for (String token : tokens) {
            vocabulary.putIfAbsent(token, vocabulary.size());
        }
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("type", "BPE");
        model.put("dropout", null);
        model.put("unk_token", null);
        model.put("continuing_subword_prefix", null);
        model.put("end_of_word_suffix", null);
        model.put("fuse_unk", false);
        model.put("byte_fallback", false);
        model.put("vocab", vocabulary);
        model.put("merges", merges);
        Map<String, Object> byteLevel = new LinkedHashMap<>();
        byteLevel.put("type", "ByteLevel");
        byteLevel.put("add_prefix_space", false);
        byteLevel.put("trim_offsets", true);
        byteLevel.put("use_regex", true);
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("version", "1.0");
        file.put("truncation", null);
        file.put("padding", null);
        file.put("added_tokens", List.of());
        file.put("normalizer", null);
        file.put("pre_tokenizer", byteLevel);
        file.put("post_processor", null);
        file.put("decoder", byteLevel);
        file.put("model", model);
        try {
            return new ObjectMapper().writeValueAsString(file);
        } catch (JsonProcessingException e) {
            throw new AssertionError("maps of strings and numbers are always JSON", e);
        }
    }

    /** GPT-2's printable character for each byte: itself where that can be seen, else one from U+0100 on. */
    private static String[] alphabet() {
        String[] alphabet = new String[256];
        int next = 0x100;
        for (int b = 0; b < 256; b++) {
            boolean seen = b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE;
            alphabet[b] = Character.toString(seen ? b : next++);
        }
        return alphabet;
    }
}
