package keelscope.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class SampleTextTest {
    private static final byte[] BYTES = SampleText.bytes();
    private static final String TEXT = new String(BYTES, StandardCharsets.UTF_8);

    @Test
    void itHasTwoMillionBytesAndIsTheSameEachTime() {
        assertThat(BYTES.length).isBetween(2_000_000, 2_020_000);
        assertThat(SampleText.bytes()).isEqualTo(BYTES);
    }

    @Test
    void itCompressesLikeProseAndNotLikeRepetitionOrNoise() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(BYTES);
        }
        assertThat((double) packed.size() / BYTES.length).isBetween(0.2, 0.4);
    }

    @Test
    void itsLettersAreAsUnevenAsInEnglish() {
        // English prose has about 4.3 to 4.7 bits a byte, punctuation and capitals included: 3.0 to 3.3 nats.
        double[] count = new double[256];
        for (byte b : BYTES) {
            count[b & 0xFF]++;
        }
        double entropy = -Arrays.stream(count)
                .filter(c -> c > 0)
                .map(c -> c / BYTES.length * Math.log(c / BYTES.length))
                .sum();
        assertThat(entropy).isBetween(2.9, 3.3);
    }

    @Test
    void aFewWordsAreFrequentAndThousandsAreRare() {
        Map<String, Integer> count = new HashMap<>();
        Matcher words = Pattern.compile("[A-Za-z-]+").matcher(TEXT);
        while (words.find()) {
            count.merge(words.group(), 1, Integer::sum);
        }
        assertThat(count.size()).isGreaterThan(5000);
        int all = count.values().stream().mapToInt(i -> i).sum();
        int frequent = count.values().stream().sorted((a, b) -> b - a).limit(100).mapToInt(i -> i).sum();
        assertThat((double) frequent / all).isBetween(0.3, 0.7);
    }

    @Test
    void itsSumsComeOut() {
        Matcher sums = Pattern.compile("(\\d+) times (\\d+) is (\\d+)").matcher(TEXT);
        int found = 0;
        while (sums.find()) {
            found++;
            assertThat(Integer.parseInt(sums.group(1)) * Integer.parseInt(sums.group(2)))
                    .isEqualTo(Integer.parseInt(sums.group(3)));
        }
        assertThat(found).isGreaterThan(100);
    }

    @Test
    void whatIsSaidOfSomeoneIsSaidAgainLaterInTheChapter() {
        int held = 0;
        for (String chapter : TEXT.split("CHAPTER ")) {
            Map<String, String> homes = new HashMap<>();
            Matcher told = Pattern.compile("([A-Z]\\w+) was an? \\w+ from (\\w+),").matcher(chapter);
            while (told.find()) {
                homes.putIfAbsent(told.group(1), told.group(2));
            }
            Matcher asked = Pattern.compile("Where does (\\w+) live\\?\" .*\n\"S?[Hh]e lives in (\\w+),").matcher(chapter);
            while (asked.find()) {
                assertThat(asked.group(2)).isEqualTo(homes.get(asked.group(1)));
                held++;
            }
        }
        assertThat(held).isGreaterThan(100);
    }

    @Test
    void itsBracketsClose() {
        for (String paragraph : TEXT.split("\n\n")) {
            int open = 0;
            for (char c : paragraph.toCharArray()) {
                open += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
                assertThat(open).isNotNegative();
            }
            assertThat(open).isZero();
        }
    }

    @Test
    void itIsOpenedByItsWord() {
        try (TextData data = TextData.open("sample", Path.of("."), 0.05, 64)) {
            assertThat(data.description()).startsWith("The sample text, 2,0");
            assertThat(data.batch(1, 0, 8, 64)).hasSize(8 * 65);
        }
    }
}
