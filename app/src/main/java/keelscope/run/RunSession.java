package keelscope.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javafx.application.Platform;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.experiment.InvalidExperimentException;
import keelscope.process.EngineProcess;
import keelscope.process.HeadStart;
import keelscope.process.Preflight;
import keelscope.process.ReadingProgress;
import keelscope.process.RunFolder;
import keelscope.run.RunNote.Severity;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunState;
import keelscope.runfile.RunStatus;
import keelscope.text.Texts;

/**
 * The experiment on screen: engines this program started, or run files that were opened. What it shows always comes from
 * the run files; the engines are only started, told what to do, and watched for their end.
 *
 * <p>Properties belong to the JavaFX thread and every method is called there; none of them waits for a disk or a
 * process.
 */
public final class RunSession implements AutoCloseable {
    /** The ending of a run file's name. */
    public static final String RUN_FILE_SUFFIX = ".keelrun";

    /** How long an engine may take to stop by itself; ending it by force then leaves the rest of two seconds. */
    private static final Duration STOP_PATIENCE = Duration.ofMillis(1200);

    /** How often it is looked whether engines that others started are still there, and how far those that start are. */
    private static final long LOOK_MS = 1000;

    /** Kinds of events that say that an arm diverged though it trains on (specification, section 6). */
    private static final Set<String> DIVERGENCE = Set.of("stagnation", "instability", "degradation");

    private final ReadOnlyObjectWrapper<RunPhase> phase = new ReadOnlyObjectWrapper<>(this, "phase", RunPhase.STARTING);
    private final ReadOnlyObjectWrapper<List<Arm>> arms = new ReadOnlyObjectWrapper<>(this, "arms", List.of());
    private final ReadOnlyObjectWrapper<Optional<Path>> folder =
            new ReadOnlyObjectWrapper<>(this, "folder", Optional.empty());
    private final ReadOnlyBooleanWrapper pauseRequested = new ReadOnlyBooleanWrapper(this, "pauseRequested");
    private final ObservableList<RunNote> notes = FXCollections.observableArrayList();
    // A view listens weakly: were it made anew for each caller, it would be collected with the caller's listeners.
    private final ObservableList<RunNote> notesView = FXCollections.unmodifiableObservableList(notes);

    private final ScheduledExecutorService io = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "keelscope-run");
        thread.setDaemon(true);
        return thread;
    });
    private final boolean opened;
    private final String title;

    private List<Path> files = List.of();
    private List<String> names = List.of();
    private List<ArmSnapshot> snapshots = List.of();
    private Shown shown = Shown.each(List.of());
    private Function<List<ArmSnapshot>, Shown> grouping = Shown::each;
    private boolean compares;
    private final Map<Path, String> calledNames = new HashMap<>();
    private final Map<String, EngineProcess> engines = new HashMap<>();
    private final Map<String, String> ends = new HashMap<>();
    private final Set<String> noted = new HashSet<>();
    private final Set<String> told = new HashSet<>();
    /** Arms whose engines were started to go on, until their run files show it. */
    private final Set<String> awaited = new HashSet<>();
    /** Run files whose engines others started and that are not known to have ended; read on the background thread too. */
    private volatile Set<Path> foreign = Set.of();
    /** Those of them that have no engine any more; what keeps the file from being read, empty where it can be. */
    private Map<Path, String> forsaken = Map.of();
    /** Engines of this program that have taken no step yet; read on the background thread too. */
    private volatile List<EngineProcess> starting = List.of();
    /** How much of its text an engine that is starting has read, percent. */
    private Map<String, Integer> reading = Map.of();
    private Optional<RunFollower> follower = Optional.empty();
    private View view = View.live();
    private boolean launching;
    /** Read on the background thread too. */
    private volatile boolean stopRequested;
    private boolean closed;

    private RunSession(String title, boolean opened) {
        this.title = title;
        this.opened = opened;
    }

    /**
     * Starts an engine for every arm.
     *
     * @param parent the folder in which the run's own folder is made
     */
    public static RunSession start(Experiment experiment, Path parent) {
        RunSession session = new RunSession(experiment.name(), false);
        session.names = experiment.arms().stream().map(ArmSpec::name).toList();
        session.launching = true;
        session.publish();
        session.io.execute(() -> session.launch(experiment, parent));
        return session;
    }

    /** Shows run files: one, or all of a folder. A run that another program's engine still writes is followed live. */
    public static RunSession open(Path fileOrFolder) {
        Path name = fileOrFolder.getFileName();
        RunSession session = new RunSession(name == null ? fileOrFolder.toString() : name.toString(), true);
        session.launching = true;
        session.publish();
        session.io.execute(() -> session.find(fileOrFolder));
        return session;
    }

    /**
     * An arm that is compared with others.
     *
     * @param file its run file
     * @param name what it is called beside the others, unlike any other name
     */
    public record Compared(Path file, String name) {}

    /**
     * Shows arms of any runs together, each with a colour of its own or that of its group, in the order given.
     *
     * @param grouping what the charts show of the arms' snapshots
     */
    public static RunSession compare(String title, List<Compared> compared, Function<List<ArmSnapshot>, Shown> grouping) {
        RunSession session = new RunSession(title, true);
        session.grouping = grouping;
        session.compares = true;
        session.launching = true;
        compared.forEach(arm -> session.calledNames.put(arm.file(), arm.name()));
        session.publish();
        session.io.execute(() -> session.findCompared(compared));
        return session;
    }

    /** Whether it shows arms of several runs together. */
    public boolean compares() {
        return compares;
    }

    /** The name of the experiment, or of the file or folder that was opened. */
    public String title() {
        return title;
    }

    /** Whether run files were opened, rather than engines started. */
    public boolean opened() {
        return opened;
    }

    /** What the experiment as a whole is doing. */
    public ReadOnlyObjectProperty<RunPhase> phaseProperty() {
        return phase.getReadOnlyProperty();
    }

    /** Every arm, in the experiment's order. */
    public ReadOnlyObjectProperty<List<Arm>> armsProperty() {
        return arms.getReadOnlyProperty();
    }

    /** Where the run files are; empty until that folder exists. */
    public ReadOnlyObjectProperty<Optional<Path>> folderProperty() {
        return folder.getReadOnlyProperty();
    }

    /** Whether the user's last word was to pause rather than to resume. */
    public ReadOnlyBooleanProperty pauseRequestedProperty() {
        return pauseRequested.getReadOnlyProperty();
    }

    /** What the user must know, oldest first. */
    public ObservableList<RunNote> notes() {
        return notesView;
    }

    /** What the charts show of the arms whose run file exists, in the experiment's order; in a comparison, of their groups. */
    public List<ArmSnapshot> snapshots() {
        return shown.snapshots();
    }

    /** Asks for something else to be seen of the run files; snapshots that hold it follow soon. */
    public void view(View wanted) {
        view = wanted;
        follower.ifPresent(f -> f.view(wanted));
    }

    /** The process number of an arm's engine; empty where this program started none. */
    public Optional<Long> pid(String arm) {
        return Optional.ofNullable(engines.get(arm)).map(EngineProcess::pid);
    }

    /** Asks every engine to take no further step for now. */
    public void pause() {
        pauseRequested.set(true);
        send("pause", "");
    }

    /** Asks every paused engine to go on. */
    public void resume() {
        pauseRequested.set(false);
        send("resume", "");
    }

    /**
     * Asks every engine for something it does before its next step: {@code step} (one step, then a pause), {@code lr} (the
     * learning rate, or {@code x0.5} to multiply it), {@code probe} or {@code checkpoint}.
     */
    public void command(String command, String argument) {
        if (command.equals("step")) {
            // An engine waits after it, so the next word is to resume.
            pauseRequested.set(true);
        }
        send(command, argument);
    }

    /** The arms that ended before their last step and can go on from where they are, or begin where their engines had not. */
    public List<Arm> resumable() {
        return arms.get().stream()
                .filter(arm -> arm.phase() == ArmPhase.STOPPED || arm.phase() == ArmPhase.FAILED || arm.phase() == ArmPhase.GONE)
                .filter(arm -> arm.snapshot().isPresent() ? arm.lastStep() + 1 < arm.steps() : neverBegan(arm.name()))
                // That an engine of this program failed is read from its file before its process is known to have ended.
                .filter(arm -> own(arm.name()) ? ends.containsKey(arm.name()) : !isAtWork(arm.name()))
                .toList();
    }

    /** Whether the arm was stopped before its engine had made its run file. */
    private boolean neverBegan(String arm) {
        return !opened && folder.get().isPresent() && "".equals(ends.get(arm));
    }

    /** Starts an engine for every arm that can go on: each trains on from its last checkpoint, into the same run file. */
    public void goOn() {
        List<Arm> open = resumable();
        if (closed || open.isEmpty()) {
            return;
        }
        stopRequested = false;
        pauseRequested.set(false);
        for (Arm arm : open) {
            ends.remove(arm.name());
            noted.remove(arm.name());
            engines.remove(arm.name());
            awaited.add(arm.name());
        }
        publish();
        Optional<Path> place = folder.get();
        background(() -> resume(open, place));
    }

    private boolean isAtWork(String arm) {
        return Optional.ofNullable(engines.get(arm)).map(EngineProcess::isAlive).orElse(false);
    }

    /** Whether engines that this program started are at work, or about to be. */
    public boolean trainsHere() {
        return !opened && phase.get().live() || !awaited.isEmpty() || names.stream().anyMatch(this::isAtWork);
    }

    /** Ends every engine: by asking, and by force where one has not ended within two seconds. */
    public void stop() {
        if (!phase.get().live() || stopRequested) {
            return;
        }
        stopRequested = true;
        publish();
        stopOwnEngines();
        List<Path> elsewhere = arms.get().stream()
                .filter(arm -> !own(arm.name()) && !arm.phase().ended())
                .flatMap(arm -> arm.snapshot().stream())
                .map(ArmSnapshot::file)
                .toList();
        tell(List.of(), elsewhere, "stop", "");
    }

    /** Stops following the run files. Engines this session started are stopped. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        stopRequested |= trainsHere();
        stopOwnEngines();
        closed = true;
        follower.ifPresent(RunFollower::close);
        io.shutdown();
    }

    /**
     * Waits, after {@link #close()}, until no run file is open any more, so that no file of SQLite's is left beside one by the program's
     * end. Not for the JavaFX thread.
     *
     * @return whether that was so before {@code patience} was over
     */
    public boolean awaitClosed(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        boolean quiet = io.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
        Optional<RunFollower> following = follower;
        return quiet && (following.isEmpty() || following.get().awaitClosed(Duration.ofNanos(Math.max(1, end - System.nanoTime()))));
    }

    private void stopOwnEngines() {
        List<EngineProcess> running = List.copyOf(engines.values());
        background(() -> running.forEach(engine -> engine.stop(STOP_PATIENCE)));
    }

    /** Whether the arm's engine is, or was, started by this program. */
    private boolean own(String arm) {
        return !opened || engines.containsKey(arm) || awaited.contains(arm) || ends.containsKey(arm);
    }

    // --- on the background thread -----------------------------------------------------------------------------------

    private void launch(Experiment experiment, Path parent) {
        Path made;
        try {
            Preflight.require(experiment, experiment.arms());
            made = RunFolder.create(parent, experiment);
        } catch (RuntimeException e) {
            Platform.runLater(() -> failedToStart(sentence(e)));
            return;
        }
        List<Path> runFiles = experiment.arms().stream()
                .map(arm -> RunFolder.runFile(made, arm.name()))
                .toList();
        Platform.runLater(() -> {
            folder.set(Optional.of(made));
            follow(runFiles);
        });
        List<String> all = experiment.arms().stream().map(ArmSpec::name).toList();
        List<String> others = all.subList(1, all.size());
        if (HeadStart.helps(experiment, all.size())) {
            try {
                HeadStart headStart = HeadStart.start(RunFolder.experiment(made), all.get(0), made);
                watch(headStart.engine());
                awaitHeadStart(headStart, others, made);
                return;
            } catch (RuntimeException e) {
                Platform.runLater(() -> ended(all.get(0), sentence(e)));
            }
        } else {
            startEngine(all.get(0), made);
        }
        startOthers(others, made);
    }

    /** Not a wait, since a stop must find this thread free. */
    private void awaitHeadStart(HeadStart headStart, List<String> others, Path made) {
        if (stopRequested || headStart.isOver()) {
            endHeadStart(headStart, startOthers(others, made));
        } else {
            io.schedule(() -> awaitHeadStart(headStart, others, made), HeadStart.LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Lets the first arm go on as soon as the others are as far. */
    private void endHeadStart(HeadStart headStart, List<EngineProcess> others) {
        if (stopRequested) {
            headStart.end();
        } else if (!headStart.endsWith(others)) {
            io.schedule(() -> endHeadStart(headStart, others), HeadStart.LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private List<EngineProcess> startOthers(List<String> others, Path made) {
        List<EngineProcess> started = new ArrayList<>();
        for (String arm : others) {
            if (stopRequested) {
                Platform.runLater(() -> ended(arm, ""));
            } else {
                startEngine(arm, made).ifPresent(started::add);
            }
        }
        Platform.runLater(() -> {
            launching = false;
            publish();
        });
        return started;
    }

    private Optional<EngineProcess> startEngine(String arm, Path made) {
        try {
            EngineProcess engine = EngineProcess.start(RunFolder.experiment(made), arm, made);
            watch(engine);
            return Optional.of(engine);
        } catch (RuntimeException e) {
            Platform.runLater(() -> ended(arm, sentence(e)));
            return Optional.empty();
        }
    }

    private void resume(List<Arm> open, Optional<Path> place) {
        try {
            requireMemory(open.stream().flatMap(arm -> arm.snapshot().stream()).toList());
        } catch (RuntimeException e) {
            Platform.runLater(() -> refused(open, sentence(e)));
            return;
        }
        for (Arm arm : open) {
            Path home = arm.snapshot().map(recorded -> recorded.file().toAbsolutePath().getParent()).or(() -> place).orElseThrow();
            try {
                watch(arm.snapshot().isPresent()
                        ? EngineProcess.resume(home, arm.name())
                        : EngineProcess.start(RunFolder.experiment(home), arm.name(), home));
            } catch (RuntimeException e) {
                Platform.runLater(() -> ended(arm.name(), sentence(e)));
            }
        }
    }

    /** Refuses arms that would not fit into memory together with the others of their experiment. */
    private static void requireMemory(List<ArmSnapshot> open) {
        open.stream().collect(Collectors.groupingBy(arm -> arm.info().experimentYaml())).forEach((yaml, arms) -> {
            Path file = arms.get(0).file();
            if (!yaml.isEmpty()) { // else it cannot go on, which is said when it is tried
                Experiment experiment = ExperimentFile.parse(yaml, file.toString(), file.toAbsolutePath().getParent());
                Preflight.requireMemory(
                        experiment,
                        arms.stream().flatMap(arm -> experiment.arm(RunFolder.arm(arm.file())).stream()).toList());
            }
        });
    }

    private void look() {
        Map<Path, String> without = new HashMap<>();
        foreign.forEach(file -> forsaken(file).ifPresent(why -> without.put(file, why)));
        Map<String, Integer> percents = new HashMap<>();
        starting.forEach(engine -> ReadingProgress.percent(engine.log()).ifPresent(percent -> percents.put(engine.arm(), percent)));
        Platform.runLater(() -> {
            if (!without.equals(forsaken) || !percents.equals(reading)) {
                forsaken = without;
                reading = percents;
                publish();
            }
        });
    }

    /**
     * Whether a run has no end and nobody who would write one, as after the machine went down; then what keeps its file from being read,
     * or the empty sentence.
     */
    private static Optional<String> forsaken(Path file) {
        try (RunReader reader = RunReader.open(file)) {
            // Asked in this order, since an engine writes the end before it lets go of the file.
            boolean engine = reader.hasEngine();
            RunState state = reader.state();
            return engine || state.status().ended() || isStarting(state) ? Optional.empty() : Optional.of("");
        } catch (RunFileException e) {
            return RunReader.hasEngine(file) ? Optional.empty() : Optional.of(e.getMessage());
        }
    }

    /** Whether somebody has begun to go on with a run whose engine has not taken the file yet. */
    private static boolean isStarting(RunState state) {
        return state.status() == RunStatus.STARTING
                && state.pid() > 0
                && ProcessHandle.of(state.pid()).map(ProcessHandle::isAlive).orElse(false);
    }

    private void watch(EngineProcess engine) {
        Platform.runLater(() -> started(engine));
        engine.ended().thenAccept(end -> Platform.runLater(() -> ended(engine.arm(), end)));
    }

    private ArmSnapshot called(ArmSnapshot arm) {
        String name = calledNames.get(arm.file());
        return name == null || name.equals(arm.info().arm()) ? arm : arm.withArm(name);
    }

    private void findCompared(List<Compared> compared) {
        List<String> damage = new ArrayList<>();
        Set<Path> readable = new HashSet<>(readable(compared.stream().map(Compared::file).toList(), damage));
        List<Compared> found = compared.stream().filter(arm -> readable.contains(arm.file())).toList();
        Platform.runLater(() -> {
            launching = false;
            damage.forEach(sentence -> notes.add(new RunNote(Severity.ERROR, "", sentence)));
            names = found.stream().map(Compared::name).toList();
            if (found.isEmpty()) {
                publish();
            } else {
                follow(found.stream().map(Compared::file).toList());
            }
        });
    }

    private void find(Path fileOrFolder) {
        try {
            List<Path> found = Files.isDirectory(fileOrFolder) ? runFilesIn(fileOrFolder) : List.of(fileOrFolder);
            if (found.isEmpty()) {
                throw new RunFileException(Texts.get("run.folder.empty", fileOrFolder));
            }
            List<String> damage = new ArrayList<>();
            List<Path> readable = readable(found, damage);
            List<String> armNames = readable.stream().map(RunSession::armName).toList();
            Path place = Files.isDirectory(fileOrFolder) ? fileOrFolder : fileOrFolder.toAbsolutePath().getParent();
            Platform.runLater(() -> {
                launching = false;
                damage.forEach(sentence -> notes.add(new RunNote(Severity.ERROR, "", sentence)));
                names = armNames;
                folder.set(Optional.of(place));
                if (readable.isEmpty()) {
                    publish();
                } else {
                    follow(readable);
                }
            });
        } catch (RuntimeException | IOException e) {
            Platform.runLater(() -> failedToStart(sentence(e)));
        }
    }

    /**
     * Those of the files that can be read, in the order in which their experiment lists the arms, so that each has the
     * colour it had when it was trained.
     *
     * @param damage gets one sentence for each of the others
     */
    private static List<Path> readable(List<Path> found, List<String> damage) {
        List<Path> readable = new ArrayList<>();
        List<String> order = new ArrayList<>();
        for (Path file : found) {
            try (RunReader reader = RunReader.open(file)) {
                RunInfo info = reader.info();
                readable.add(file);
                if (order.isEmpty()) {
                    ExperimentFile.parse(info.experimentYaml(), file.toString(), file.toAbsolutePath().getParent())
                            .arms()
                            .forEach(arm -> order.add(arm.name()));
                }
            } catch (RunFileException e) {
                damage.add(e.getMessage());
            } catch (InvalidExperimentException e) {
                // Written by another version: its steps can be shown all the same, in the order of the names.
                continue;
            }
        }
        readable.sort(Comparator.comparingInt(file -> {
            int place = order.indexOf(armName(file));
            return place < 0 ? Integer.MAX_VALUE : place;
        }));
        return readable;
    }

    private static List<Path> runFilesIn(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*" + RUN_FILE_SUFFIX)) {
            entries.forEach(found::add);
        }
        found.sort(Comparator.comparing(Path::getFileName));
        return found;
    }

    private static String armName(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(RUN_FILE_SUFFIX) ? name.substring(0, name.length() - RUN_FILE_SUFFIX.length()) : name;
    }

    private static String sentence(Exception e) {
        if (e instanceof UncheckedIOException io) {
            return sentence(io.getCause());
        }
        String message = e.getMessage();
        return message == null || message.isBlank() || e instanceof IOException
                ? Texts.get("run.failed", e.getClass().getSimpleName() + (message == null ? "" : " " + message))
                : message;
    }

    // --- on the JavaFX thread ---------------------------------------------------------------------------------------

    private void failedToStart(String sentence) {
        launching = false;
        notes.add(new RunNote(Severity.ERROR, "", sentence));
        for (String name : names) {
            ends.put(name, sentence);
        }
        publish();
    }

    private void follow(List<Path> runFiles) {
        files = runFiles;
        if (!closed) {
            follower = Optional.of(RunFollower.follow(
                    runFiles, view, this::snapshots, this::noteUnread));
            io.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        }
        publish();
    }

    private void snapshots(List<ArmSnapshot> newest) {
        snapshots = newest.stream().map(this::called).toList();
        shown = grouping.apply(snapshots);
        for (ArmSnapshot arm : snapshots) {
            if (engines.containsKey(arm.info().arm()) && !arm.state().status().ended()) {
                awaited.remove(arm.info().arm());
            }
        }
        publish();
        snapshots.forEach(this::noteDivergence);
        if (pauseRequested.get()) {
            pauseLatecomers();
        }
    }

    /** An arm whose loss goes wrong trains on, since it may yet come back; but its user must know. */
    private void noteDivergence(ArmSnapshot arm) {
        for (RunEvent event : arm.events()) {
            if (DIVERGENCE.contains(event.kind()) && noted.add(arm.file() + "#" + event.id())) {
                notes.add(new RunNote(
                        Severity.WARNING,
                        arm.info().arm(),
                        Texts.get("run.note", Arm.title(arm.info().arm()), event.text())));
            }
        }
    }

    /** An engine that was still starting when the user asked to pause can be told only once it has its run file. */
    private void pauseLatecomers() {
        for (Arm arm : arms.get()) {
            EngineProcess engine = engines.get(arm.name());
            if (engine != null && arm.phase() == ArmPhase.RUNNING && told.add(arm.name())) {
                tell(List.of(engine), List.of(), "pause", "");
            }
        }
    }

    private void started(EngineProcess engine) {
        engines.put(engine.arm(), engine);
        if (stopRequested) {
            engine.stop(STOP_PATIENCE);
        }
        publish();
    }

    /** Several arms cannot go on for the same reason, which is said once. */
    private void refused(List<Arm> open, String sentence) {
        notes.add(new RunNote(Severity.ERROR, "", sentence));
        for (Arm arm : open) {
            ends.put(arm.name(), sentence);
            awaited.remove(arm.name());
        }
        publish();
    }

    private void ended(String arm, String sentence) {
        ends.put(arm, sentence);
        awaited.remove(arm);
        if (!sentence.isEmpty()) {
            note(arm, Severity.ERROR, sentence);
        }
        publish();
    }

    private void note(String arm, Severity severity, String sentence) {
        if (noted.add(arm)) {
            String named = sentence.contains(arm) ? sentence : Texts.get("run.note", Arm.title(arm), sentence);
            notes.add(new RunNote(severity, arm, named));
        }
    }

    /** Why a run file cannot be read: found by whoever follows it and, of a run without an engine, by whoever looks for that. */
    private void noteUnread(String sentence) {
        if (notes.stream().noneMatch(note -> note.text().equals(sentence))) {
            notes.add(new RunNote(Severity.ERROR, "", sentence));
        }
    }

    private void send(String command, String argument) {
        told.clear();
        List<EngineProcess> reachable = new ArrayList<>();
        List<Path> written = new ArrayList<>();
        for (Arm arm : arms.get()) {
            if (arm.phase().ended() || arm.snapshot().isEmpty()) {
                continue;
            }
            EngineProcess engine = engines.get(arm.name());
            if (engine != null && engine.isAlive()) {
                reachable.add(engine);
                told.add(arm.name());
            } else if (!own(arm.name())) {
                written.add(arm.snapshot().get().file());
            }
        }
        tell(reachable, written, command, argument);
    }

    private void tell(List<EngineProcess> reachable, List<Path> written, String command, String argument) {
        background(() -> {
            for (EngineProcess engine : reachable) {
                try {
                    engine.send(command, argument);
                } catch (RunFileException e) {
                    // Nobody need know that an engine which has just ended did not take a command.
                    if (engine.isAlive()) {
                        Platform.runLater(() -> notes.add(new RunNote(Severity.WARNING, engine.arm(), e.getMessage())));
                    }
                }
            }
            for (Path file : written) {
                try {
                    RunReader.send(file, command, argument);
                } catch (RunFileException e) {
                    Platform.runLater(() -> notes.add(new RunNote(Severity.WARNING, armName(file), e.getMessage())));
                }
            }
        });
    }

    private void background(Runnable work) {
        try {
            io.execute(work);
        } catch (RejectedExecutionException e) {
            // The session was closed meanwhile: there is nobody left to tell.
            return;
        }
    }

    private void publish() {
        List<Arm> now = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            now.add(arm(i));
        }
        arms.set(List.copyOf(now));
        phase.set(phaseOf(now));
        watchForeign();
        starting = now.stream()
                .filter(arm -> arm.phase() == ArmPhase.STARTING)
                .flatMap(arm -> Optional.ofNullable(engines.get(arm.name())).stream())
                .toList();
    }

    private String readingMessage(String arm) {
        return Optional.ofNullable(reading.get(arm)).map(percent -> Texts.get("arm.reading", percent)).orElse("");
    }

    /** Has it looked at once whether newly seen runs have an engine, and then from time to time. */
    private void watchForeign() {
        Set<Path> seen = IntStream.range(0, Math.min(names.size(), files.size()))
                .filter(place -> !own(names.get(place)))
                .mapToObj(files::get)
                .filter(file -> snapshot(file).map(arm -> !arm.state().status().ended()).orElse(true))
                .collect(Collectors.toUnmodifiableSet());
        boolean more = !foreign.containsAll(seen);
        foreign = seen;
        if (more) {
            background(this::look);
        }
    }

    private Arm arm(int index) {
        String name = names.get(index);
        Optional<Path> file = index < files.size() ? Optional.of(files.get(index)) : Optional.empty();
        Optional<ArmSnapshot> snapshot = file.flatMap(this::snapshot);
        int colour = file.map(shown.colours()::get).orElse(index);
        ArmPhase armPhase = snapshot.map(s -> phaseOf(s.state())).orElse(ArmPhase.STARTING);
        String message = armPhase == ArmPhase.STARTING ? readingMessage(name) : snapshot.map(s -> s.state().message()).orElse("");
        if (awaited.contains(name) && armPhase.ended()) {
            return new Arm(name, colour, ArmPhase.STARTING, readingMessage(name), snapshot);
        }
        boolean own = own(name);
        Optional<String> unread = file.map(forsaken::get).filter(why -> !why.isEmpty());
        boolean over = own
                ? ends.containsKey(name)
                : unread.isPresent() || snapshot.isPresent() && file.filter(forsaken::containsKey).isPresent();
        if (over && !armPhase.ended()) {
            String end = ends.getOrDefault(name, "");
            int last = snapshot.map(ArmSnapshot::lastStep).orElse(-1);
            if (!end.isEmpty()) {
                armPhase = ArmPhase.GONE;
                message = end;
            } else if (!own) {
                armPhase = ArmPhase.GONE;
                message = unread.orElseGet(() -> Texts.get("run.gone", name, last));
            } else if (stopRequested) {
                armPhase = ArmPhase.STOPPED;
            }
        }
        boolean gone = armPhase == ArmPhase.GONE && !own;
        if (gone && unread.isPresent()) {
            noteUnread(message);
        } else if (armPhase == ArmPhase.DIVERGED || armPhase == ArmPhase.FAILED || gone) {
            note(name, armPhase == ArmPhase.DIVERGED ? Severity.WARNING : Severity.ERROR, message);
        }
        return new Arm(name, colour, armPhase, message, snapshot);
    }

    private Optional<ArmSnapshot> snapshot(Path file) {
        return snapshots.stream().filter(arm -> arm.file().equals(file)).findFirst();
    }

    private static ArmPhase phaseOf(RunState state) {
        RunStatus status = state.status();
        return switch (status) {
            case STARTING -> ArmPhase.STARTING;
            case RUNNING -> ArmPhase.RUNNING;
            case PAUSED -> ArmPhase.PAUSED;
            case FINISHED -> ArmPhase.FINISHED;
            case STOPPED -> ArmPhase.STOPPED;
            case DIVERGED -> ArmPhase.DIVERGED;
            case FAILED -> ArmPhase.FAILED;
        };
    }

    private RunPhase phaseOf(List<Arm> now) {
        boolean over = !launching
                && now.stream().allMatch(arm -> own(arm.name()) ? ends.containsKey(arm.name()) : arm.phase().ended());
        if (over) {
            return RunPhase.ENDED;
        }
        if (stopRequested) {
            return RunPhase.STOPPING;
        }
        List<Arm> living = now.stream().filter(arm -> !arm.phase().ended()).toList();
        if (!living.isEmpty() && living.stream().allMatch(arm -> arm.phase() == ArmPhase.PAUSED)) {
            return RunPhase.PAUSED;
        }
        boolean begun = now.stream().anyMatch(arm -> arm.lastStep() >= 0);
        return begun ? RunPhase.RUNNING : RunPhase.STARTING;
    }
}
