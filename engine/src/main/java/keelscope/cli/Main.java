package keelscope.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The engine's command line: {@code keelscope run | verify | doctor | …}. */
@Command(
        name = "keelscope",
        description = "Trains deep Transformers and records what happens inside them.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {RunCommand.class, VerifyCommand.class, DoctorCommand.class, EngineCommand.class})
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The command line, ready to execute; a failure is one sentence on standard error and exit status 1. */
    public static CommandLine commandLine() {
        return new CommandLine(new Main());
    }
}
