package keelscope.checkpoint;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Reads a file in the safetensors format, this program's or another's. Opening reads and checks the header alone: every tensor's
 * place follows from its type and shape, lies in the file, and touches the next without gap or overlap. Numbers are read when
 * asked for, in parts where they are many. Not safe for use by several threads.
 */
final class SafetensorsReader implements AutoCloseable {

    /** The format's limit for a header, bytes. */
    private static final long HEADER_MAX = 100_000_000;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final Path path;
    private final FileChannel file;
    private final long length;
    private final byte[] header;
    private final Map<String, String> metadata;
    private final Map<String, Place> places;

    /** A tensor and where its numbers begin, bytes from the start of all numbers. */
    private record Place(TensorInfo info, long from) {}

    private SafetensorsReader(Path path, FileChannel file) throws IOException {
        this.path = path;
        this.file = file;
        this.length = file.size();
        this.header = readHeader();
        JsonNode root = parse();
        this.metadata = metadata(root);
        this.places = places(root, length - SafetensorsWriter.LENGTH_BYTES - header.length);
    }

    /** @throws CheckpointException with one sentence if the file is missing, cannot be read or does not keep to the format */
    static SafetensorsReader open(Path path) {
        FileChannel file;
        try {
            file = FileChannel.open(path, StandardOpenOption.READ);
        } catch (NoSuchFileException e) {
            throw new CheckpointException("There is no checkpoint " + path + ".", e);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
        try {
            return new SafetensorsReader(path, file);
        } catch (IOException | RuntimeException e) {
            CheckpointException refusal = e instanceof CheckpointException c ? c : unreadable(path, e);
            try {
                file.close();
            } catch (IOException alsoNotClosed) {
                refusal.addSuppressed(alsoNotClosed);
            }
            throw refusal;
        }
    }

    /** The file's texts by name, its checksum among them. */
    Map<String, String> metadata() {
        return metadata;
    }

    /** The tensors in the order of their numbers in the file. */
    List<TensorInfo> tensors() {
        return places.values().stream().map(Place::info).toList();
    }

    /**
     * What a tensor is.
     *
     * @throws CheckpointException if there is no such tensor
     */
    TensorInfo tensor(String name) {
        return place(name).info;
    }

    /**
     * Reads numbers of a tensor into the whole rest of a buffer.
     *
     * @param from first byte to read, from the tensor's start
     * @throws CheckpointException if there is no such tensor or the file cannot be read
     */
    void read(String name, long from, ByteBuffer into) {
        Place place = place(name);
        if (from < 0 || into.remaining() > place.info.bytes() - from) {
            throw new IllegalArgumentException("Bytes " + from + " to " + (from + into.remaining()) + " of tensor " + name
                    + " were asked for; it has " + place.info.bytes() + ".");
        }
        try {
            fill(SafetensorsWriter.LENGTH_BYTES + header.length + place.from + from, into);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /**
     * Reads the whole file and compares it with its checksum.
     *
     * @throws CheckpointException if they differ, or the file has none
     */
    void verify() {
        String written = metadata.getOrDefault(SafetensorsWriter.CHECKSUM, "");
        byte[] sealed = header.clone();
        int at = SafetensorsWriter.BEFORE_CHECKSUM.length;
        int digits = SafetensorsWriter.NO_CHECKSUM.length();
        if (written.length() != digits || !Arrays.equals(header, 0, at, SafetensorsWriter.BEFORE_CHECKSUM, 0, at)) {
            throw malformed("it lacks its checksum");
        }
        System.arraycopy(SafetensorsWriter.NO_CHECKSUM.getBytes(StandardCharsets.UTF_8), 0, sealed, at, digits);
        CRC32C checksum = new CRC32C();
        checksum.update(lengthField(header.length));
        checksum.update(sealed);
        try {
            ByteBuffer part = ByteBuffer.allocateDirect(SafetensorsWriter.PART);
            for (long from = SafetensorsWriter.LENGTH_BYTES + header.length; from < length; from += part.capacity()) {
                part.clear().limit((int) Math.min(part.capacity(), length - from));
                fill(from, part);
                checksum.update(part.flip());
            }
        } catch (IOException e) {
            throw unreadable(path, e);
        }
        if (!written.equals(HexFormat.of().toHexDigits((int) checksum.getValue()))) {
            throw malformed("its content does not match its checksum");
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    private Place place(String name) {
        Place place = places.get(name);
        if (place == null) {
            throw new CheckpointException("The checkpoint " + path + " holds no tensor " + name + ".");
        }
        return place;
    }

    private byte[] readHeader() throws IOException {
        if (length < SafetensorsWriter.LENGTH_BYTES) {
            throw malformed("it has only " + length + " bytes");
        }
        ByteBuffer field = ByteBuffer.allocate(SafetensorsWriter.LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        fill(0, field);
        long n = field.getLong(0);
        if (n < 0 || n > HEADER_MAX) {
            throw malformed("its header is said to have " + Long.toUnsignedString(n) + " bytes, and " + HEADER_MAX + " are allowed");
        }
        if (n > length - SafetensorsWriter.LENGTH_BYTES) {
            throw malformed("its header is said to have " + n + " bytes, and the file ends after "
                    + (length - SafetensorsWriter.LENGTH_BYTES));
        }
        byte[] bytes = new byte[(int) n];
        fill(SafetensorsWriter.LENGTH_BYTES, ByteBuffer.wrap(bytes));
        if (n == 0 || bytes[0] != '{') {
            throw malformed("its header does not begin with {");
        }
        return bytes;
    }

    private JsonNode parse() {
        try {
            // Decoded first, since a JSON reader given bytes would also accept UTF-16.
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(header)).toString();
            return JSON.readTree(text);
        } catch (CharacterCodingException e) {
            throw malformed("its header is not UTF-8", e);
        } catch (JsonProcessingException e) {
            String why = e.getOriginalMessage().lines().findFirst().orElse("it cannot be read");
            throw malformed("its header is not JSON (" + why + ")", e);
        }
    }

    private Map<String, String> metadata(JsonNode root) {
        JsonNode node = root.path(SafetensorsWriter.METADATA);
        Map<String, String> texts = new LinkedHashMap<>();
        if (!node.isMissingNode() && !node.isObject()) {
            throw malformed("its " + SafetensorsWriter.METADATA + " is not an object");
        }
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (!entry.getValue().isTextual()) {
                throw malformed("its " + SafetensorsWriter.METADATA + " holds " + entry.getKey() + ", which is not a text");
            }
            texts.put(entry.getKey(), entry.getValue().textValue());
        }
        return Collections.unmodifiableMap(texts);
    }

    private Map<String, Place> places(JsonNode root, long dataBytes) {
        List<Place> found = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : root.properties()) {
            if (!entry.getKey().equals(SafetensorsWriter.METADATA)) {
                found.add(place(entry.getKey(), entry.getValue()));
            }
        }
        found.sort(Comparator.comparingLong(Place::from).thenComparingLong(p -> p.info.bytes()));
        Map<String, Place> ordered = new LinkedHashMap<>();
        long end = 0;
        String before = "the header";
        for (Place place : found) {
            String name = place.info.name();
            if (place.from > end) {
                throw malformed("there is a gap of " + (place.from - end) + " bytes between " + before + " and tensor " + name);
            }
            if (place.from < end) {
                throw malformed("tensor " + name + " overlaps " + before);
            }
            end = place.from + place.info.bytes();
            if (end > dataBytes) {
                throw malformed("tensor " + name + " ends at byte " + end + " of its numbers, and the file has " + dataBytes);
            }
            before = "tensor " + name;
            ordered.put(name, place);
        }
        if (end < dataBytes) {
            throw malformed("it goes on for " + (dataBytes - end) + " bytes after its last tensor");
        }
        return Collections.unmodifiableMap(ordered);
    }

    private Place place(String name, JsonNode node) {
        JsonNode dtypeNode = node.path("dtype");
        Dtype dtype = Dtype.of(dtypeNode.isTextual() ? dtypeNode.textValue() : "")
                .orElseThrow(() -> malformed("tensor " + name + " has the dtype " + shown(dtypeNode) + ", which is not known"));
        List<Long> shape = numbers(name, node.path("shape"), "shape");
        List<Long> offsets = numbers(name, node.path("data_offsets"), "data_offsets");
        if (offsets.size() != 2 || offsets.get(0) > offsets.get(1)) {
            throw malformed("tensor " + name + " has the data_offsets " + offsets + ", which are not a begin and an end");
        }
        TensorInfo info;
        try {
            info = new TensorInfo(name, dtype, shape);
        } catch (IllegalArgumentException e) {
            throw malformed("tensor " + name + " has the shape " + shape + ", whose size cannot be counted", e);
        }
        long given = offsets.get(1) - offsets.get(0);
        if (given != info.bytes()) {
            throw malformed("tensor " + name + " has " + given + " bytes, and " + info.bytes() + " follow from its shape " + shape
                    + " of " + dtype);
        }
        return new Place(info, offsets.get(0));
    }

    private List<Long> numbers(String name, JsonNode node, String field) {
        if (!node.isArray()) {
            throw malformed("tensor " + name + " has the " + field + " " + shown(node) + ", which is not a list");
        }
        List<Long> numbers = new ArrayList<>();
        for (Iterator<JsonNode> each = node.elements(); each.hasNext(); ) {
            JsonNode number = each.next();
            if (!number.isIntegralNumber() || !number.canConvertToLong() || number.longValue() < 0) {
                throw malformed("tensor " + name + " has " + shown(number) + " in its " + field + ", which is not a count");
            }
            numbers.add(number.longValue());
        }
        return numbers;
    }

    private static String shown(JsonNode node) {
        String text = node.isMissingNode() ? "(none)" : node.toString();
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }

    private static byte[] lengthField(long n) {
        return ByteBuffer.allocate(SafetensorsWriter.LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(n).array();
    }

    private void fill(long from, ByteBuffer into) throws IOException {
        int start = into.position();
        int limit = into.limit();
        while (into.position() < limit) {
            into.limit(Math.min(limit, into.position() + SafetensorsWriter.PART));
            int n = file.read(into, from + into.position() - start);
            into.limit(limit);
            if (n < 0) {
                throw new IOException("the file ended while it was read");
            }
        }
    }

    private CheckpointException malformed(String what) {
        return new CheckpointException(path + " is damaged or not a checkpoint: " + what + ".");
    }

    private CheckpointException malformed(String what, Throwable cause) {
        return new CheckpointException(path + " is damaged or not a checkpoint: " + what + ".", cause);
    }

    private static CheckpointException unreadable(Path path, Exception e) {
        String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new CheckpointException("The checkpoint " + path + " cannot be read: " + why + ".", e);
    }
}
