package keelscope.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import keelscope.data.Tokenizer;
import keelscope.random.SplitMix64;
import org.junit.jupiter.api.Test;

class SamplingTest {

    private static final float[] LOGITS = {0.5f, 2, -1, 1.5f, 2};

    private static double[] frequencies(double temperature, int topK) {
        Sampling sampling = new Sampling(temperature, topK, 1);
        SplitMix64 random = new SplitMix64(1);
        int draws = 100_000;
        double[] share = new double[LOGITS.length];
        for (int i = 0; i < draws; i++) {
            share[sampling.draw(LOGITS, random)] += 1.0 / draws;
        }
        return share;
    }

    /** Standard error of a share of 100,000 draws is at most 0.0016. */
    private static void assertSoftmax(double[] share, double temperature, boolean... allowed) {
        double sum = 0;
        for (int i = 0; i < LOGITS.length; i++) {
            sum += allowed[i] ? Math.exp(LOGITS[i] / temperature) : 0;
        }
        for (int i = 0; i < LOGITS.length; i++) {
            double expected = allowed[i] ? Math.exp(LOGITS[i] / temperature) / sum : 0;
            assertThat(share[i]).as("token " + i).isCloseTo(expected, within(allowed[i] ? 0.01 : 0));
        }
    }

    @Test
    void tokensAreDrawnBySoftmaxOfLogitsOverTemperature() {
        assertSoftmax(frequencies(1, 0), 1, true, true, true, true, true);
        assertSoftmax(frequencies(0.5, 0), 0.5, true, true, true, true, true);
        assertSoftmax(frequencies(3, 0), 3, true, true, true, true, true);
    }

    @Test
    void onlyTheMostLikelyKAreDrawnAlsoWhereSomeAreEqual() {
        assertSoftmax(frequencies(1, 3), 1, false, true, false, true, true);
        assertSoftmax(frequencies(1, 1), 1, false, true, false, false, false);
        assertSoftmax(frequencies(1, 100), 1, true, true, true, true, true);
    }

    @Test
    void temperatureZeroTakesTheMostLikelyToken() {
        assertThat(frequencies(0, 0)).containsExactly(new double[] {0, 1, 0, 0, 0}, within(1e-9));
    }

    @Test
    void settingsThatMeanNothingAreRefused() {
        assertThatThrownBy(() -> new Sampling(-1, 0, 1)).hasMessage("temperature is -1.0; allowed is 0 (always the most likely token) or more.");
        assertThatThrownBy(() -> new Sampling(Double.NaN, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Sampling(1, -2, 1)).hasMessage("top-k is -2; allowed is 1 or more, or 0 for all tokens.");
    }

    private static List<String> pieces(byte[] bytes) {
        TextStream stream = new TextStream(Tokenizer.BYTES, Tokenizer.BYTES.encode("The "));
        List<String> pieces = new ArrayList<>();
        for (byte b : bytes) {
            pieces.add(stream.add(b & 0xFF));
        }
        return pieces;
    }

    @Test
    void aCharacterIsHandedOutWholeWithItsLastByte() {
        assertThat(pieces("aé€😀".getBytes(StandardCharsets.UTF_8))).containsExactly("a", "", "é", "", "", "€", "", "", "", "😀");
    }

    /** A whole character behind any bytes is never broken; what is handed out is what the bytes decode to. */
    @Test
    void bytesThatAreNoTextBreakNoCharacterThatFollows() {
        byte[] bytes = {(byte) 0xFF, (byte) 0xE2, (byte) 0x82, 'x', (byte) 0x82, (byte) 0xE2, (byte) 0x82, (byte) 0xAC, (byte) 0xC3};
        assertThat(String.join("", pieces(bytes))).isEqualTo("\uFFFD\uFFFDx\uFFFD€");
        Random random = new Random(5);
        for (int round = 0; round < 200; round++) {
            byte[] noise = new byte[40];
            random.nextBytes(noise);
            noise[39] = 'z'; // so that nothing is left open
            assertThat(String.join("", pieces(noise))).isEqualTo(new String(noise, StandardCharsets.UTF_8));
        }
    }
}
