package keelscope.cli;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import keelscope.data.TokenSource;
import keelscope.device.Choice;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.experiment.InvalidExperimentException;
import keelscope.model.Architecture;
import keelscope.model.Initializer;
import keelscope.model.StepProgram;
import keelscope.process.LastWords;
import keelscope.process.ParentWatch;
import keelscope.process.RunFolder;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.train.Pace;
import keelscope.train.Trainer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The engine process: trains one arm and writes its run file. Started by the window and by {@code run}, not by hand. */
@Command(name = "engine", hidden = true, description = "Trains one arm of an experiment (started by the window and by run).")
final class EngineCommand implements Callable<Integer> {

    @Option(names = "--experiment", required = true, description = "The experiment's YAML file.")
    private Path experimentFile;

    @Option(names = "--arm", required = true, description = "Name of the arm to train.")
    private String armName;

    @Option(names = "--out", required = true, description = "Existing folder for the run file.")
    private Path folder;

    @Option(names = "--threads", description = "PyTorch threads; by default the experiment's, or chosen by a trial.")
    private int threads;

    /** Exit status of an engine that ended before it had anything to record. */
    private static final int ENDED_EARLY = 1;

    private final AtomicReference<Trainer> training = new AtomicReference<>();

    @Override
    public Integer call() {
        ParentWatch.start(System.in, this::parentGone);
        // Held until PyTorch is left: its libraries must not be unloaded under a step.
        try (LastWords words = LastWords.before(this::askedToEnd)) {
            return trainArm();
        }
    }

    private int trainArm() {
        Experiment experiment = ExperimentFile.read(experimentFile);
        ArmSpec arm = experiment.arm(armName)
                .orElseThrow(() -> new InvalidExperimentException(
                        "arms", experimentFile + " has no arm named \"" + armName + "\"."));
        Choice device = Choice.inherited(System.getenv()).orElse(new Choice("cpu", "cpu", "", Map.of()));
        Path textFolder = experimentFile.toAbsolutePath().getParent();
        try (TokenSource data = experiment.data().open(textFolder)) {
            Architecture model = experiment.architecture(arm, data.vocabulary());
            try (StepProgram program = StepProgram.create(model, experiment.data().sequence(),
                    device.isGpu() ? Device.gpu(device.gpuIndex()) : Device.cpu(), DataType.FLOAT32,
                    parameter -> Initializer.values(parameter, experiment.seed()))) {
                return train(experiment, arm, device, data, program);
            }
        }
    }

    private int train(Experiment experiment, ArmSpec arm, Choice device, TokenSource data, StepProgram program) {
        int asked = threads > 0 ? threads : experiment.threads();
        int cores = Math.max(1, Runtime.getRuntime().availableProcessors() / experiment.arms().size());
        Pace pace = Trainer.findPace(experiment, data, program, JniUtils::setNumThreads, asked, cores);
        try (RunWriter run = RunWriter.create(RunFolder.runFile(folder, arm.name()), info(experiment, arm, device, data, program, pace))) {
            run.event(0, "pace", pace.note());
            Trainer trainer = new Trainer(experiment, arm, data, program, run, pace);
            training.set(trainer);
            try {
                trainer.train();
            } catch (RuntimeException | Error e) {
                run.state(RunStatus.FAILED, sentence(e));
                throw e;
            }
        }
        return 0;
    }

    private void parentGone() {
        Trainer trainer = training.get();
        if (trainer == null) {
            System.exit(ENDED_EARLY); // nothing is recorded yet
        }
        trainer.stop("The program that started this engine is gone.");
    }

    private void askedToEnd() {
        Trainer trainer = training.get();
        if (trainer == null) {
            Runtime.getRuntime().halt(ENDED_EARLY); // nothing is recorded yet
        }
        trainer.stop("The engine was asked to end by the system.");
    }

    private static String sentence(Throwable e) {
        String message = e.getMessage() == null ? "" : e.getMessage().lines().findFirst().orElse("");
        return e.getClass().getSimpleName() + (message.isEmpty() ? "" : ": " + message);
    }

    private static RunInfo info(
            Experiment experiment, ArmSpec arm, Choice device, TokenSource data, StepProgram program, Pace pace) {
        Architecture model = program.architecture();
        return new RunInfo(
                experiment.name(),
                ExperimentFile.write(experiment),
                arm.name(),
                arm.scheme().id(),
                model.layers(),
                model.dModel(),
                model.parameterCount(),
                experiment.training().steps(),
                experiment.data().batch() * experiment.data().sequence(),
                model.rule(model.layers() - 1).alpha(),
                experiment.seed(),
                data.description(),
                data.hash(),
                data.vocabulary(),
                device.description(),
                device.note(),
                pace.threads(),
                System.currentTimeMillis());
    }
}
