package keelscope.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import keelscope.export.LogImport;
import keelscope.export.Progress;
import keelscope.process.RunFolder;
import keelscope.run.FormulaArm;
import keelscope.run.RecordedRun;
import keelscope.runfile.RunStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLibraryTest {
    @TempDir
    Path folder;

    private Path home;
    private RunLibrary library;

    @BeforeEach
    void open() {
        home = folder.resolve("runs");
        library = new RunLibrary(home);
    }

    private Path recorded() {
        return RecordedRun.write(home, 8, 60, 60, RunStatus.FINISHED, "");
    }

    @Test
    void aFolderThatDoesNotExistYetHoldsNoRuns() {
        assertThat(library.scan()).isEmpty();
    }

    @Test
    void anExperimentIsOneRunWithItsArmsAndWhatTheyAre() {
        Path place = recorded();
        LibraryRun run = library.scan().get(0);
        assertThat(run.place()).isEqualTo(place);
        assertThat(run.name()).isEqualTo("Recorded from formulas");
        assertThat(run.schemes()).isEqualTo("Keel, Post-LN, Pre-LN");
        assertThat(run.layers()).isEqualTo(8);
        assertThat(run.width()).isEqualTo(64);
        assertThat(run.peakRate()).isEqualTo(3e-3);
        assertThat(run.live()).isFalse();
        // The last 5 % of 60 steps are 57, 58 and 59; the recorder's noise is N(0, 0.08²) at each.
        double keel = (FormulaArm.loss("keel", 57) + FormulaArm.loss("keel", 58) + FormulaArm.loss("keel", 59)) / 3;
        assertThat(run.arms().get(0).loss()).isCloseTo(keel, within(5 * 0.08 / Math.sqrt(3)));
        assertThat(run.arms().get(0).status()).isEqualTo(RunStatus.FINISHED);
    }

    @Test
    void aRunThatAppearsIsFoundByTheNextLook() {
        assertThat(library.scan()).isEmpty();
        recorded();
        assertThat(library.scan()).hasSize(1);
    }

    @Test
    void aDamagedFileDoesNotHideTheOthers() throws Exception {
        Path place = recorded();
        Files.writeString(place.resolve("keel.keelrun"), "not a run");
        assertThat(library.scan().get(0).arms()).extracting(arm -> arm.info().arm()).containsExactly("post_ln", "pre_ln");
    }

    @Test
    void whatItsOwnerWritesIsFoundAgainAndTheRunFileIsNotTouched() throws Exception {
        Path place = recorded();
        byte[] before = Files.readAllBytes(place.resolve("keel.keelrun"));
        LibraryRun run = library.scan().get(0);
        library.label(run, run.label().withName("The good one").withStar(true).withTags("deep, keel,,deep").withNotes("falls\nfast"));
        LibraryRun again = new RunLibrary(home).scan().get(0);
        assertThat(again.name()).isEqualTo("The good one");
        assertThat(again.label()).isEqualTo(new RunLabel("The good one", true, List.of("deep", "keel"), "falls\nfast"));
        assertThat(Files.readAllBytes(place.resolve("keel.keelrun"))).isEqualTo(before);
        assertThat(LibraryRun.matches(again.searched(), "GOOD deep")).isTrue();
        assertThat(LibraryRun.matches(again.searched(), "good wide")).isFalse();
        assertThat(LibraryRun.matches(again.searched(), "post-ln finished")).isTrue();
    }

    @Test
    void aDeletedRunLiesInTheTrashAndUndoBringsItBack() throws Exception {
        Path place = recorded();
        RunLibrary.Removed removed = library.remove(library.scan().get(0));
        assertThat(place).doesNotExist();
        assertThat(library.scan()).isEmpty();
        removed.undo();
        assertThat(library.scan()).extracting(LibraryRun::place).containsExactly(place);
    }

    @Test
    void aRunElsewhereIsRememberedAndDeletingItOnlyForgetsIt() throws Exception {
        Path elsewhere = RecordedRun.write(folder.resolve("else"), 8, 60, 20, RunStatus.STOPPED, "");
        library.remember(elsewhere);
        library.remember(elsewhere);
        assertThat(library.scan()).extracting(LibraryRun::place, LibraryRun::home).containsExactly(
                org.assertj.core.groups.Tuple.tuple(elsewhere, false));
        RunLibrary.Removed removed = library.remove(library.scan().get(0));
        assertThat(library.scan()).isEmpty();
        assertThat(elsewhere.resolve("keel.keelrun")).exists();
        removed.undo();
        assertThat(library.scan()).hasSize(1);
    }

    @Test
    void anImportedLogIsARunOfItsOwnAndIsDeletedAlone() throws Exception {
        Path imported = Files.createDirectories(home.resolve("imported"));
        for (String name : List.of("a", "b")) {
            Path log = Files.writeString(folder.resolve(name + ".csv"), "step,loss,lr\n0,3,0.1\n1,2,0.2\n");
            LogImport.read(log, RunFolder.runFile(imported, name), Progress.UNWATCHED);
        }
        List<LibraryRun> runs = library.scan();
        assertThat(runs).extracting(LibraryRun::name).containsExactlyInAnyOrder("a", "b");
        assertThat(runs.get(0).peakRate()).isEqualTo(0.2);
        library.remove(runs.get(0));
        try (Stream<Path> left = Files.list(imported)) {
            assertThat(left.filter(file -> file.toString().endsWith(".keelrun"))).hasSize(1);
        }
    }

    @Test
    void somethingInItsPlaceIsNotOverwrittenByUndo() throws Exception {
        Path place = recorded();
        RunLibrary.Removed removed = library.remove(library.scan().get(0));
        Files.createDirectory(place);
        assertThatThrownBy(removed::undo).isInstanceOf(LibraryException.class).hasMessageContaining(place.toString()).hasMessageEndingWith(".");
    }
}
