package keelscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import keelscope.data.Tokenizer;
import keelscope.generate.Checkpoints;
import keelscope.model.Architecture;
import keelscope.model.Scheme;
import keelscope.process.JavaCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code sample}, {@code perplexity} and {@code redundancy} as a user types them. */
class ModelCommandsTest {

    @TempDir
    Path folder;

    private StringWriter out;
    private StringWriter err;

    private int execute(Object... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        return line.execute(words);
    }

    private Path checkpoint() {
        Architecture model = new Architecture(Scheme.KEEL, 4, 16, 2, 40, 256, Double.NaN, false);
        return Checkpoints.write(folder, model, 16, Optional.of(Tokenizer.BYTES.definition()));
    }

    @Test
    void aModelWritesOnFromThePromptTheSameForTheSameSeed() {
        Path file = checkpoint();
        assertThat(execute("sample", file, "--prompt", "Once", "--tokens", 30, "--seed", 5)).as(err.toString()).isZero();
        String first = out.toString();
        assertThat(first).startsWith("Once").endsWith(System.lineSeparator()).hasSizeGreaterThan(8);
        assertThat(err.toString()).contains("Keel, 4 layers of width 16, after 5 steps, validation loss 2.500");
        // The checkpoint's folder and the run folder mean the same checkpoint.
        for (Path source : List.of(file.getParent(), folder)) {
            execute("sample", source, "--prompt", "Once", "--tokens", 30, "--seed", 5);
            assertThat(out).hasToString(first);
        }
        execute("sample", folder, "--best", "--prompt", "Once", "--tokens", 30, "--seed", 6, "--top-k", 3, "--temperature", 1.2);
        assertThat(out.toString()).isNotEqualTo(first);
    }

    @Test
    void perplexityAndRedundancyArePrinted() throws IOException {
        Path file = checkpoint();
        Path text = Files.writeString(folder.resolve("text.txt"), "The norm of a stream of norms.\n".repeat(8));
        assertThat(execute("perplexity", file, text)).as(err.toString()).isZero();
        assertThat(out.toString()).contains("perplexity ", "nats a token", "bits per byte", "247 predicted, to the end of the text");
        Path csv = folder.resolve("table.csv");
        assertThat(execute("redundancy", file, text, "--tokens", 64, "--csv", csv)).as(err.toString()).isZero();
        assertThat(out.toString()).contains("on 64 tokens", "ΔPPL", "    0  attention", "    3  feed-forward");
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines).hasSize(5).startsWith("l,kind,perplexity,perplexity_without,delta");
        String[] last = lines.get(4).split(",");
        assertThat(last[1]).isEqualTo("feed-forward");
        assertThat(Double.parseDouble(last[4])).isEqualTo(Double.parseDouble(last[3]) - Double.parseDouble(last[2]));
    }

    /** From training to asking, with nothing but the run folder in between: the text trained on is gone. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void whatWasTrainedCanBeAskedWithoutItsText() throws Exception {
        Path text = Files.writeString(folder.resolve("text.txt"), "keel α carries the sum.\n".repeat(200));
        Path experiment = Files.writeString(folder.resolve("tiny.yaml"), """
                name: tiny
                device: cpu
                threads: 1
                model: {layers: 4, d_model: 16, heads: 2}
                data: {text: text.txt, tokenizer: characters, batch: 4, sequence: 16}
                training: {steps: 60, peak_lr: 2.0e-2, warmup: 5}
                arms: [{scheme: keel}]
                """);
        Path run = folder.resolve("run");
        Process training = new ProcessBuilder(JavaCommand.of(Main.class, "run", experiment.toString(), "--out", run.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        assertThat(training.waitFor()).as(Files.readString(folder.resolve("said"))).isZero();
        Path same = Files.move(text, folder.resolve("elsewhere.txt"));
        assertThat(execute("sample", run, "--prompt", "keel α", "--tokens", 20, "--temperature", 0)).as(err.toString()).isZero();
        assertThat(out.toString()).startsWith("keel α").hasSizeGreaterThan(20);
        assertThat(execute("perplexity", run.resolve("keel.keelrun"), same)).as(err.toString()).isZero();
        double perplexity = Double.parseDouble(out.toString().lines().findFirst().orElseThrow().replaceAll(".* ", ""));
        // Guessing among the 16 characters of the text would give 16.
        assertThat(perplexity).isBetween(1.0, 8.0);
    }

    @Test
    void whatCannotBeAskedIsRefusedInOneSentence() throws IOException {
        Path file = checkpoint();
        assertThat(execute("sample", folder.resolve("none.safetensors"))).isEqualTo(Main.REFUSED);
        assertThat(err.toString().lines()).singleElement().asString().startsWith("There is no checkpoint");
        assertThat(execute("sample", folder.resolve("none.keelrun"))).isEqualTo(Main.REFUSED);
        assertThat(err.toString().lines()).singleElement().asString().startsWith("There is no run file");
        assertThat(execute("sample", folder, "--arm", "pre_ln")).isEqualTo(Main.REFUSED);
        assertThat(err.toString().lines()).singleElement().asString().contains("pre_ln").contains("there are some of keel");
        Files.createDirectories(folder.resolve("pre_ln.checkpoints"));
        assertThat(execute("sample", folder)).isEqualTo(Main.REFUSED);
        assertThat(err.toString().lines()).singleElement().asString().contains("keel, pre_ln").contains("--arm");
        assertThat(execute("sample", folder, "--arm", "pre_ln")).isEqualTo(Main.REFUSED);
        assertThat(err.toString().lines()).singleElement().asString().contains("There is no whole checkpoint");
        assertThat(execute("sample", file, "--temperature", -1)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("temperature is -1.0");
        Path notOne = Files.writeString(folder.resolve("notes.safetensors"), "no checkpoint at all");
        assertThat(execute("sample", notOne)).isEqualTo(Main.REFUSED);
        assertThat(err.toString().lines()).singleElement();
        assertThat(execute("perplexity", file, folder.resolve("nothing.txt"))).isEqualTo(Main.REFUSED);
        assertThat(err.toString()).contains("nothing.txt does not exist");
    }
}
