package keelscope.experiment;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One section of an experiment file while it is read: takes values by key and refuses, with file and line, a key that is
 * not known, a value of the wrong type and a required value that is missing.
 */
final class Section {
    private final String origin;
    private final String path;
    private final String kind;
    private final YamlNode.Mapping mapping;

    /**
     * @param path dotted path of the section, empty for the whole file
     * @param kind the section as {@link ExperimentKey#section()} names it, which says what keys it may hold
     */
    Section(String origin, String path, YamlNode node, String kind) {
        this.origin = origin;
        this.path = path;
        this.kind = kind;
        List<String> keys = ExperimentKey.words(kind);
        if (!(node instanceof YamlNode.Mapping given)) {
            throw at(
                    path,
                    node.line(),
                    (path.isEmpty() ? "the file" : path) + " is " + node.kind() + "; allowed is a section with the keys "
                            + String.join(", ", keys) + ".");
        }
        this.mapping = given;
        given.entries().forEach((key, entry) -> {
            if (!keys.contains(key)) {
                throw at(
                        path(key),
                        entry.line(),
                        "there is no key '" + key + "'" + (path.isEmpty() ? "" : " in " + path)
                                + Spelling.nearest(key, keys).map(word -> "; did you mean '" + word + "'?").orElse(".")
                                + " Allowed are " + String.join(", ", keys) + ".");
            }
        });
    }

    String origin() {
        return origin;
    }

    Optional<YamlNode> node(String key) {
        return Optional.ofNullable(mapping.entries().get(key)).map(YamlNode.Entry::value);
    }

    YamlNode requiredNode(String key) {
        return node(key).orElseThrow(() -> missing(key));
    }

    Optional<String> text(String key) {
        return node(key).map(node -> {
            if (node instanceof YamlNode.Scalar scalar && !scalar.text().isEmpty()) {
                return scalar.text();
            }
            throw wrong(key, node, "a text");
        });
    }

    /** The text of a key that must be there. */
    String requiredText(String key) {
        return text(key).orElseThrow(() -> missing(key));
    }

    /** A list of texts, or one text; empty where the key was left out. */
    List<String> texts(String key) {
        if (node(key).isEmpty() || !(requiredNode(key) instanceof YamlNode.Sequence list)) {
            return text(key).map(List::of).orElse(List.of());
        }
        if (list.items().isEmpty()) {
            throw wrong(key, list, "a list with at least one entry");
        }
        return list.items().stream()
                .map(item -> {
                    if (item instanceof YamlNode.Scalar scalar && !scalar.text().isEmpty()) {
                        return scalar.text();
                    }
                    throw at(path(key), item.line(), path(key) + " holds " + item.kind() + "; allowed is a list of texts.");
                })
                .toList();
    }

    /** One of a few words. */
    Optional<String> choice(String key, List<String> words) {
        return text(key).map(word -> {
            if (words.contains(word)) {
                return word;
            }
            throw wrong(
                    key,
                    requiredNode(key),
                    "one of " + String.join(", ", words)
                            + Spelling.nearest(word, words).map(near -> " (did you mean " + near + "?)").orElse(""));
        });
    }

    /** Whether the value of a key is this word. */
    boolean isWord(String key, String word) {
        return node(key).filter(node -> node instanceof YamlNode.Scalar scalar && scalar.text().equals(word)).isPresent();
    }

    Optional<Boolean> truth(String key) {
        return choice(key, List.of("true", "false")).map(Boolean::valueOf);
    }

    OptionalDouble number(String key) {
        return node(key)
                .map(node -> OptionalDouble.of(decimal(key, node, "a number").doubleValue()))
                .orElse(OptionalDouble.empty());
    }

    double requiredNumber(String key) {
        return number(key).orElseThrow(() -> missing(key));
    }

    OptionalInt integer(String key) {
        return node(key).map(node -> OptionalInt.of(integer(key, node))).orElse(OptionalInt.empty());
    }

    int requiredInteger(String key) {
        return integer(key).orElseThrow(() -> missing(key));
    }

    Optional<Long> longInteger(String key) {
        return node(key).map(node -> {
            try {
                return decimal(key, node, "a whole number").longValueExact();
            } catch (ArithmeticException e) {
                throw wrong(key, node, "a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE);
            }
        });
    }

    /** A number of at least 1, or {@code word}, which stands for 0. */
    OptionalInt integerOr(String word, String key) {
        return node(key)
                .map(node -> {
                    if (node instanceof YamlNode.Scalar scalar && scalar.text().equals(word)) {
                        return OptionalInt.of(0);
                    }
                    String allowed = word + " or a whole number of at least 1";
                    int value = decimal(key, node, allowed).signum() <= 0 ? 0 : integer(key, node);
                    if (value < 1) {
                        throw wrong(key, node, allowed);
                    }
                    return OptionalInt.of(value);
                })
                .orElse(OptionalInt.empty());
    }

    String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** The line of a key of this section, or of the section itself where the key was left out. */
    int line(String key) {
        YamlNode.Entry entry = mapping.entries().get(key);
        return entry == null ? mapping.line() : entry.line();
    }

    InvalidExperimentException wrong(String key, YamlNode node, String allowed) {
        return at(path(key), line(key), path(key) + " is " + node.kind() + "; allowed is " + allowed + ".");
    }

    InvalidExperimentException missing(String key) {
        return at(
                path(key),
                mapping.line(),
                path(key) + " is missing" + (path.isEmpty() ? "" : " from the section " + path + " that begins here")
                        + "; an experiment needs it.");
    }

    private InvalidExperimentException at(String key, int line, String sentence) {
        return new InvalidExperimentException(key, origin + ", line " + line + ": " + sentence);
    }

    private int integer(String key, YamlNode node) {
        try {
            return decimal(key, node, "a whole number").intValueExact();
        } catch (ArithmeticException e) {
            throw wrong(key, node, "a whole number (" + ExperimentKey.allowed(kind, key) + ")");
        }
    }

    private BigDecimal decimal(String key, YamlNode node, String allowed) {
        if (node instanceof YamlNode.Scalar scalar) {
            try {
                // YAML lets long numbers be written 1_000_000.
                return new BigDecimal(scalar.text().replace("_", ""));
            } catch (NumberFormatException e) {
                throw wrong(key, node, allowed);
            }
        }
        throw wrong(key, node, allowed);
    }
}
