package keelscope.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import keelscope.checkpoint.CheckpointException;
import keelscope.data.DataException;
import keelscope.experiment.InvalidExperimentException;
import keelscope.export.ExportException;
import keelscope.runfile.RunFileException;
import keelscope.verify.VerificationException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The engine's command line: {@code keelscope run | verify | doctor | …}. */
@Command(
        name = "keelscope",
        description = "Trains deep Transformers and records what happens inside them.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunCommand.class,
            SendCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            SampleCommand.class,
            PerplexityCommand.class,
            RedundancyCommand.class,
            VerifyCommand.class,
            DoctorCommand.class
        })
public final class Main implements Runnable {
    /** Exit status for an error that has a sentence for the user. */
    static final int REFUSED = 1;

    /** Exit status for an error nobody expected (EX_SOFTWARE). */
    static final int UNEXPECTED = 70;

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** An engine is one of several that start at once on few cores, so it does not look at the options of every command first. */
    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(EngineCommand.NAME)) {
            CommandLine engine = withItsManners(new CommandLine(new EngineCommand()).setCommandName("keelscope " + EngineCommand.NAME));
            System.exit(engine.execute(Arrays.copyOfRange(args, 1, args.length)));
        }
        System.exit(commandLine().execute(args));
    }

    /**
     * The command line, ready to execute; a failure is one sentence on standard error and exit status 1, 2 where what was typed is
     * not understood (a second line then says where help is), or 70 where it was not expected (its stack trace then lies in a log that
     * the sentence names).
     */
    public static CommandLine commandLine() {
        CommandLine line = withItsManners(new CommandLine(new Main()));
        line.getSubcommands().values().forEach(command -> command.getCommandSpec().versionProvider(new Version()));
        return line;
    }

    /** A command that is not among those of {@link #commandLine}, made to fail as they do. */
    public static CommandLine withItsManners(CommandLine line) {
        line.getCommandSpec().versionProvider(new Version());
        return line.setParameterExceptionHandler((e, typed) -> Mistyped.report(e))
                .setExecutionStrategy(Main::execute)
                .setExecutionExceptionHandler((e, commandLine, parsed) -> report(e, commandLine.getErr()));
    }

    private static int execute(CommandLine.ParseResult parsed) {
        int status = new CommandLine.RunLast().execute(parsed);
        CommandLine line = parsed.commandSpec().commandLine();
        try {
            OutputException.requireWritten(line.getOut());
        } catch (OutputException e) {
            return report(e, line.getErr());
        }
        return status;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "A command is missing.");
    }

    /** Whether the message is a sentence for the user. */
    static boolean isExplained(Throwable e) {
        return e instanceof RunFileException || e instanceof InvalidExperimentException || e instanceof DataException
                || e instanceof VerificationException || e instanceof ExportException || e instanceof CheckpointException
                || e instanceof OutOfMemoryException || e instanceof OutputException;
    }

    private static int report(Exception e, PrintWriter err) {
        if (isExplained(e)) {
            err.println(e.getMessage());
            return REFUSED;
        }
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace, true));
        String where;
        try {
            where = "details are in " + log(trace.toString());
        } catch (IOException unwritable) {
            where = "no log could be written: " + unwritable.getMessage();
        }
        String message = e.getMessage() == null ? "" : " (" + e.getMessage().lines().findFirst().orElse("") + ")";
        err.println("An error in Keelscope: " + e.getClass().getSimpleName() + message + "; " + where + ".");
        return UNEXPECTED;
    }

    /** Keeps a stack trace: in the engine's log where this is an engine, else in a file of its own. */
    private static Path log(String trace) throws IOException {
        String set = System.getProperty("keelscope.log", "");
        Path log = set.isEmpty() ? Files.createTempFile("keelscope-error-", ".log") : Path.of(set);
        return Files.writeString(log, trace, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
