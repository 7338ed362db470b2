package keelscope.export;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The framing of TensorBoard's event files (tensorflow.org/tutorials/load_data/tfrecord): length in 8 bytes, its checksum in 4, the
 * data, its checksum in 4, all little-endian. A checksum is CRC-32C, turned right by 15 bits, plus 0xa282ead8.
 */
final class EventRecords {

    /** Length and its checksum, bytes. */
    static final int HEAD = 12;

    /** The checksum of the data, bytes. */
    static final int TAIL = 4;

    private static final int MASK = 0xa282ead8;

    private EventRecords() {}

    static byte[] framed(byte[] data) {
        ByteBuffer record = ByteBuffer.allocate(HEAD + data.length + TAIL).order(ByteOrder.LITTLE_ENDIAN);
        record.putLong(data.length);
        record.putInt(maskedChecksum(record.duplicate().flip()));
        record.put(data);
        record.putInt(maskedChecksum(ByteBuffer.wrap(data)));
        return record.array();
    }

    static int maskedChecksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return Integer.rotateRight((int) checksum.getValue(), 15) + MASK;
    }
}
