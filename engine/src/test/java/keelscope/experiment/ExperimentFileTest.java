package keelscope.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import keelscope.data.Task;
import keelscope.experiment.TrainingSpec.Recompute;
import keelscope.model.Architecture;
import keelscope.model.Scheme;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentFileTest {
    /** Lines are counted in the tests: layers stands on line 3, arms on line 14. */
    private static final String SMALLEST = """
            name: Smallest
            model:
              layers: 4
              d_model: 16
              heads: 2
            data:
              text: sample
              batch: 2
              sequence: 8
            training:
              steps: 50
              peak_lr: 1e-3

            arms:
              - scheme: keel
              - scheme: pre_ln
            """;

    @TempDir
    Path folder;

    private Experiment parse(String yaml) {
        return ExperimentFile.parse(yaml, "test.yaml", folder);
    }

    private InvalidExperimentException refusal(String yaml) {
        InvalidExperimentException e =
                catchThrowableOfType(InvalidExperimentException.class, () -> parse(yaml));
        assertThat(e).as("refused").isNotNull();
        assertThat(e.getMessage()).doesNotContain("\n").endsWith(".");
        return e;
    }

    private InvalidExperimentException refusalOf(Path file) {
        return catchThrowableOfType(InvalidExperimentException.class, () -> ExperimentFile.read(file));
    }

    @Test
    void whatIsLeftOutHasItsDefault() {
        Experiment experiment = parse(SMALLEST);
        assertThat(experiment.seed()).isEqualTo(1);
        assertThat(experiment.device()).isEqualTo("auto");
        assertThat(experiment.threads()).isZero();
        assertThat(experiment.model().ffHidden()).as("8/3 of 16 is 42.7, the nearest multiple of 8 is 40").isEqualTo(40);
        assertThat(experiment.data()).isEqualTo(new DataSpec("sample", 0.05, 2, 8));
        assertThat(experiment.training())
                .as("the paper's recipe")
                .isEqualTo(new TrainingSpec(50, 1e-3, 5, 1e-7, 0.9, 0.95, 1e-8, 0.01, 1.0));
        assertThat(experiment.measure()).isEqualTo(MeasureSpec.defaults());
        assertThat(experiment.arms()).extracting(ArmSpec::name).containsExactly("keel", "pre_ln");
    }

    @ParameterizedTest
    @CsvSource({"64, 168", "128, 344", "1024, 2728", "2, 8"})
    void theFeedForwardIsEightThirdsOfTheWidthRoundedToAMultipleOfEight(int dModel, int ffHidden) {
        assertThat(Defaults.ffHidden(dModel)).isEqualTo(ffHidden);
    }

    @Test
    void numbersAreReadHoweverTheyAreWritten() {
        for (String rate : List.of("3e-3", "3.0e-3", "0.003", "3E-3", "'0.003'")) {
            assertThat(parse(SMALLEST.replace("1e-3", rate)).training().peakLr()).isEqualTo(0.003);
        }
        assertThat(parse(SMALLEST.replace("steps: 50", "steps: 1_000")).training().steps()).isEqualTo(1000);
        assertThat(parse(SMALLEST.replace("steps: 50", "steps: 1e3")).training().steps()).isEqualTo(1000);
    }

    @Test
    void wordsStandForWhatIsChosenLater() {
        Experiment experiment = parse(SMALLEST
                + "threads: auto\nmeasure:\n  probe_every: auto\n  validate_every: never\n");
        assertThat(experiment.threads()).isZero();
        assertThat(experiment.measure().probeEvery()).isZero();
        assertThat(experiment.measure().validateEvery()).isZero();
        assertThat(refusal(SMALLEST + "threads: 0\n").getMessage())
                .isEqualTo("test.yaml, line 17: threads is '0'; allowed is auto or a whole number of at least 1.");
    }

    @Test
    void armsOfOneSchemeAreNumbered() {
        Experiment experiment = parse(SMALLEST
                + "  - scheme: keel\n    alpha: 1\n  - scheme: keel\n    peak_lr: 0.01\n  - scheme: post_ln\n    name: keel-2\n");
        assertThat(experiment.arms())
                .extracting(ArmSpec::name)
                .containsExactly("keel", "pre_ln", "keel-3", "keel-4", "keel-2");
        assertThat(experiment.arms().get(2).alpha()).hasValue(1);
        assertThat(experiment.peakLr(experiment.arms().get(3))).isEqualTo(0.01);
        assertThat(experiment.peakLr(experiment.arms().get(0))).isEqualTo(1e-3);
    }

    @Test
    void aRelativeTextIsResolvedAgainstTheFolderOfTheFile() throws IOException {
        Path file = folder.resolve("sub").resolve("e.yaml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, SMALLEST.replace("text: sample", "text: ../texts/a.txt"));
        assertThat(ExperimentFile.read(file).data().text())
                .isEqualTo(folder.resolve("texts").resolve("a.txt").toAbsolutePath().toString());
    }

    @Test
    void whatIsWrittenIsReadBackAndHasEveryKey() {
        String text = folder.resolve("a b: c.txt").toString();
        List<String> files = List.of(text, folder.resolve("- x").toString());
        List<DataSpec> sources = List.of(
                new DataSpec(text, 0.123456789012345, 3, 5),
                new DataSpec("", files, Optional.empty(), folder.resolve("t.json").toString(), "a: b", true, 0.1, 3, 5),
                new DataSpec("sample", List.of(), Optional.empty(), "bpe:300", "text", false, 0.1, 3, 5),
                new DataSpec(new TaskSpec(Task.PERMUTATIONS), 0.1, 3, 5),
                new DataSpec(new TaskSpec(Task.LOOKUP, 5), 0.1, 3, 50),
                new DataSpec(new TaskSpec(Task.BRACKETS, 6), 0.1, 3, 5),
                new DataSpec(new TaskSpec(Task.ARITHMETIC, 11), 0.1, 3, 5));
        StringBuilder all = new StringBuilder();
        for (DataSpec source : sources) {
            Experiment experiment = experimentWith(source);
            String yaml = ExperimentFile.write(experiment);
            all.append(yaml);
            assertThat(parse(yaml)).isEqualTo(experiment);
        }
        String defaults = ExperimentFile.write(parse(SMALLEST));
        assertThat(parse(defaults)).isEqualTo(parse(SMALLEST));
        for (ExperimentKey key : ExperimentKey.values()) {
            assertThat(all.toString()).contains(key.word() + ":");
        }
    }

    private static TrainingChange longer(int steps) {
        return new TrainingChange(
                OptionalInt.of(steps), OptionalDouble.empty(), OptionalInt.empty(), OptionalDouble.empty(), OptionalDouble.empty(),
                OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), OptionalInt.empty(),
                Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalInt.empty());
    }

    private static Experiment experimentWith(DataSpec data) {
        return new Experiment(
                "null: \"quoted\" # αβγ '1e-3'",
                Long.MIN_VALUE,
                "gpu:1",
                3,
                new ModelSpec(6, 24, 3, 17),
                data,
                new TrainingSpec(7, 1.0 / 3, 0, 0, 0, 0.999, 1e-300, 0, 1e10, 3, TrainingSpec.Precision.BF16, Recompute.ON, TrainingSpec.AT_END, 5),
                new MeasureSpec(11, 0, 2),
                List.of(
                        new ArmSpec("own", Scheme.KEEL_SCALED_NORM, OptionalDouble.of(3), OptionalDouble.empty(), true,
                                TrainingChange.all(new TrainingSpec(9, 0.1, 2, 0, 0.5, 0.5, 1, 2, 3, 4, TrainingSpec.Precision.FLOAT32, Recompute.OFF, 6, 7))),
                        new ArmSpec("longer", Scheme.PRE_LN, OptionalDouble.empty(), OptionalDouble.of(1e-3), false,
                                longer(90)),
                        new ArmSpec("true", Scheme.KEEL, OptionalDouble.of(0.1), OptionalDouble.empty()),
                        new ArmSpec("123", Scheme.POST_LN, OptionalDouble.empty(), OptionalDouble.of(2e-3))),
                true,
                DivergenceRule.DEFAULT.with(Map.of("patience_min", 7, "stay_share", 0.125)));
    }

    @Test
    void anArmHasARecipeOfItsOwnWhereItSaysSo() {
        Experiment experiment = parse(SMALLEST.replace("  - scheme: keel\n", """
                  - scheme: keel
                    alpha: trained
                    training:
                      steps: 100
                      accumulate: 4
                      checkpoint_every: 10
                  - scheme: keel
                    peak_lr: 5e-3
                """.indent(2).replaceAll("(?m)^  ", "")));
        TrainingSpec own = experiment.recipe(experiment.arms().get(0));
        assertThat(own.steps()).isEqualTo(100);
        assertThat(own.warmup()).as("the same tenth").isEqualTo(10);
        assertThat(own.accumulate()).isEqualTo(4);
        assertThat(own.checkpointEvery()).isEqualTo(10);
        assertThat(own.peakLr()).as("the experiment's").isEqualTo(1e-3);
        assertThat(experiment.arms().get(0).trainedAlpha()).isTrue();
        assertThat(experiment.architecture(experiment.arms().get(0), 256).parameters())
                .extracting(Architecture.Parameter::name)
                .contains("blocks.1.attention.alpha");
        assertThat(experiment.recipe(experiment.arms().get(1))).isEqualTo(
                TrainingChange.NONE.withPeakLr(OptionalDouble.of(5e-3)).of(experiment.training()));
        assertThat(experiment.recipe(experiment.arms().get(2))).isEqualTo(experiment.training());
    }

    @Test
    void anArmKeepsOnlyWhatIsDifferentInItsRecipe() {
        Experiment experiment = parse(SMALLEST + "    training:\n      steps: 100\n      weight_decay: 0.5\n");
        String written = ExperimentFile.write(experiment);
        assertThat(written.substring(written.indexOf("arms:"))).contains("steps: 100").contains("weight_decay: 0.5").doesNotContain("beta1");
        // Another recipe of the experiment reaches the arm in all that it does not say itself.
        Experiment other = parse(written.replaceFirst("clip_norm: 1.0", "clip_norm: 2.0").replaceFirst("warmup: 5", "warmup: 10"));
        TrainingSpec own = other.recipe(other.arms().get(1));
        assertThat(own.clipNorm()).isEqualTo(2);
        assertThat(own.weightDecay()).isEqualTo(0.5);
        assertThat(own.warmup()).as("the same fifth of 100 steps").isEqualTo(20);
    }

    @Test
    void whatAnArmMayNotSayOfItsRecipeIsRefusedWithItsPlace() {
        assertThat(refusal(SMALLEST + "    training:\n      stpes: 3\n"))
                .hasMessageContaining("line 18")
                .hasMessageContaining("did you mean 'steps'");
        assertThat(refusal(SMALLEST + "    training:\n      warmup: 60\n").key()).isEqualTo("arms[1].training.warmup");
        assertThat(refusal(SMALLEST + "    peak_lr: 1e-3\n    training:\n      peak_lr: 1e-3\n"))
                .hasMessageContaining("only one peak_lr");
        assertThat(refusal(SMALLEST + "    alpha: trained\n")).hasMessageContaining("pre_ln has no alpha to train");
        assertThat(refusal(SMALLEST + "divergence:\n  stay_share: 2\n"))
                .hasMessageContaining("line 18")
                .hasMessageContaining("divergence.stay_share is 2.0; it must lie above 0 and up to 1.");
        assertThat(refusal(SMALLEST + "lockstep: maybe\n")).hasMessageContaining("lockstep is 'maybe'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "~", "null", "- a", "a: b", "#", "12", "{x}", "[", "!tag", "&a", "*a", "é", "x  y", "%", "@", "`", "\"", "'", "|", ">"})
    void aNameIsReadBackWhateverYamlMakesOfIt(String name) {
        Experiment e = parse(SMALLEST);
        Experiment named = new Experiment(name, e.seed(), e.device(), e.threads(), e.model(), e.data(), e.training(), e.measure(), e.arms());
        assertThat(parse(ExperimentFile.write(named)).name()).isEqualTo(name);
    }

    private Experiment withData(String lines) {
        return parse(withDataText(lines));
    }

    private static String withDataText(String lines) {
        return SMALLEST.replace("  text: sample\n", lines.indent(2));
    }

    @Test
    void dataIsATextFilesOrATask() {
        assertThat(withData("files: [a.txt, sub]").data().files())
                .containsExactly(folder.resolve("a.txt").toString(), folder.resolve("sub").toString());
        assertThat(withData("files: a.txt").data().text()).isEmpty();
        assertThat(withData("task: lookup\nhops: 1").data().task()).contains(new TaskSpec(Task.LOOKUP, 1));
        assertThat(withData("task: brackets").data().task()).contains(new TaskSpec(Task.BRACKETS, 4));
        assertThat(withData("tokenizer: characters").data().tokenizer()).isEqualTo("characters");
        assertThat(withData("tokenizer: t/tokenizer.json").data().tokenizer())
                .isEqualTo(folder.resolve("t").resolve("tokenizer.json").toString());
        assertThat(withData("invalid_utf8: replace").data().replaceInvalid()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "text: a.txt;task: lookup    | data.task is 'lookup'; allowed is only one of text, files, task, and text is given too.",
        "files: []                   | data.files is a list; allowed is a list with at least one entry.",
        "files: [[a]]                | data.files holds a list; allowed is a list of texts.",
        "task: bracket               | data.task is 'bracket'; allowed is one of permutations, lookup, brackets, arithmetic (did you mean brackets?).",
        "task: lookup;kinds: 3       | data.kinds is '3'; allowed is kinds only with task: brackets.",
        "hops: 3                     | data.hops is '3'; allowed is hops only with task: lookup.",
        "task: lookup;hops: 0        | data.hops is 0; allowed is a whole number from 1 to 64.",
        "task: arithmetic;modulus: 1 | data.modulus is 1; allowed is a whole number from 2 to 1000.",
        "tokenizer: words            | data.tokenizer is 'words'; allowed is bytes, characters, bpe:N with N from 257 to 65536, or the path of a tokenizer.json.",
        "tokenizer: bpe:100          | data.tokenizer is 'bpe:100'; allowed is bytes, characters, bpe:N with N from 257 to 65536, or the path of a tokenizer.json.",
        "task: lookup;tokenizer: characters | data.tokenizer is 'characters', but the task lookup makes its tokens itself; leave data.tokenizer out.",
        "invalid_utf8: ignore        | data.invalid_utf8 is 'ignore'; allowed is one of refuse, replace.",
    })
    void dataThatCannotBeIsRefused(String lines, String sentence) {
        assertThat(refusal(withDataText(lines.replace(';', '\n'))).getMessage())
                .matches("test.yaml, line \\d+: .*")
                .endsWith(": " + sentence);
    }

    @Test
    void tooManyThreadsAreRefusedWithWhatIsAllowed() {
        assertThat(refusal(SMALLEST + "threads: 3000\n").getMessage())
                .isEqualTo("test.yaml, line 17: threads is 3000; allowed is auto or a whole number from 1 to 1024.");
    }

    @Test
    void anUnknownKeyIsNamedWithItsLineAndTheNearestKnownOne() {
        InvalidExperimentException e = refusal(SMALLEST.replace("  layers: 4", "  layer: 4"));
        assertThat(e.key()).isEqualTo("model.layer");
        assertThat(e.getMessage())
                .isEqualTo("test.yaml, line 3: there is no key 'layer' in model; did you mean 'layers'? "
                        + "Allowed are layers, d_model, heads, ff_hidden.");
        assertThat(refusal(SMALLEST.replace("arms:", "amrs:")).getMessage())
                .startsWith("test.yaml, line 14: there is no key 'amrs'; did you mean 'arms'?");
        assertThat(refusal(SMALLEST.replace("peak_lr", "learning_rate")).getMessage())
                .startsWith("test.yaml, line 12: there is no key 'learning_rate' in training. Allowed are steps");
        assertThat(refusal(SMALLEST + "    alfa: 3\n"))
                .hasMessageStartingWith("test.yaml, line 17: there is no key 'alfa' in arms[1]; did you mean 'alpha'?")
                .extracting(InvalidExperimentException::key)
                .isEqualTo("arms[1].alfa");
    }

    @Test
    void aBadValueIsNamedWithItsLineAndWhatIsAllowed() {
        assertThat(refusal(SMALLEST.replace("layers: 4", "layers: 0")).getMessage())
                .isEqualTo("test.yaml, line 3: model.layers is 0; allowed is a whole number from 2 to 65536.");
        assertThat(refusal(SMALLEST.replace("heads: 2", "heads: 3")).getMessage())
                .isEqualTo("test.yaml, line 5: model.heads is 3; allowed is a number that divides d_model (16) into heads of "
                        + "an even size, for example 1, 2, 4, 8.");
        assertThat(refusal(SMALLEST.replace("scheme: pre_ln", "scheme: preln")).getMessage())
                .isEqualTo("test.yaml, line 16: arms[1].scheme is 'preln'; allowed is one of "
                        + String.join(", ", Scheme.ids()) + " (did you mean pre_ln?).");
        InvalidExperimentException alpha = refusal(SMALLEST + "    alpha: 2\n");
        assertThat(alpha.key()).isEqualTo("arms[1].alpha");
        assertThat(alpha.getMessage())
                .startsWith("test.yaml, line 17: arms[1].alpha is 2.0, but scheme pre_ln has no alpha;");
        assertThat(refusal(SMALLEST.replace("- scheme: keel", "- {scheme: keel, name: a}") + "    name: A\n").getMessage())
                .startsWith("test.yaml, line 17: arms[1].name is 'A', the name of arms[0] too;");
    }

    @Test
    void aRefusedDefaultIsPlacedAtItsSection() {
        InvalidExperimentException e = refusal(SMALLEST.replace("peak_lr: 1e-3", "peak_lr: 1e-9"));
        assertThat(e.key()).isEqualTo("training.final_lr");
        assertThat(e.getMessage()).contains("training.final_lr is 1.0E-7; allowed is at most training.peak_lr (1.0E-9)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "layers: 4      | layers: four     | model.layers is 'four'; allowed is a whole number.",
        "layers: 4      | layers: 4.5      | model.layers is '4.5'; allowed is a whole number (even number, 2 to 65536).",
        "layers: 4      | layers: 1e999999 | model.layers is '1e999999'; allowed is a whole number (even number, 2 to 65536).",
        "layers: 4      | layers:          | model.layers is empty; allowed is a whole number.",
        "layers: 4      | layers: [4]      | model.layers is a list; allowed is a whole number.",
        "steps: 50      | steps: 3000000000 | training.steps is '3000000000'; allowed is a whole number (1 to 1000000000).",
        "steps: 50      | steps: {a: 1}    | training.steps is a section of keys; allowed is a whole number.",
        "peak_lr: 1e-3  | peak_lr: .nan    | training.peak_lr is '.nan'; allowed is a number.",
        "peak_lr: 1e-3  | peak_lr: 1e999   | training.peak_lr is Infinity; allowed is a number greater than 0.",
        "text: sample   | text: [a, b]     | data.text is a list; allowed is a text.",
        "name: Smallest | name:            | name is empty; allowed is a text.",
        "name: Smallest | name: [a]        | name is a list; allowed is a text.",
    })
    void aValueOfTheWrongTypeIsRefused(String written, String instead, String sentence) {
        assertThat(refusal(SMALLEST.replace(written, instead)).getMessage()).endsWith(": " + sentence);
    }

    @Test
    void aSectionThatIsNoSectionIsRefused() {
        assertThat(refusal("name: x\nmodel: 7\ndata: {}\ntraining: {}\narms: []\n").getMessage())
                .startsWith("test.yaml, line 2: model is '7'; allowed is a section with the keys layers,");
        assertThat(refusal("just a sentence").getMessage())
                .startsWith("test.yaml, line 1: the file is 'just a sentence'; allowed is a section with the keys name,");
        assertThat(refusal(SMALLEST.replace("  - scheme: keel\n  - scheme: pre_ln", "  scheme: keel")).getMessage())
                .startsWith("test.yaml, line 14: arms is a section of keys; allowed is a list");
        assertThat(refusal(SMALLEST.replace("\n  - scheme: keel\n  - scheme: pre_ln", " []")).getMessage())
                .isEqualTo("test.yaml, line 14: arms has 0 entries; allowed are 1 to 64.");
        assertThat(refusal(SMALLEST.replace("  - scheme: keel", "  - keel")).getMessage())
                .startsWith("test.yaml, line 15: arms[0] is 'keel'; allowed is a section with the keys");
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "model", "data", "training", "arms"})
    void aMissingSectionIsNamed(String section) {
        InvalidExperimentException whole = refusal(without(section));
        assertThat(whole.key()).isEqualTo(section);
        assertThat(whole.getMessage()).isEqualTo("test.yaml, line 1: " + section + " is missing; an experiment needs it.");
    }

    /** {@link #SMALLEST} less a key at the top and what belongs to it. */
    private static String without(String section) {
        StringBuilder left = new StringBuilder();
        boolean inside = false;
        for (String line : SMALLEST.lines().toList()) {
            if (!line.startsWith(" ")) {
                inside = line.startsWith(section + ":");
            }
            if (!inside) {
                left.append(line).append('\n');
            }
        }
        return left.toString();
    }

    @Test
    void aMissingKeyIsPlacedAtItsSection() {
        InvalidExperimentException e = refusal(SMALLEST.replace("  heads: 2\n", ""));
        assertThat(e.key()).isEqualTo("model.heads");
        assertThat(e.getMessage()).matches("test.yaml, line [23]: model.heads is missing from the section model .*");
        assertThat(refusal(SMALLEST.replace("- scheme: pre_ln", "- name: x")).getMessage())
                .startsWith("test.yaml, line 16: arms[1].scheme is missing");
    }

    @Test
    void aKeyGivenTwiceIsRefusedWithBothLines() {
        InvalidExperimentException e = refusal(SMALLEST.replace("  heads: 2", "  heads: 2\n  layers: 8"));
        assertThat(e.key()).isEqualTo("model.layers");
        assertThat(e.getMessage())
                .isEqualTo("test.yaml, line 6: model.layers stands here a second time; it was given on line 3 already, so "
                        + "delete one of the two.");
    }

    @Test
    void whatIsNotOneYamlDocumentIsRefused() {
        assertThat(refusal("").getMessage()).isEqualTo("test.yaml holds no experiment: it is empty or has only comments.");
        assertThat(refusal("# nothing\n\n").getMessage()).contains("is empty or has only comments");
        assertThat(refusal(SMALLEST + "---\n" + SMALLEST).getMessage())
                .startsWith("test.yaml, line ")
                .contains("a second document begins here");
        assertThat(refusal(SMALLEST.replace("  heads", "\theads")).getMessage())
                .isEqualTo("test.yaml, line 5: the line is indented with a tab character; use spaces.");
        assertThat(refusal(SMALLEST.replace("heads: 2", "heads: [2")).getMessage())
                .startsWith("test.yaml, line ")
                .contains("this is not valid YAML: expected ',' or ']'");
        assertThat(refusal(SMALLEST.replace("heads: 2", "heads:\t@2")).getMessage()).contains("this is not valid YAML");
        assertThat(refusal(SMALLEST.replace("layers: 4", "layers: &n 4").replace("heads: 2", "heads: *n")).getMessage())
                .startsWith("test.yaml, line 5: an alias (*) stands here");
    }

    @Test
    void aFileThatIsNoExperimentIsRefused() throws IOException {
        Path missing = folder.resolve("missing.yaml");
        assertThat(refusalOf(missing)).hasMessage(missing + " does not exist; check the path of the experiment.");
        assertThat(refusalOf(folder).getMessage()).startsWith(folder + " is a folder;");
        Path binary = Files.write(folder.resolve("binary.yaml"), new byte[] {'a', ':', 0, 1});
        assertThat(refusalOf(binary).getMessage()).startsWith(binary + " is a binary file (a zero byte at offset 2)");
        Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xE9, '\n'});
        assertThat(refusalOf(latin).getMessage()).startsWith(latin + " is not UTF-8 text");
        Path empty = Files.createFile(folder.resolve("empty.yaml"));
        assertThat(refusalOf(empty).getMessage()).startsWith(empty + " holds no experiment");
        Path large = Files.write(folder.resolve("large.yaml"), new byte[2 << 20]);
        assertThat(refusalOf(large).getMessage()).contains("too many for an experiment");
    }

    @Test
    void aFileWithAByteOrderMarkAndWindowsLineEndsIsRead() throws IOException {
        Path file = Files.writeString(folder.resolve("bom.yaml"), "\uFEFF" + SMALLEST.replace("\n", "\r\n"));
        assertThat(ExperimentFile.read(file)).isEqualTo(parse(SMALLEST));
    }

    @Test
    void everySampleExperimentIsReadAndWrittenBack() throws IOException {
        try (var files = Files.list(Path.of("../samples/experiments"))) {
            List<Path> samples = files.filter(f -> f.toString().endsWith(".yaml")).toList();
            assertThat(samples).hasSizeGreaterThanOrEqualTo(5);
            for (Path sample : samples) {
                Experiment experiment = ExperimentFile.read(sample);
                assertThat(ExperimentFile.parse(ExperimentFile.write(experiment), "written", folder)).isEqualTo(experiment);
            }
        }
    }

    @Test
    void theDocumentationDescribesEveryKey() throws IOException {
        assertThat(Files.readString(Path.of("../samples/experiments/README.md")))
                .as("replace the table by ExperimentKey.markdown()")
                .contains(ExperimentKey.markdown());
    }
}
