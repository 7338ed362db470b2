package keelscope.setup;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javafx.animation.PauseTransition;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.collections.ListChangeListener;
import javafx.geometry.HPos;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Control;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.stage.FileChooser;
import keelscope.data.DataException;
import keelscope.data.TokenSource;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.DataSpec;
import keelscope.experiment.Estimate;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.experiment.InvalidExperimentException;
import keelscope.model.Scheme;
import keelscope.text.Quantities;
import keelscope.text.Texts;
import impl.org.controlsfx.skin.DecorationPane;
import org.controlsfx.validation.ValidationResult;
import org.controlsfx.validation.ValidationSupport;
import org.controlsfx.validation.decoration.StyleClassValidationDecoration;

/**
 * The set-up: what to train, checked as it is typed, and what it will need. Settings are checked by the engine's own
 * rules; the text is opened, and the estimate made, away from the JavaFX thread.
 */
public final class SetupPane extends BorderPane {
    /** Room for six digits. */
    private static final double NUMBER_WIDTH = 66;

    private static final javafx.util.Duration TYPING_PAUSE = javafx.util.Duration.millis(150);

    private final ExperimentDraft draft = new ExperimentDraft();
    private final Problems problems = new Problems();
    private final ValidationSupport validation = new ValidationSupport();
    private final Map<Field, Control> controls = new EnumMap<>(Field.class);
    private final Map<Label, Predicate<String>> sectionProblems = new LinkedHashMap<>();
    private final List<ArmRow> rows = new ArrayList<>();
    private final MenuButton samples = new MenuButton(Texts.get("setup.experiment.samples"));
    private final Button chooseText = new Button(Texts.get("setup.text.choose"));
    private final Label textHint = new Label();
    private final GridPane armGrid = new GridPane();
    private final Label armRemarks = new Label();
    private final Button addArm = new Button(Texts.get("setup.arm.add"));
    private final VBox form = new VBox();
    private final Label parameters = new Label();
    private final Label memory = new Label();
    private final Label time = new Label();

    private final ReadOnlyObjectWrapper<Optional<Experiment>> experiment =
            new ReadOnlyObjectWrapper<>(this, "experiment", Optional.empty());
    private final BooleanProperty locked = new SimpleBooleanProperty(this, "locked");
    private final PauseTransition pause = new PauseTransition(TYPING_PAUSE);
    private final Latest<TextCheck> textChecks = new Latest<>();
    private final Latest<Optional<Estimates>> estimates = new Latest<>();
    private final Latest<Loaded> loads = new Latest<>();
    private Consumer<String> onProblem = sentence -> {};
    private ExperimentDraft.Check check = draft.check();
    private Optional<TextCheck> text = Optional.empty();
    private boolean loading;

    /** What can be chosen at the top: an experiment's file by its name. */
    private record Source(String title, Path file) {}

    /** A text that was tried: a description, or what is wrong with it. */
    private record TextCheck(DataSpec data, String description, String problem) {
        boolean of(DataSpec typed) {
            return data.withBatches(1, data.sequence()).equals(typed.withBatches(1, typed.sequence()));
        }
    }

    /** What all arms need together. */
    private record Estimates(long least, long most, long memory, Optional<Duration> time) {}

    /** An experiment's file that was read, or why it could not be. */
    private record Loaded(Optional<Experiment> experiment, String problem) {}

    public SetupPane() {
        setId("setup");
        getStyleClass().add("setup");
        setAccessibleRole(AccessibleRole.PARENT);
        setAccessibleText(Texts.get("setup.title"));
        validation.setValidationDecorator(new StyleClassValidationDecoration("invalid", "warned"));

        form.getStyleClass().add("setup-form");
        form.getChildren()
                .addAll(experimentSection(), textSection(), armSection(), modelSection(), trainingSection());
        ScrollPane scroll = new ScrollPane(form);
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.getStyleClass().add("setup-scroll");
        // Without a pane of its own ControlsFX would make one the root of the scene, and all styles would be looked up anew.
        DecorationPane marked = new DecorationPane();
        marked.setRoot(scroll);
        setCenter(marked);
        setBottom(estimateSection());

        for (Field field : Field.values()) {
            draft.value(field).addListener((property, before, now) -> typed());
        }
        draft.arms().addListener((ListChangeListener<ArmDraft>) change -> showArms());
        pause.setOnFinished(event -> look());
        form.disableProperty().bind(locked);
        loadSamples();
    }

    /** The experiment as typed; empty while a setting is at fault or the text has not been looked at. */
    public ReadOnlyObjectProperty<Optional<Experiment>> experimentProperty() {
        return experiment.getReadOnlyProperty();
    }

    /** Whether the settings cannot be changed, since engines train with them. */
    public BooleanProperty lockedProperty() {
        return locked;
    }

    /** Who is told, in one sentence, when an experiment's file cannot be opened. */
    public void setOnProblem(Consumer<String> listener) {
        onProblem = listener;
    }

    /** Shows {@code experiment} in place of what was typed. */
    public void load(Experiment loaded) {
        loading = true;
        draft.load(loaded);
        loading = false;
        typed();
        pause.stop();
        look();
    }

    /** Reads an experiment's file and shows it. */
    public void open(Path file) {
        loads.request(
                () -> {
                    try {
                        return new Loaded(Optional.of(ExperimentFile.read(file)), "");
                    } catch (InvalidExperimentException e) {
                        return new Loaded(Optional.empty(), e.getMessage());
                    }
                },
                result -> {
                    result.experiment().ifPresent(this::load);
                    if (!result.problem().isEmpty()) {
                        onProblem.accept(result.problem());
                    }
                });
    }

    /** Trains on this text file instead. */
    public void useText(Path file) {
        draft.value(Field.TEXT).set(file.toString());
    }

    /** Asks the user for an experiment's file. */
    public void askForExperiment() {
        FileChooser chooser = new FileChooser();
        chooser.setTitle(Texts.get("setup.experiment.open.title"));
        chooser.getExtensionFilters()
                .add(new FileChooser.ExtensionFilter(Texts.get("setup.experiment.kind"), "*.yaml", "*.yml"));
        File chosen = chooser.showOpenDialog(getScene().getWindow());
        if (chosen != null) {
            open(chosen.toPath());
        }
    }

    // --- sections ---------------------------------------------------------------------------------------------------

    private Node experimentSection() {
        samples.setId("samples");
        samples.getStyleClass().add("quiet");
        samples.setAccessibleText(Texts.get("setup.experiment.samples"));
        samples.setTooltip(new Tooltip(Texts.get("setup.experiment.samples.help")));
        MenuItem other = new MenuItem(Texts.get("setup.experiment.open"));
        other.setId("open-experiment");
        other.setOnAction(event -> askForExperiment());
        samples.getItems().setAll(new SeparatorMenuItem(), other);
        TextField name = textField(Field.NAME);
        name.setPromptText(Field.NAME.label());
        VBox section = section("setup.experiment", key -> key.equals("name"), name);
        Label title = (Label) section.getChildren().get(0);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox head = new HBox(title, space, samples);
        head.getStyleClass().add("section-head");
        section.getChildren().add(0, head);
        return section;
    }

    private Node textSection() {
        TextField path = textField(Field.TEXT);
        path.setPromptText(Texts.get("setup.text.prompt"));
        HBox.setHgrow(path, Priority.ALWAYS);
        chooseText.setId("choose-text");
        chooseText.setOnAction(event -> {
            FileChooser chooser = new FileChooser();
            chooser.setTitle(Texts.get("setup.text.choose.title"));
            File chosen = chooser.showOpenDialog(getScene().getWindow());
            if (chosen != null) {
                useText(chosen.toPath());
            }
        });
        HBox row = new HBox(path, chooseText);
        row.getStyleClass().add("field-row");
        textHint.setId("text-hint");
        textHint.getStyleClass().add("hint");
        textHint.setWrapText(true);
        textHint.setMinHeight(Region.USE_PREF_SIZE);
        return section("setup.text", key -> key.equals("data.text"), row, textHint);
    }

    private Node armSection() {
        armGrid.getStyleClass().add("arm-grid");
        ColumnConstraints dot = new ColumnConstraints();
        ColumnConstraints wide = new ColumnConstraints();
        wide.setHgrow(Priority.ALWAYS);
        armGrid.getColumnConstraints().addAll(dot, wide, narrow(NUMBER_WIDTH), narrow(NUMBER_WIDTH));
        addArm.setId("arm-add");
        addArm.getStyleClass().add("quiet");
        addArm.setOnAction(event -> draft.arms().add(new ArmDraft(nextScheme())));
        armRemarks.setId("arm-remarks");
        armRemarks.getStyleClass().add("remark");
        armRemarks.setWrapText(true);
        armRemarks.setMinHeight(Region.USE_PREF_SIZE);
        armRemarks.managedProperty().bind(armRemarks.textProperty().isNotEmpty());
        armRemarks.visibleProperty().bind(armRemarks.managedProperty());
        return section("setup.arms", key -> key.startsWith("arms"), armGrid, addArm, armRemarks);
    }

    private Node modelSection() {
        GridPane grid = fieldGrid(3);
        grid.add(labelled(textField(Field.LAYERS)), 0, 0);
        grid.add(labelled(textField(Field.WIDTH)), 1, 0);
        grid.add(labelled(textField(Field.HEADS)), 2, 0);
        return section("setup.model", key -> key.startsWith("model."), grid);
    }

    private Node trainingSection() {
        GridPane grid = fieldGrid(4);
        grid.add(labelled(textField(Field.STEPS)), 0, 0);
        grid.add(labelled(textField(Field.BATCH)), 1, 0);
        grid.add(labelled(textField(Field.LENGTH)), 2, 0);
        grid.add(labelled(textField(Field.SEED)), 3, 0);
        grid.add(labelled(textField(Field.PEAK_LR)), 0, 1);
        grid.add(labelled(textField(Field.WARMUP)), 1, 1);
        ComboBox<String> device = new ComboBox<>();
        device.getItems().setAll("auto", "cpu", "gpu");
        device.setEditable(true);
        device.setMaxWidth(Double.MAX_VALUE);
        device.getEditor().textProperty().bindBidirectional(draft.value(Field.DEVICE));
        device.getEditor().textProperty().addListener((property, before, now) -> device.setValue(now));
        register(Field.DEVICE, device);
        grid.add(labelled(device), 2, 1, 2, 1);
        return section(
                "setup.training",
                key -> key.startsWith("training.")
                        || key.equals("data.batch")
                        || key.equals("data.sequence")
                        || key.equals("seed")
                        || key.equals("device"),
                grid);
    }

    private Node estimateSection() {
        GridPane grid = new GridPane();
        grid.setId("estimate");
        grid.getStyleClass().add("estimate");
        Label[] values = {parameters, memory, time};
        String[] keys = {"parameters", "memory", "time"};
        for (int i = 0; i < values.length; i++) {
            Label name = new Label(Texts.get("setup.estimate." + keys[i]));
            name.getStyleClass().add("estimate-name");
            values[i].setId("estimate-" + keys[i]);
            values[i].getStyleClass().add("estimate-value");
            name.setLabelFor(values[i]);
            name.setTooltip(new Tooltip(Texts.get("setup.estimate." + keys[i] + ".help")));
            ColumnConstraints column = new ColumnConstraints();
            column.setHgrow(Priority.ALWAYS);
            column.setPercentWidth(100.0 / values.length);
            grid.getColumnConstraints().add(column);
            grid.add(name, i, 0);
            grid.add(values[i], i, 1);
        }
        return grid;
    }

    private VBox section(String key, Predicate<String> belongs, Node... content) {
        Label title = new Label(Texts.get(key));
        title.getStyleClass().add("section-title");
        Label problem = new Label();
        problem.setId("problem-" + key.substring(key.indexOf('.') + 1));
        problem.getStyleClass().add("problem");
        problem.setWrapText(true);
        problem.setMinHeight(Region.USE_PREF_SIZE);
        problem.managedProperty().bind(problem.textProperty().isNotEmpty());
        problem.visibleProperty().bind(problem.managedProperty());
        sectionProblems.put(problem, belongs);
        VBox section = new VBox(title);
        section.getStyleClass().add("section");
        section.getChildren().addAll(content);
        section.getChildren().add(problem);
        return section;
    }

    private static ColumnConstraints narrow(double width) {
        return new ColumnConstraints(width, width, width);
    }

    private static GridPane fieldGrid(int columns) {
        GridPane grid = new GridPane();
        grid.getStyleClass().add("field-grid");
        for (int i = 0; i < columns; i++) {
            ColumnConstraints column = new ColumnConstraints();
            column.setPercentWidth(100.0 / columns);
            grid.getColumnConstraints().add(column);
        }
        return grid;
    }

    private TextField textField(Field field) {
        TextField control = new TextField();
        control.setPrefColumnCount(5);
        control.textProperty().bindBidirectional(draft.value(field));
        register(field, control);
        return control;
    }

    private void register(Field field, Control control) {
        control.setId("field-" + field.id());
        control.setAccessibleText(field.label());
        control.setAccessibleHelp(field.help());
        control.setTooltip(new Tooltip(field.help()));
        controls.put(field, control);
        validation.registerValidator(
                control,
                false,
                (at, value) ->
                        ValidationResult.fromErrorIf(at, problems.of(field.key()), problems.has(field.key())));
    }

    private Node labelled(Control control) {
        Field field = controls.entrySet().stream()
                .filter(entry -> entry.getValue() == control)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        Label label = new Label(field.label());
        label.getStyleClass().add("field-label");
        label.setLabelFor(control);
        VBox box = new VBox(label, control);
        box.getStyleClass().add("labelled");
        return box;
    }

    private void showArms() {
        rows.clear();
        armGrid.getChildren().clear();
        String[] heads = {"setup.arm.scheme", "setup.arm.peak_lr", "setup.arm.alpha"};
        for (int i = 0; i < heads.length; i++) {
            Label head = new Label(Texts.get(heads[i]));
            head.getStyleClass().add("field-label");
            armGrid.add(head, i + 1, 0);
        }
        for (int i = 0; i < draft.arms().size(); i++) {
            ArmDraft arm = draft.arms().get(i);
            ArmRow row = new ArmRow(arm, i, problems, draft.value(Field.PEAK_LR));
            row.scheme.valueProperty().addListener((property, before, now) -> typed());
            row.peakLr.textProperty().addListener((property, before, now) -> typed());
            row.alpha.textProperty().addListener((property, before, now) -> typed());
            row.remove.setOnAction(event -> draft.arms().remove(arm));
            GridPane.setHalignment(row.swatch, HPos.CENTER);
            armGrid.addRow(i + 1, row.swatch, row.scheme, row.peakLr, row.alpha, row.remove);
            rows.add(row);
        }
        typed();
    }

    private Scheme nextScheme() {
        for (Scheme scheme : Scheme.values()) {
            if (draft.arms().stream().noneMatch(arm -> arm.schemeProperty().get() == scheme)) {
                return scheme;
            }
        }
        return Scheme.KEEL;
    }

    // --- checking ---------------------------------------------------------------------------------------------------

    private void typed() {
        if (loading) {
            return;
        }
        check = draft.check();
        show();
        pause.playFromStart();
    }

    /** Marks what is at fault and offers the experiment if nothing is. */
    private void show() {
        Map<String, String> now = new LinkedHashMap<>(check.problems());
        Optional<TextCheck> tried =
                check.data().flatMap(typed -> text.filter(result -> result.of(typed)));
        tried.map(TextCheck::problem)
                .filter(problem -> !problem.isEmpty())
                .ifPresent(problem -> now.put(Field.TEXT.key(), problem));
        problems.set(now);
        validation.revalidate();
        rows.forEach(ArmRow::revalidate);
        sectionProblems.forEach((label, belongs) -> label.setText(problems.first(belongs).orElse("")));
        textHint.setText(
                problems.has(Field.TEXT.key())
                        ? ""
                        : tried.map(TextCheck::description).orElse(Texts.get("setup.text.hint")));
        textHint.setManaged(!textHint.getText().isEmpty());
        armRemarks.setText(check.experiment().map(typed -> String.join(" ", typed.remarks(typed.arms()))).orElse(""));
        experiment.set(problems.none() && tried.isPresent() ? check.experiment() : Optional.empty());
        if (check.experiment().isEmpty()) {
            estimates.cancel();
            showEstimate(Optional.empty());
        }
    }

    /** Once typing pauses: opens the text and makes the estimate. */
    private void look() {
        check.data().ifPresent(typed -> textChecks.request(() -> tryText(typed), result -> {
            text = Optional.of(result);
            show();
        }));
        check.experiment().ifPresent(typed -> estimates.request(() -> estimate(typed), this::showEstimate));
    }

    private static TextCheck tryText(DataSpec typed) {
        try (TokenSource data = typed.open(Path.of("").toAbsolutePath())) {
            return new TextCheck(typed, data.description(), "");
        } catch (DataException e) {
            return new TextCheck(typed, "", e.getMessage());
        } catch (RuntimeException | LinkageError e) {
            // Unforeseen; said all the same, since else the experiment could not be started and nobody would know why.
            return new TextCheck(typed, "", Texts.get("setup.problem.text.unread", e));
        }
    }

    private static Optional<Estimates> estimate(Experiment typed) {
        long least = Long.MAX_VALUE;
        long most = 0;
        long bytes = 0;
        double longest = 0;
        for (ArmSpec arm : typed.arms()) {
            Estimate estimate = Estimate.of(typed, arm);
            least = Math.min(least, estimate.parameters());
            most = Math.max(most, estimate.parameters());
            bytes += estimate.memoryBytes();
            longest = Math.max(longest, estimate.stepMs() * typed.recipe(arm).steps());
        }
        Optional<Duration> time = Double.isFinite(longest)
                ? Optional.of(Duration.ofMillis((long) Math.min(longest, Long.MAX_VALUE / 2.0)))
                : Optional.empty();
        return Optional.of(new Estimates(least, most, bytes, time));
    }

    private void showEstimate(Optional<Estimates> estimate) {
        String unknown = Texts.get("setup.estimate.unknown");
        parameters.setText(estimate.map(e -> Quantities.count(e.most())).orElse(unknown));
        memory.setText(estimate.map(e -> Quantities.bytes(e.memory())).orElse(unknown));
        time.setText(estimate.flatMap(Estimates::time)
                .map(t -> Texts.get("setup.estimate.about", Quantities.duration(t)))
                .orElse(unknown));
    }

    // --- experiments to choose from ---------------------------------------------------------------------------------

    private void loadSamples() {
        Latest<List<Source>> listing = new Latest<>();
        listing.request(SetupPane::findSamples, found -> {
            for (int i = 0; i < found.size(); i++) {
                Source source = found.get(i);
                MenuItem item = new MenuItem(source.title());
                item.setId("sample-" + i);
                item.setMnemonicParsing(false);
                item.setOnAction(event -> open(source.file()));
                samples.getItems().add(i, item);
            }
            if (!found.isEmpty() && draft.arms().isEmpty()) {
                open(found.get(0).file());
            }
        });
    }

    private static List<Source> findSamples() {
        List<Source> found = new ArrayList<>();
        for (Path file : SampleExperiments.list()) {
            try {
                found.add(new Source(ExperimentFile.read(file).name(), file));
            } catch (InvalidExperimentException e) {
                // Offered under its file's name: choosing it says what is wrong.
                found.add(new Source(file.getFileName().toString(), file));
            }
        }
        return found;
    }
}
