package keelscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import keelscope.process.RunFolder;
import keelscope.runfile.Command;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SendCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int send(String... words) {
        CommandLine line = Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        List<String> all = new java.util.ArrayList<>(List.of("send"));
        all.addAll(List.of(words));
        return line.execute(all.toArray(String[]::new));
    }

    private RunWriter engine(String arm) {
        RunWriter run = RunWriter.create(RunFolder.runFile(folder, arm), new RunInfo("e", "", arm, arm, 2, 8, 1, 20, 100, 1, 1, "d", "",
                256, "cpu", "", 1, 0));
        run.state(RunStatus.RUNNING, "");
        run.step(new StepRecord(0, 100, 1, 1, 1, 1, 1, 1), Map.of(Measure.PARAM_GRAD_NORM, new float[] {1, 1}), OptionalDouble.empty());
        return run;
    }

    @Test
    void aFolderMeansEveryArmAtWork() {
        try (RunWriter a = engine("a"); RunWriter b = engine("b")) {
            engine("done").close();
            assertThat(send(folder.toString(), "pause")).as(err.toString()).isZero();
            assertThat(a.pendingCommands()).extracting(Command::name).containsExactly("pause");
            assertThat(b.pendingCommands()).extracting(Command::name).containsExactly("pause");
            assertThat(out.toString().lines()).containsExactly("a: asked for pause after step 0", "b: asked for pause after step 0");
        }
    }

    @Test
    void anArmOrItsFileMeansThatOne() {
        try (RunWriter a = engine("a"); RunWriter b = engine("b")) {
            assertThat(send(folder.toString(), "b", "lr", "x0.5")).isZero();
            assertThat(send(RunFolder.runFile(folder, "b").toString(), "lr", "=1e-3")).isZero();
            assertThat(a.pendingCommands()).isEmpty();
            assertThat(b.pendingCommands()).extracting(Command::argument).containsExactly("x0.5", "=1e-3");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "paws | There is no command paws and no arm of that name",
        "a paws | There is no command paws",
        "a lr | lr needs one rate",
        "a lr fast | \"fast\" is not a learning rate",
        "a lr x0 | \"x0\" is not a learning rate",
        "a lr 0.0e-3 | \"0.0e-3\" is not a learning rate",
        "a stop now | stop takes nothing further"
    })
    void whatCannotBeSentIsRefused(String words, String sentence) {
        try (RunWriter a = engine("a")) {
            String[] all = (folder + " " + words).split(" ");
            assertThat(send(all)).isEqualTo(2);
            assertThat(err.toString()).contains(sentence);
            assertThat(a.pendingCommands()).isEmpty();
        }
    }

    @Test
    void aFolderThatIsNotThereIsSaidToBeMissing() {
        assertThat(send(folder.resolve("nope").toString(), "keel", "pause")).isEqualTo(Main.REFUSED);
        assertThat(err.toString()).startsWith("There is no run folder or run file ").contains("nope; check the path.");
    }

    @Test
    void whereNoEngineIsAtWorkThereIsNoneToAsk() throws Exception {
        engine("a").close();
        assertThat(send(folder.toString(), "stop")).isEqualTo(Main.REFUSED);
        assertThat(err.toString().lines()).singleElement().asString().startsWith("No engine is at work on ").endsWith("to ask for stop.");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThat(send(empty.toString(), "stop")).isEqualTo(Main.REFUSED);
        assertThat(err.toString()).contains("holds no run file");
    }
}
