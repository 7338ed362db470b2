package keelscope.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.runfile.RunFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
    @TempDir
    Path parent;

    private final Experiment experiment = ExperimentFile.parse("""
            name: Größe & Tiefe
            model:
              layers: 4
              d_model: 16
              heads: 2
            data:
              text: sample
              batch: 2
              sequence: 16
            training:
              steps: 10
              peak_lr: 1.0e-3
              warmup: 2
            arms:
              - scheme: keel
            """, "the test", Path.of("."));

    @Test
    void aNameBecomesAPartOfAFileNameOnEverySystem() {
        assertThat(RunFolder.fileName("Keel, Pre-LN and Post-LN at 64 layers")).isEqualTo("keel-pre-ln-and-post-ln-at-64-layers");
        assertThat(RunFolder.fileName("  ../Größe:\\Tiefe?  ")).isEqualTo("grosse-tiefe");
        assertThat(RunFolder.fileName("深")).isEqualTo("experiment");
        assertThat(RunFolder.fileName("word ".repeat(30))).hasSizeLessThanOrEqualTo(48).endsWith("word");
    }

    @Test
    void foldersOfOneMinuteDifferAndHoldTheExperiment() {
        Path home = parent.resolve("runs");
        Path first = RunFolder.create(home, experiment);
        Path second = RunFolder.create(home, experiment);
        assertThat(first).isNotEqualTo(second).hasParent(home);
        assertThat(first.getFileName().toString()).matches("\\d{4}-\\d\\d-\\d\\d-\\d{4}-grosse-tiefe");
        assertThat(ExperimentFile.read(RunFolder.experiment(first))).isEqualTo(experiment);
        assertThat(ExperimentFile.read(RunFolder.experiment(second))).isEqualTo(experiment);
    }

    @Test
    void aFolderIsTakenForOneExperimentOnly() {
        Path folder = RunFolder.use(parent.resolve("mine"), experiment);
        assertThat(RunFolder.experiment(folder)).exists();
        assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunFolder.use(folder, experiment))
                .withMessageContaining("holds an experiment already");
    }

    @Test
    void aPlaceThatIsNoFolderIsRefusedWithTheReason() throws IOException {
        Path file = Files.createFile(parent.resolve("file"));
        assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunFolder.create(file, experiment))
                .withMessageContaining("The run folder " + file + " cannot be written")
                .withMessageContaining("choose another place");
        assertThatExceptionOfType(RunFileException.class).isThrownBy(() -> RunFolder.create(file.resolve("below"), experiment))
                .withMessageContaining("cannot be written");
    }
}
