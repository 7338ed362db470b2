package keelscope.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import keelscope.device.Choice;
import keelscope.device.DeviceChoice;
import keelscope.device.MachineProbe;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.experiment.TrainingSpec.Precision;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import org.slf4j.LoggerFactory;

/**
 * An engine process that trains one arm. It is started with the java and class path this process runs on, holds its
 * standard input open (its end tells the engine that its parent is gone) and writes the arm's run file, which is the only
 * channel between the two.
 */
public final class EngineProcess {
    /** The class with the command line; named, since starting it must not load it here. */
    private static final String MAIN = "keelscope.cli.Main";

    /** Tensors live outside the Java heap: it starts small (some 70 MB less per engine than by default), and may grow. */
    private static final List<String> HEAP = List.of("-Xms32m", "-Xmn16m", "-Xmx1g");

    /** The device for each request met so far; a trial on a GPU takes seconds and its answer does not change. */
    private static final Map<String, Choice> DEVICES = new ConcurrentHashMap<>();

    /** What puts an engine behind the window in the queue for a core; {@code nice} becomes the engine, so its process id is the same. */
    private static final List<String> LOWER_PRIORITY =
            Files.isExecutable(Path.of("/usr/bin/nice")) ? List.of("/usr/bin/nice", "-n", "5") : List.of();

    /** Engines that run; held here so that the pipe to an engine is not closed because nobody looks at it. */
    private static final Set<EngineProcess> RUNNING = ConcurrentHashMap.newKeySet();

    private final String arm;
    private final Path folder;
    private final Process process;
    private final CompletableFuture<String> ended;
    private volatile Duration killedAfter = Duration.ZERO;

    private EngineProcess(String arm, Path folder, Process process) {
        this.arm = arm;
        this.folder = folder;
        this.process = process;
        RUNNING.add(this);
        this.ended = process.onExit().thenApplyAsync(p -> {
            RUNNING.remove(this);
            return describeEnd(p.exitValue());
        }, work -> new Thread(work, "end of " + arm).start());
    }

    /**
     * Starts an engine for an arm; it makes {@code folder/ARM.keelrun}. The device is chosen here, before the engine starts, since
     * the choice sets variables of its environment: with a GPU in the machine the first start takes seconds.
     *
     * @param experiment the experiment's YAML file
     * @param arm name of the arm
     * @param folder existing folder for the run file, and for {@code ARM.log} with what the process prints
     * @throws RunFileException if the process cannot be started or its log cannot be written
     * @throws keelscope.experiment.InvalidExperimentException if the experiment cannot be read
     */
    public static EngineProcess start(Path experiment, String arm, Path folder) {
        return start(experiment, arm, folder, List.of());
    }

    /** The same for an engine with a {@link HeadStart}: it takes no second step while the file {@code waits} is there. */
    static EngineProcess startWaiting(Path waits, Path experiment, String arm, Path folder) {
        return start(experiment, arm, folder, List.of("--waits", waits.toString()));
    }

    private static EngineProcess start(Path experiment, String arm, Path folder, List<String> more) {
        Experiment whole = ExperimentFile.read(experiment);
        EngineProcess engine = start(experiment, arm, folder, more, 0, environment(whole, arm));
        engine.announce(whole);
        return engine;
    }

    /**
     * Starts an engine that goes on with a recorded arm: from its last checkpoint, or from the beginning where there is none, with
     * the experiment, the number of threads and the probes that it was recorded with.
     *
     * @param folder the folder with {@code ARM.keelrun}; it may have been moved
     * @param arm name of the arm
     * @throws RunFileException if there is nothing to go on with, an engine is at work on it, or its folder cannot be written
     */
    public static EngineProcess resume(Path folder, String arm) {
        Path file = RunFolder.runFile(folder, arm);
        String yaml;
        try (RunReader reader = RunReader.open(file)) {
            RunStatus status = reader.state().status();
            if (status == RunStatus.FINISHED || status == RunStatus.DIVERGED) {
                throw new RunFileException("The run of " + file + " has " + (status == RunStatus.FINISHED ? "finished" : "diverged")
                        + " at step " + reader.lastStep() + ", so there is nothing to go on with.");
            }
            yaml = reader.info().experimentYaml();
        }
        if (yaml.isEmpty()) {
            throw new RunFileException("The run file " + file + " was not recorded by Keelscope's engine, so no training can go on from it.");
        }
        Experiment whole = ExperimentFile.parse(yaml, file.toString(), folder);
        RunWriter.markStarting(file);
        EngineProcess engine = start(arm, folder, List.of(MAIN, "engine", "--resume", "--arm", arm, "--out", folder.toString()),
                environment(whole, arm));
        engine.announce(whole);
        return engine;
    }

    private void announce(Experiment experiment) {
        if (experiment.lockstep() && process.isAlive()) {
            Lockstep.announce(folder, arm, process.toHandle());
        }
    }

    /** What the choice of device asks for, and for TF32 the variable by which PyTorch takes it (its products are float32 else). */
    private static Map<String, String> environment(Experiment experiment, String arm) {
        Choice device = device(experiment);
        Map<String, String> environment = new HashMap<>(device.environment());
        boolean tf32 = experiment.arm(arm).map(spec -> experiment.recipe(spec).precision() == Precision.TF32).orElse(false);
        if (device.isGpu() && tf32) {
            environment.put("TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "1");
        }
        return environment;
    }

    /** The device that engines started by this process train the experiment on; with a GPU in the machine the first answer takes seconds. */
    public static Choice device(Experiment experiment) {
        return DEVICES.computeIfAbsent(experiment.device(), wanted -> DeviceChoice.choose(wanted, new MachineProbe()));
    }

    /**
     * Starts an engine for an arm.
     *
     * @param threads PyTorch threads; 0 = as the experiment says
     * @param environment variables set for the engine besides those of this process (for example {@code PYTORCH_FLAVOR})
     * @throws RunFileException if the process cannot be started or its log cannot be written
     */
    public static EngineProcess start(Path experiment, String arm, Path folder, int threads, Map<String, String> environment) {
        return start(experiment, arm, folder, List.of(), threads, environment);
    }

    private static EngineProcess start(
            Path experiment, String arm, Path folder, List<String> more, int threads, Map<String, String> environment) {
        List<String> arguments = new ArrayList<>(List.of(
                MAIN, "engine", "--experiment", experiment.toString(), "--arm", arm, "--out", folder.toString()));
        arguments.addAll(more);
        if (threads > 0) {
            arguments.addAll(List.of("--threads", Integer.toString(threads)));
        }
        return start(arm, folder, arguments, environment);
    }

    /** Starts {@code arguments} (a main class and what follows it) as the engine of {@code arm}. */
    static EngineProcess start(String arm, Path folder, List<String> arguments, Map<String, String> environment) {
        Path log = RunFolder.log(folder, arm);
        List<String> command = new ArrayList<>(LOWER_PRIORITY);
        command.add(java().toString());
        command.addAll(javaOptions(folder, arm));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            return new EngineProcess(arm, folder, builder.start());
        } catch (IOException e) {
            throw new RunFileException("The engine of arm " + arm + " cannot be started with its log in " + log + ": " + e.getMessage()
                    + "; check that the folder can be written and that " + command.get(0) + " is there.", e);
        }
    }

    /** The program this process runs on. */
    private static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    private static List<String> javaOptions(Path folder, String arm) {
        List<String> options = new ArrayList<>(HEAP);
        options.addAll(List.of(
                // Several engines start at once on few cores, and nearly all of their time goes to native code: a collector without threads
                // and the quick compiler leave the cores to it.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:ErrorFile=" + crashFile(folder, arm),
                "-Dkeelscope.log=" + RunFolder.log(folder, arm),
                "-Dfile.encoding=UTF-8"));
        options.addAll(JavaCommand.flags());
        return options;
    }

    static Path crashFile(Path folder, String arm) {
        return folder.resolve(arm + "-crash.log");
    }

    public String arm() {
        return arm;
    }

    /** The run file; it exists once the engine has made it. */
    public Path runFile() {
        return RunFolder.runFile(folder, arm);
    }

    /** What the engine prints. */
    public Path log() {
        return RunFolder.log(folder, arm);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Completes when the process has ended, with one sentence about its end, empty if it ended as it should. */
    public CompletableFuture<String> ended() {
        return ended.copy();
    }

    /**
     * Asks the engine to stop; ends the process by force if it is still alive after {@code patience}. Does not block. An engine
     * that has no run file yet has nothing to lose and is ended at once.
     */
    public void stop(Duration patience) {
        if (!process.isAlive()) {
            return; // nor is its run file, which may be moved or removed now, to be written once more
        }
        if (!Files.exists(runFile())) {
            kill(Duration.ZERO);
            return;
        }
        // Two threads, since the file may be held up as well as the engine.
        daemon("stop " + arm, this::sendStop);
        daemon("patience with " + arm, () -> {
            try {
                process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            kill(patience);
        });
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void sendStop() {
        try {
            RunReader.send(runFile(), "stop", "");
        } catch (RunFileException e) {
            // It is just ending, or its run file cannot be written: then there is no asking, and patience decides.
            LoggerFactory.getLogger(EngineProcess.class).debug("stop could not be sent", e);
        }
    }

    private void kill(Duration patience) {
        if (process.isAlive()) {
            killedAfter = patience.isZero() ? Duration.ofMillis(1) : patience;
            process.destroyForcibly();
        }
    }

    /**
     * Sends pause, resume, lr, probe or checkpoint; a row in the run file.
     *
     * @throws RunFileException if the engine is still starting, or has ended
     */
    public void send(String command, String argument) {
        if (!Files.exists(runFile())) {
            throw new RunFileException("The engine of arm " + arm + (isAlive() ? " is still starting; try " : " has ended before it could take ")
                    + command + (isAlive() ? " again in a moment." : "."));
        }
        if (!isAlive()) {
            throw new RunFileException("The engine of arm " + arm + " has ended, so it cannot be asked for " + command + ".");
        }
        RunReader.send(runFile(), command, argument);
    }

    /** One sentence about an end, empty for a proper one; written to the run file where the engine could not. */
    private String describeEnd(int exitValue) {
        int lastStep = -1;
        boolean recorded = Files.exists(runFile());
        if (recorded) {
            try (RunReader reader = RunReader.open(runFile())) {
                lastStep = reader.lastStep();
                RunStatus status = reader.state().status();
                String message = reader.state().message();
                if (status == RunStatus.FAILED) {
                    return message.isEmpty() ? "The engine of arm " + arm + " failed; see " + log() + "." : message;
                }
                if (status.ended()) {
                    return "";
                }
            } catch (RunFileException e) {
                return "The engine of arm " + arm + " (process " + pid() + ") has ended, and: " + e.getMessage();
            }
        }
        EngineEnd end = EngineEnd.of(exitValue, killedAfter, log(), crashFile(folder, arm));
        if (end.byRequest() && !recorded) {
            return ""; // stopped before it had begun
        }
        String kept = !recorded || lastStep < 0 ? "no step was recorded" : "every step up to " + lastStep + " is kept in " + runFile();
        String sentence = end.text().replace(EngineEnd.ENGINE, "The engine of arm " + arm + " (process " + pid() + ")") + "; " + kept + ".";
        if (!recorded) {
            return sentence;
        }
        try {
            RunWriter.markEnded(runFile(), end.byRequest() ? RunStatus.STOPPED : RunStatus.FAILED, sentence, end.kind());
        } catch (RunFileException e) {
            // What ended the engine, as a full disk, may keep this from being written as well, and has been told of.
            return end.text().contains(runFile().toString()) ? sentence : sentence + " " + e.getMessage();
        }
        return sentence;
    }
}
