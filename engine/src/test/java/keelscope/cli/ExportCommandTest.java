package keelscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import keelscope.process.JavaCommand;
import keelscope.process.Waiting;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ExportCommandTest {
    private static final int LAYERS = 4;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(Object... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        return line.execute(words);
    }

    private Path run(String arm, int steps) {
        Path file = folder.resolve(arm + ".keelrun");
        RunInfo info = new RunInfo("depth", "", arm, "keel", LAYERS, 8, 1234, steps, 512, 4, 1, "sample", "ab", 256, "cpu", "", 1, 1);
        try (RunWriter run = RunWriter.create(file, info)) {
            for (int s = 0; s < steps; s++) {
                run.step(new StepRecord(s, 512L * (s + 1), 5.0 / (s + 1), 1e-3, 0.5, 20, 20L * (s + 1), 1 << 20),
                        Map.of(Measure.PARAM_GRAD_NORM, new float[LAYERS]), OptionalDouble.empty());
            }
            run.state(RunStatus.FINISHED, "");
        }
        return file;
    }

    @Test
    void runsGoOutAsCsvAndTensorBoardAndComeBackIn() {
        Path keel = run("keel", 20);
        Path pre = run("pre_ln", 10);
        Path csv = folder.resolve("csv");
        Path board = folder.resolve("board");
        assertThat(execute("export", keel, pre, "--csv", csv, "--tensorboard", board)).as(err.toString()).isZero();
        assertThat(out.toString()).contains("Wrote " + csv.resolve("keel"), "Wrote " + board.resolve("pre_ln"));
        assertThat(execute("import", board, csv.resolve("keel/steps.csv"), "--out", folder.resolve("in"))).as(err.toString()).isZero();
        for (String name : new String[] {"keel", "steps"}) {
            try (RunReader run = RunReader.open(folder.resolve("in/" + name + ".keelrun"))) {
                assertThat(run.lastStep()).isEqualTo(19);
                assertThat((float) run.records(19, 19).get(0).loss()).isEqualTo(0.25f);
            }
        }
    }

    @Test
    void aSeriesOfAnotherNameIsImportedWhereItIsNamed() throws IOException {
        Path log = Files.writeString(folder.resolve("log.csv"), "step,nll,held\n0,3,4\n1,2,3\n");
        assertThat(execute("import", log, "--out", folder)).isEqualTo(Main.REFUSED);
        assertThat(err.toString()).isEqualToNormalizingNewlines(
                "None of the series nll, held is known as a training loss; name one with --loss.\n");
        assertThat(execute("import", log, "--out", folder, "--loss", "nll", "--val-loss", "held", "--name", "GPT: 1")).isZero();
        try (RunReader run = RunReader.open(folder.resolve("GPT_ 1.keelrun"))) {
            assertThat(run.info().arm()).isEqualTo("GPT: 1");
            assertThat(run.records(0, 9)).extracting(StepRecord::loss).containsExactly(3.0, 2.0);
            assertThat(run.validation(-1)).hasSize(2);
        }
        assertThat(execute("import", log, "--out", folder, "--loss", "none")).isEqualTo(Main.REFUSED);
        assertThat(err.toString()).contains("The log has no series none (--loss); it has nll, held.");
    }

    @Test
    void whatCannotBeExportedIsRefusedInOneSentence() throws IOException {
        Path keel = run("keel", 2);
        assertThat(execute("export", folder.resolve("none.keelrun"), "--csv", folder.resolve("csv"))).isEqualTo(Main.REFUSED);
        assertThat(err.toString().lines()).singleElement().asString().contains("There is no run file").contains("none.keelrun");
        Files.createDirectories(folder.resolve("full/of"));
        assertThat(execute("export", keel, "--csv", folder.resolve("full"))).isEqualTo(Main.REFUSED);
        assertThat(err.toString()).contains(folder.resolve("full") + " exists already");
        assertThat(execute("export", keel)).isEqualTo(CommandLine.ExitCode.USAGE);
    }

    /** As with Ctrl-C: the process is asked to end while it writes. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void endedFromOutsideAnExportLeavesNothing() throws Exception {
        Path keel = run("keel", 60_000);
        Path target = folder.resolve("csv");
        Path unfinished = folder.resolve("csv.unfinished");
        Process export = new ProcessBuilder(JavaCommand.of(Main.class, "export", keel.toString(), "--csv", target.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        Waiting.until("the export to have begun", () -> Files.exists(unfinished) || !export.isAlive());
        export.destroy();
        assertThat(export.waitFor()).isNotZero();
        assertThat(target).doesNotExist();
        assertThat(unfinished).doesNotExist();
        assertThat(folder.resolve("said")).hasContent("Cancelled; nothing was left behind.");
    }

    @Test
    void theBarTellsTheShareAndTheTimeLeft() {
        assertThat(LongTask.line("CSV", 0.25, Duration.ofSeconds(4))).isEqualTo("CSV [########------------------------]  25 %  0:12 left");
        assertThat(LongTask.line("CSV", 0, Duration.ZERO)).isEqualTo("CSV [--------------------------------]   0 %");
    }
}
