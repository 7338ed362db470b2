package keelscope.runfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DefinitionsTest {

    private static final List<String> PARTS = List.of("formula", "explanation", "source");

    private static Set<String> ids() {
        return Stream.concat(Arrays.stream(Measure.values()).map(Measure::id), Arrays.stream(RunMeasure.values()).map(RunMeasure::id))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyMeasureHasItsDefinitionAndNothingElseIsDefined() {
        Set<String> expected = ids().stream().flatMap(id -> PARTS.stream().map(part -> id + "." + part)).collect(Collectors.toSet());
        ResourceBundle texts = ResourceBundle.getBundle("keelscope.runfile.measures", Locale.ROOT);
        assertThat(texts.keySet()).isEqualTo(expected);
    }

    @Test
    void aFormulaIsOneLineAndAnExplanationOneParagraphThatEndsInAFullStop() {
        for (Measure measure : Measure.values()) {
            assertThat(measure.formula()).as(measure.id()).isNotBlank().doesNotContain("\n");
            assertThat(measure.explanation()).as(measure.id()).hasSizeBetween(80, 800).doesNotContain("\n").endsWith(".");
            assertThat(measure.source()).as(measure.id()).isNotBlank();
        }
        for (RunMeasure measure : RunMeasure.values()) {
            assertThat(measure.formula()).as(measure.id()).isNotBlank().doesNotContain("\n");
            assertThat(measure.explanation()).as(measure.id()).hasSizeBetween(80, 800).doesNotContain("\n").endsWith(".");
            assertThat(RunMeasure.of(measure.id())).contains(measure);
        }
    }

    @Test
    void theLossSaysWhatThePaperSaysOfKeel() {
        assertThat(RunMeasure.LOSS.explanation()).contains("starts with a higher loss", "needs enough data", "not recommended in low-data regimes");
    }

    @Test
    void theSourcesOfTheoryAreThePapersEquations() {
        assertThat(Measure.RESIDUAL_FACTOR.source()).contains("equations 14 and 18");
        assertThat(Measure.HIGHWAY_TRANSPORT.source()).contains("equations 15").contains("19");
        assertThat(Measure.CARRY_GATE_MEAN.source()).contains("equations 18 and 19");
    }
}
