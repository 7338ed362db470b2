package keelscope.setup;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.DataSpec;
import keelscope.experiment.Defaults;
import keelscope.experiment.DivergenceRule;
import keelscope.experiment.Experiment;
import keelscope.experiment.InvalidExperimentException;
import keelscope.experiment.MeasureSpec;
import keelscope.experiment.ModelSpec;
import keelscope.experiment.TrainingSpec;
import keelscope.model.Scheme;
import keelscope.text.Quantities;
import keelscope.text.Texts;

/**
 * An experiment as it is being typed: every setting a text, which need not be valid. {@link #check()} makes the
 * experiment of it with the engine's own checks. Settings that the window does not show keep the value they were loaded
 * with.
 */
final class ExperimentDraft {
    private static final ModelSpec SMALLEST = new ModelSpec(2, 2, 1, 8);
    private static final ArmSpec ANY_ARM =
            new ArmSpec("arm", Scheme.PRE_LN, OptionalDouble.empty(), OptionalDouble.empty());

    private final Map<Field, StringProperty> values = new EnumMap<>(Field.class);
    private final ObservableList<ArmDraft> arms = FXCollections.observableArrayList();
    private Optional<Experiment> base = Optional.empty();

    /**
     * What checking gave.
     *
     * @param experiment the experiment, if every setting is valid
     * @param data its data, if at least they are
     * @param problems in the order of the form, one sentence for each key at fault, for example {@code model.layers} or {@code arms[1].alpha}
     */
    record Check(Optional<Experiment> experiment, Optional<DataSpec> data, Map<String, String> problems) {
        Check {
            problems = Collections.unmodifiableMap(new LinkedHashMap<>(problems));
        }
    }

    ExperimentDraft() {
        for (Field field : Field.values()) {
            values.put(field, new SimpleStringProperty(this, field.key(), ""));
        }
    }

    /** The text of a setting. */
    StringProperty value(Field field) {
        return values.get(field);
    }

    ObservableList<ArmDraft> arms() {
        return arms;
    }

    /** Shows {@code experiment} in place of what was typed. */
    void load(Experiment experiment) {
        base = Optional.of(experiment);
        set(Field.NAME, experiment.name());
        set(Field.TEXT, sourceOf(experiment.data()));
        set(Field.LAYERS, experiment.model().layers());
        set(Field.WIDTH, experiment.model().dModel());
        set(Field.HEADS, experiment.model().heads());
        set(Field.BATCH, experiment.data().batch());
        set(Field.LENGTH, experiment.data().sequence());
        set(Field.STEPS, experiment.training().steps());
        set(Field.PEAK_LR, Quantities.number(experiment.training().peakLr()));
        set(Field.WARMUP, experiment.training().warmup());
        set(Field.SEED, experiment.seed());
        set(Field.DEVICE, experiment.device());
        arms.setAll(experiment.arms().stream().map(ArmDraft::new).toList());
    }

    private void set(Field field, Object value) {
        values.get(field).set(String.valueOf(value));
    }

    /** Makes the experiment, or says of each setting at fault what is wrong and what is allowed. */
    Check check() {
        Map<String, String> problems = new LinkedHashMap<>();
        Optional<Integer> layers = whole(Field.LAYERS, problems);
        Optional<Integer> width = whole(Field.WIDTH, problems);
        Optional<Integer> heads = whole(Field.HEADS, problems);
        Optional<Integer> batch = whole(Field.BATCH, problems);
        Optional<Integer> length = whole(Field.LENGTH, problems);
        Optional<Integer> steps = whole(Field.STEPS, problems);
        Optional<Integer> warmup = whole(Field.WARMUP, problems);
        Optional<Double> peakLr = number(Field.PEAK_LR.key(), Field.PEAK_LR.label(), text(Field.PEAK_LR), problems);
        Optional<Long> seed = seed(problems);

        // A setting at fault must hide neither what is wrong with the others nor be blamed for them: each record is
        // tried again with a stand-in for the setting it refused.
        Optional<ModelSpec> model = withStandIns(problems, List.of(Field.LAYERS, Field.WIDTH, Field.HEADS), bad -> {
            int checkedHeads = bad.contains(Field.HEADS) ? 1 : heads.orElse(1);
            int checkedWidth = bad.contains(Field.WIDTH) ? 2 * checkedHeads : width.orElse(2 * checkedHeads);
            int checkedLayers = bad.contains(Field.LAYERS) ? 2 : layers.orElse(2);
            return new ModelSpec(checkedLayers, checkedWidth, checkedHeads, hiddenWidth(checkedWidth));
        });
        Optional<DataSpec> data = withStandIns(
                problems,
                List.of(Field.TEXT, Field.BATCH, Field.LENGTH),
                bad -> dataSpec(
                        bad.contains(Field.TEXT) ? Defaults.TEXT : text(Field.TEXT),
                        bad.contains(Field.BATCH) ? 1 : batch.orElse(1),
                        bad.contains(Field.LENGTH) ? 1 : length.orElse(1)));
        Optional<TrainingSpec> training =
                withStandIns(problems, List.of(Field.STEPS, Field.PEAK_LR, Field.WARMUP), bad -> {
                    int checkedWarmup = bad.contains(Field.WARMUP) ? 0 : warmup.orElse(0);
                    int least = Math.max(0, Math.min(checkedWarmup, Integer.MAX_VALUE / 2)) + 1;
                    return recipe(
                            bad.contains(Field.STEPS) ? least : steps.orElse(least),
                            bad.contains(Field.PEAK_LR) ? 1 : peakLr.orElse(1.0),
                            checkedWarmup);
                });
        if (text(Field.TEXT).isEmpty()) {
            problems.put(Field.TEXT.key(), Texts.get("setup.problem.text.empty"));
        }
        List<ArmSpec> specs = armSpecs(problems);
        boolean partsAreWhole = problems.isEmpty();
        Optional<Experiment> experiment = withStandIns(problems, List.of(Field.NAME, Field.DEVICE), bad -> new Experiment(
                bad.contains(Field.NAME) ? "name" : text(Field.NAME),
                seed.orElse(Defaults.SEED),
                bad.contains(Field.DEVICE) ? Defaults.DEVICE : text(Field.DEVICE),
                base.map(Experiment::threads).orElse(Defaults.THREADS),
                model.orElse(SMALLEST),
                data.orElse(new DataSpec(Defaults.TEXT, Defaults.VALIDATION_SHARE, 1, 1)),
                partsAreWhole ? training.orElseThrow() : recipe(1, Double.MAX_VALUE, 0),
                base.map(Experiment::measure).orElse(MeasureSpec.defaults()),
                partsAreWhole ? specs : List.of(ANY_ARM),
                base.map(Experiment::lockstep).orElse(false),
                base.map(Experiment::divergence).orElse(DivergenceRule.DEFAULT)));
        return new Check(problems.isEmpty() ? experiment : Optional.empty(), data, problems);
    }

    private String text(Field field) {
        return values.get(field).get().strip();
    }

    /** What stands in the field of the text: its path, several paths, or the name of a task. */
    private static String sourceOf(DataSpec data) {
        if (data.task().isPresent()) {
            var task = data.task().get();
            return task.task().sizeKey().isEmpty()
                    ? Texts.get("setup.task", task.task().id())
                    : Texts.get("setup.task.size", task.task().id(), task.task().sizeKey(), task.size());
        }
        return data.text().isBlank() ? String.join("; ", data.files()) : data.text();
    }

    /** The data: those that were loaded while their source is as it was, else the text named instead. */
    private DataSpec dataSpec(String source, int batch, int length) {
        Optional<DataSpec> loaded = base.map(Experiment::data);
        if (loaded.isPresent() && source.equals(sourceOf(loaded.get()))) {
            return loaded.get().withBatches(batch, length);
        }
        // What says how text is read is kept; a task has nothing of the kind.
        Optional<DataSpec> reading = loaded.filter(data -> data.task().isEmpty());
        return new DataSpec(
                resolved(source),
                List.of(),
                Optional.empty(),
                reading.map(DataSpec::tokenizer).orElse(Defaults.TOKENIZER),
                reading.map(DataSpec::field).orElse(Defaults.FIELD),
                reading.map(DataSpec::replaceInvalid).orElse(Defaults.REPLACE_INVALID),
                loaded.map(DataSpec::validationShare).orElse(Defaults.VALIDATION_SHARE),
                batch,
                length);
    }

    private int hiddenWidth(int width) {
        return base.map(Experiment::model)
                .filter(model -> model.dModel() == width)
                .map(ModelSpec::ffHidden)
                .orElse(Defaults.ffHidden(width));
    }

    private TrainingSpec recipe(int steps, double peakLr, int warmup) {
        if (base.isEmpty()) {
            return new TrainingSpec(steps, peakLr, warmup);
        }
        TrainingSpec other = base.get().training();
        return new TrainingSpec(
                steps,
                peakLr,
                warmup,
                Math.min(other.finalLr(), peakLr),
                other.beta1(),
                other.beta2(),
                other.adamEps(),
                other.weightDecay(),
                other.clipNorm(),
                other.accumulate(),
                other.precision(),
                other.recompute(),
                other.checkpointEvery(),
                other.keepCheckpoints());
    }

    private List<ArmSpec> armSpecs(Map<String, String> problems) {
        List<ArmSpec> specs = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < arms.size(); i++) {
            ArmDraft draft = arms.get(i);
            String place = "arms[" + i + "].";
            String title = Texts.get("setup.arm", i + 1);
            Scheme scheme = draft.schemeProperty().get();
            OptionalDouble alpha = OptionalDouble.empty();
            if (ArmSpec.takesAlpha(scheme)) {
                alpha = optional(place + "alpha", Texts.get("setup.arm.alpha.of", title), draft.alphaProperty(), problems);
            }
            OptionalDouble rate =
                    optional(place + "peak_lr", Texts.get("setup.arm.peak_lr.of", title), draft.peakLrProperty(), problems);
            String name = draft.givenName()
                    .filter(given -> !names.contains(given))
                    .orElseGet(() -> ArmSpec.defaultName(scheme, names));
            names.add(name);
            OptionalDouble checkedAlpha = alpha;
            attempt(place, problems, () -> new ArmSpec(name, scheme, checkedAlpha, rate, draft.trainedAlpha(), draft.training())).ifPresent(specs::add);
        }
        if (arms.isEmpty()) {
            problems.put("arms", Texts.get("setup.problem.arms.none"));
        }
        return specs;
    }

    private OptionalDouble optional(String key, String label, StringProperty typed, Map<String, String> problems) {
        String text = typed.get().strip();
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        return number(key, label, text, problems).map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    private Optional<Integer> whole(Field field, Map<String, String> problems) {
        try {
            return Optional.of(Integer.parseInt(text(field)));
        } catch (NumberFormatException e) {
            problems.put(field.key(), notANumber("setup.problem.whole", field.label(), text(field)));
            return Optional.empty();
        }
    }

    private Optional<Long> seed(Map<String, String> problems) {
        try {
            return Optional.of(Long.parseLong(text(Field.SEED)));
        } catch (NumberFormatException e) {
            problems.put(
                    Field.SEED.key(), notANumber("setup.problem.whole", Field.SEED.label(), text(Field.SEED)));
            return Optional.empty();
        }
    }

    private static Optional<Double> number(String key, String label, String text, Map<String, String> problems) {
        OptionalDouble value = Quantities.parse(text);
        if (value.isEmpty()) {
            problems.put(key, notANumber("setup.problem.number", label, text));
            return Optional.empty();
        }
        return Optional.of(value.getAsDouble());
    }

    private static String notANumber(String key, String label, String text) {
        return text.isEmpty() ? Texts.get(key + ".empty", label) : Texts.get(key, label, text);
    }

    private static <T> Optional<T> attempt(String place, Map<String, String> problems, Supplier<T> make) {
        try {
            return Optional.of(make.get());
        } catch (InvalidExperimentException e) {
            String key = e.key().startsWith(place) ? e.key() : place + e.key();
            problems.putIfAbsent(key, onScreen(e.getMessage(), e.key(), key));
            return Optional.empty();
        }
    }

    /** What {@code make} gives; where it refuses one of {@code fields}, notes why and tries without that one. */
    private static <T> Optional<T> withStandIns(
            Map<String, String> problems, List<Field> fields, Function<Set<Field>, T> make) {
        Set<Field> bad = EnumSet.noneOf(Field.class);
        while (true) {
            Map<String, String> found = new LinkedHashMap<>();
            Optional<T> made = attempt("", found, () -> make.apply(bad));
            found.forEach(problems::putIfAbsent);
            Optional<Field> refused = fields.stream()
                    .filter(field -> found.containsKey(field.key()) && !bad.contains(field))
                    .findFirst();
            if (refused.isEmpty()) {
                return bad.isEmpty() ? made : Optional.empty();
            }
            bad.add(refused.get());
        }
    }

    /** The engine's sentence with the words of the YAML replaced by those on screen. */
    private static String onScreen(String sentence, String written, String key) {
        String text = sentence;
        for (Field field : Field.values()) {
            if (field.key().equals(written) && text.startsWith(written + " ")) {
                text = field.label() + text.substring(written.length());
            }
        }
        if (key.startsWith("arms[") && text.startsWith(written + " ")) {
            String arm = Texts.get("setup.arm", Integer.parseInt(key.substring(5, key.indexOf(']'))) + 1);
            String setting = key.substring(key.indexOf('.') + 1);
            String label = "setup.arm." + setting + ".of";
            text = (Texts.has(label) ? Texts.get(label, arm) : arm + ", " + setting) + text.substring(written.length());
        }
        return text.replace("training.steps", Texts.get("setup.field.training.steps"))
                .replace("d_model", Texts.get("setup.field.model.d_model").toLowerCase(java.util.Locale.ROOT))
                .replace("data.sequence", Texts.get("setup.field.data.sequence").toLowerCase(java.util.Locale.ROOT));
    }

    /** The text's path as an engine elsewhere will find it; what is not a path is left for the engine's check. */
    static String resolved(String text) {
        if (text.isEmpty() || text.equals(Defaults.TEXT)) {
            return text;
        }
        try {
            String home = System.getProperty("user.home");
            Path path = text.startsWith("~/") ? Path.of(home, text.substring(2)) : Path.of(text);
            return path.toAbsolutePath().normalize().toString();
        } catch (InvalidPathException e) {
            return text;
        }
    }
}
