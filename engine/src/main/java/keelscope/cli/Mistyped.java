package keelscope.cli;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import keelscope.experiment.Spelling;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one sentence what is wrong with a command that was typed, and in a line below it where help is. */
final class Mistyped {

    private Mistyped() {}

    /** Prints both to standard error; gives the exit status. */
    static int report(ParameterException e) {
        CommandLine command = e.getCommandLine();
        command.getErr().println(sentence(e));
        command.getErr().println("See " + command.getCommandSpec().qualifiedName() + " --help");
        return CommandLine.ExitCode.USAGE;
    }

    private static String sentence(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
            return unknown(e.getCommandLine(), unmatched.getUnmatched().get(0));
        }
        String said = e.getMessage().lines().findFirst().orElse("The command is not understood").replaceFirst("^Error: ", "");
        return said.endsWith(".") ? said : said + ".";
    }

    private static String unknown(CommandLine command, String word) {
        if (word.startsWith("-")) {
            String option = word.replaceFirst("=.*", "");
            return "There is no option " + option + meant(option, command.getCommandSpec().optionsMap().keySet());
        }
        if (command.getParent() == null) {
            return "There is no command " + word + meant(word, commands(command));
        }
        return "\"" + word + "\" is one word too many for " + command.getCommandName() + ".";
    }

    /** The end of the sentence: the one that was meant, if one is near, else all there are. */
    private static String meant(String word, Collection<String> known) {
        return Spelling.nearest(word, known)
                .map(near -> "; did you mean " + near + "?")
                .orElseGet(() -> "; there are " + String.join(", ", known) + ".");
    }

    private static Collection<String> commands(CommandLine line) {
        return line.getSubcommands().entrySet().stream()
                .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .collect(Collectors.toList());
    }
}
