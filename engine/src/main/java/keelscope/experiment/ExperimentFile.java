package keelscope.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import keelscope.data.Task;
import keelscope.experiment.TrainingSpec.Precision;
import keelscope.experiment.TrainingSpec.Recompute;
import keelscope.model.Scheme;

/** Reads and writes experiments as YAML; {@link ExperimentKey} describes every key. */
public final class ExperimentFile {
    private static final String AUTO = "auto";
    private static final String NEVER = "never";
    private static final String END = "end";
    private static final String TRAINED = "trained";
    private static final String REFUSE = "refuse";
    private static final String REPLACE = "replace";
    /** The keys of which one says what is trained on. */
    private static final List<String> SOURCES = List.of("text", "files", "task");
    /** Far above any experiment: a larger file was chosen by mistake. */
    private static final long LARGEST = 1 << 20;

    /** A recipe of which only what an experiment may leave out is looked at. */
    private static final TrainingSpec DEFAULTS = new TrainingSpec(1, Double.MAX_VALUE, 0);

    private static final ObjectMapper WRITER = new ObjectMapper(YAMLFactory.builder()
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build());

    private ExperimentFile() {}

    /**
     * Reads an experiment. A relative {@code data.text} is resolved against the file's folder.
     *
     * @throws InvalidExperimentException with one sentence that names the key, its place (file, line) and what is allowed
     */
    public static Experiment read(Path file) {
        if (Files.isDirectory(file)) {
            throw new InvalidExperimentException("", file + " is a folder; choose an experiment, a file that ends in .yaml.");
        }
        if (!Files.exists(file)) {
            throw new InvalidExperimentException("", file + " does not exist; check the path of the experiment.");
        }
        try {
            long size = Files.size(file);
            if (size > LARGEST) {
                throw new InvalidExperimentException(
                        "", file + " has " + size + " bytes, too many for an experiment; choose a YAML file.");
            }
            Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file.toAbsolutePath());
            return parse(decode(Files.readAllBytes(file), file), file.toString(), folder);
        } catch (IOException e) {
            throw new InvalidExperimentException(
                    "", file + " cannot be read (" + e.getClass().getSimpleName() + "); check that you may read it.");
        }
    }

    /**
     * Parses YAML text.
     *
     * @param origin names it in messages
     * @param folder what a relative {@code data.text} is resolved against
     * @throws InvalidExperimentException with one sentence that names the key, its place (origin, line) and what is
     *     allowed
     */
    public static Experiment parse(String yaml, String origin, Path folder) {
        refuseTabs(yaml, origin);
        Section top = new Section(origin, "", YamlNode.parse(yaml, origin), "");
        String name = top.requiredText("name");
        long seed = top.longInteger("seed").orElse(Defaults.SEED);
        String device = top.text("device").orElse(Defaults.DEVICE);
        int threads = top.integerOr(AUTO, "threads").orElse(Defaults.THREADS);
        ModelSpec model = model(section(top, "model"));
        DataSpec data = data(section(top, "data"), folder);
        TrainingSpec training = training(section(top, "training"));
        MeasureSpec measure = top.node("measure").isPresent() ? measure(section(top, "measure")) : MeasureSpec.defaults();
        List<Section> armSections = armSections(top);
        List<ArmSpec> arms = arms(armSections, training);
        boolean lockstep = top.truth("lockstep").orElse(false);
        DivergenceRule divergence = top.node("divergence").isPresent() ? divergence(section(top, "divergence")) : DivergenceRule.DEFAULT;
        try {
            return new Experiment(name, seed, device, threads, model, data, training, measure, arms, lockstep, divergence);
        } catch (InvalidExperimentException e) {
            String key = e.key();
            if (key.startsWith("arms[")) {
                Section arm = armSections.get(Integer.parseInt(key.substring(5, key.indexOf(']'))));
                throw placed(e, key, arm, key.substring(key.indexOf('.') + 1));
            }
            throw placed(e, key, top, key);
        }
    }

    /** The experiment as YAML with every default written out; {@link #parse} gives it back. */
    public static String write(Experiment experiment) {
        Map<String, Object> top = new LinkedHashMap<>();
        top.put("name", experiment.name());
        top.put("seed", experiment.seed());
        top.put("device", experiment.device());
        top.put("threads", numberOr(AUTO, experiment.threads()));
        ModelSpec model = experiment.model();
        Map<String, Object> modelKeys = keys(top, "model");
        modelKeys.put("layers", model.layers());
        modelKeys.put("d_model", model.dModel());
        modelKeys.put("heads", model.heads());
        modelKeys.put("ff_hidden", model.ffHidden());
        DataSpec data = experiment.data();
        Map<String, Object> dataKeys = keys(top, "data");
        if (!data.text().isEmpty()) {
            dataKeys.put("text", data.text());
        }
        if (!data.files().isEmpty()) {
            dataKeys.put("files", data.files());
        }
        if (data.task().isPresent()) {
            TaskSpec task = data.task().get();
            dataKeys.put("task", task.task().id());
            if (!task.task().sizeKey().isEmpty()) {
                dataKeys.put(task.task().sizeKey(), task.size());
            }
        } else {
            dataKeys.put("tokenizer", data.tokenizer());
            dataKeys.put("field", data.field());
            dataKeys.put("invalid_utf8", data.replaceInvalid() ? REPLACE : REFUSE);
        }
        dataKeys.put("validation_share", data.validationShare());
        dataKeys.put("batch", data.batch());
        dataKeys.put("sequence", data.sequence());
        top.put("training", TrainingChange.all(experiment.training()).values());
        MeasureSpec measure = experiment.measure();
        Map<String, Object> measureKeys = keys(top, "measure");
        measureKeys.put("probe_every", numberOr(AUTO, measure.probeEvery()));
        measureKeys.put("validate_every", numberOr(NEVER, measure.validateEvery()));
        measureKeys.put("validation_batches", measure.validationBatches());
        List<Map<String, Object>> arms = new ArrayList<>();
        for (ArmSpec arm : experiment.arms()) {
            Map<String, Object> armKeys = new LinkedHashMap<>();
            armKeys.put("name", arm.name());
            armKeys.put("scheme", arm.scheme().id());
            if (arm.trainedAlpha()) {
                armKeys.put("alpha", TRAINED);
                arm.alpha().ifPresent(alpha -> armKeys.put("alpha_start", alpha));
            } else {
                arm.alpha().ifPresent(alpha -> armKeys.put("alpha", alpha));
            }
            arm.peakLr().ifPresent(peakLr -> armKeys.put("peak_lr", peakLr));
            if (!arm.training().equals(TrainingChange.NONE)) {
                armKeys.put("training", arm.training().values());
            }
            arms.add(armKeys);
        }
        top.put("lockstep", experiment.lockstep());
        top.put("divergence", experiment.divergence().values());
        top.put("arms", arms);
        try {
            return WRITER.writeValueAsString(top);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often checkpoints are written, as YAML says it. */
    static Object checkpointEvery(int steps) {
        return steps == TrainingSpec.AUTO ? AUTO : numberOr(END, steps);
    }

    private static ModelSpec model(Section section) {
        int layers = section.requiredInteger("layers");
        int dModel = section.requiredInteger("d_model");
        int heads = section.requiredInteger("heads");
        int ffHidden = section.integer("ff_hidden").orElse(Defaults.ffHidden(dModel));
        return placing(section, () -> new ModelSpec(layers, dModel, heads, ffHidden));
    }

    private static DataSpec data(Section section, Path folder) {
        List<String> sources = SOURCES.stream().filter(key -> section.node(key).isPresent()).toList();
        if (sources.size() > 1) {
            throw section.wrong(
                    sources.get(1),
                    section.requiredNode(sources.get(1)),
                    "only one of " + String.join(", ", SOURCES) + ", and " + sources.get(0) + " is given too");
        }
        Optional<TaskSpec> task = task(section);
        List<String> files = section.texts("files").stream()
                .map(path -> resolve(section, "files", path, folder))
                .toList();
        String text = sources.isEmpty() || sources.get(0).equals("text")
                ? text(section, folder)
                : "";
        String tokenizer = section.text("tokenizer").orElse(Defaults.TOKENIZER);
        String resolved = DataSpec.isBuiltIn(tokenizer) || !tokenizer.endsWith(".json")
                ? tokenizer
                : resolve(section, "tokenizer", tokenizer, folder);
        String field = section.text("field").orElse(Defaults.FIELD);
        boolean replace = section.choice("invalid_utf8", List.of(REFUSE, REPLACE))
                .map(REPLACE::equals)
                .orElse(Defaults.REPLACE_INVALID);
        double share = section.number("validation_share").orElse(Defaults.VALIDATION_SHARE);
        int batch = section.requiredInteger("batch");
        int sequence = section.requiredInteger("sequence");
        return placing(
                section,
                () -> new DataSpec(text, files, task, resolved, field, replace, share, batch, sequence));
    }

    private static String text(Section section, Path folder) {
        String text = section.text("text").orElse(Defaults.TEXT);
        return text.equals(Defaults.TEXT) ? text : resolve(section, "text", text, folder);
    }

    private static Optional<TaskSpec> task(Section section) {
        Optional<Task> task = section.choice("task", Task.ids()).flatMap(Task::of);
        for (Task other : Task.values()) {
            if (!other.sizeKey().isEmpty() && section.node(other.sizeKey()).isPresent() && task.filter(other::equals).isEmpty()) {
                throw section.wrong(
                        other.sizeKey(),
                        section.requiredNode(other.sizeKey()),
                        other.sizeKey() + " only with task: " + other.id());
            }
        }
        return task.map(chosen -> {
            int size = chosen.sizeKey().isEmpty()
                    ? chosen.defaultSize()
                    : section.integer(chosen.sizeKey()).orElse(chosen.defaultSize());
            return placing(section, () -> new TaskSpec(chosen, size));
        });
    }

    private static String resolve(Section section, String key, String path, Path folder) {
        try {
            return folder.toAbsolutePath().resolve(path).normalize().toString();
        } catch (InvalidPathException e) {
            throw section.wrong(key, section.requiredNode(key), "a path that this system can open");
        }
    }

    private static TrainingSpec training(Section section) {
        TrainingChange given = change(section);
        int steps = given.steps().orElseThrow(() -> section.missing("steps"));
        given.peakLr().orElseThrow(() -> section.missing("peak_lr"));
        return placing(section, () -> given.orWarmup(Defaults.warmup(steps)).of(DEFAULTS));
    }

    /** What a section says of a recipe. */
    private static TrainingChange change(Section section) {
        return new TrainingChange(
                section.integer("steps"),
                section.number("peak_lr"),
                section.integer("warmup"),
                section.number("final_lr"),
                section.number("beta1"),
                section.number("beta2"),
                section.number("adam_eps"),
                section.number("weight_decay"),
                section.number("clip_norm"),
                section.integer("accumulate"),
                section.choice("precision", Arrays.stream(Precision.values()).map(Precision::id).toList())
                        .map(word -> Precision.valueOf(word.toUpperCase(Locale.ROOT))),
                section.choice("recompute", Arrays.stream(Recompute.values()).map(Recompute::id).toList())
                        .map(word -> Recompute.valueOf(word.toUpperCase(Locale.ROOT))),
                section.isWord("checkpoint_every", AUTO)
                        ? OptionalInt.of(TrainingSpec.AUTO)
                        : section.integerOr(END, "checkpoint_every"),
                section.integer("keep_checkpoints"));
    }

    private static DivergenceRule divergence(Section section) {
        Map<String, Number> replaced = new LinkedHashMap<>();
        DivergenceRule.DEFAULT.values().forEach((key, usual) -> {
            if (usual instanceof Integer) {
                section.integer(key).ifPresent(value -> replaced.put(key, value));
            } else {
                section.number(key).ifPresent(value -> replaced.put(key, value));
            }
        });
        return placing(section, () -> {
            try {
                return DivergenceRule.DEFAULT.with(replaced);
            } catch (IllegalArgumentException e) {
                String word = e.getMessage().split(" ")[0];
                throw new InvalidExperimentException("divergence." + word, "divergence." + e.getMessage());
            }
        });
    }

    private static MeasureSpec measure(Section section) {
        int probeEvery = section.integerOr(AUTO, "probe_every").orElse(Defaults.PROBE_EVERY);
        int validateEvery = section.integerOr(NEVER, "validate_every").orElse(Defaults.VALIDATE_EVERY);
        int validationBatches = section.integer("validation_batches").orElse(Defaults.VALIDATION_BATCHES);
        return placing(section, () -> new MeasureSpec(probeEvery, validateEvery, validationBatches));
    }

    private static List<Section> armSections(Section top) {
        if (!(top.requiredNode("arms") instanceof YamlNode.Sequence list)) {
            throw top.wrong("arms", top.requiredNode("arms"), "a list, each entry begun by a dash, as in '- scheme: keel'");
        }
        List<Section> sections = new ArrayList<>();
        for (YamlNode item : list.items()) {
            sections.add(new Section(top.origin(), "arms[" + sections.size() + "]", item, "arms[]"));
        }
        return sections;
    }

    private static List<ArmSpec> arms(List<Section> sections, TrainingSpec whole) {
        Set<String> taken = new LinkedHashSet<>();
        sections.forEach(section -> section.text("name").ifPresent(taken::add));
        List<ArmSpec> arms = new ArrayList<>();
        for (Section section : sections) {
            Scheme scheme = section.choice("scheme", Scheme.ids())
                    .flatMap(Scheme::of)
                    .orElseThrow(() -> section.missing("scheme"));
            String name = section.text("name").orElseGet(() -> ArmSpec.defaultName(scheme, taken));
            taken.add(name);
            boolean trained = section.isWord("alpha", TRAINED);
            if (!trained && section.node("alpha_start").isPresent()) {
                throw section.wrong("alpha_start", section.requiredNode("alpha_start"), "alpha_start only with alpha: trained");
            }
            OptionalDouble alpha = section.number(trained ? "alpha_start" : "alpha");
            OptionalDouble peakLr = section.number("peak_lr");
            TrainingChange training = section.node("training").map(node -> {
                Section own = new Section(section.origin(), section.path("training"), node, "training");
                if (peakLr.isPresent() && own.node("peak_lr").isPresent()) {
                    throw own.wrong("peak_lr", own.requiredNode("peak_lr"), "only one peak_lr in an arm, and the arm has one already");
                }
                TrainingChange change = change(own);
                // Here it is known which line says what cannot be.
                placing(own, () -> change.withPeakLr(peakLr).of(whole));
                return change;
            }).orElse(TrainingChange.NONE);
            arms.add(placing(section, () -> new ArmSpec(name, scheme, alpha, peakLr, trained, training)));
        }
        return arms;
    }

    private static Section section(Section top, String key) {
        return new Section(top.origin(), key, top.requiredNode(key), key);
    }

    /** Makes a record of the section's values and, where it refuses one, says where that one stands. */
    private static <T> T placing(Section section, Supplier<T> record) {
        try {
            return record.get();
        } catch (InvalidExperimentException e) {
            String word = e.key().substring(e.key().lastIndexOf('.') + 1);
            throw placed(e, section.path(word), section, word);
        }
    }

    private static InvalidExperimentException placed(
            InvalidExperimentException e, String path, Section section, String word) {
        String sentence = e.getMessage();
        // An arm's record does not know which arm it is.
        if (!e.key().equals(path) && sentence.startsWith(e.key() + " ")) {
            sentence = path + sentence.substring(e.key().length());
        }
        return new InvalidExperimentException(
                path, section.origin() + ", line " + section.line(word) + ": " + sentence);
    }

    private static String decode(byte[] bytes, Path file) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                throw new InvalidExperimentException(
                        "", file + " is a binary file (a zero byte at offset " + i + "); choose a YAML file.");
            }
        }
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new InvalidExperimentException(
                    "", file + " is not UTF-8 text; save it as UTF-8, or choose a YAML file.");
        }
    }

    private static void refuseTabs(String yaml, String origin) {
        int number = 0;
        for (String line : (Iterable<String>) yaml.lines()::iterator) {
            number++;
            int first = 0;
            while (first < line.length() && line.charAt(first) == ' ') {
                first++;
            }
            if (first < line.length() && line.charAt(first) == '\t') {
                throw new InvalidExperimentException(
                        "", origin + ", line " + number + ": the line is indented with a tab character; use spaces.");
            }
        }
    }

    private static Object numberOr(String word, int value) {
        return value == 0 ? word : (Object) value;
    }

    private static Map<String, Object> keys(Map<String, Object> top, String section) {
        Map<String, Object> keys = new LinkedHashMap<>();
        top.put(section, keys);
        return keys;
    }
}
