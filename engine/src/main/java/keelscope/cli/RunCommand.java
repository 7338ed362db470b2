package keelscope.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import keelscope.device.Choice;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.experiment.InvalidExperimentException;
import keelscope.process.EngineProcess;
import keelscope.process.HeadStart;
import keelscope.process.Preflight;
import keelscope.process.RunFolder;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Trains the arms of an experiment, an engine process each, and shows how far they are. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Trains the arms of an experiment and records them in a folder.",
        footer = {"", "Exit status: 0 if every arm finished or diverged (a result as well), 1 if one was stopped or failed."})
final class RunCommand implements Callable<Integer> {
    /** How often the run files are looked at, ms. */
    private static final int REFRESH_MS = 200;

    /** What an engine is given to stop in after Ctrl-C: it ends its step and writes a checkpoint. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    @Parameters(index = "0", arity = "0..1", paramLabel = "EXPERIMENT.yaml", description = "The experiment.")
    private Path experimentFile;

    @Option(names = "--resume", paramLabel = "DIR",
            description = "Go on with the arms recorded in this folder that were stopped, failed or killed, each from its last checkpoint.")
    private Path resumed;

    @Spec
    private CommandSpec spec;

    @Option(names = "--out", paramLabel = "DIR",
            description = "Folder for the run files; made if missing. Default: a new one in KEELSCOPE_RUNS or ~/keelscope-runs.")
    private Path out;

    @Option(names = "--arm", paramLabel = "NAME", description = "Train this arm only; may be repeated. Default: all.")
    private Set<String> arms = new LinkedHashSet<>();

    @Option(names = "--sequential", description = "Train one arm after another instead of all at once.")
    private boolean sequential;

    /** That of the first engine, where it has one. */
    private volatile Optional<HeadStart> ahead = Optional.empty();

    /** Whether the command was asked to end, so that no engine is started any more. */
    private volatile boolean stopping;

    @Override
    public Integer call() throws InterruptedException {
        if ((experimentFile == null) == (resumed == null)) {
            throw new CommandLine.ParameterException(spec.commandLine(), "Either an experiment or --resume with a run folder is needed.");
        }
        if (resumed != null) {
            return goOn();
        }
        Experiment experiment = ExperimentFile.read(experimentFile);
        List<String> names = armNames(experiment, experimentFile);
        require(experiment, names);
        Path folder = out == null ? RunFolder.create(RunFolder.home(), experiment) : RunFolder.use(out, experiment);
        boolean headStart = !sequential && HeadStart.helps(experiment, names.size());
        return train(experiment, names, folder, headStart, name -> EngineProcess.start(RunFolder.experiment(folder), name, folder));
    }

    private int goOn() throws InterruptedException {
        Experiment experiment = ExperimentFile.read(RunFolder.experiment(resumed));
        List<String> open = new ArrayList<>();
        Map<String, String> damaged = new LinkedHashMap<>();
        for (String name : armNames(experiment, RunFolder.experiment(resumed))) {
            try {
                if (isOpen(name)) {
                    open.add(name);
                }
            } catch (RunFileException e) {
                damaged.put(name, e.getMessage());
            }
        }
        if (open.isEmpty()) {
            throw new RunFileException(damaged.isEmpty()
                    ? "Every arm in " + resumed + " has finished or diverged, so there is nothing to go on with."
                    : String.join(" ", damaged.values()));
        }
        require(experiment, open);
        damaged.forEach((name, why) -> System.out.println(leftOut(name, why)));
        int status = train(experiment, open, resumed, false, name -> Files.exists(RunFolder.runFile(resumed, name))
                ? EngineProcess.resume(resumed, name)
                : EngineProcess.start(RunFolder.experiment(resumed), name, resumed));
        return damaged.isEmpty() ? status : Main.REFUSED;
    }

    private static String leftOut(String arm, String why) {
        return arm + " is left out: " + why;
    }

    /** Whether there is something left to train. */
    private boolean isOpen(String arm) {
        Path file = RunFolder.runFile(resumed, arm);
        if (!Files.exists(file)) {
            return true;
        }
        try (RunReader reader = RunReader.open(file)) {
            RunStatus status = reader.state().status();
            return status != RunStatus.FINISHED && status != RunStatus.DIVERGED;
        }
    }

    private int train(Experiment experiment, List<String> names, Path folder, boolean headStart, Function<String, EngineProcess> start)
            throws InterruptedException {
        try (ProgressDisplay display = new ProgressDisplay(System.out, folder, names)) {
            display.begin(experiment.name());
            experiment.remarks(specs(experiment, names)).forEach(display::say);
            Choice device = EngineProcess.device(experiment);
            if (experiment.device().startsWith("gpu") && !device.isGpu()) {
                display.say(device.note() + " ./app/keelscope doctor says more; device: cpu in the experiment asks for the processor.");
            }
            List<EngineProcess> engines = new ArrayList<>();
            Thread hook = new Thread(() -> stopAll(engines, display), "stop engines");
            Runtime.getRuntime().addShutdownHook(hook);
            int refused = 0;
            for (String name : names) {
                EngineProcess engine;
                try {
                    synchronized (engines) {
                        if (stopping) {
                            break;
                        }
                        if (headStart && name.equals(names.get(0))) {
                            ahead = Optional.of(HeadStart.start(RunFolder.experiment(folder), name, folder));
                            engine = ahead.get().engine();
                        } else {
                            engine = start.apply(name);
                        }
                        engines.add(engine);
                    }
                } catch (RunFileException e) {
                    if (++refused == names.size()) {
                        throw e;
                    }
                    display.say(leftOut(name, e.getMessage()));
                    if (!RunReader.hasEngine(RunFolder.runFile(folder, name))) {
                        display.ended(name, "");
                    }
                    continue;
                }
                if (sequential) {
                    follow(List.of(engine), display);
                } else if (engines.size() == 1 && ahead.isPresent()) {
                    awaitEnd(ahead.get());
                }
            }
            follow(engines, display);
            removeHook(hook);
            return display.end() ? 0 : 1;
        }
    }

    private void awaitEnd(HeadStart headStart) throws InterruptedException {
        while (!stopping && !headStart.isOver()) {
            Thread.sleep(HeadStart.LOOK_MS);
        }
    }

    private void require(Experiment experiment, List<String> names) {
        List<ArmSpec> chosen = specs(experiment, names);
        if (sequential) {
            Preflight.requireEach(experiment, chosen);
        } else {
            Preflight.require(experiment, chosen);
        }
    }

    private static List<ArmSpec> specs(Experiment experiment, List<String> names) {
        return names.stream().flatMap(name -> experiment.arm(name).stream()).toList();
    }

    private List<String> armNames(Experiment experiment, Path file) {
        List<String> all = experiment.arms().stream().map(ArmSpec::name).toList();
        for (String arm : arms) {
            if (!all.contains(arm)) {
                throw new InvalidExperimentException("arms", "There is no arm " + arm + " in " + file + "; its arms are "
                        + String.join(", ", all) + ".");
            }
        }
        return arms.isEmpty() ? all : List.copyOf(arms);
    }

    private void follow(List<EngineProcess> engines, ProgressDisplay display) throws InterruptedException {
        CompletableFuture<Void> all = CompletableFuture.allOf(engines.stream()
                .map(engine -> engine.ended().thenAccept(said -> display.ended(engine.arm(), said)))
                .toArray(CompletableFuture[]::new));
        while (true) {
            try {
                all.get(REFRESH_MS, TimeUnit.MILLISECONDS);
                display.refresh();
                return;
            } catch (TimeoutException e) {
                ahead.ifPresent(headStart -> headStart.endsWith(engines));
                display.refresh();
            } catch (ExecutionException e) {
                throw new IllegalStateException("An engine's end could not be told.", e.getCause());
            }
        }
    }

    private void stopAll(List<EngineProcess> engines, ProgressDisplay display) {
        List<EngineProcess> started;
        synchronized (engines) {
            stopping = true;
            ahead.ifPresent(HeadStart::end);
            started = List.copyOf(engines);
        }
        if (started.isEmpty()) {
            return; // the first was refused, which has been said
        }
        display.say("Stopping; what was recorded is kept.");
        started.forEach(engine -> engine.stop(PATIENCE));
        for (EngineProcess engine : started) {
            try {
                display.ended(engine.arm(), engine.ended().get(2 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (ExecutionException | TimeoutException e) {
                display.say("The engine of arm " + engine.arm() + " (process " + engine.pid() + ") may still be running.");
            }
        }
        display.end();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // Ctrl-C came at the very end: the hook runs and finds every engine ended
        }
    }
}
