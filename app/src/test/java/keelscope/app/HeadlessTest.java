package keelscope.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import keelscope.experiment.ExperimentFile;
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
    void theOverviewHasNothingToPressSoRightOfATitleThereIsPaper() throws Exception {
        Path run = RecordedRun.write(folder, 16, 20, 20, RunStatus.FINISHED, "");
        assertThat(headless.run(List.of(run.toString()))).isZero();
        BufferedImage overview = ImageIO.read(run.resolve("overview.png").toFile());
        // The end of the header of the chart at the top right, where the window has a button.
        BufferedImage end = overview.getSubimage(overview.getWidth() - 110, 18, 80, 22);
        int paper = end.getRGB(0, 0);
        assertThat(IntStream.range(0, 80 * 22).map(at -> end.getRGB(at % 80, at / 80))).containsOnly(paper);
    }

    @Test
    void leavesNoFileOfTheDatabasesBesideARunFile() {
        Path run = RecordedRun.write(folder, 16, 20, 20, RunStatus.FINISHED, "");
        assertThat(headless.run(List.of(run.toString()))).isZero();
        assertThat(run.toFile().list()).filteredOn(name -> name.contains(".keelrun"))
                .containsExactlyInAnyOrder("keel.keelrun", "pre_ln.keelrun", "post_ln.keelrun");
    }

    @Test
    void anAlteredRunFileIsNamedInOneSentenceAndTheOthersAreDrawn() throws Exception {
        Path run = RecordedRun.write(folder, 16, 20, 20, RunStatus.FINISHED, "");
        alter(run.resolve("keel.keelrun"), "UPDATE meta SET value = 'abc' WHERE key = 'layers'");
        assertThat(headless.run(List.of(run.toString()))).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8).lines()).filteredOn(line -> line.contains("damaged")).singleElement().asString()
                .startsWith("The run file " + run.resolve("keel.keelrun") + " is damaged (layers is 'abc', no number)");
        assertThat(Files.readString(run.resolve("summary.txt"))).contains("Pre-LN: finished").doesNotContain("Keel: ");
    }

    /** As on a full disk: a run without an end whose file could be opened, but not be read after that. */
    @Test
    void anArmThatCannotBeReadAndHasNoEngineHasEnded() throws Exception {
        Path run = RecordedRun.write(folder, 16, 20, 20, RunStatus.FINISHED, "");
        alter(run.resolve("keel.keelrun"), "UPDATE state SET status = 'DONE'");
        assertThat(headless.run(List.of(run.toString()))).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8).lines()).filteredOn(line -> line.contains("damaged")).singleElement().asString()
                .contains("keel.keelrun").contains("its state is 'DONE'");
        assertThat(Files.readString(run.resolve("summary.txt"))).contains("Keel: engine ended").contains("Pre-LN: finished");
        assertThat(run.resolve("overview.png")).isRegularFile();
    }

    private static void alter(Path runFile, String sql) throws Exception {
        try (Connection file = DriverManager.getConnection("jdbc:sqlite:" + runFile);
                Statement statement = file.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    @Test
    void whereTheRunsFolderTakesNothingPicturesAreLeftElsewhereAndItSaysWhere() throws Exception {
        Path run = RecordedRun.write(folder, 16, 20, 20, RunStatus.FINISHED, "");
        // As on a full disk, which only root could make: the summary cannot be written.
        Files.createDirectories(run.resolve("summary.txt").resolve("in the way"));
        assertThat(headless.run(List.of(run.toString()))).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("Nothing can be written into " + run);
        Path elsewhere = out.toString(StandardCharsets.UTF_8).lines()
                .filter(line -> line.startsWith("Summary and pictures of the charts are in "))
                .map(line -> Path.of(line.substring(line.indexOf(" in ") + 4, line.length() - 1)))
                .findFirst()
                .orElseThrow();
        assertThat(elsewhere.resolve("summary.txt")).isRegularFile();
        assertThat(elsewhere.resolve("overview.png")).isRegularFile();
        assertThat(run.resolve("overview.png")).doesNotExist();
    }

    @Test
    void armsOfDifferentLengthAreAnnouncedWithTheFewestAndTheMostSteps() {
        String yaml = """
                name: Lengths
                model: {layers: 8, d_model: 8, heads: 2}
                data: {text: sample, batch: 1, sequence: 8}
                training: {steps: 3000, peak_lr: 1.0e-3}
                arms:
                  - scheme: keel
                  - {scheme: pre_ln, training: {steps: 2900}}
                """;
        assertThat(Headless.training(ExperimentFile.parse(yaml, "lengths.yaml", folder))).contains("2 arms, L = 8, 2900 to 3000 steps.");
        assertThat(Headless.training(ExperimentFile.parse(yaml.replace("2900", "3000"), "lengths.yaml", folder)))
                .contains("2 arms, L = 8, 3000 steps.");
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
