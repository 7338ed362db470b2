package keelscope.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import keelscope.export.RunExport.Format;
import keelscope.runfile.RunFileException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunExportTest {

    @TempDir
    Path folder;

    private List<Path> runs;

    /** Two runs whose arms have the same name. */
    @BeforeEach
    void writeRuns() throws IOException {
        Path experiment = Files.createDirectories(folder.resolve("runs/one"));
        runs = List.of(Runs.write(experiment.resolve("a.keelrun"), 20), Runs.write(experiment.resolve("b.keelrun"), 30));
    }

    @Test
    void eachRunHasAFolderOfItsOwn() throws IOException {
        Path target = folder.resolve("csv");
        assertThat(RunExport.write(runs, Format.CSV, target, Progress.UNWATCHED))
                .containsExactly(target.resolve("keel"), target.resolve("keel-2"));
        assertThat(Files.readAllLines(target.resolve("keel/steps.csv"))).hasSize(21);
        assertThat(Files.readAllLines(target.resolve("keel-2/steps.csv"))).hasSize(31);
    }

    @Test
    void aFolderStandsForTheRunFilesInItOrOneBelow() {
        assertThat(RunExport.runFiles(folder.resolve("runs/one"))).isEqualTo(runs);
        assertThat(RunExport.runFiles(folder.resolve("runs"))).isEqualTo(runs);
        assertThat(RunExport.runFiles(runs.get(0))).containsExactly(runs.get(0));
        Path empty = folder.resolve("runs/two");
        assertThat(empty.toFile().mkdir()).isTrue();
        assertThatThrownBy(() -> RunExport.runFiles(empty))
                .isInstanceOf(ExportException.class)
                .hasMessage("There is no run file in the folder " + empty + "; run files end in .keelrun.");
    }

    @Test
    void cancelledInTheSecondRunNothingIsLeftOfTheFirst() {
        for (Format format : Format.values()) {
            assertThatThrownBy(() -> RunExport.write(runs, format, folder.resolve("out"), share -> share < 0.7))
                    .isInstanceOf(CancellationException.class);
            assertThat(folder).isDirectoryNotContaining(f -> f.getFileName().toString().startsWith("out"));
        }
    }

    @Test
    void aFolderThatCannotBeMadeIsToldOfInWords() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "in the way");
        Path target = file.resolve("csv");
        assertThatThrownBy(() -> RunExport.write(runs, Format.CSV, target, Progress.UNWATCHED))
                .isInstanceOf(ExportException.class)
                .hasMessage("The export to " + target + " cannot be written: not a directory; choose another folder.");
    }

    @Test
    void aRunThatCannotBeReadLeavesNothingAndIsNamed() throws IOException {
        Path bad = Files.writeString(folder.resolve("runs/one/c.keelrun"), "not a run");
        assertThatThrownBy(() -> RunExport.write(List.of(runs.get(0), bad), Format.CSV, folder.resolve("out"), Progress.UNWATCHED))
                .isInstanceOf(RunFileException.class)
                .hasMessageStartingWith(bad + " is not a run file");
        assertThat(folder).isDirectoryNotContaining(f -> f.getFileName().toString().startsWith("out"));
    }
}
