package keelscope.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import keelscope.dashboard.Preset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @TempDir
    Path folder;

    @Test
    void whatWasKeptIsThereAtTheNextStart() {
        Path file = folder.resolve("new").resolve("window.json");
        Settings settings = Settings.in(file);
        settings.set("dark", true);
        settings.set("text", 150);
        settings.bounds(10, 20, 1300, 850);
        settings.arrangement(Preset.OVERVIEW.arrangement());
        settings.chosen(Map.of("loss", Map.of("log", "true")));
        settings.save();
        Settings again = Settings.in(file);
        assertThat(again.is("dark")).isTrue();
        assertThat(again.is("projector")).isFalse();
        assertThat(again.number("text", 100)).isEqualTo(150);
        assertThat(again.bounds().orElseThrow()).containsExactly(10, 20, 1300, 850);
        assertThat(again.arrangement()).contains(Preset.OVERVIEW.arrangement());
        assertThat(again.chosen()).isEqualTo(Map.of("loss", Map.of("log", "true")));
    }

    @Test
    void aFileThatIsDamagedIsLikeNone() throws Exception {
        Path file = Files.writeString(folder.resolve("window.json"), "{\"dark\": tr");
        assertThat(Settings.in(file).is("dark")).isFalse();
        Files.writeString(file, "{\"charts\": {\"rows\": [{\"height\": -1, \"places\": []}]}, \"window\": [1, 2]}");
        Settings settings = Settings.in(file);
        assertThat(settings.arrangement()).isEmpty();
        assertThat(settings.bounds()).isEmpty();
        assertThat(settings.chosen()).isEmpty();
        Files.writeString(file, "{\"chosen\": [3]}");
        assertThat(Settings.in(file).chosen()).isEmpty();
    }
}
