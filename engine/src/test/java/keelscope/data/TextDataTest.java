package keelscope.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextDataTest {
    @TempDir
    Path folder;

    private Path file(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    /** A text whose windows tell where they are from: the number of each line, five digits and a line end. */
    private Path numbered(int lines) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            text.append(String.format("%05d%n", i).replace("\r", ""));
        }
        return file("numbered.txt", text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(int[] ids) {
        byte[] bytes = new byte[ids.length];
        for (int i = 0; i < ids.length; i++) {
            bytes[i] = (byte) ids[i];
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void theEndIsHeldOutAndNeverTrainedOn() throws IOException {
        String whole = Files.readString(numbered(1000));
        try (TextData data = TextData.open("numbered.txt", folder, 0.1, 12)) {
            assertThat(data.trainingSize()).isEqualTo(5400);
            assertThat(data.heldOut()).isEqualTo(600);
            for (int step = 0; step < 300; step++) {
                int[] ids = data.batch(1, step, 8, 12);
                for (int row = 0; row < 8; row++) {
                    // A window of 13 holds a whole line, so it is found only where it is from.
                    assertThat(whole.substring(0, 5400)).contains(text(Arrays.copyOfRange(ids, row * 13, row * 13 + 13)));
                }
            }
            for (int index = 0; index < 20; index++) {
                for (int row = 0; row < 4; row++) {
                    int[] ids = Arrays.copyOfRange(data.validationBatch(index, 4, 12), row * 13, row * 13 + 13);
                    assertThat(whole.substring(5400)).contains(text(ids));
                }
            }
        }
    }

    @Test
    void aRowIsAStretchOfTheText() throws IOException {
        Path file = numbered(1000);
        String whole = Files.readString(file);
        try (TextData data = TextData.open("numbered.txt", folder, 0.1, 12)) {
            int[] ids = data.batch(7, 3, 5, 12);
            assertThat(ids).hasSize(5 * 13);
            for (int row = 0; row < 5; row++) {
                assertThat(whole).contains(text(Arrays.copyOfRange(ids, row * 13, row * 13 + 13)));
            }
        }
    }

    @Test
    void aBatchIsAFunctionOfSeedAndStepAlone() throws IOException {
        numbered(1000);
        try (TextData one = TextData.open("numbered.txt", folder, 0.1, 12);
                TextData other = TextData.open("numbered.txt", folder, 0.1, 12)) {
            int[] late = one.batch(5, 900, 4, 12);
            for (int step = 0; step < 10; step++) {
                other.batch(5, step, 4, 12);
            }
            assertThat(other.batch(5, 900, 4, 12)).isEqualTo(late);
            assertThat(one.batch(6, 900, 4, 12)).isNotEqualTo(late);
            assertThat(one.batch(5, 901, 4, 12)).isNotEqualTo(late);
            assertThat(Arrays.copyOf(one.batch(5, 900, 9, 12), late.length)).as("rows do not depend on how many").isEqualTo(late);
            assertThat(one.validationBatch(2, 4, 12)).isEqualTo(other.validationBatch(2, 4, 12));
        }
    }

    @Test
    void trainingPositionsAreSpreadEvenlyUpToTheLastOne() throws IOException {
        byte[] bytes = new byte[110];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        file("ramp.txt", bytes);
        int[] count = new int[111];
        try (TextData data = TextData.open("ramp.txt", folder, 0.1, 9)) {
            int[] ids = data.batch(1, 0, 9000, 9);
            for (int row = 0; row < 9000; row++) {
                count[ids[row * 10]]++;
            }
        }
        // 99 bytes for training have 90 starts of a window of 10; 100 draws are expected of each, deviation 10.
        for (int start = 1; start <= 90; start++) {
            assertThat(count[start]).as("start " + start).isBetween(50, 150);
        }
        assertThat(IntStream.rangeClosed(91, 110).map(i -> count[i]).sum()).isZero();
    }

    @Test
    void validationWindowsAreSpreadOverTheHeldOutPart() throws IOException {
        numbered(20_000);
        try (TextData data = TextData.open("numbered.txt", folder, 0.25, 17)) {
            Set<String> quarters = new HashSet<>();
            for (int index = 0; index < 4; index++) {
                int[] ids = data.validationBatch(index, 4, 17);
                for (int row = 0; row < 4; row++) {
                    String window = text(Arrays.copyOfRange(ids, row * 18, row * 18 + 18));
                    int line = Integer.parseInt(window.substring(window.indexOf('\n') + 1).substring(0, 5));
                    assertThat(line).isBetween(15_000, 20_000);
                    quarters.add("sixteenth " + (line - 15_000) * 16 / 5000);
                }
            }
            assertThat(quarters).as("16 windows").hasSizeGreaterThanOrEqualTo(11);
        }
    }

    @Test
    void theHashIsThatOfTheBytes() throws IOException {
        file("abc.txt", "abc".getBytes(StandardCharsets.US_ASCII));
        try (TextData data = TextData.open("abc.txt", folder, 0.5, 1)) {
            throw new AssertionError("too short: " + data.description());
        } catch (DataException e) {
            assertThat(e.getMessage()).contains("too short");
        }
        // FIPS 180-2, appendix B.3: a million times "a".
        file("million.txt", "a".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII));
        try (TextData data = TextData.open("million.txt", folder, 0.05, 64)) {
            assertThat(data.hash()).isEqualTo("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
            assertThat(data.description())
                    .isEqualTo("million.txt, 1,000,000 bytes: the first 950,000 for training, the last 50,000 held out for validation");
            assertThat(data.vocabulary()).isEqualTo(256);
        }
    }

    @Test
    void bytesAboveAsciiAreIdsFrom128() throws IOException {
        file("greek.txt", "αβγ".repeat(50).getBytes(StandardCharsets.UTF_8));
        try (TextData data = TextData.open("greek.txt", folder, 0.5, 4)) {
            assertThat(Arrays.stream(data.batch(1, 0, 4, 4))).allMatch(id -> id >= 128 && id < 256);
        }
    }

    @Test
    void whatIsNoTextIsRefusedInOneSentence() throws IOException {
        Path empty = file("empty.txt", new byte[0]);
        assertThatThrownBy(() -> TextData.open("empty.txt", folder, 0.1, 4))
                .isInstanceOf(DataException.class)
                .hasMessage("empty.txt is empty; choose a text with something in it.");
        file("binary.txt", new byte[] {'a', 'b', 0, 'c'});
        assertThatThrownBy(() -> TextData.open("binary.txt", folder, 0.1, 4))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("binary.txt is a binary file (a zero byte at offset 2)");
        assertThatThrownBy(() -> TextData.open("none.txt", folder, 0.1, 4))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("none.txt does not exist");
        assertThatThrownBy(() -> TextData.open(".", folder, 0.1, 4))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("is a folder");
        assertThatThrownBy(() -> TextData.open("a\0b", folder, 0.1, 4))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("not a path");
        file("short.txt", "twenty bytes of text".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> TextData.open("short.txt", folder, 0.1, 4))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("short.txt is too short: of its 20 bytes 18 are for training and 2 for validation")
                .hasMessageContaining("use a text of at least 51 bytes or a shorter sequence");
        assertThat(Files.exists(empty)).isTrue();
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheText() throws IOException {
        String text = "0123456789".repeat(20);
        Path marked = file("marked.txt", ("\uFEFF" + text).getBytes(StandardCharsets.UTF_8));
        file("bare.txt", text.getBytes(StandardCharsets.UTF_8));
        try (TextData data = TextData.open("marked.txt", folder, 0.25, 8);
                TextData bare = TextData.open("bare.txt", folder, 0.25, 8)) {
            assertThat(data.trainingSize()).isEqualTo(150);
            assertThat(data.heldOut()).isEqualTo(50);
            assertThat(data.batch(1, 0, 16, 8)).isEqualTo(bare.batch(1, 0, 16, 8));
            assertThat(data.validationBatch(0, 4, 8)).isEqualTo(bare.validationBatch(0, 4, 8));
            assertThat(data.hash()).isEqualTo(sha256(Files.readAllBytes(marked)));
        }
        file("nothing.txt", "\uFEFF".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> TextData.open("nothing.txt", folder, 0.25, 8)).hasMessageContaining("nothing.txt is empty");
    }

    @Test
    void aTextInAnotherEncodingIsToldByItsByteOrderMark() throws IOException {
        Map<String, Charset> encodings = Map.of(
                "UTF-16", StandardCharsets.UTF_16LE, "UTF-16 ", StandardCharsets.UTF_16BE, "UTF-32", Charset.forName("UTF-32LE"));
        for (Map.Entry<String, Charset> encoding : encodings.entrySet()) {
            file("other.txt", "\uFEFFtext".getBytes(encoding.getValue()));
            String sentence = "other.txt is " + encoding.getKey().strip()
                    + " text, as the mark at its start tells; convert it to UTF-8 (for example with iconv).";
            assertThatThrownBy(() -> TextData.open("other.txt", folder, 0.25, 8)).isInstanceOf(DataException.class).hasMessage(sentence);
            assertThatThrownBy(() -> TextData.look("other.txt", folder, 0.25, 8)).isInstanceOf(DataException.class).hasMessageEndingWith(sentence);
        }
    }

    @Test
    void aDeviceIsNoText() {
        assumeTrue(Files.exists(Path.of("/dev/zero")));
        String sentence = "/dev/zero is not a file, but a device or the like; choose a UTF-8 text file.";
        assertThatThrownBy(() -> TextData.open("/dev/zero", folder, 0.25, 8)).isInstanceOf(DataException.class).hasMessage(sentence);
        assertThatThrownBy(() -> TextData.look("/dev/zero", folder, 0.25, 8)).isInstanceOf(DataException.class).hasMessage(sentence);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theLengthAskedForIsEnough() throws IOException {
        for (double share : new double[] {0.05, 0.1, 1.0 / 3, 0.5}) {
            file("some.txt", "0123456789".getBytes(StandardCharsets.US_ASCII));
            String message = org.assertj.core.api.Assertions.catchThrowable(
                            () -> TextData.open("some.txt", folder, share, 31))
                    .getMessage();
            int enough = Integer.parseInt(message.replaceAll(".*at least (\\d+) bytes.*", "$1"));
            file("enough.txt", "x".repeat(enough).getBytes(StandardCharsets.US_ASCII));
            try (TextData data = TextData.open("enough.txt", folder, share, 31)) {
                assertThat(data.heldOut()).isGreaterThanOrEqualTo(32);
                assertThat(data.validationBatch(3, 2, 31)).hasSize(64);
            }
        }
    }

    // Table 3-7 of the Unicode Standard, well-formed UTF-8 byte sequences: the first that is not.
    @ParameterizedTest
    @CsvSource({
        "61 80 61, 1",
        "61 62 C0 AF, 2",
        "C1 81, 0",
        "E0 80 80, 0",
        "61 ED A0 80, 1",
        "F0 80 80 80, 0",
        "F4 90 80 80, 0",
        "F5 80 80 80, 0",
        "61 C3 61, 1",
        "61 E2 82, 1",
        "C3 A9 F0 9F 98, 2",
        "FF, 0",
    })
    void theOffsetOfTheFirstInvalidByteIsNamed(String hex, int offset) throws IOException {
        byte[] bytes = java.util.HexFormat.ofDelimiter(" ").parseHex(hex);
        file("bad.txt", bytes);
        assertThatThrownBy(() -> TextData.open("bad.txt", folder, 0.1, 1))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith("bad.txt is not UTF-8 text: the byte at offset " + offset + " ");
    }

    @Test
    void everyCharacterIsValidWhereverAChunkEnds() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int c = 1; c <= Character.MAX_CODE_POINT; c += c < 0x3000 ? 1 : 97) {
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                all.appendCodePoint(c);
            }
        }
        byte[] bytes = all.toString().getBytes(StandardCharsets.UTF_8);
        for (int length : new int[] {1, 2, 3, 5, 1000}) {
            Utf8Check check = new Utf8Check();
            for (int from = 0; from < bytes.length; from += length) {
                byte[] chunk = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + length));
                assertThat(check.read(chunk, chunk.length)).isEqualTo(-1);
            }
            assertThat(check.end()).isEqualTo(-1);
        }
    }

    @Test
    void aTextThatIsCutShortWhileInUseIsReported() throws IOException {
        Path file = numbered(1000);
        try (TextData data = TextData.open("numbered.txt", folder, 0.1, 12)) {
            Files.writeString(file, "short");
            assertThatThrownBy(() -> data.batch(1, 0, 4, 12))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("has become shorter since it was opened");
        }
    }

    @Test
    void aQuickLookTellsFromSizeAndBeginningWhatCannotBeUsed() throws IOException {
        Files.writeString(folder.resolve("empty.txt"), "");
        Files.writeString(folder.resolve("short.txt"), "short");
        Files.write(folder.resolve("binary.txt"), new byte[] {'a', 0, 'b'});
        Files.write(folder.resolve("latin.txt"), new byte[] {'a', (byte) 0xE4, 'b'});
        Files.writeString(folder.resolve("fine.txt"), "enough text ".repeat(100));
        TextData.look("fine.txt", folder, 0.25, 8);
        assertThatThrownBy(() -> TextData.look("empty.txt", folder, 0.25, 8)).isInstanceOf(DataException.class).hasMessageContaining("is empty");
        assertThatThrownBy(() -> TextData.look("short.txt", folder, 0.25, 8)).isInstanceOf(DataException.class).hasMessageContaining("is too short");
        assertThatThrownBy(() -> TextData.look("binary.txt", folder, 0.25, 8)).isInstanceOf(DataException.class).hasMessageContaining("is a binary file");
        assertThatThrownBy(() -> TextData.look("latin.txt", folder, 0.25, 8)).isInstanceOf(DataException.class).hasMessageContaining("is not UTF-8 text");
    }
}
