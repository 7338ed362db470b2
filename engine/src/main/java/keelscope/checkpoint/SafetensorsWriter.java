package keelscope.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Writes tensors in the safetensors format (github.com/huggingface/safetensors): eight bytes of header length, little-endian; a
 * header in JSON, filled up with spaces to a multiple of eight bytes; the numbers, without gaps.
 *
 * <p>The format has no checksum, so the first entry of the metadata is one, {@code crc32c}: of the whole file, with its own
 * eight hexadecimal digits taken as zeros.
 */
final class SafetensorsWriter {

    static final String METADATA = "__metadata__";
    static final String CHECKSUM = "crc32c";
    static final String NO_CHECKSUM = "00000000";

    /** The header up to the digits of the checksum. */
    static final byte[] BEFORE_CHECKSUM =
            ("{\"" + METADATA + "\":{\"" + CHECKSUM + "\":\"").getBytes(StandardCharsets.UTF_8);

    /** Length of the field with the header's length, bytes. */
    static final int LENGTH_BYTES = 8;

    /** What is handed to the channel at once: Java copies a heap buffer whole, to native memory that it then keeps. */
    static final int PART = 1 << 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    private SafetensorsWriter() {}

    /**
     * Writes a file from its first byte.
     *
     * @param file an empty file
     * @param metadata any text by name
     * @param tensors names differ; written by descending size of their numbers, so that each begins at a multiple of that size
     * @return the file's length, bytes
     * @throws IOException if the file cannot be written
     * @throws CheckpointException if a tensor gives more or fewer bytes than its shape has
     */
    static long write(FileChannel file, Map<String, String> metadata, List<TensorSource> tensors) throws IOException {
        List<TensorSource> ordered = tensors.stream()
                .sorted(Comparator.comparing((TensorSource t) -> t.info().dtype().bytes()).reversed())
                .toList();
        byte[] header = header(metadata, ordered);
        CRC32C checksum = new CRC32C();
        ByteBuffer head = ByteBuffer.allocate(LENGTH_BYTES + header.length).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(header.length).put(header).flip();
        put(file, head, checksum);
        for (TensorSource tensor : ordered) {
            put(file, tensor, checksum);
        }
        String digits = HexFormat.of().toHexDigits((int) checksum.getValue());
        ByteBuffer seal = ByteBuffer.wrap(digits.getBytes(StandardCharsets.UTF_8));
        while (seal.hasRemaining()) {
            file.write(seal, LENGTH_BYTES + BEFORE_CHECKSUM.length + seal.position());
        }
        return file.size();
    }

    private static byte[] header(Map<String, String> metadata, List<TensorSource> tensors) {
        ObjectNode root = JSON.createObjectNode();
        ObjectNode texts = root.putObject(METADATA);
        texts.put(CHECKSUM, NO_CHECKSUM);
        metadata.forEach((name, text) -> {
            if (name.equals(CHECKSUM)) {
                throw new IllegalArgumentException("Metadata cannot be named " + name + "; that is the file's checksum.");
            }
            texts.put(name, text);
        });
        Set<String> names = new HashSet<>();
        long offset = 0;
        for (TensorSource tensor : tensors) {
            TensorInfo info = tensor.info();
            if (!names.add(info.name())) {
                throw new IllegalArgumentException("Two tensors are named " + info.name() + "; names must differ.");
            }
            ObjectNode entry = root.putObject(info.name());
            entry.put("dtype", info.dtype().name());
            ArrayNode shape = entry.putArray("shape");
            info.shape().forEach(shape::add);
            entry.putArray("data_offsets").add(offset).add(offset + info.bytes());
            offset += info.bytes();
        }
        try {
            byte[] json = JSON.writeValueAsBytes(root);
            byte[] padded = Arrays.copyOf(json, (json.length + 7) / 8 * 8);
            Arrays.fill(padded, json.length, padded.length, (byte) ' ');
            return padded;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A header could not be written as JSON.", e);
        }
    }

    private static void put(FileChannel file, TensorSource tensor, CRC32C checksum) throws IOException {
        long bytes = tensor.info().bytes();
        long written = 0;
        while (written < bytes) {
            ByteBuffer part = tensor.content().get();
            int n = part.remaining();
            if (n == 0 || n > bytes - written) {
                throw new CheckpointException("Tensor " + tensor.info().name() + " has the shape " + tensor.info().shape() + " of "
                        + bytes + " bytes but gave " + (written + n) + "; nothing was kept of this checkpoint.");
            }
            put(file, part, checksum);
            written += n;
        }
    }

    private static void put(FileChannel file, ByteBuffer bytes, CRC32C checksum) throws IOException {
        for (int from = bytes.position(); from < bytes.limit(); from += PART) {
            ByteBuffer part = bytes.duplicate().position(from).limit(Math.min(bytes.limit(), from + PART));
            checksum.update(part.duplicate());
            while (part.hasRemaining()) {
                file.write(part);
            }
        }
    }
}
