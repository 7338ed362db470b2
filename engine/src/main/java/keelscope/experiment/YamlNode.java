package keelscope.experiment;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * YAML as it was written, each part with its line: what is needed to say where a value at fault stands. A scalar is kept
 * as its text, so that {@code 3e-3}, a string to YAML 1.1, can be read as the number it is.
 */
sealed interface YamlNode {
    /** Line of the node's first character, from 1. */
    int line();

    /** What this is, as a user would say it. */
    String kind();

    /** A number, word or text; {@code text} is empty where nothing was written. */
    record Scalar(int line, String text) implements YamlNode {
        @Override
        public String kind() {
            String shown = text.replaceAll("\\s+", " ");
            return shown.isEmpty() ? "empty" : shown.length() > 60 ? "'" + shown.substring(0, 60) + "…'" : "'" + shown + "'";
        }
    }

    record Sequence(int line, List<YamlNode> items) implements YamlNode {
        @Override
        public String kind() {
            return "a list";
        }
    }

    record Mapping(int line, Map<String, Entry> entries) implements YamlNode {
        @Override
        public String kind() {
            return "a section of keys";
        }
    }

    /** A key with its line, and what stands there. */
    record Entry(int line, YamlNode value) {}

    /**
     * Parses the one document in {@code yaml}.
     *
     * @throws InvalidExperimentException if there is none or more than one, or if it is not YAML
     */
    static YamlNode parse(String yaml, String origin) {
        YAMLFactory factory = new YAMLFactory();
        try (YAMLParser parser = factory.createParser(yaml)) {
            if (parser.nextToken() == null) {
                throw new InvalidExperimentException(
                        "", origin + " holds no experiment: it is empty or has only comments.");
            }
            YamlNode root = node(parser, origin, "");
            if (parser.nextToken() != null) {
                throw new InvalidExperimentException(
                        "",
                        origin + ", line " + line(parser)
                                + ": a second document begins here; an experiment is one document, so keep each in a file of its own.");
            }
            return root;
        } catch (JsonParseException e) {
            throw new InvalidExperimentException(
                    "",
                    origin + ", line " + e.getLocation().getLineNr() + ": this is not valid YAML: "
                            + problem(e.getOriginalMessage()) + ".");
        } catch (IOException e) {
            throw new InvalidExperimentException("", origin + " cannot be parsed: " + firstLine(e.getMessage()) + ".");
        }
    }

    private static YamlNode node(YAMLParser parser, String origin, String path) throws IOException {
        int line = line(parser);
        if (parser.isCurrentAlias()) {
            throw new InvalidExperimentException(
                    path, origin + ", line " + line + ": an alias (*) stands here; write the value itself.");
        }
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            List<YamlNode> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                items.add(node(parser, origin, path + "[" + items.size() + "]"));
            }
            return new Sequence(line, items);
        }
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            Map<String, Entry> entries = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.currentName();
                int keyLine = line(parser);
                String keyPath = path.isEmpty() ? key : path + "." + key;
                parser.nextToken();
                Entry earlier = entries.put(key, new Entry(keyLine, node(parser, origin, keyPath)));
                if (earlier != null) {
                    throw new InvalidExperimentException(
                            keyPath,
                            origin + ", line " + keyLine + ": " + keyPath + " stands here a second time; it was given on line "
                                    + earlier.line() + " already, so delete one of the two.");
                }
            }
            return new Mapping(line, entries);
        }
        boolean nothing = parser.currentToken() == JsonToken.VALUE_NULL;
        return new Scalar(line, nothing ? "" : parser.getText().strip());
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    /** Of a report in which lines on what was being read, excerpts and positions surround the problem, the problem. */
    private static String problem(String report) {
        return report == null ? firstLine(report) : report.lines()
                .filter(line -> !line.isBlank() && !line.startsWith(" ") && !line.startsWith("while "))
                .findFirst()
                .map(YamlNode::firstLine)
                .orElseGet(() -> firstLine(report));
    }

    private static String firstLine(String message) {
        String first = message == null ? "no reason given" : message.lines().findFirst().orElse("no reason given").strip();
        return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
    }
}
