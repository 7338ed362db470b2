package keelscope.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class ProgramTextTest {
    /** Arabic as in Egypt writes numbers with digits of its own, which TorchScript does not read. */
    @Test
    void theProgramIsTheSameInEveryLanguage() {
        Architecture model = new Architecture(Scheme.KEEL, 8, 16, 2, 24, 13, Double.NaN, false);
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.ROOT);
            String text = ProgramText.of(model, false, false);
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            assertThat(ProgramText.of(model, false, false)).isEqualTo(text);
        } finally {
            Locale.setDefault(before);
        }
    }
}
