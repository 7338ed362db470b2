package keelscope.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import keelscope.export.LogImport.Columns;
import keelscope.export.LogImport.Target;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import keelscope.runfile.StepSeries;
import keelscope.runfile.ValidationRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogImportTest {

    @TempDir
    Path folder;

    private Path csv(String text) throws IOException {
        return Files.writeString(folder.resolve("log.csv"), text);
    }

    private RunReader imported(Path log) {
        Path target = folder.resolve("imported.keelrun");
        LogImport.read(log, target, Progress.UNWATCHED);
        return RunReader.open(target);
    }

    @Test
    void aCsvLogOpensAsARun() throws IOException {
        Path log = csv("step,train/loss,val/loss,lr,note\n0,5.5,,1e-3,start\n10,4.25,4.5,2e-3,\n\n20,nan,,,x\n");
        try (RunReader run = imported(log)) {
            StepSeries steps = run.steps(0, 100, 100);
            assertThat(steps.firstStep()).containsExactly(0, 10, 20);
            assertThat(steps.loss()).containsExactly(5.5, 4.25, Double.NaN);
            assertThat(steps.lr()).containsExactly(1e-3, 2e-3, Double.NaN);
            assertThat(steps.gradNorm()).containsOnly(Double.NaN);
            assertThat(run.validation(-1)).containsExactly(new ValidationRecord(10, 4.5));
            assertThat(run.state().status()).isEqualTo(RunStatus.FINISHED);
            assertThat(run.info().scheme()).isEqualTo("imported");
            assertThat(run.info().arm()).isEqualTo("log");
        }
    }

    @Test
    void aRunOfAnotherNameSaysWhichLogItWasReadFrom() throws IOException {
        Path log = csv("step,loss\n0,5.5\n1,4.5\n");
        Target target = Target.in(folder, "Mine");
        LogImport.read(log, target, Columns::guess, Progress.UNWATCHED);
        try (RunReader run = RunReader.open(target.file())) {
            assertThat(run.info().arm()).isEqualTo("Mine");
            assertThat(run.info().data()).isEqualTo("read from " + log);
            assertThat(run.state().message()).isEqualTo("Read from " + log + ".");
        }
    }

    @Test
    void semicolonsDecimalCommasQuotesAndAByteOrderMarkAreUnderstood() throws IOException {
        ScalarLog log = CsvLog.read(csv("\uFEFF\"Iteration\";\"loss; mean\";lr\n1;2,5;1,0E-3\n2;\"2,25\";0.001\n"), Progress.UNWATCHED);
        assertThat(log.names()).containsExactly("loss; mean", "lr");
        assertThat(log.series("loss; mean").get(1).value()).isEqualTo(2.5);
        assertThat(log.series("loss; mean").get(2).value()).isEqualTo(2.25);
        assertThat(log.series("lr").get(1).value()).isEqualTo(1e-3);
        assertThat(log.series("lr").get(2).value()).isEqualTo(1e-3);
    }

    @Test
    void linesAreCountedWhereNoColumnHoldsTheSteps() throws IOException {
        ScalarLog log = CsvLog.read(csv("loss\n3\n2\n1\n"), Progress.UNWATCHED);
        assertThat(log.series("loss").keySet()).containsExactly(0, 1, 2);
    }

    @Test
    void aRunExportedToTensorBoardComesBackAsTheSameRun() {
        Path original = Runs.write(folder.resolve("keel.keelrun"), 50);
        try (RunReader before = RunReader.open(original)) {
            Path board = TensorBoardExport.write(before, folder.resolve("board"), Progress.UNWATCHED);
            try (RunReader after = imported(board)) {
                StepSeries steps = after.steps(0, 49, 50);
                assertThat(steps.size()).isEqualTo(50);
                for (int s = 0; s < 50; s++) {
                    assertThat(steps.loss()[s]).isEqualTo((float) Runs.loss(s));
                    assertThat(steps.gradNorm()[s]).isEqualTo(s + 0.5);
                }
                assertThat(steps.stepMs()[7]).isEqualTo(20);
                assertThat(after.validation(-1)).hasSize(5);
                assertThat(after.info().createdMs()).isEqualTo(Runs.CREATED_MS + 20);
            }
        }
    }

    @Test
    void aRunExportedToCsvComesBackAsTheSameRun() {
        try (RunReader before = RunReader.open(Runs.write(folder.resolve("keel.keelrun"), 50))) {
            Path csv = CsvExport.write(before, folder.resolve("csv"), Progress.UNWATCHED);
            try (RunReader after = imported(csv.resolve("steps.csv"))) {
                assertThat(after.steps(0, 49, 50).loss()).containsExactly(before.steps(0, 49, 50).loss());
                assertThat(after.steps(0, 49, 50).tokens()).containsExactly(before.steps(0, 49, 50).tokens());
            }
        }
    }

    /** A float32 holds 512 · (s + 1) exactly, and s / 1000 to 24 bits. */
    @Test
    void aRunExportedToTensorBoardComesBackWithItsTokensAndItsRateAsFarAsAFloatHoldsIt() {
        try (RunReader before = RunReader.open(Runs.write(folder.resolve("keel.keelrun"), 50))) {
            Path board = TensorBoardExport.write(before, folder.resolve("board"), Progress.UNWATCHED);
            try (RunReader after = imported(board)) {
                assertThat(after.steps(0, 49, 50).tokens()).containsExactly(before.steps(0, 49, 50).tokens());
                double[] lr = after.steps(0, 49, 50).lr();
                for (int s = 0; s < lr.length; s++) {
                    assertThat(lr[s]).isCloseTo(s / 1000.0, withinPercentage(100 * Math.pow(2, -24)));
                }
            }
        }
    }

    @Test
    void columnsAreFoundByTheirUsualNames() {
        Columns columns = Columns.guess(Set.of("Train/Loss", "eval/loss", "train/learning_rate", "train.grad-norm", "other"));
        assertThat(columns)
                .isEqualTo(new Columns("Train/Loss", Optional.of("eval/loss"), Optional.of("train/learning_rate"),
                        Optional.of("train.grad-norm"), Optional.empty()));
    }

    @Test
    void aLogWithoutATrainingLossIsRefusedNamingWhatItHas() throws IOException {
        Path log = csv("step,accuracy\n0,0.5\n");
        assertThatThrownBy(() -> LogImport.read(log, folder.resolve("x.keelrun"), Progress.UNWATCHED))
                .isInstanceOf(ExportException.class)
                .hasMessage("None of the series accuracy is known as a training loss; name one with --loss.");
        assertThat(folder.resolve("x.keelrun")).doesNotExist();
    }

    @Test
    void badCsvIsRefusedWithItsLine() throws IOException {
        assertThatThrownBy(() -> CsvLog.read(csv("step,loss\n0,1\n1\n"), Progress.UNWATCHED))
                .hasMessage(folder.resolve("log.csv") + " has 1 cells in line 3 and 2 columns in its header.");
        assertThatThrownBy(() -> CsvLog.read(csv("step,loss\n0.5,1\n"), Progress.UNWATCHED))
                .hasMessage(folder.resolve("log.csv") + " has the step \"0.5\" in line 2; steps are whole numbers from 0.");
        assertThatThrownBy(() -> CsvLog.read(csv(""), Progress.UNWATCHED)).hasMessageContaining("no header line");
        Files.write(folder.resolve("log.csv"), new byte[] {'a', (byte) 0xff, '\n'});
        assertThatThrownBy(() -> CsvLog.read(folder.resolve("log.csv"), Progress.UNWATCHED)).hasMessageContaining("not a text in UTF-8");
        assertThatThrownBy(() -> CsvLog.read(folder.resolve("none.csv"), Progress.UNWATCHED)).hasMessage("There is no file " + folder.resolve("none.csv") + ".");
    }

    @Test
    void aFolderOfRunFoldersHasALogForEach() {
        try (RunReader run = RunReader.open(Runs.write(folder.resolve("keel.keelrun"), 5))) {
            Path board = folder.resolve("board");
            TensorBoardExport.write(run, board.resolve("keel"), Progress.UNWATCHED);
            TensorBoardExport.write(run, board.resolve("pre_ln"), Progress.UNWATCHED);
            assertThat(LogImport.logs(board)).containsExactly(board.resolve("keel"), board.resolve("pre_ln"));
            assertThat(LogImport.logs(board.resolve("keel"))).containsExactly(board.resolve("keel"));
        }
    }

    @Test
    void aCancelledImportLeavesNoFile() throws IOException {
        Path log = csv("step,loss\n0,1\n1,1\n");
        Path target = folder.resolve("x.keelrun");
        assertThatThrownBy(() -> LogImport.read(log, target, share -> share < 0.6)).isInstanceOf(CancellationException.class);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(log);
        }
    }
}
