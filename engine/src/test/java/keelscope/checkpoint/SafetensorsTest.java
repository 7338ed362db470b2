package keelscope.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SafetensorsTest {

    @TempDir
    Path folder;

    private Path write(Map<String, String> metadata, List<TensorSource> tensors) throws IOException {
        Path file = folder.resolve("written.safetensors");
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            assertThat(SafetensorsWriter.write(out, metadata, tensors)).isEqualTo(Files.size(file));
        }
        return file;
    }

    private Path raw(String header, int dataBytes) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer all = ByteBuffer.allocate(8 + json.length + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
        all.putLong(json.length).put(json);
        return Files.write(folder.resolve("raw.safetensors"), all.array());
    }

    private static TensorSource bytes(String name, Dtype dtype, byte[] content, long... shape) {
        return new TensorSource(TensorInfo.of(name, dtype, shape), () -> ByteBuffer.wrap(content));
    }

    // ---- writing

    @Test
    void aWrittenFileKeepsToThePublishedLayoutByteByByte() throws IOException {
        TensorSource w = Tensors.floats("w", new float[] {1, -2, 0.5f, 3, 4, 5}, 2, 3);
        TensorSource n = bytes("n", Dtype.I64, new byte[] {7, 0, 0, 0, 0, 0, 0, 0}, 1);
        TensorSource b = bytes("b", Dtype.BF16, new byte[] {(byte) 0x80, 0x3f}, 1);
        byte[] file = Files.readAllBytes(write(Map.of("step", "12"), List.of(b, w, n)));

        ByteBuffer all = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int header = Math.toIntExact(all.getLong());
        assertThat(header % 8).isZero();
        assertThat(file[8]).isEqualTo((byte) '{');
        JsonNode json = new ObjectMapper().readTree(file, 8, header);
        assertThat(json.at("/__metadata__/step").textValue()).isEqualTo("12");
        assertThat(json.at("/w/dtype").textValue()).isEqualTo("F32");
        assertThat(json.at("/w/shape").toString()).isEqualTo("[2,3]");
        // The widest numbers come first, so each tensor is aligned.
        assertThat(json.at("/n/data_offsets").toString()).isEqualTo("[0,8]");
        assertThat(json.at("/w/data_offsets").toString()).isEqualTo("[8,32]");
        assertThat(json.at("/b/data_offsets").toString()).isEqualTo("[32,34]");
        assertThat(file).hasSize(8 + header + 34);
        int data = 8 + header;
        assertThat(all.getLong(data)).isEqualTo(7);
        assertThat(all.getFloat(data + 8 + 4)).isEqualTo(-2f);
        assertThat(all.getShort(data + 32)).isEqualTo((short) 0x3f80);
    }

    @Test
    void aTensorBeyondOneBufferIsWrittenInTheOrderOfItsParts() throws IOException {
        float[] values = Tensors.random(1_000_000, 5);
        TensorSource whole = Tensors.floats("w", values, 1_000_000);
        ByteBuffer all = whole.content().get();
        Iterator<ByteBuffer> parts = List.of(all.slice(0, 400), all.slice(400, 3_000_000), all.slice(3_000_400, 999_600)).iterator();
        Path file = write(Map.of(), List.of(new TensorSource(whole.info(), parts::next)));
        try (SafetensorsReader reader = SafetensorsReader.open(file)) {
            ByteBuffer read = ByteBuffer.allocate(4_000_000).order(ByteOrder.LITTLE_ENDIAN);
            reader.read("w", 0, read);
            assertThat(read.flip()).isEqualTo(all);
        }
    }

    @Test
    void aTensorThatGivesTheWrongNumberOfBytesIsRefused() {
        TensorSource tooMany = bytes("w", Dtype.F32, new byte[12], 2);
        assertThatThrownBy(() -> write(Map.of(), List.of(tooMany)))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("Tensor w has the shape [2] of 8 bytes but gave 12; nothing was kept of this checkpoint.");
    }

    @Test
    void namesMustDifferAndNotBeTheFormatsOwn() {
        TensorSource w = bytes("w", Dtype.U8, new byte[1], 1);
        assertThatThrownBy(() -> write(Map.of(), List.of(w, w))).hasMessage("Two tensors are named w; names must differ.");
        assertThatThrownBy(() -> TensorInfo.of("__metadata__", Dtype.U8, 1)).hasMessageStartingWith("A tensor cannot be named __metadata__");
        assertThatThrownBy(() -> TensorInfo.of("w", Dtype.U8, -1)).hasMessage("Tensor w has the shape [-1]; its size cannot be counted.");
    }

    // ---- another program's reader and writer: DJL's

    @Test
    void anIndependentReaderReadsWhatIsWritten() throws IOException {
        Path file = write(Map.of("format", "pt"), Tensors.model(100, 3));
        try (NDManager manager = NDManager.newBaseManager(); InputStream in = Files.newInputStream(file)) {
            NDList list = NDList.decode(manager, in);
            assertThat(list).hasSize(4);
            NDArray embedding = list.get("tok_embeddings.weight");
            assertThat(embedding.getShape()).isEqualTo(new Shape(100, 8));
            assertThat(embedding.toFloatArray()).isEqualTo(Tensors.random(800, 3));
            assertThat(list.get("optimizer.exp_avg_sq.norm.weight").toFloatArray()).isEqualTo(Tensors.random(8, 6));
        }
    }

    @Test
    void whatAnIndependentWriterWritesIsRead() throws IOException {
        Path file = folder.resolve("djl.safetensors");
        try (NDManager manager = NDManager.newBaseManager(); OutputStream out = Files.newOutputStream(file)) {
            NDArray doubles = manager.create(new double[] {1.5, -2.25}, new Shape(2, 1));
            doubles.setName("doubles");
            NDArray longs = manager.arange(0, 5, 1, DataType.INT64);
            longs.setName("longs");
            new NDList(doubles, longs).encode(out, NDList.Encoding.SAFETENSORS);
        }
        try (SafetensorsReader reader = SafetensorsReader.open(file)) {
            assertThat(reader.tensors())
                    .containsExactlyInAnyOrder(TensorInfo.of("doubles", Dtype.F64, 2, 1), TensorInfo.of("longs", Dtype.I64, 5));
            ByteBuffer read = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
            reader.read("doubles", 0, read);
            assertThat(read.getDouble(8)).isEqualTo(-2.25);
            read.clear().limit(8);
            reader.read("longs", 32, read);
            assertThat(read.getLong(0)).isEqualTo(4);
        }
    }

    // ---- reading

    @Test
    void theExampleOfTheFormatsDocumentationIsRead() throws IOException {
        String header = "{\"test\":{\"dtype\":\"I32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}";
        try (SafetensorsReader reader = SafetensorsReader.open(raw(header, 16))) {
            assertThat(reader.tensors()).containsExactly(TensorInfo.of("test", Dtype.I32, 2, 2));
            assertThat(reader.metadata()).isEmpty();
        }
    }

    @Test
    void scalarsEmptyTensorsAndFilesWithoutTensorsAreAllowed() throws IOException {
        String header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]},\"b\":{\"dtype\":\"F32\",\"shape\":[0,7],\"data_offsets\":[4,4]}}   ";
        try (SafetensorsReader reader = SafetensorsReader.open(raw(header, 4))) {
            assertThat(reader.tensors()).extracting(TensorInfo::bytes).containsExactlyInAnyOrder(4L, 0L);
        }
        SafetensorsReader.open(raw("{}", 0)).close();
    }

    @Test
    void aTensorOfThreeGigabytesIsReadAtItsEnd() throws IOException {
        long n = 3L << 30;
        String header = "{\"big\":{\"dtype\":\"U8\",\"shape\":[" + n + "],\"data_offsets\":[0," + n + "]}}";
        Path file = raw(header, 0);
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            // One byte at the end; the file system stores no others.
            out.write(ByteBuffer.wrap(new byte[] {42}), 8 + header.length() + n - 1);
        }
        try (SafetensorsReader reader = SafetensorsReader.open(file)) {
            ByteBuffer read = ByteBuffer.allocate(2);
            reader.read("big", n - 2, read);
            assertThat(read.array()).containsExactly(0, 42);
            assertThatThrownBy(() -> reader.read("big", n - 1, ByteBuffer.allocate(2))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    static Stream<Arguments> malformed() {
        String a = "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}";
        return Stream.of(
                Arguments.of("{" + a + "}", 4, "tensor a ends at byte 8 of its numbers, and the file has 4."),
                Arguments.of("{" + a + "}", 9, "it goes on for 1 bytes after its last tensor."),
                Arguments.of("{" + a + ",\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[7,11]}}", 11, "tensor b overlaps tensor a."),
                Arguments.of("{" + a + ",\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[9,13]}}", 13, "there is a gap of 1 bytes between tensor a and tensor b."),
                Arguments.of("{\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[2,3]}}", 3, "there is a gap of 2 bytes between the header and tensor b."),
                Arguments.of("{" + a + "," + a + "}", 8, "its header is not JSON (Duplicate field 'a'"),
                Arguments.of("{" + a, 8, "its header is not JSON ("),
                Arguments.of("{" + a + "} x", 8, "its header is not JSON ("),
                Arguments.of("[1]", 0, "its header does not begin with {."),
                Arguments.of("", 0, "its header does not begin with {."),
                Arguments.of("{\"a\":3}", 0, "tensor a has the dtype (none), which is not known."),
                Arguments.of("{\"a\":{\"dtype\":\"F7\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "tensor a has the dtype \"F7\", which is not known."),
                Arguments.of("{\"a\":{\"dtype\":\"F32\",\"shape\":2,\"data_offsets\":[0,8]}}", 8, "tensor a has the shape 2, which is not a list."),
                Arguments.of("{\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}", 8, "tensor a has -2 in its shape, which is not a count."),
                Arguments.of("{\"a\":{\"dtype\":\"F32\",\"shape\":[2.5],\"data_offsets\":[0,8]}}", 8, "tensor a has 2.5 in its shape, which is not a count."),
                Arguments.of("{\"a\":{\"dtype\":\"F32\",\"shape\":[99999999999999999999],\"data_offsets\":[0,8]}}", 8, "tensor a has 99999999999999999999 in its shape, which is not a count."),
                Arguments.of("{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,8]}}", 8, "whose size cannot be counted."),
                Arguments.of("{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}", 8, "tensor a has 8 bytes, and 12 follow from its shape [3] of F32."),
                Arguments.of("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", 8, "tensor a has the data_offsets [8, 0], which are not a begin and an end."),
                Arguments.of("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}}", 8, "tensor a has the data_offsets [0], which are not a begin and an end."),
                Arguments.of("{\"__metadata__\":{\"step\":3}}", 0, "its __metadata__ holds step, which is not a text."),
                Arguments.of("{\"__metadata__\":[]}", 0, "its __metadata__ is not an object."));
    }

    @ParameterizedTest
    @MethodSource
    void malformed(String header, int dataBytes, String why) throws IOException {
        Path file = raw(header, dataBytes);
        assertThatThrownBy(() -> SafetensorsReader.open(file))
                .isInstanceOf(CheckpointException.class)
                .hasMessageStartingWith(file + " is damaged or not a checkpoint: ")
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aFileThatEndsInItsHeaderOrNamesAnAbsurdLengthIsRefused() throws IOException {
        Path file = folder.resolve("cut.safetensors");
        Files.write(file, new byte[5]);
        assertThatThrownBy(() -> SafetensorsReader.open(file)).hasMessageEndingWith("it has only 5 bytes.");
        Files.write(file, ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN).putLong(13).array());
        assertThatThrownBy(() -> SafetensorsReader.open(file))
                .hasMessageEndingWith("its header is said to have 13 bytes, and the file ends after 12.");
        Files.write(file, ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN).putLong(-1).array());
        assertThatThrownBy(() -> SafetensorsReader.open(file)).hasMessageContaining("said to have 18446744073709551615 bytes");
        Path header = raw("{\"a", 0);
        byte[] utf16 = "{\"__metadata__\":{}}".getBytes(StandardCharsets.UTF_16LE);
        ByteBuffer all = ByteBuffer.allocate(8 + utf16.length).order(ByteOrder.LITTLE_ENDIAN).putLong(utf16.length).put(utf16);
        Files.write(header, all.array());
        assertThatThrownBy(() -> SafetensorsReader.open(header)).isInstanceOf(CheckpointException.class);
        Files.write(header, ByteBuffer.allocate(11).order(ByteOrder.LITTLE_ENDIAN).putLong(3).put(new byte[] {'{', (byte) 0xff, '}'}).array());
        assertThatThrownBy(() -> SafetensorsReader.open(header)).hasMessageEndingWith("its header is not UTF-8.");
    }

    @Test
    void aMissingFileIsSaidToBeMissing() {
        assertThatThrownBy(() -> SafetensorsReader.open(folder.resolve("none"))).hasMessage("There is no checkpoint " + folder.resolve("none") + ".");
        assertThatThrownBy(() -> SafetensorsReader.open(folder)).isInstanceOf(CheckpointException.class).hasMessageStartingWith("The checkpoint " + folder);
    }

    @Test
    void randomDamageIsRefusedInOneSentenceOrReadWithoutError() throws IOException {
        byte[] whole = Files.readAllBytes(write(Map.of("step", "1"), Tensors.model(4, 1)));
        int header = Math.toIntExact(ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getLong(0));
        Path file = folder.resolve("damaged.safetensors");
        Random random = new Random(7);
        for (int round = 0; round < 1_000; round++) {
            byte[] damaged = whole.clone();
            for (int change = random.nextInt(1, 4); change > 0; change--) {
                // Mostly the header: the numbers cannot be wrong.
                int at = random.nextInt(10) == 0 ? random.nextInt(damaged.length) : random.nextInt(8 + header);
                damaged[at] = random.nextBoolean() ? (byte) (damaged[at] ^ 1 << random.nextInt(8)) : (byte) "0123456789{}[],:\"".charAt(random.nextInt(17));
            }
            if (random.nextInt(4) == 0) {
                damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length + 20));
            }
            Files.write(file, damaged);
            try (SafetensorsReader reader = SafetensorsReader.open(file)) {
                for (TensorInfo tensor : reader.tensors()) {
                    reader.read(tensor.name(), 0, ByteBuffer.allocate(Math.toIntExact(tensor.bytes())));
                }
            } catch (CheckpointException refused) {
                assertThat(refused.getMessage()).endsWith(".").doesNotContain("\n");
            }
        }
    }
}
