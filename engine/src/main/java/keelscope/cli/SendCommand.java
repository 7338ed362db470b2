package keelscope.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.ExperimentFile;
import keelscope.process.RunFolder;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunReader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks engines at work for something: a row in their run files, which they read before the next step. */
@Command(
        name = "send",
        mixinStandardHelpOptions = true,
        description = "Asks the engines of a run for something; each does it before its next step and records when.",
        footer = {
            "",
            "Commands:",
            "  pause        after the step that is being taken",
            "  resume       after a pause",
            "  step         one step, then pause",
            "  lr RATE      this learning rate now, the rest of the schedule scaled with it; lr x0.5 multiplies it",
            "  probe        measures every sub-layer at the next step",
            "  checkpoint   writes a checkpoint now",
            "  stop         writes a checkpoint and ends"
        })
final class SendCommand implements Callable<Integer> {
    private static final List<String> COMMANDS = List.of("pause", "resume", "step", "lr", "probe", "checkpoint", "stop");

    @Parameters(index = "0", paramLabel = "FOLDER-OR-FILE", description = "A run folder, or the run file of one arm.")
    private Path place;

    @Parameters(index = "1..*", arity = "1..3", paramLabel = "[ARM] COMMAND [ARG]",
            description = "The arm (all that are at work, where none is named), what to do, and for lr the rate.")
    private List<String> words;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (!Files.exists(place)) {
            throw new RunFileException("There is no run folder or run file " + place + "; check the path.");
        }
        List<String> left = new ArrayList<>(words);
        List<Path> files = Files.isDirectory(place) ? RunFolder.runFiles(place) : List.of(place);
        boolean one = !Files.isDirectory(place);
        if (!one && left.size() > 1 && isArm(left.get(0))) {
            files = List.of(RunFolder.runFile(place, left.remove(0)));
            one = true;
        }
        String command = left.remove(0);
        if (!COMMANDS.contains(command)) {
            throw refusal("There is no command " + command + (one ? "" : " and no arm of that name in " + place) + "; commands are "
                    + String.join(", ", COMMANDS) + ".");
        }
        String argument = left.isEmpty() ? "" : left.remove(0);
        if (command.equals("lr") != !argument.isEmpty() || !left.isEmpty()) {
            throw refusal(command.equals("lr") ? "lr needs one rate, as in lr 1e-3 or lr x0.5." : command + " takes nothing further.");
        }
        if (command.equals("lr") && !(argument.matches("[x×=]?[0-9]*\\.?[0-9]+(e[-+]?[0-9]+)?") && argument.matches(".?[0.]*[1-9].*"))) {
            throw refusal("\"" + argument + "\" is not a learning rate; give a positive number such as 1e-3, or a factor such as x0.5.");
        }
        int status = send(files, command, argument);
        if (!one) {
            sayWhoHasNotBegun();
        }
        return status;
    }

    /** An engine that is starting has no run file yet to be asked by. */
    private void sayWhoHasNotBegun() {
        if (!Files.exists(RunFolder.experiment(place))) {
            return; // a folder of run files alone
        }
        List<String> missing = ExperimentFile.read(RunFolder.experiment(place)).arms().stream()
                .map(ArmSpec::name)
                .filter(arm -> !isArm(arm))
                .toList();
        if (!missing.isEmpty()) {
            spec.commandLine().getOut().println(String.join(", ", missing) + ": not asked, since training has not begun there");
        }
    }

    private int send(List<Path> files, String command, String argument) {
        int sent = 0;
        for (Path file : files) {
            try (RunReader reader = RunReader.open(file)) {
                if (!reader.state().status().ended() && reader.hasEngine()) {
                    RunReader.send(file, command, argument);
                    spec.commandLine().getOut().println(RunFolder.arm(file) + ": asked for " + command
                            + (argument.isEmpty() ? "" : " " + argument) + " after step " + reader.lastStep());
                    sent++;
                }
            }
        }
        if (sent == 0) {
            throw new RunFileException("No engine is at work on " + (files.size() == 1 ? files.get(0) : place)
                    + ", so there is none to ask for " + command + ".");
        }
        return 0;
    }

    private boolean isArm(String word) {
        return Files.exists(RunFolder.runFile(place, word));
    }

    private CommandLine.ParameterException refusal(String sentence) {
        return new CommandLine.ParameterException(spec.commandLine(), sentence);
    }
}
