package keelscope.export;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a message of Protocol Buffers field by field (protobuf.dev/programming-guides/encoding). */
final class ProtoWriter {

    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int LENGTH = 2;
    static final int FIXED32 = 5;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    ProtoWriter varint(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    ProtoWriter fixed64(int field, double value) {
        tag(field, FIXED64);
        fixed64(value);
        return this;
    }

    ProtoWriter fixed32(int field, float value) {
        tag(field, FIXED32);
        int bits = Float.floatToRawIntBits(value);
        for (int i = 0; i < 4; i++) {
            out.write(bits >>> 8 * i);
        }
        return this;
    }

    ProtoWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoWriter message(int field, ProtoWriter message) {
        return bytes(field, message.toBytes());
    }

    /** A repeated field of doubles, packed. */
    ProtoWriter packed(int field, double[] values) {
        tag(field, LENGTH);
        varint(8L * values.length);
        for (double value : values) {
            fixed64(value);
        }
        return this;
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    private ProtoWriter bytes(int field, byte[] bytes) {
        tag(field, LENGTH);
        varint(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    private void tag(int field, int wireType) {
        varint((long) field << 3 | wireType);
    }

    private void varint(long value) {
        while ((value & ~0x7fL) != 0) {
            out.write((int) (value & 0x7f | 0x80));
            value >>>= 7;
        }
        out.write((int) value);
    }

    private void fixed64(double value) {
        long bits = Double.doubleToRawLongBits(value);
        for (int i = 0; i < 8; i++) {
            out.write((int) (bits >>> 8 * i));
        }
    }
}
