package keelscope.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import keelscope.run.RecordedRun;
import keelscope.runfile.RunStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeadlessTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Headless headless = new Headless(print(out), print(err));

    @Test
    void leavesAPictureOfEachChartAndASummaryInTheRunsFolderAndSaysWhere() throws Exception {
        Path run = RecordedRun.write(folder, 16, 100, 100, RunStatus.FINISHED, "");
        assertThat(headless.run(List.of(run.toString()))).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(run.toString());
        for (String chart : List.of(
                "loss", "gradient-by-layer", "gradient-heat-map", "carry-gate", "highway-transport")) {
            var picture = ImageIO.read(run.resolve(chart + ".png").toFile());
            assertThat(picture.getWidth()).isGreaterThan(1500);
            assertThat(picture.getHeight()).isGreaterThan(900);
        }
        // The recorded transport of pre_ln is 1 everywhere, its carry gate 1 - 0.3 / (1 + l): 0.7 at l = 0.
        assertThat(Files.readString(run.resolve("summary.txt")))
                .contains("Pre-LN: finished")
                .contains("highway transport to the first sub-layer: 1.000")
                .contains("carry gate by sub-layer: 0.7000");
    }

    @Test
    void anExperimentThatIsNotThereIsRefusedInOneSentence() {
        assertThat(headless.run(List.of(folder.resolve("nowhere.yaml").toString()))).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8).strip()).contains("nowhere.yaml").endsWith(".").doesNotContain("\n");
    }

    @Test
    void aTextThatIsNotThereIsRefusedInOneSentenceBeforeARunFolderIsMade() throws Exception {
        Path experiment = Files.writeString(folder.resolve("lost.yaml"), """
                name: Lost
                model: {layers: 2, d_model: 8, heads: 2}
                data: {text: nope.txt, batch: 1, sequence: 8}
                training: {steps: 2, peak_lr: 1.0e-3}
                arms:
                  - scheme: keel
                """);
        Path runs = folder.resolve("runs");
        assertThat(headless.run(List.of(experiment.toString(), "--out", runs.toString()))).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8).strip()).contains("nope.txt does not exist").doesNotContain("\n");
        assertThat(runs).doesNotExist();
    }

    @Test
    void aFolderWithoutRunFilesIsRefusedInOneSentence() throws Exception {
        assertThat(headless.run(List.of(Files.createDirectory(folder.resolve("empty")).toString()))).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8).strip()).contains("empty").doesNotContain("\n");
    }

    @Test
    void anUnknownOptionIsRefusedWithWhatIsAllowed() {
        assertThat(headless.run(List.of("--fast"))).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--fast").contains("--out");
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
