package keelscope.app;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.application.Platform;
import javafx.beans.property.BooleanProperty;
import javafx.beans.value.ChangeListener;
import javafx.collections.ListChangeListener;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Alert;
import javafx.scene.control.ButtonBar;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.ButtonType;
import javafx.scene.control.ComboBoxBase;
import javafx.scene.control.TextInputControl;
import javafx.scene.image.Image;
import javafx.scene.image.ImageView;
import javafx.scene.input.DragEvent;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyCodeCombination;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.TransferMode;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.StackPane;
import javafx.stage.DirectoryChooser;
import javafx.stage.FileChooser;
import javafx.stage.Popup;
import javafx.stage.Stage;
import javafx.stage.Window;
import javafx.stage.WindowEvent;
import javafx.util.Duration;
import keelscope.dashboard.Arrangement.Side;
import keelscope.dashboard.Dashboard;
import keelscope.dashboard.TimeCursor;
import keelscope.experiment.Experiment;
import keelscope.experiment.InvalidExperimentException;
import keelscope.export.ExportException;
import keelscope.export.LogImport;
import keelscope.export.Progress;
import keelscope.library.Comparison;
import keelscope.library.KeptExperiment;
import keelscope.library.LibraryPane;
import keelscope.library.LibraryWindow;
import keelscope.process.RunFolder;
import keelscope.run.Arm;
import keelscope.run.RunNote;
import keelscope.run.RunPhase;
import keelscope.run.RunSession;
import keelscope.run.Shown;
import keelscope.setup.SetupPane;
import keelscope.text.Texts;
import org.controlsfx.control.Notifications;

/** The window: set-up on the left, controls above, charts in the middle, status below, and one run at a time in it. */
public final class MainWindow {
    private static final double WIDTH = 1440;
    private static final double HEIGHT = 900;

    /** In a narrower window the set-up makes room for the charts when there is a run to see. */
    private static final double ROOMY_WIDTH = 1500;

    private static final int[] ICON_SIZES = {16, 32, 64, 128, 256};
    private static final Duration NOTIFICATION_TIME = Duration.seconds(8);

    /** Letters in a line of a message; the style sheet gives it the width for them. */
    private static final int NOTIFICATION_LETTERS = 46;

    private final Stage stage;
    private final Path runs;
    private final SetupPane setup = new SetupPane();
    private final Dashboard dashboard = new Dashboard();
    private final NoteStrip notes = new NoteStrip();
    private final RunStatusBar status = new RunStatusBar();
    private final RunMenu runMenu = new RunMenu();
    private final RunControls controls;
    private final Workbench workbench = new Workbench(notes, dashboard);
    private final BorderPane root = new BorderPane();
    private final ShortcutsOverlay keys = new ShortcutsOverlay();
    private final Looks looks;
    private final WindowPlace place;
    private final Settings settings;
    private final LibraryWindow library;
    private final Jobs jobs;
    private final Saving saving;
    private Optional<RunSession> session = Optional.empty();
    /** What was handed over last. */
    private Path handed = Path.of("");
    private boolean closing;

    /**
     * @param stage the window to fill
     * @param runs the folder in which runs are kept
     */
    public MainWindow(Stage stage, Path runs) {
        this(stage, runs, Settings.forgotten());
    }

    /**
     * @param settings what the window remembers between starts
     */
    MainWindow(Stage stage, Path runs, Settings settings) {
        this.stage = stage;
        this.runs = runs;
        this.settings = settings;
        List<Image> icons = icons();
        ImageView icon = new ImageView(icons.get(2));
        icon.setFitWidth(32);
        icon.setFitHeight(32);
        icon.setAccessibleText(Texts.get("app.name"));
        root.getStyleClass().add("window");
        Scene scene = new Scene(new StackPane(root, keys), WIDTH, HEIGHT);
        looks = new Looks(scene);
        ViewMenu view = new ViewMenu(dashboard, looks, workbench.explainsProperty());
        jobs = new Jobs(stage, this::notify);
        saving = new Saving(stage, dashboard, () -> session, jobs, this::notify);
        controls = new RunControls(icon, runMenu, view, saving.menu());
        root.setTop(controls);
        root.setLeft(setup);
        root.setCenter(workbench);
        root.setBottom(status);
        stage.setScene(scene);
        stage.setTitle(Texts.get("app.name"));
        stage.getIcons().setAll(icons);
        stage.setMinWidth(800);
        stage.setMinHeight(480);
        place = new WindowPlace(stage);
        library = new LibraryWindow(stage, runs, new LibraryHost());
        stage.setOnCloseRequest(this::closeRequested);

        controls.title(Texts.get("app.name"), Texts.get("app.tagline"));
        connectControls();
        connectSetup();
        connectKeys(new Shortcuts(scene));
        view.shortcuts.setOnAction(event -> keys.show(true));
        runMenu.setOnGoOn(notes::clear);
        runMenu.settings.setOnAction(event -> useSettings());
        dashboard.viewProperty().addListener((property, before, now) -> session.ifPresent(run -> run.view(now)));
        scene.addEventHandler(KeyEvent.KEY_PRESSED, this::keyPressed);
        restore();
        stage.addEventHandler(WindowEvent.WINDOW_HIDING, event -> keep());
        root.setOnDragOver(this::draggedOver);
        root.setOnDragDropped(this::dropped);
    }

    /** Opens the window. */
    public void show() {
        stage.show();
        dashboard.requestFocus();
    }

    private void restore() {
        looks.restore(settings);
        workbench.explainsProperty().set(settings.is("explains"));
        settings.arrangement().ifPresent(dashboard::arrange);
        dashboard.choose(settings.chosen());
        place.restore(settings);
    }

    private void keep() {
        looks.keep(settings);
        settings.set("explains", workbench.explainsProperty().get());
        settings.arrangement(dashboard.arrangementProperty().get());
        settings.chosen(dashboard.chosen());
        place.keep(settings);
        settings.save();
    }

    /** The set-up on the left. */
    public SetupPane setup() {
        return setup;
    }

    /** The charts. */
    public Dashboard dashboard() {
        return dashboard;
    }

    /** How the window looks. */
    Looks looks() {
        return looks;
    }

    /** The run on screen, if there is one. */
    public Optional<RunSession> session() {
        return session;
    }

    /** Starts the experiment that is set up; does nothing where that cannot be. */
    public void start() {
        Optional<Experiment> experiment = setup.experimentProperty().get();
        if (experiment.isEmpty() || isLive()) {
            return;
        }
        dashboard.clear(Texts.get("dashboard.starting.title"), Texts.get("dashboard.starting.text"));
        watch(RunSession.start(experiment.get(), runs));
    }

    /** Pauses every engine, or lets them go on. */
    public void pauseOrResume() {
        session.filter(run -> run.phaseProperty().get().live()).ifPresent(run -> {
            if (run.pauseRequestedProperty().get()) {
                run.resume();
            } else {
                run.pause();
            }
            refreshControls();
        });
    }

    /** Ends every engine. */
    public void stop() {
        session.ifPresent(RunSession::stop);
    }

    /** The table of all runs. */
    public LibraryWindow library() {
        return library;
    }

    /** What the menus of charts and runs do. */
    Saving saving() {
        return saving;
    }

    /** What goes on behind the window. */
    Jobs jobs() {
        return jobs;
    }

    /** What the library asks of this window. */
    private final class LibraryHost implements LibraryPane.Host {
        @Override
        public void open(Path place) {
            handed = place;
            openRun(place);
        }

        @Override
        public void compare(Comparison comparison) {
            if (trainsHere()) {
                return;
            }
            dashboard.clear(Texts.get("dashboard.opening.title"), comparison.title());
            watch(RunSession.compare(comparison.title(), comparison.arms(), comparison.grouping()));
        }

        @Override
        public void load(Experiment experiment) {
            setUp(() -> {
                setup.load(experiment);
                stage.toFront();
            });
        }

        @Override
        public void problem(String sentence) {
            MainWindow.this.notify(RunNote.Severity.WARNING, sentence);
        }
    }

    /** Makes runs of another program's logs and opens them. */
    private void importLog(Path path) {
        jobs.run(Texts.get("task.import", path.getFileName()), progress -> importAll(path, progress), made -> {
            if (made.size() == 1) {
                openRun(made.get(0));
            } else if (!trainsHere()) {
                List<RunSession.Compared> arms = made.stream()
                        .map(file -> new RunSession.Compared(file, RunFolder.arm(file)))
                        .toList();
                watch(RunSession.compare(path.getFileName().toString(), arms, Shown::each));
            }
        });
    }

    private List<Path> importAll(Path path, Progress progress) {
        List<Path> logs = LogImport.logs(path);
        Path folder = LogImport.folder(runs);
        try {
            Files.createDirectories(folder);
        } catch (java.io.IOException e) {
            throw new ExportException("The folder " + folder + " cannot be made (" + e.getMessage() + "); set KEELSCOPE_RUNS to another.", e);
        }
        List<Path> made = new ArrayList<>();
        for (Path log : logs) {
            int done = made.size();
            LogImport.Target target = LogImport.Target.in(folder, LogImport.name(log));
            LogImport.read(log, target, LogImport.Columns::guess, share -> progress.at((done + share) / logs.size()));
            made.add(target.file());
        }
        return made;
    }

    /** Opens what a user handed over: a run file, a folder of them, an experiment, another program's log, or texts to train on. */
    public void open(Path file) {
        handed = file;
        if (!Files.isDirectory(file)) {
            open(file, Handed.of(file, Progress.UNWATCHED));
            return;
        }
        jobs.run(Texts.get("task.look", file.toAbsolutePath().getFileName()), progress -> Handed.of(file, progress), kind -> {
            // Else a large folder would take the place of what was handed over after it.
            if (handed == file && stage.isShowing()) {
                open(file, kind);
            }
        });
    }

    private void open(Path file, Handed kind) {
        switch (kind) {
            case LOG -> importLog(file);
            case RUN -> openRun(file);
            case EXPERIMENT -> setUp(() -> setup.open(file));
            case TEXT -> setUp(() -> setup.useText(file));
        }
    }

    /** Changes the set-up and shows it, unless arms are training. */
    private void setUp(Runnable change) {
        if (isLive()) {
            notify(RunNote.Severity.WARNING, Texts.get("open.live"));
            return;
        }
        controls.setup.setSelected(true);
        change.run();
    }

    /** Loads the settings of the run on screen into the set-up. */
    private void useSettings() {
        session.flatMap(run -> run.snapshots().stream().findFirst()).ifPresent(arm -> {
            try {
                Experiment kept = KeptExperiment.of(arm.info(), arm.file(), arm.info().experimentName());
                setUp(() -> setup.load(kept));
            } catch (InvalidExperimentException e) {
                notify(RunNote.Severity.WARNING, e.getMessage());
            }
        });
    }

    private void openRun(Path file) {
        if (trainsHere()) {
            return;
        }
        dashboard.clear(Texts.get("dashboard.opening.title"), file.toString());
        watch(RunSession.open(file));
        library.remember(file);
    }

    /** Whether arms train in this window, so that nothing else can be shown; then says so. */
    private boolean trainsHere() {
        boolean trains = session.map(RunSession::trainsHere).orElse(false);
        if (trains) {
            notify(RunNote.Severity.WARNING, Texts.get("open.live"));
        }
        return trains;
    }

    // --- the run on screen ------------------------------------------------------------------------------------------

    private void watch(RunSession run) {
        if (stage.getScene().getWidth() < ROOMY_WIDTH) {
            controls.setup.setSelected(false);
        }
        session.ifPresent(RunSession::close);
        notes.clear();
        session = Optional.of(run);
        dashboard.time().live();
        run.view(dashboard.viewProperty().get());
        showPlace(run);
        run.folderProperty().addListener((property, before, now) -> showPlace(run));
        ChangeListener<Object> refresh = (property, before, now) -> refresh(run);
        run.armsProperty().addListener(refresh);
        run.phaseProperty().addListener(refresh);
        run.notes().addListener((ListChangeListener<RunNote>) change -> {
            while (change.next()) {
                change.getAddedSubList().forEach(note -> told(run, note));
            }
        });
        refresh(run);
    }

    private void showPlace(RunSession run) {
        String title = titleOf(run);
        controls.title(title, run.folderProperty().get().map(Texts::place).orElse(""));
        stage.setTitle(Texts.get("app.title", title));
    }

    private static String titleOf(RunSession run) {
        return run.compares() ? run.title() : run.snapshots().stream()
                .findFirst()
                .map(arm -> arm.info().experimentName())
                .orElse(run.title());
    }

    private void refresh(RunSession run) {
        if (!isOnScreen(run)) {
            return;
        }
        List<Arm> arms = run.armsProperty().get();
        if (run.snapshots().stream().anyMatch(arm -> arm.lastStep() >= 0)) {
            workbench.show(run.snapshots());
            dashboard.show(run.snapshots());
        } else if (run.phaseProperty().get() == RunPhase.ENDED) {
            dashboard.clear(Texts.get("dashboard.nothing.title"), Texts.get(run.notes().isEmpty() ? "dashboard.nothing.text" : "dashboard.nothing.why"));
        }
        if (run.opened()) {
            showPlace(run);
        }
        status.show(arms);
        refreshControls();
        if (closing && !run.phaseProperty().get().live()) {
            run.close();
            stage.close();
        }
    }

    private void refreshControls() {
        Optional<RunPhase> phase = session.map(run -> run.phaseProperty().get());
        controls.show(
                phase,
                session.map(run -> run.armsProperty().get()).orElse(List.of()),
                session.map(run -> run.pauseRequestedProperty().get()).orElse(false));
        runMenu.show(session);
        boolean live = isLive();
        setup.lockedProperty().set(live);
        controls.start.setDisable(live || setup.experimentProperty().get().isEmpty());
    }

    private void told(RunSession run, RunNote note) {
        if (isOnScreen(run)) {
            // It stays above the charts until it is put away, so a message over them would say it twice.
            notes.add(note);
        }
    }

    private boolean isOnScreen(RunSession run) {
        return session.isPresent() && session.get() == run;
    }

    private boolean isLive() {
        return session.map(run -> run.phaseProperty().get().live()).orElse(false);
    }

    private void notify(RunNote.Severity severity, String sentence) {
        if (!stage.isShowing()) {
            return;
        }
        Notifications notification = Notifications.create()
                .owner(stage)
                .title(Texts.get("notification." + severity.name().toLowerCase(Locale.ROOT)))
                .text(Texts.wrapped(sentence, NOTIFICATION_LETTERS))
                // Over charts: at the top it would lie on Stop for as long as it is there, at the bottom on "To live".
                .position(Pos.CENTER_RIGHT)
                .hideAfter(NOTIFICATION_TIME);
        switch (severity) {
            case INFORMATION -> notification.showInformation();
            case WARNING -> notification.showWarning();
            case ERROR -> notification.showError();
        }
        // Else the message would take the Escape key from the list of keys, or from the chart that fills the window.
        messages().forEach(popup -> popup.setHideOnEscape(false));
        // A message is a window of its own, which would look as if it belonged to another program. Not at once: what is styled anew before
        // its first frame keeps the ground it had.
        Platform.runLater(() -> messages().forEach(popup -> popup.getScene().getStylesheets().setAll(stage.getScene().getStylesheets())));
    }

    private static Stream<Popup> messages() {
        return Window.getWindows().stream()
                .filter(Popup.class::isInstance)
                .map(Popup.class::cast)
                .filter(popup -> popup.getContent().stream()
                        .anyMatch(node -> node.getStyleClass().contains("notification-bar")));
    }

    // --- hands ------------------------------------------------------------------------------------------------------

    private void connectControls() {
        controls.start.setOnAction(event -> start());
        controls.pause.setOnAction(event -> pauseOrResume());
        controls.stop.setOnAction(event -> stop());
        controls.openFile.setOnAction(event -> askForFile());
        controls.openFile.setAccelerator(shortcut(KeyCode.O));
        controls.openFolder.setOnAction(event -> askForFolder());
        controls.openLibrary.setOnAction(event -> library.show());
        controls.openLog.setOnAction(event -> askForLog());
        controls.openExperiment.setOnAction(event -> setup.askForExperiment());
        setup.managedProperty().bind(setup.visibleProperty());
        setup.visibleProperty().bind(controls.setup.selectedProperty().and(dashboard
                .maximisedProperty()
                .isEqualTo(Optional.empty())));
    }

    private void connectSetup() {
        setup.setOnProblem(sentence -> notify(RunNote.Severity.ERROR, sentence));
        setup.experimentProperty().addListener((property, before, now) -> refreshControls());
        refreshControls();
    }

    private void connectKeys(Shortcuts shortcuts) {
        shortcuts.add("run", "start", this::start, KeyCode.ENTER, KeyCombination.SHORTCUT_DOWN);
        shortcuts.listed("run", "pause", Texts.get("key.space"));
        shortcuts.add("run", "stop", this::stop, KeyCode.PERIOD, KeyCombination.SHORTCUT_DOWN);
        runMenu.step.setAccelerator(
                shortcuts.add("run", "step", runMenu::step, KeyCode.T, KeyCombination.SHORTCUT_DOWN));
        runMenu.probe.setAccelerator(shortcuts.add(
                "run", "probe", () -> runMenu.command("probe"), KeyCode.B, KeyCombination.SHORTCUT_DOWN));
        runMenu.checkpoint.setAccelerator(shortcuts.add(
                "run", "checkpoint", () -> runMenu.command("checkpoint"), KeyCode.K, KeyCombination.SHORTCUT_DOWN));
        runMenu.goOn.setAccelerator(
                shortcuts.add("run", "go-on", runMenu::goOn, KeyCode.R, KeyCombination.SHORTCUT_DOWN));

        TimeCursor time = dashboard.time();
        shortcuts.addOutsideFields("time", "back", () -> time.move(-1), KeyCode.LEFT);
        shortcuts.addOutsideFields("time", "forward", () -> time.move(1), KeyCode.RIGHT);
        shortcuts.addOutsideFields(
                "time", "back-far", () -> time.move(-leap()), KeyCode.LEFT, KeyCombination.SHIFT_DOWN);
        shortcuts.addOutsideFields(
                "time", "forward-far", () -> time.move(leap()), KeyCode.RIGHT, KeyCombination.SHIFT_DOWN);
        shortcuts.add(
                "time",
                "play",
                () -> {
                    if (time.playingProperty().get()) {
                        time.pause();
                    } else {
                        time.play();
                    }
                },
                KeyCode.P,
                KeyCombination.SHORTCUT_DOWN);
        shortcuts.add("time", "live", time::live, KeyCode.L, KeyCombination.SHORTCUT_DOWN);

        shortcuts.add("charts", "next", () -> dashboard.turnToNext(1), KeyCode.F6);
        shortcuts.add("charts", "previous", () -> dashboard.turnToNext(-1), KeyCode.F6, KeyCombination.SHIFT_DOWN);
        shortcuts.add(
                "charts", "maximise", dashboard::maximiseOrRestore, KeyCode.M, KeyCombination.SHORTCUT_DOWN);
        shortcuts.listed("charts", "restore", Texts.get("key.escape"));
        shortcuts.add("charts", "hide", dashboard::hideAttended, KeyCode.H, KeyCombination.SHORTCUT_DOWN);
        move(shortcuts, "move-left", Side.LEFT, KeyCode.LEFT);
        move(shortcuts, "move-right", Side.RIGHT, KeyCode.RIGHT);
        move(shortcuts, "move-up", Side.ABOVE, KeyCode.UP);
        move(shortcuts, "move-down", Side.BELOW, KeyCode.DOWN);
        grow(shortcuts, "wider", 1, 0, KeyCode.RIGHT);
        grow(shortcuts, "narrower", -1, 0, KeyCode.LEFT);
        grow(shortcuts, "higher", 0, 1, KeyCode.DOWN);
        grow(shortcuts, "lower", 0, -1, KeyCode.UP);

        controls.openLibrary.setAccelerator(
                shortcuts.add("window", "library", library::show, KeyCode.E, KeyCombination.SHORTCUT_DOWN));
        shortcuts.add("window", "open", this::askForFile, KeyCode.O, KeyCombination.SHORTCUT_DOWN);
        shortcuts.add(
                "window",
                "setup",
                () -> controls.setup.setSelected(!controls.setup.isSelected()),
                KeyCode.U,
                KeyCombination.SHORTCUT_DOWN);
        toggle(shortcuts, "explain", workbench.explainsProperty(), KeyCode.I);
        toggle(shortcuts, "dark", looks.darkProperty(), KeyCode.D);
        toggle(shortcuts, "projector", looks.projectorProperty(), KeyCode.J);
        shortcuts.add("window", "larger", () -> looks.resize(1), KeyCode.PLUS, KeyCombination.SHORTCUT_DOWN);
        shortcuts.also(() -> looks.resize(1), KeyCode.EQUALS, KeyCombination.SHORTCUT_DOWN);
        shortcuts.also(() -> looks.resize(1), KeyCode.ADD, KeyCombination.SHORTCUT_DOWN);
        shortcuts.add("window", "smaller", () -> looks.resize(-1), KeyCode.MINUS, KeyCombination.SHORTCUT_DOWN);
        shortcuts.also(() -> looks.resize(-1), KeyCode.SUBTRACT, KeyCombination.SHORTCUT_DOWN);
        shortcuts.add(
                "window", "size", () -> looks.sizeProperty().set(100), KeyCode.DIGIT0, KeyCombination.SHORTCUT_DOWN);
        shortcuts.add("window", "shortcuts", () -> keys.show(!keys.isVisible()), KeyCode.F1);
        shortcuts.listed("library", "library-open", Texts.get("key.enter"));
        shortcuts.listed("library", "library-rename", KeyCode.F2.getName());
        shortcuts.listed("library", "library-delete", Texts.get("key.delete"));
        shortcuts.listed("library", "library-undo", shortcut(KeyCode.Z).getDisplayText());
        shortcuts.listed("library", "library-close", Texts.get("key.escape"));
        keys.list(shortcuts.entries());
    }

    private void move(Shortcuts shortcuts, String name, Side side, KeyCode key) {
        shortcuts.addOutsideFields(
                "charts",
                name,
                () -> dashboard.moveAttended(side),
                key,
                KeyCombination.SHORTCUT_DOWN,
                KeyCombination.SHIFT_DOWN);
    }

    private void grow(Shortcuts shortcuts, String name, int wider, int higher, KeyCode key) {
        shortcuts.addOutsideFields(
                "charts",
                name,
                () -> dashboard.growAttended(wider, higher),
                key,
                KeyCombination.ALT_DOWN,
                KeyCombination.SHIFT_DOWN);
    }

    private static void toggle(Shortcuts shortcuts, String name, BooleanProperty property, KeyCode key) {
        shortcuts.add("window", name, () -> property.set(!property.get()), key, KeyCombination.SHORTCUT_DOWN);
    }

    /** A fiftieth of the run. */
    private int leap() {
        return Math.max(10, dashboard.time().lastProperty().get() / 50);
    }

    private void keyPressed(KeyEvent event) {
        if (event.getCode() == KeyCode.ESCAPE) {
            dashboard.restore();
        } else if (event.getCode() == KeyCode.SPACE && !event.isShortcutDown() && !typesOrPresses(stage.getScene())) {
            pauseOrResume();
            event.consume();
        }
    }

    private static boolean typesOrPresses(Scene scene) {
        Node focus = scene.getFocusOwner();
        for (Node node = focus; node != null; node = node.getParent()) {
            if (node instanceof TextInputControl || node instanceof ButtonBase || node instanceof ComboBoxBase<?>) {
                return true;
            }
        }
        return false;
    }

    private static KeyCombination shortcut(KeyCode key) {
        return new KeyCodeCombination(key, KeyCombination.SHORTCUT_DOWN);
    }

    private void askForFile() {
        FileChooser chooser = new FileChooser();
        chooser.setTitle(Texts.get("open.file.title"));
        chooser.getExtensionFilters()
                .addAll(
                        new FileChooser.ExtensionFilter(
                                Texts.get("open.file.kind"), "*" + RunSession.RUN_FILE_SUFFIX),
                        new FileChooser.ExtensionFilter(Texts.get("open.file.all"), "*"));
        if (Files.isDirectory(runs)) {
            chooser.setInitialDirectory(runs.toFile());
        }
        File chosen = chooser.showOpenDialog(stage);
        if (chosen != null) {
            open(chosen.toPath());
        }
    }

    private void askForLog() {
        FileChooser chooser = new FileChooser();
        chooser.setTitle(Texts.get("open.log.title"));
        chooser.getExtensionFilters()
                .addAll(
                        new FileChooser.ExtensionFilter(Texts.get("open.log.kind"), "*.csv", "*tfevents*"),
                        new FileChooser.ExtensionFilter(Texts.get("open.file.all"), "*"));
        File chosen = chooser.showOpenDialog(stage);
        if (chosen != null) {
            importLog(chosen.toPath());
        }
    }

    private void askForFolder() {
        DirectoryChooser chooser = new DirectoryChooser();
        chooser.setTitle(Texts.get("open.folder.title"));
        if (Files.isDirectory(runs)) {
            chooser.setInitialDirectory(runs.toFile());
        }
        File chosen = chooser.showDialog(stage);
        if (chosen != null) {
            open(chosen.toPath());
        }
    }

    private void draggedOver(DragEvent event) {
        if (event.getDragboard().hasFiles()) {
            event.acceptTransferModes(TransferMode.COPY, TransferMode.LINK);
        }
        event.consume();
    }

    private void dropped(DragEvent event) {
        List<File> files = event.getDragboard().getFiles();
        event.setDropCompleted(!files.isEmpty());
        event.consume();
        if (!files.isEmpty()) {
            Platform.runLater(() -> open(files.get(0).toPath()));
        }
    }

    private void closeRequested(WindowEvent event) {
        boolean training = session.map(RunSession::trainsHere).orElse(false);
        if (!training) {
            session.ifPresent(RunSession::close);
            return;
        }
        event.consume();
        if (closing) {
            return;
        }
        ButtonType stopAndClose = new ButtonType(Texts.get("close.stop"), ButtonBar.ButtonData.OK_DONE);
        ButtonType keep = new ButtonType(Texts.get("close.keep"), ButtonBar.ButtonData.CANCEL_CLOSE);
        Alert question = new Alert(Alert.AlertType.CONFIRMATION, Texts.get("close.text"), stopAndClose, keep);
        question.initOwner(stage);
        question.setTitle(Texts.get("app.name"));
        question.setHeaderText(Texts.get("close.title"));
        question.getDialogPane().getStylesheets().setAll(stage.getScene().getStylesheets());
        question.getDialogPane().setId("close-question");
        question.setOnHidden(hidden -> {
            if (question.getResult() == stopAndClose) {
                closing = true;
                stop();
                session.ifPresent(this::refresh);
            }
        });
        question.show();
    }

    private static List<Image> icons() {
        List<Image> icons = new ArrayList<>();
        for (int size : ICON_SIZES) {
            icons.add(new Image(
                    MainWindow.class.getResource("/assets/icon-" + size + ".png").toExternalForm()));
        }
        return icons;
    }
}
