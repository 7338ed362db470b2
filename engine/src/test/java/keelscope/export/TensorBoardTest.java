package keelscope.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FieldOptions;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import keelscope.runfile.Measure;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorBoardTest {

    @TempDir
    Path folder;

    private FileDescriptor schema;

    /** TensorBoard's event.proto, summary.proto, histogram.proto and tensor.proto, as far as they are used here, as published. */
    @BeforeEach
    void readSchema() throws DescriptorValidationException {
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("event.proto")
                .setSyntax("proto3")
                .addMessageType(message("Event", field("wall_time", 1, Type.TYPE_DOUBLE), field("step", 2, Type.TYPE_INT64),
                        field("file_version", 3, Type.TYPE_STRING), nested("summary", 5, "Summary", Label.LABEL_OPTIONAL)))
                .addMessageType(message("Summary", nested("value", 1, "Value", Label.LABEL_REPEATED)))
                .addMessageType(message("Value", field("tag", 1, Type.TYPE_STRING), field("simple_value", 2, Type.TYPE_FLOAT),
                        nested("histo", 5, "HistogramProto", Label.LABEL_OPTIONAL), nested("tensor", 8, "TensorProto", Label.LABEL_OPTIONAL)))
                .addMessageType(message("HistogramProto", field("min", 1, Type.TYPE_DOUBLE), field("max", 2, Type.TYPE_DOUBLE),
                        field("num", 3, Type.TYPE_DOUBLE), field("sum", 4, Type.TYPE_DOUBLE), field("sum_squares", 5, Type.TYPE_DOUBLE),
                        packed("bucket_limit", 6), packed("bucket", 7)))
                .addMessageType(message("TensorProto", field("dtype", 1, Type.TYPE_INT32), field("tensor_content", 4, Type.TYPE_BYTES),
                        field("float_val", 5, Type.TYPE_FLOAT).setLabel(Label.LABEL_REPEATED)))
                .build();
        schema = FileDescriptor.buildFrom(file, new FileDescriptor[0]);
    }

    private static DescriptorProto message(String name, FieldDescriptorProto.Builder... fields) {
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
        for (FieldDescriptorProto.Builder field : fields) {
            message.addField(field);
        }
        return message.build();
    }

    private static FieldDescriptorProto.Builder field(String name, int number, Type type) {
        return FieldDescriptorProto.newBuilder().setName(name).setNumber(number).setType(type).setLabel(Label.LABEL_OPTIONAL);
    }

    private static FieldDescriptorProto.Builder nested(String name, int number, String type, Label label) {
        return FieldDescriptorProto.newBuilder().setName(name).setNumber(number).setTypeName(type).setType(Type.TYPE_MESSAGE).setLabel(label);
    }

    private static FieldDescriptorProto.Builder packed(String name, int number) {
        return field(name, number, Type.TYPE_DOUBLE).setLabel(Label.LABEL_REPEATED).setOptions(FieldOptions.newBuilder().setPacked(true));
    }

    private Descriptor type(String name) {
        return schema.findMessageTypeByName(name);
    }

    private static Object get(DynamicMessage message, String field) {
        return message.getField(message.getDescriptorForType().findFieldByName(field));
    }

    private static List<DynamicMessage> values(DynamicMessage event) {
        return ((List<?>) get((DynamicMessage) get(event, "summary"), "value")).stream().map(DynamicMessage.class::cast).toList();
    }

    /** The records of a file, by the published framing and with protobuf-java alone. */
    private List<DynamicMessage> events(Path file) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<DynamicMessage> events = new ArrayList<>();
        while (in.hasRemaining()) {
            assertThat(unmasked(in.getInt(in.position() + 8))).isEqualTo(crc(in.slice(in.position(), 8)));
            int length = Math.toIntExact(in.getLong());
            in.getInt();
            ByteBuffer data = in.slice(in.position(), length);
            in.position(in.position() + length);
            assertThat(unmasked(in.getInt())).isEqualTo(crc(data.duplicate()));
            byte[] bytes = new byte[length];
            data.get(bytes);
            events.add(DynamicMessage.parseFrom(type("Event"), bytes));
        }
        return events;
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** The inverse that TensorFlow's crc32c.h states. */
    private static int unmasked(int masked) {
        int rotated = masked - 0xa282ead8;
        return rotated >>> 17 | rotated << 15;
    }

    private Path export(int steps) throws IOException {
        try (RunReader run = RunReader.open(Runs.write(folder.resolve("keel.keelrun"), steps))) {
            Path written = TensorBoardExport.write(run, folder.resolve("board"), Progress.UNWATCHED);
            try (Stream<Path> files = Files.list(written)) {
                return files.findFirst().orElseThrow();
            }
        }
    }

    @Test
    void anIndependentReaderFindsEveryScalar() throws IOException {
        Path file = export(30);
        assertThat(file.getFileName()).hasToString("events.out.tfevents.1700000000.keelscope");
        List<DynamicMessage> events = events(file);
        assertThat(get(events.get(0), "file_version")).isEqualTo("brain.Event:2");
        assertThat(get(events.get(0), "wall_time")).isEqualTo(1.7e9);

        List<DynamicMessage> losses = events.stream().filter(e -> values(e).stream().anyMatch(v -> get(v, "tag").equals("loss"))).toList();
        assertThat(losses).hasSize(30);
        DynamicMessage fifth = losses.get(4);
        assertThat(get(fifth, "step")).isEqualTo(4L);
        assertThat((double) get(fifth, "wall_time")).isEqualTo(1.7e9 + 5 * 0.02);
        Map<Object, Object> scalars = values(fifth).stream().collect(Collectors.toMap(v -> get(v, "tag"), v -> get(v, "simple_value")));
        assertThat(scalars).isEqualTo(Map.of("loss", 1f, "lr", 0.004f, "grad_norm", 4.5f, "step_ms", 20f, "tokens", 2_560f,
                "tokens_per_s", 25_600f, "memory_bytes", 1_048_576f));
        assertThat(events.stream().filter(e -> values(e).stream().anyMatch(v -> get(v, "tag").equals("val_loss"))).map(e -> get(e, "step")))
                .containsExactly(9L, 19L, 29L);
    }

    @Test
    void anIndependentReaderFindsTheHistogramsOfTheLayers() throws IOException {
        List<DynamicMessage> norms = events(export(30)).stream()
                .filter(e -> values(e).stream().anyMatch(v -> get(v, "tag").equals("layers/param_grad_norm")))
                .toList();
        assertThat(norms).hasSize(30);
        DynamicMessage histogram = (DynamicMessage) get(values(norms.get(10)).get(0), "histo");
        // The values are 10, 11, 12 and 13.
        assertThat(get(histogram, "min")).isEqualTo(10.0);
        assertThat(get(histogram, "max")).isEqualTo(13.0);
        assertThat(get(histogram, "num")).isEqualTo(4.0);
        assertThat(get(histogram, "sum")).isEqualTo(46.0);
        assertThat(get(histogram, "sum_squares")).isEqualTo(100.0 + 121 + 144 + 169);
        List<?> limits = (List<?>) get(histogram, "bucket_limit");
        List<?> counts = (List<?>) get(histogram, "bucket");
        assertThat(counts).hasSameSizeAs(limits);
        assertThat(limits.get(limits.size() - 1)).isEqualTo(13.0);
        assertThat(counts.stream().mapToDouble(c -> (double) c).sum()).isEqualTo(4);
    }

    @Test
    void aLongRunHasAtMostFiveHundredHistogramsAMeasure() throws IOException {
        long histograms = events(export(600)).stream()
                .filter(e -> values(e).stream().anyMatch(v -> get(v, "tag").equals("layers/param_grad_norm")))
                .count();
        assertThat(histograms).isBetween(200L, 500L);
    }

    @Test
    void wallTimesAreThoseOfTheStepsWithPauses() throws IOException {
        Path file = folder.resolve("paused.keelrun");
        try (RunWriter run = RunWriter.create(file, Runs.info(2))) {
            run.step(Runs.step(0, Runs.CREATED_MS + 20), Map.of(Measure.PARAM_GRAD_NORM, Runs.norms(0)), OptionalDouble.empty());
            run.step(Runs.step(1, Runs.CREATED_MS + 3_600_020), Map.of(Measure.PARAM_GRAD_NORM, Runs.norms(1)), OptionalDouble.of(1));
            run.state(RunStatus.FINISHED, "");
        }
        try (RunReader run = RunReader.open(file)) {
            ScalarLog log = TensorBoardLog.read(TensorBoardExport.write(run, folder.resolve("board"), Progress.UNWATCHED), Progress.UNWATCHED);
            assertThat(log.series("loss").get(0).timeMs()).isEqualTo(Runs.CREATED_MS + 20);
            assertThat(log.series("loss").get(1).timeMs()).isEqualTo(Runs.CREATED_MS + 3_600_020);
            assertThat(log.series("val_loss").get(1).timeMs()).isEqualTo(Runs.CREATED_MS + 3_600_020);
        }
    }

    /** Even steps have all of sub-layer 0's gate values in its first bin, odd steps in its last, so together a half in each. */
    @Test
    void stepsTakenTogetherHaveTheMeanOfTheirSharesInEachBin() throws IOException {
        int bins = 32;
        Path file = folder.resolve("gates.keelrun");
        try (RunWriter run = RunWriter.create(file, Runs.info(1024))) {
            for (int s = 0; s < 1024; s++) {
                float[] shares = new float[Runs.LAYERS * bins];
                for (int l = 0; l < Runs.LAYERS; l++) {
                    shares[l * bins + (l == 0 && s % 2 == 0 ? 0 : bins - 1)] = 1;
                }
                run.step(Runs.step(s, Runs.CREATED_MS + s), Map.of(Measure.GATE_HISTOGRAM, shares), OptionalDouble.empty());
            }
            run.state(RunStatus.FINISHED, "");
        }
        try (RunReader run = RunReader.open(file);
                Stream<Path> written = Files.list(TensorBoardExport.write(run, folder.resolve("board"), Progress.UNWATCHED))) {
            List<DynamicMessage> gates = events(written.findFirst().orElseThrow()).stream()
                    .filter(e -> values(e).stream().anyMatch(v -> get(v, "tag").equals("gate_histogram/l0")))
                    .toList();
            assertThat(gates).hasSizeBetween(200, 500);
            for (DynamicMessage gate : gates) {
                List<?> first = (List<?>) get((DynamicMessage) get(values(gate).get(0), "histo"), "bucket");
                assertThat((double) first.get(0)).isEqualTo(0.5);
                assertThat((double) first.get(bins - 1)).isEqualTo(0.5);
                List<?> second = (List<?>) get((DynamicMessage) get(values(gate).get(1), "histo"), "bucket");
                assertThat((double) second.get(bins - 1)).isEqualTo(1);
            }
        }
    }

    @Test
    void whatIsExportedIsReadBack() throws IOException {
        ScalarLog log = TensorBoardLog.read(export(30).getParent(), Progress.UNWATCHED);
        assertThat(log.names()).contains("loss", "val_loss", "lr", "grad_norm").doesNotContain("layers/param_grad_norm");
        assertThat(log.series("loss")).hasSize(30);
        assertThat(log.series("loss").get(4).value()).isEqualTo(1.0);
        assertThat(log.series("lr").get(4).timeMs()).isEqualTo(Runs.CREATED_MS + 100);
    }

    @Test
    void eventsOfAnotherWriterAreReadScalarTensorsIncluded() throws IOException {
        DynamicMessage simple = value("loss").setField(type("Value").findFieldByName("simple_value"), 2.5f).build();
        DynamicMessage listed = value("listed")
                .setField(type("Value").findFieldByName("tensor"), DynamicMessage.newBuilder(type("TensorProto"))
                        .setField(type("TensorProto").findFieldByName("dtype"), 1)
                        .addRepeatedField(type("TensorProto").findFieldByName("float_val"), 0.25f)
                        .build())
                .build();
        DynamicMessage packed = value("packed")
                .setField(type("Value").findFieldByName("tensor"), DynamicMessage.newBuilder(type("TensorProto"))
                        .setField(type("TensorProto").findFieldByName("dtype"), 2)
                        .setField(type("TensorProto").findFieldByName("tensor_content"), com.google.protobuf.ByteString.copyFrom(
                                ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(0.125).array()))
                        .build())
                .build();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(EventRecords.framed(event(7, simple, listed, packed).toByteArray()));
        Path file = folder.resolve("events.out.tfevents.1.host");
        Files.write(file, out.toByteArray());
        ScalarLog log = TensorBoardLog.read(folder, Progress.UNWATCHED);
        assertThat(log.series("loss").get(7).value()).isEqualTo(2.5);
        assertThat(log.series("listed").get(7).value()).isEqualTo(0.25);
        assertThat(log.series("packed").get(7).value()).isEqualTo(0.125);
        assertThat(log.series("packed").get(7).timeMs()).isEqualTo(12_500);
    }

    private DynamicMessage.Builder value(String tag) {
        return DynamicMessage.newBuilder(type("Value")).setField(type("Value").findFieldByName("tag"), tag);
    }

    private DynamicMessage event(long step, DynamicMessage... values) {
        DynamicMessage.Builder summary = DynamicMessage.newBuilder(type("Summary"));
        for (DynamicMessage value : values) {
            summary.addRepeatedField(type("Summary").findFieldByName("value"), value);
        }
        return DynamicMessage.newBuilder(type("Event"))
                .setField(type("Event").findFieldByName("wall_time"), 12.5)
                .setField(type("Event").findFieldByName("step"), step)
                .setField(type("Event").findFieldByName("summary"), summary.build())
                .build();
    }

    @Test
    void aFileCutInARecordIsReadUpToIt() throws IOException {
        Path file = export(30);
        byte[] all = Files.readAllBytes(file);
        // Cut within the scalars, which come first: about 150 bytes a step.
        Files.write(file, Arrays.copyOf(all, 1_500));
        ScalarLog log = TensorBoardLog.read(file, Progress.UNWATCHED);
        assertThat(log.series("loss").size()).isBetween(1, 29);
        assertThat(log.series("loss").firstKey()).isZero();
    }

    @Test
    void aDamagedByteIsNoticedAndAnyDamageEndsInOneSentence() throws IOException {
        Path file = export(3);
        byte[] all = Files.readAllBytes(file);
        Random random = new Random(1);
        for (int round = 0; round < 100; round++) {
            byte[] damaged = all.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            assertThatThrownBy(() -> TensorBoardLog.read(file, Progress.UNWATCHED))
                    .isInstanceOf(ExportException.class)
                    .hasMessageStartingWith(file + " is damaged or not a TensorBoard event file: ")
                    .hasMessageNotContaining("\n");
        }
        // Records that are framed well but hold noise.
        for (int round = 0; round < 100; round++) {
            byte[] noise = new byte[random.nextInt(60)];
            random.nextBytes(noise);
            Files.write(file, EventRecords.framed(noise));
            try {
                TensorBoardLog.read(file, Progress.UNWATCHED);
            } catch (ExportException refused) {
                assertThat(refused.getMessage()).endsWith(".").doesNotContain("\n");
            }
        }
    }

    @Test
    void aFolderWithoutEventFilesIsRefused() {
        assertThatThrownBy(() -> TensorBoardLog.read(folder, Progress.UNWATCHED))
                .isInstanceOf(ExportException.class)
                .hasMessage("There is no TensorBoard event file in " + folder + "; choose a folder with a file whose name has tfevents in it.");
        assertThatThrownBy(() -> TensorBoardLog.read(folder.resolve("none"), Progress.UNWATCHED)).isInstanceOf(ExportException.class);
    }

    /** RFC 3720, appendix B.4: CRC-32C of 32 bytes of zeros is 8a9136aa. */
    @Test
    void theChecksumIsThePublishedOne() {
        assertThat(unmasked(EventRecords.maskedChecksum(ByteBuffer.wrap(new byte[32])))).isEqualTo(0x8a9136aa);
    }
}
