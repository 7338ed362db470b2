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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import keelscope.data.Tokenizer;
import keelscope.generate.Checkpoints;
import keelscope.model.Architecture;
import keelscope.model.Scheme;
import keelscope.process.JavaCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What holds for every command: its version, and how it is refused. */
class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... words) {
        CommandLine line = Main.commandLine();
        return line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(words);
    }

    @Test
    void theVersionIsThatOfTheBuild() throws IOException {
        Matcher built = Pattern.compile("<version>(.*)</version>").matcher(Files.readString(Path.of("pom.xml")));
        assertThat(built.find()).isTrue();
        assertThat(execute("--version")).isZero();
        assertThat(execute("run", "--version")).isZero();
        assertThat(out.toString().lines()).hasSize(2).containsOnly("Keelscope " + built.group(1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "rnu                       | There is no command rnu; did you mean run?                     | keelscope --help",
        "                          | A command is missing.                                          | keelscope --help",
        "run a.yaml --sequental    | There is no option --sequental; did you mean --sequential?     | keelscope run --help",
        "run a.yaml b.yaml         | \"b.yaml\" is one word too many for run.                       | keelscope run --help",
        "run                       | Either an experiment or --resume with a run folder is needed.  | keelscope run --help",
        "sample                    | Missing required parameter: 'CHECKPOINT-OR-RUN'.               | keelscope sample --help",
        "sample a --tokens many    | Invalid value for option '--tokens': 'many' is not an int.     | keelscope sample --help",
        "sample a --tokens 0       | --tokens is 0; allowed is 1 or more.                           | keelscope sample --help",
        "sample a --top-k -1       | top-k is -1; allowed is 1 or more, or 0 for all tokens.        | keelscope sample --help",
    })
    void whatIsMistypedIsRefusedInOneSentenceAndALineThatSaysWhereHelpIs(String typed, String sentence, String help) {
        String[] words = typed == null ? new String[0] : typed.split(" ");
        assertThat(execute(words)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString().lines()).containsExactly(sentence, "See " + help);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aCommandThatIsLikeNoneIsToldWhichThereAre() {
        assertThat(execute("abracadabra")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString().lines().findFirst().orElseThrow()).startsWith("There is no command abracadabra; there are run, send, ")
                .endsWith(", doctor.");
        assertThat(execute("export", "a.keelrun")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString().lines()).hasSize(4).anyMatch(line -> line.contains("--csv=DIR") && line.contains("--tensorboard=DIR"));
    }

    /** /dev/full takes nothing, as a full disk does. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void whatCannotBePrintedIsAFailure(@TempDir Path folder) throws Exception {
        Path model = Checkpoints.write(folder, new Architecture(Scheme.KEEL, 2, 8, 2, 8, 256, Double.NaN, false), 16,
                Optional.of(Tokenizer.BYTES.definition()));
        for (List<String> words : List.of(List.of("sample", model.toString(), "--tokens", "1000000000"), List.of("run", "--help"))) {
            Path said = folder.resolve("said");
            Process command = new ProcessBuilder(JavaCommand.of(Main.class, words.toArray(String[]::new)))
                    .redirectOutput(Path.of("/dev/full").toFile())
                    .redirectError(said.toFile())
                    .start();
            assertThat(command.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(command.exitValue()).as(Files.readString(said)).isEqualTo(Main.REFUSED);
            assertThat(Files.readAllLines(said)).last().asString().startsWith("What was to be printed could not be written");
        }
    }
}
