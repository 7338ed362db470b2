package keelscope.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import keelscope.dashboard.Arrangement;
import org.slf4j.LoggerFactory;

/**
 * What the window remembers between starts: its looks, its place on the screen, the arrangement of its charts and what was
 * chosen on them, in a small JSON file. A file that cannot be read or written never keeps the window from opening: what it would have
 * remembered is then as at the first start.
 */
final class Settings {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Optional<Path> file;
    private final ObjectNode values;

    private Settings(Optional<Path> file, ObjectNode values) {
        this.file = file;
        this.values = values;
    }

    /** Settings that are forgotten with the program. */
    static Settings forgotten() {
        return new Settings(Optional.empty(), JSON.createObjectNode());
    }

    /** Settings kept in {@code file}, which need not exist. */
    static Settings in(Path file) {
        ObjectNode values = JSON.createObjectNode();
        if (Files.exists(file)) {
            try {
                if (JSON.readTree(file.toFile()) instanceof ObjectNode read) {
                    values = read;
                }
            } catch (IOException e) {
                LoggerFactory.getLogger(Settings.class).debug("Settings in {} cannot be read", file, e);
            }
        }
        return new Settings(Optional.of(file), values);
    }

    /** The user's settings, where the system keeps those of programs. */
    static Settings ofUser() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        Path home = Path.of(System.getProperty("user.home"));
        Path folder;
        if (system.contains("win")) {
            folder = variable("APPDATA").orElse(home.resolve("AppData").resolve("Roaming"));
        } else if (system.contains("mac")) {
            folder = home.resolve("Library").resolve("Application Support");
        } else {
            folder = variable("XDG_CONFIG_HOME").orElse(home.resolve(".config"));
        }
        return in(folder.resolve("keelscope").resolve("window.json"));
    }

    private static Optional<Path> variable(String name) {
        String value = System.getenv(name);
        return value == null || value.isBlank() ? Optional.empty() : Optional.of(Path.of(value));
    }

    boolean is(String name) {
        return values.path(name).asBoolean(false);
    }

    void set(String name, boolean value) {
        values.put(name, value);
    }

    int number(String name, int otherwise) {
        return values.path(name).asInt(otherwise);
    }

    void set(String name, int value) {
        values.put(name, value);
    }

    /** Where the window was, in points: x, y, width, height. */
    Optional<double[]> bounds() {
        JsonNode node = values.path("window");
        if (!node.isArray() || node.size() != 4) {
            return Optional.empty();
        }
        double[] bounds = new double[4];
        for (int i = 0; i < bounds.length; i++) {
            bounds[i] = node.get(i).asDouble(Double.NaN);
            if (!Double.isFinite(bounds[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(bounds);
    }

    void bounds(double x, double y, double width, double height) {
        values.putArray("window").add(x).add(y).add(width).add(height);
    }

    /** The arrangement of the charts, if one was kept that can be read. */
    Optional<Arrangement> arrangement() {
        if (!values.has("charts")) {
            return Optional.empty();
        }
        try {
            Arrangement kept = JSON.treeToValue(values.get("charts"), Arrangement.class);
            return Optional.ofNullable(kept).filter(arrangement -> !arrangement.rows().isEmpty());
        } catch (JsonProcessingException e) {
            LoggerFactory.getLogger(Settings.class).debug("The arrangement of the charts cannot be read", e);
            return Optional.empty();
        }
    }

    void arrangement(Arrangement arrangement) {
        values.set("charts", JSON.valueToTree(arrangement));
    }

    /** What was chosen on each chart, by its id. */
    Map<String, Map<String, String>> chosen() {
        try {
            return Optional.ofNullable(JSON.convertValue(values.get("chosen"), new TypeReference<Map<String, Map<String, String>>>() {}))
                    .orElse(Map.of());
        } catch (IllegalArgumentException e) {
            LoggerFactory.getLogger(Settings.class).debug("What was chosen on the charts cannot be read", e);
            return Map.of();
        }
    }

    void chosen(Map<String, Map<String, String>> chosen) {
        values.set("chosen", JSON.valueToTree(chosen));
    }

    /** Writes the file, if there is one. */
    void save() {
        if (file.isEmpty()) {
            return;
        }
        try {
            Path folder = file.get().toAbsolutePath().getParent();
            Files.createDirectories(folder);
            // Written aside, so that a program that ends meanwhile leaves the old settings whole.
            Path aside = Files.createTempFile(folder, "window", ".json");
            JSON.writerWithDefaultPrettyPrinter().writeValue(aside.toFile(), values);
            Files.move(aside, file.get(), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            LoggerFactory.getLogger(Settings.class).warn("Settings cannot be kept in {}: {}", file.get(), e.getMessage());
        }
    }
}
