package keelscope.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {

    @Test
    void countsHaveThreeDigitsAndAWord() {
        assertThat(Quantities.count(9_999)).isEqualTo("9999");
        assertThat(Quantities.count(12_345)).isEqualTo("12.3 thousand");
        assertThat(Quantities.count(1_600_000)).isEqualTo("1.60 million");
        assertThat(Quantities.count(3_000_000_000L)).isEqualTo("3.00 billion");
    }

    @Test
    void memoryIsInDecimalUnits() {
        assertThat(Quantities.bytes(557_000_000)).isEqualTo("557 MB");
        assertThat(Quantities.bytes(1_260_000_000)).isEqualTo("1.26 GB");
    }

    @Test
    void timesNameTheirTwoLargestUnits() {
        assertThat(Quantities.duration(Duration.ofMillis(8_400))).isEqualTo("8 s");
        assertThat(Quantities.duration(Duration.ofSeconds(130))).isEqualTo("2 min 10 s");
        assertThat(Quantities.duration(Duration.ofMinutes(200))).isEqualTo("3 h 20 min");
        assertThat(Quantities.duration(Duration.ofHours(50))).isEqualTo("2 d 2 h");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.003, 64, 1e-7, 2.5e-5, 0.9, 1234567, 3e10, 0, 1.0 / 3})
    void aNumberReadsBackAsItself(double value) {
        assertThat(Double.parseDouble(Quantities.number(value))).isEqualTo(value);
    }

    @Test
    void numbersAreWrittenAsOneWouldTypeThem() {
        assertThat(Quantities.number(0.003)).isEqualTo("0.003");
        assertThat(Quantities.number(64)).isEqualTo("64");
        assertThat(Quantities.number(1e-7)).isEqualTo("1e-7");
        assertThat(Quantities.number(2.5e-8)).isEqualTo("2.5e-8");
    }

    @Test
    void aLongSentenceIsBrokenAtSpaces() {
        assertThat(Texts.wrapped("one two three four", 9)).isEqualTo("one two\nthree\nfour");
        assertThat(Texts.wrapped("a incomprehensibilities b", 9)).isEqualTo("a\nincompreh\nensibilit\nies b");
        assertThat(Texts.wrapped("short", 9)).isEqualTo("short");
    }

    @Test
    void aPlaceInTheHomeFolderBeginsWithATilde() {
        Path home = Path.of(System.getProperty("user.home"));
        assertThat(Texts.place(home.resolve("runs").resolve("a"))).isEqualTo(Path.of("~", "runs", "a").toString());
        assertThat(Texts.place(home.resolveSibling("other"))).isEqualTo(home.resolveSibling("other").toString());
        assertThat(Texts.place(home)).isEqualTo(home.toString());
    }
}
