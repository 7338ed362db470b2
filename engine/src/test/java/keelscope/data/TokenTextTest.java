package keelscope.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTextTest {
    private static final String PROSE = "The hen and the fox met on the bridge, α and β.\n".repeat(40);

    @TempDir
    Path folder;

    private Path cache;

    @BeforeEach
    void cache() {
        cache = folder.resolve("cache");
    }

    private TokenText open(List<String> paths, String tokenizer, String field, boolean replace) {
        return TokenText.open(paths, folder, tokenizer, field, replace, 0.25, 8, share -> { }, cache);
    }

    private TokenText open(String path, String tokenizer) {
        return open(List.of(path), tokenizer, "text", false);
    }

    /** The whole text as a corpus hands it on. */
    private String whole(boolean replace, String... paths) {
        StringBuilder text = new StringBuilder();
        Corpus.of(List.of(paths), folder, "text", replace).read(text::append);
        return text.toString();
    }

    private Path write(String name, String text) throws IOException {
        return write(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private Path write(String name, byte[] bytes) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    private static byte[] zstd(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new ZstdOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    @Test
    void aPackedTextGivesTheBatchesOfThePlainOne() throws IOException {
        write("a.txt", PROSE);
        write("a.txt.gz", gzip(PROSE));
        write("a.txt.zst", zstd(PROSE));
        try (TextData plain = TextData.open("a.txt", folder, 0.25, 8)) {
            for (String name : List.of("a.txt", "a.txt.gz", "a.txt.zst")) {
                try (TokenText text = open(name, "bytes")) {
                    assertThat(text.hash()).isEqualTo(plain.hash());
                    assertThat(text.vocabulary()).isEqualTo(256);
                    assertThat(text.training(1, 5, 3, 8).ids()).isEqualTo(plain.training(1, 5, 3, 8).ids());
                    assertThat(text.training(1, 5, 3, 8).targets()).isEqualTo(plain.training(1, 5, 3, 8).targets());
                    assertThat(text.validation(2, 3, 8).ids()).isEqualTo(plain.validation(2, 3, 8).ids());
                }
            }
        }
    }

    @Test
    void targetsAreTheNextTokens() throws IOException {
        write("a.txt", PROSE);
        try (TokenText text = open("a.txt", "characters")) {
            TokenBatch batch = text.training(1, 0, 4, 8);
            for (int row = 0; row < 4; row++) {
                for (int i = 0; i + 1 < 8; i++) {
                    assertThat(batch.targets()[row * 8 + i]).isEqualTo(batch.ids()[row * 8 + i + 1]);
                }
            }
            assertThat(batch.counted()).isEqualTo(32);
        }
    }

    @Test
    void aFolderStandsForItsTextsInTheOrderOfTheirPaths() throws IOException {
        write("texts/b.md", "second");
        write("texts/a.txt", "first\n");
        write("texts/c/d.txt.gz", gzip("third"));
        write("texts/picture.png", new byte[] {0, 1, 2});
        write("texts/.hidden.txt", "hidden");
        write("e.log", "fourth");
        assertThat(whole(false, "texts", "e.log")).isEqualTo("first\nsecond\nthird\nfourth");
    }

    @Test
    void aLineOfJsonlIsADocument() throws IOException {
        write("a.jsonl", "{\"text\":\"one\\nline\",\"n\":1}\n\n{\"n\":2,\"text\":\"two\"}");
        assertThat(whole(false, "a.jsonl")).isEqualTo("one\nline\ntwo");
        assertThatThrownBy(() -> open(List.of("a.jsonl"), "bytes", "body", false))
                .isInstanceOf(DataException.class)
                .hasMessageEndingWith("a.jsonl, line 1: the document has no text in the field 'body'; let data.field be one of text.");
        write("b.jsonl", "{\"text\":\"one\"}\n{\"text\":");
        assertThatThrownBy(() -> whole(false, "b.jsonl"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("b.jsonl, line 2: this is not JSON");
    }

    // The Unicode Standard 15.0, table 3-8: what becomes of ill-formed sequences.
    @Test
    void whatIsNotUtf8IsReplacedAsUnicodeHasIt() throws IOException {
        write("a.txt", HexFormat.of().parseHex("61F18080E180C262806380BF64"));
        assertThat(whole(true, "a.txt")).isEqualTo("a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd");
        write("b.txt", HexFormat.of().parseHex("6162E282"));
        assertThat(whole(true, "b.txt")).isEqualTo("ab\uFFFD");
    }

    @Test
    void whatIsReplacedIsReportedWithFileAndOffset() throws IOException {
        write("a.txt", PROSE);
        byte[] bad = PROSE.getBytes(StandardCharsets.UTF_8);
        bad[3] = (byte) 0xFF;
        bad[100] = (byte) 0x80;
        Path file = write("b.txt", bad);
        try (TokenText text = open(List.of("a.txt", "b.txt"), "bytes", "text", true)) {
            assertThat(text.description())
                    .endsWith("; 2 invalid stretches of UTF-8 replaced by U+FFFD, the first in " + file + " at offset 3");
        }
        assertThatThrownBy(() -> open(List.of("a.txt", "b.txt"), "bytes", "text", false))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith(file + " is not UTF-8 text: the byte at offset 3 ");
        assertThat(cache).isDirectoryNotContaining("glob:**.part").isDirectoryNotContaining(f -> f.toString().endsWith("x"));
    }

    @Test
    void theOffsetIsRightWhereverABufferEnds() throws IOException {
        for (int length : new int[] {65_533, 65_534, 65_535, 65_536, 65_537, 200_000}) {
            byte[] bytes = ("α".repeat(length / 2) + (length % 2 == 0 ? "" : "x")).getBytes(StandardCharsets.UTF_8);
            byte[] bad = java.util.Arrays.copyOf(bytes, length + 2);
            bad[length] = (byte) 0xC0;
            bad[length + 1] = 'y';
            Path file = write("long.txt", bad);
            assertThatThrownBy(() -> whole(false, "long.txt")).hasMessageStartingWith(file + " is not UTF-8 text: the byte at offset " + length + " ");
            assertThat(whole(true, "long.txt")).hasSize(bytes.length / 2 + length % 2 + 2).endsWith("\uFFFDy");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\uD83D\uDE00", "ab ", "a\n", "αβγδ "})
    void aLongTextIsHandedOnWholeInSmallPieces(String piece) throws IOException {
        String text = piece.repeat(300_000 / piece.length()) + "end";
        write("long.txt", text);
        StringBuilder all = new StringBuilder();
        Corpus.of(List.of("long.txt"), folder, "text", false).read(chunk -> {
            assertThat(chunk.length()).isBetween(1, 1 << 14);
            assertThat(Character.isLowSurrogate(chunk.charAt(0))).isFalse();
            all.append(chunk);
        });
        assertThat(all.toString().equals(text)).isTrue();
    }

    @Test
    void whatIsNoTextIsRefused() throws IOException {
        write("empty.txt.gz", gzip(""));
        assertThatThrownBy(() -> open("empty.txt.gz", "bytes")).hasMessageContaining("is empty");
        write("none/picture.png", new byte[] {0, 1});
        assertThatThrownBy(() -> open("none", "bytes")).hasMessageContaining("holds no text; allowed are files that end in .txt, .md, .jsonl");
        write("wide.txt", "\uFEFFtext".getBytes(StandardCharsets.UTF_16LE));
        assertThatThrownBy(() -> open("wide.txt", "bytes")).hasMessageContaining("wide.txt is UTF-16 text").hasMessageContaining("convert it to UTF-8");
        write("binary.txt", new byte[] {'a', 0});
        assertThatThrownBy(() -> open("binary.txt", "bytes")).hasMessageContaining("binary.txt is a binary file (a zero byte at offset 1)");
        write("not.gz", "plain".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> open("not.gz", "bytes")).isInstanceOf(DataException.class).hasMessageContaining("not.gz cannot be read");
        byte[] cut = gzip(PROSE);
        write("cut.gz", java.util.Arrays.copyOf(cut, cut.length / 2));
        assertThatThrownBy(() -> open("cut.gz", "bytes")).isInstanceOf(DataException.class);
        byte[] cutZst = zstd(PROSE);
        write("cut.zst", java.util.Arrays.copyOf(cutZst, cutZst.length / 2));
        assertThatThrownBy(() -> open("cut.zst", "bytes")).isInstanceOf(DataException.class);
        assertThatThrownBy(() -> open("missing.md", "bytes")).hasMessageContaining("missing.md does not exist");
        write("short.txt", "too few characters");
        assertThatThrownBy(() -> open("short.txt", "characters")).hasMessageContaining("is too short: of its 18 tokens");
    }

    @Test
    void tokensAreMadeOnceAndAgainWhenTheTextChanges() throws IOException {
        Path file = write("a.txt", PROSE);
        open("a.txt", "characters").close();
        assertThat(stores()).isEqualTo(1);
        open("a.txt", "characters").close();
        assertThat(stores()).isEqualTo(1);
        Files.writeString(file, PROSE + PROSE);
        try (TokenText text = open("a.txt", "characters")) {
            assertThat(text.description()).contains(String.format(java.util.Locale.ROOT, "%,d tokens", 2 * PROSE.length()));
        }
        assertThat(stores()).isEqualTo(2);
    }

    private long stores() throws IOException {
        try (var files = Files.list(cache)) {
            return files.filter(f -> f.toString().endsWith(".tokens")).count();
        }
    }

    @Test
    void armsThatStartTogetherShareOneStore() throws IOException {
        write("a.txt", PROSE);
        List<CompletableFuture<int[]>> arms = java.util.stream.IntStream.range(0, 4)
                .mapToObj(arm -> CompletableFuture.supplyAsync(() -> {
                    try (TokenText text = open("a.txt", "bpe:300")) {
                        return text.training(1, 7, 2, 8).ids();
                    }
                }))
                .toList();
        int[] first = arms.get(0).join();
        assertThat(arms).allSatisfy(arm -> assertThat(arm.join()).isEqualTo(first));
        assertThat(stores()).isEqualTo(1);
    }

    @Test
    void aCacheThatCannotBeWrittenIsNamed() throws IOException {
        write("a.txt", PROSE);
        Files.writeString(cache, "a file, not a folder");
        assertThatThrownBy(() -> open("a.txt", "characters"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("cannot be kept in " + cache)
                .hasMessageContaining("KEELSCOPE_CACHE");
    }

    @Test
    void charactersAreNumberedInTheirOrder() throws IOException {
        write("a.txt", "βba\uD83D\uDE00α".repeat(40));
        try (TokenText text = open("a.txt", "characters")) {
            assertThat(text.vocabulary()).isEqualTo(5);
            Tokenizer tokenizer = text.tokenizer().orElseThrow();
            assertThat(tokenizer.encode("abαβ\uD83D\uDE00")).containsExactly(0, 1, 2, 3, 4);
            assertThat(tokenizer.decode(new int[] {4, 0, 3})).isEqualTo("\uD83D\uDE00aβ");
            assertThatThrownBy(() -> tokenizer.encode("abc"))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("The character c (U+0063) is not in the vocabulary");
            assertThat(Tokenizer.restore(tokenizer.definition()).encode("βα")).containsExactly(3, 2);
        }
    }

    @Test
    void bytesAreTheirOwnNumbers() {
        assertThat(Tokenizer.BYTES.encode("aé")).containsExactly(0x61, 0xC3, 0xA9);
        assertThat(Tokenizer.BYTES.decode(new int[] {0x61, 0xC3, 0xA9})).isEqualTo("aé");
        assertThat(Tokenizer.restore(Tokenizer.BYTES.definition())).isSameAs(Tokenizer.BYTES);
    }

    // Gage's own example: aaabdaaabac; Z = aa, Y = ab, X = ZY make XdXac of it.
    @Test
    void bytePairsAreLearntMostFrequentFirst() throws IOException {
        write("a.txt", "aaabdaaabac");
        String json = BpeTrainer.train(Corpus.of(List.of("a.txt"), folder, "text", false), 259);
        try (Tokenizer tokenizer = Tokenizer.restore(json)) {
            assertThat(tokenizer.vocabulary()).isEqualTo(259);
            assertThat(tokenizer.encode("aaabdaaabac")).containsExactly(258, 'd', 258, 'a', 'c');
            assertThat(tokenizer.encode("aaab ab")).containsExactly(258, ' ', 257);
            assertThat(tokenizer.decode(new int[] {258, 'd', 256})).isEqualTo("aaabdaa");
        }
        assertThat(JsonTokenizer.vocabulary(BpeTrainer.train(Corpus.of(List.of("a.txt"), folder, "text", false), 9999), ""))
                .as("nothing is left to join")
                .isLessThan(270);
    }

    @Test
    void aLearntVocabularyGivesEveryTextBack() {
        String json = BpeTrainer.train(Corpus.sample(), 600);
        String text = new String(SampleText.bytes(), StandardCharsets.UTF_8).substring(0, 20_000);
        try (Tokenizer tokenizer = new BytePairTokenizer(json)) {
            assertThat(tokenizer.vocabulary()).isEqualTo(600);
            int[] ids = tokenizer.encode(text);
            assertThat(ids.length).as("words become few tokens").isLessThan(text.length() / 2);
            assertThat(tokenizer.decode(ids)).isEqualTo(text);
            String unseen = "日本語 don't we'll \uD83D\uDE00\t\n\n  x  123abc ½ \u00A0 e\u0301 !? \r\n";
            assertThat(tokenizer.decode(tokenizer.encode(unseen))).isEqualTo(unseen);
            // Another implementation reads the same file.
            try (Tokenizer huggingFace = Tokenizer.restore(json)) {
                assertThat(ids).isEqualTo(huggingFace.encode(text));
                assertThat(tokenizer.encode(unseen)).isEqualTo(huggingFace.encode(unseen));
                assertThat(huggingFace.decode(ids)).isEqualTo(text);
            }
            try (Tokenizer restored = Tokenizer.restore(tokenizer.definition())) {
                assertThat(restored.encode(text)).isEqualTo(ids);
            }
        }
    }

    private static final String WORDS = """
            {"version":"1.0","truncation":null,"padding":null,"added_tokens":[{"id":5,"content":"<end>","single_word":false,
            "lstrip":false,"rstrip":false,"normalized":false,"special":true}],"normalizer":null,
            "pre_tokenizer":{"type":"Whitespace"},"post_processor":null,"decoder":null,
            "model":{"type":"WordLevel","vocab":{"[UNK]":0,"hen":1,"fox":2},"unk_token":"[UNK]"}}
            """;

    @Test
    void aTokenizerJsonIsUsedAndNothingIsCutOff() throws IOException {
        write("tokenizer.json", WORDS);
        write("a.txt", "hen fox dog ".repeat(1000));
        try (TokenText text = open("a.txt", "tokenizer.json")) {
            assertThat(text.vocabulary()).as("the largest id is the added token's, 5").isEqualTo(6);
            assertThat(text.description()).contains("12,000 bytes as 3,000 tokens (tokenizer.json of 6 tokens, SHA-256 ");
            int[] ids = text.training(1, 0, 1, 8).ids();
            for (int i = 0; i + 1 < 8; i++) {
                assertThat(ids[i + 1]).isEqualTo((ids[i] + 1) % 3);
            }
        }
    }

    @Test
    void whatIsNoTokenizerIsRefused() throws IOException {
        write("a.txt", PROSE);
        assertThatThrownBy(() -> open("a.txt", "none.json")).isInstanceOf(DataException.class).hasMessageContaining("is not there");
        write("bad.json", "{");
        assertThatThrownBy(() -> open("a.txt", "bad.json")).isInstanceOf(DataException.class).hasMessageContaining("bad.json is not JSON");
        write("other.json", "{\"a\":1}");
        assertThatThrownBy(() -> open("a.txt", "other.json")).isInstanceOf(DataException.class).hasMessageContaining("has no vocabulary");
        write("broken.json", "{\"model\":{\"type\":\"Nothing\",\"vocab\":{\"a\":0}}}");
        assertThatThrownBy(() -> open("a.txt", "broken.json")).isInstanceOf(DataException.class).hasMessageContaining("cannot be used");
    }

    @Test
    void theSampleTextHasEveryTokenizerToo() {
        try (TokenText text = open("sample", "characters")) {
            assertThat(text.vocabulary()).isBetween(60, 100);
            assertThat(text.description()).startsWith("The sample text, 2,0");
        }
    }

    private void look(String path, String tokenizer) {
        TokenText.look(List.of(path), folder, tokenizer, "text", false, 0.25, 8, cache);
    }

    @Test
    void aQuickLookFindsWhatIsWrongWithATextOrATokenizer() throws IOException {
        String documents = "{\"text\": \"one\"}\n".repeat(400);
        write("fine.jsonl", documents);
        look("fine.jsonl", "bytes");
        byte[] packed = gzip(documents);
        write("cut.jsonl.gz", Arrays.copyOf(packed, packed.length - 9));
        byte[] zstd = zstd(documents);
        write("cut.jsonl.zst", Arrays.copyOf(zstd, zstd.length - 9));
        write("not.txt.gz", PROSE);
        write("not.txt.zst", PROSE);
        write("broken.jsonl", "{\"text\": \"one\"}\n{\"text\": ");
        write("empty.jsonl", "\n\n");
        write("short.txt", "short");
        assertThatThrownBy(() -> look("cut.jsonl.gz", "bytes")).isInstanceOf(DataException.class).hasMessageContaining("cut.jsonl.gz is cut off: ");
        assertThatThrownBy(() -> look("cut.jsonl.zst", "bytes")).isInstanceOf(DataException.class).hasMessageContaining("cut.jsonl.zst");
        assertThatThrownBy(() -> look("not.txt.gz", "bytes")).isInstanceOf(DataException.class).hasMessageContaining("Not in GZIP format");
        assertThatThrownBy(() -> look("not.txt.zst", "bytes")).isInstanceOf(DataException.class).hasMessageContaining("not.txt.zst cannot be read");
        assertThatThrownBy(() -> look("broken.jsonl", "bytes")).isInstanceOf(DataException.class).hasMessageContaining("line 2: this is not JSON");
        assertThatThrownBy(() -> look("empty.jsonl", "bytes")).isInstanceOf(DataException.class).hasMessageContaining("is empty");
        for (String tokenizer : List.of("characters", "bpe:300")) {
            assertThatThrownBy(() -> look("short.txt", tokenizer)).isInstanceOf(DataException.class).hasMessageContaining("short.txt is too short");
        }
        write("broken.json", "{\"model\": ");
        write("none.json", "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}, \"merges\": [[\"x\", \"y\"]]}}");
        assertThatThrownBy(() -> look("fine.jsonl", "missing.json")).isInstanceOf(DataException.class).hasMessageContaining("is not there");
        assertThatThrownBy(() -> look("fine.jsonl", "broken.json")).isInstanceOf(DataException.class).hasMessageContaining("is not JSON");
        assertThatThrownBy(() -> look("fine.jsonl", "none.json")).isInstanceOf(DataException.class).hasMessageContaining("cannot be used");
    }

    /** What is wrong far behind the beginning is found by whoever reads it all, so that a look is quick. */
    @Test
    void aQuickLookReadsNoMoreThanTheBeginningOfALongText() throws IOException {
        write("long.jsonl", "{\"text\": \"seven characters and more\"}\n".repeat(200_000) + "no JSON");
        look("long.jsonl", "bytes");
        assertThat(cache).as("nothing was cut into tokens").doesNotExist();
        assertThatThrownBy(() -> open("long.jsonl", "bytes")).isInstanceOf(DataException.class).hasMessageContaining("line 200001: this is not JSON");
    }

    @Test
    void howFarTheReadingIsIsTold() throws IOException {
        write("a.txt", PROSE.repeat(100));
        write("b.txt.gz", gzip(PROSE.repeat(100)));
        List<Double> shares = new ArrayList<>();
        TokenText.open(List.of("a.txt", "b.txt.gz"), folder, "bytes", "text", false, 0.25, 8, shares::add, cache).close();
        assertThat(shares).isSorted().allMatch(share -> share > 0 && share <= 1).endsWith(1.0);
    }
}
