package keelscope.setup;

import java.util.Map;
import java.util.Optional;
import java.util.LinkedHashMap;
import java.util.function.Predicate;

/** What is wrong with the settings at this moment: a sentence for each key at fault. */
final class Problems {
    private final Map<String, String> sentences = new LinkedHashMap<>();

    /** Replaces what was wrong. */
    void set(Map<String, String> now) {
        sentences.clear();
        sentences.putAll(now);
    }

    boolean has(String key) {
        return sentences.containsKey(key);
    }

    boolean none() {
        return sentences.isEmpty();
    }

    /** The sentence about {@code key}, empty where nothing is wrong with it. */
    String of(String key) {
        return sentences.getOrDefault(key, "");
    }

    /** The first sentence about a key that {@code belongs}. */
    Optional<String> first(Predicate<String> belongs) {
        return sentences.entrySet().stream()
                .filter(entry -> belongs.test(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
