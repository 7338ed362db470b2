package keelscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The table of commands in the engine's README and the commands themselves say the same. */
class CommandsReadmeTest {

    private static List<String> rows() throws IOException {
        return Files.readAllLines(Path.of("README.md")).stream().filter(line -> line.startsWith("| `") && line.contains("./app/keelscope ")).toList();
    }

    @Test
    void everyCommandStandsInTheTableWithAnExample() throws IOException {
        List<String> commands = Main.commandLine().getSubcommands().values().stream()
                .filter(command -> !command.getCommandSpec().usageMessage().hidden())
                .map(CommandLine::getCommandName)
                .toList();
        assertThat(rows()).extracting(row -> row.split("`")[1]).containsExactlyInAnyOrderElementsOf(commands);
    }

    @Test
    void everyExampleIsUnderstood() throws IOException {
        for (String row : rows()) {
            String example = row.substring(row.indexOf("`./app/keelscope ") + "`./app/keelscope ".length(), row.lastIndexOf('`'));
            String[] words = example.replace("\"The \"", "The").split(" ");
            assertThat(Main.commandLine().parseArgs(words).subcommand().commandSpec().name()).isEqualTo(words[0]);
        }
    }
}
