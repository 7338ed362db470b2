package keelscope.cli;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import keelscope.checkpoint.CheckpointStore;
import keelscope.data.TokenSource;
import keelscope.device.Choice;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.experiment.InvalidExperimentException;
import keelscope.experiment.MemoryFit;
import keelscope.experiment.TrainingSpec;
import keelscope.model.Architecture;
import keelscope.model.Initializer;
import keelscope.model.StepProgram;
import keelscope.process.FreeMemory;
import keelscope.process.HeadStart;
import keelscope.process.LastWords;
import keelscope.process.Lockstep;
import keelscope.process.ParentWatch;
import keelscope.process.ReadingProgress;
import keelscope.process.RunFolder;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.train.Pace;
import keelscope.train.Trainer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The engine process: trains one arm and writes its run file. Started by the window and by {@code run}, not by hand. */
@Command(
        name = EngineCommand.NAME,
        mixinStandardHelpOptions = true,
        description = "Trains one arm of an experiment (started by the window and by run).")
final class EngineCommand implements Callable<Integer> {
    /** The word it is started by; not for users, so not among the commands that {@link Main#commandLine} knows. */
    static final String NAME = "engine";

    @Option(names = "--experiment", description = "The experiment's YAML file.")
    private Path experimentFile;

    @Option(names = "--resume", description = "Go on with the arm's run file, by the experiment recorded in it.")
    private boolean resume;

    @Option(names = "--arm", required = true, description = "Name of the arm to train.")
    private String armName;

    @Option(names = "--out", required = true, description = "Existing folder for the run file.")
    private Path folder;

    @Option(names = "--threads", description = "PyTorch threads; by default the experiment's, or chosen by a trial.")
    private int threads;

    @Option(names = "--waits", description = "While this file is there, no second step is taken.")
    private Path waits;

    /** Exit status of an engine that ended before it had anything to record. */
    private static final int ENDED_EARLY = 1;

    @Spec
    private CommandSpec spec;

    /** Whether there is, or is about to be, a run file that must not be left without an end. */
    private boolean recording;

    private Trainer trainer;
    private String endReason;

    @Override
    public Integer call() {
        if (resume == (experimentFile != null)) {
            throw new CommandLine.ParameterException(spec.commandLine(), "Either --experiment or --resume is needed.");
        }
        ParentWatch.start(System.in, () -> end("The program that started this engine is gone."));
        // Held until PyTorch is left: its libraries must not be unloaded under a step.
        try (LastWords words = LastWords.before(() -> end("The engine was asked to end by a signal, as Ctrl-C sends one."))) {
            return trainArm();
        } catch (RuntimeException e) {
            throw OutOfMemoryException.explained(e);
        } finally {
            Optional.ofNullable(waits).ifPresent(HeadStart::delete);
        }
    }

    private int trainArm() {
        Path file = RunFolder.runFile(folder, armName);
        Optional<RunInfo> before = resume ? Optional.of(recorded(file)) : Optional.empty();
        Experiment experiment = before.map(info -> ExperimentFile.parse(info.experimentYaml(), file.toString(), folder))
                .orElseGet(() -> ExperimentFile.read(experimentFile));
        String origin = resume ? file.toString() : experimentFile.toString();
        ArmSpec arm = experiment.arm(armName)
                .orElseThrow(() -> new InvalidExperimentException("arms", origin + " has no arm named \"" + armName + "\"."));
        Choice device = Choice.inherited(System.getenv()).orElse(new Choice("cpu", "cpu", "", Map.of()));
        Path textFolder = (resume ? file : experimentFile).toAbsolutePath().getParent();
        try (Lockstep lockstep = experiment.lockstep() ? enterLockstep(experiment) : null;
                TokenSource data = experiment.data().open(textFolder, new ReadingProgress(System.out))) {
            if (!device.isGpu()) {
                MemoryFit.require(experiment, List.of(arm), FreeMemory.bytes());
            }
            Architecture model = experiment.architecture(arm, data.vocabulary());
            try (StepProgram program = StepProgram.create(model, experiment.data().sequence(),
                    device.isGpu() ? Device.gpu(device.gpuIndex()) : Device.cpu(), DataType.FLOAT32,
                    device.isGpu() && experiment.recipe(arm).precision() == TrainingSpec.Precision.BF16,
                    parameter -> Initializer.values(parameter, experiment.seed()))) {
                int recompute = before.isPresent() ? before.get().recompute() : recompute(experiment, arm, data.vocabulary(), device);
                program.recompute(recompute);
                Pace pace = pace(before, experiment, arm, data, program);
                int probeEvery = before.map(RunInfo::probeEvery).filter(n -> n > 0).orElse(experiment.measure().probeEvery());
                beginRecording();
                try (RunWriter run = before.isPresent()
                        ? RunWriter.reopen(file)
                        : RunWriter.create(file, info(experiment, arm, device, data, program, pace, recompute))) {
                    run.event(Math.max(0, run.lastStep()), "pace", pace.note());
                    CheckpointStore checkpoints = new CheckpointStore(folder, arm.name(), experiment.recipe(arm).keepCheckpoints());
                    Trainer trainer = new Trainer(experiment, arm, data, program, run, probeEvery, checkpoints,
                            lockstep == null ? HeadStart.waitingWhile(Optional.ofNullable(waits)) : lockstep::mayTake);
                    before.ifPresent(info -> requireSameData(info, data, file));
                    beginTraining(trainer);
                    train(trainer, run);
                }
            }
        }
        return 0;
    }

    private Lockstep enterLockstep(Experiment experiment) {
        return Lockstep.enter(folder, armName, experiment.arms().stream().map(ArmSpec::name).toList());
    }

    /**
     * Blocks to compute again at a time. On a GPU it is the card's memory that counts, of which the estimate knows nothing: there
     * only where it was asked for.
     */
    private static int recompute(Experiment experiment, ArmSpec arm, int vocabulary, Choice device) {
        long free = device.isGpu() ? Long.MAX_VALUE : FreeMemory.bytes() / experiment.arms().size();
        return MemoryFit.recompute(experiment, arm, vocabulary, free);
    }

    private void train(Trainer trainer, RunWriter run) {
        try {
            if (resume) {
                trainer.goOn();
            }
            trainer.train();
        } catch (RuntimeException | Error e) {
            try {
                run.state(RunStatus.FAILED, sentence(e instanceof RuntimeException known ? OutOfMemoryException.explained(known) : e));
            } catch (RuntimeException unwritable) {
                e.addSuppressed(unwritable); // a full disk; whoever started this engine says what the log says
            }
            throw e;
        }
    }

    private static RunInfo recorded(Path file) {
        try (RunReader reader = RunReader.open(file)) {
            return reader.info();
        }
    }

    private static void requireSameData(RunInfo before, TokenSource data, Path file) {
        if (!before.dataHash().equals(data.hash())) {
            throw new RunFileException("The data that " + file + " was trained on have changed since (they were: " + before.data()
                    + "); put them back as they were to go on with it.");
        }
    }

    /** That of the stopped run, since another number of threads rounds otherwise; else what was asked for, or found by a trial. */
    private Pace pace(Optional<RunInfo> before, Experiment experiment, ArmSpec arm, TokenSource data, StepProgram program) {
        int asked = before.map(RunInfo::threads).filter(n -> n > 0).orElse(threads > 0 ? threads : experiment.threads());
        return Trainer.findPace(experiment, arm, data, program, program::useThreads, asked);
    }

    private synchronized void beginRecording() {
        recording = true;
    }

    private synchronized void beginTraining(Trainer begun) {
        trainer = begun;
        if (endReason != null) {
            begun.stop(endReason);
        }
    }

    /** Ends the engine at once where nothing is recorded yet, else after the step it is at; from any thread. */
    private synchronized void end(String reason) {
        if (!recording) {
            Runtime.getRuntime().halt(ENDED_EARLY);
        }
        if (trainer != null) {
            trainer.stop(reason);
        }
        endReason = reason;
    }

    /** What the user is told: an error with a sentence of its own speaks for itself. */
    private static String sentence(Throwable e) {
        if (Main.isExplained(e)) {
            return e.getMessage();
        }
        String message = e.getMessage() == null ? "" : e.getMessage().lines().findFirst().orElse("");
        return e.getClass().getSimpleName() + (message.isEmpty() ? "" : ": " + message);
    }

    private static RunInfo info(
            Experiment experiment, ArmSpec arm, Choice device, TokenSource data, StepProgram program, Pace pace, int recompute) {
        Architecture model = program.architecture();
        return new RunInfo(
                experiment.name(),
                ExperimentFile.write(experiment),
                arm.name(),
                arm.scheme().id(),
                model.layers(),
                model.dModel(),
                model.parameterCount(),
                experiment.recipe(arm).steps(),
                experiment.data().batch() * experiment.recipe(arm).accumulate() * experiment.data().sequence(),
                model.rule(model.layers() - 1).alpha(),
                experiment.seed(),
                data.description(),
                data.hash(),
                data.vocabulary(),
                device.description(),
                device.note(),
                pace.threads(),
                System.currentTimeMillis(),
                experiment.measure().probeEvery(),
                experiment.divergence().toJson(),
                recompute);
    }
}
