package keelscope.export;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads a message of Protocol Buffers field by field: {@link #next()}, then the value or {@link #skip()}. Whatever is wrong with
 * the bytes is a {@link Malformed}.
 */
final class ProtoReader {

    /** The bytes are not a message. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed(String message) {
            super(message);
        }
    }

    private final ByteBuffer in;
    private int field;
    private int wireType;

    ProtoReader(ByteBuffer bytes) {
        this.in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Goes to the next field; false at the end. */
    boolean next() throws Malformed {
        if (!in.hasRemaining()) {
            return false;
        }
        long tag = rawVarint();
        field = (int) (tag >>> 3);
        wireType = (int) (tag & 7);
        return true;
    }

    int field() {
        return field;
    }

    /** Whether the field at hand is this one and of this wire type. */
    boolean is(int number, int type) {
        return field == number && wireType == type;
    }

    long varint() throws Malformed {
        return rawVarint();
    }

    double fixed64() throws Malformed {
        require(8);
        return in.getDouble();
    }

    float fixed32() throws Malformed {
        require(4);
        return in.getFloat();
    }

    ByteBuffer bytes() throws Malformed {
        long length = rawVarint();
        if (length < 0) {
            throw new Malformed("a field has a negative length");
        }
        require(length);
        ByteBuffer part = in.slice(in.position(), (int) length).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + (int) length);
        return part;
    }

    String text() throws Malformed {
        return StandardCharsets.UTF_8.decode(bytes()).toString();
    }

    ProtoReader message() throws Malformed {
        return new ProtoReader(bytes());
    }

    void skip() throws Malformed {
        switch (wireType) {
            case ProtoWriter.VARINT -> rawVarint();
            case ProtoWriter.FIXED64 -> fixed64();
            case ProtoWriter.LENGTH -> bytes();
            case ProtoWriter.FIXED32 -> fixed32();
            default -> throw new Malformed("a field has the wire type " + wireType);
        }
    }

    private long rawVarint() throws Malformed {
        long value = 0;
        try {
            for (int shift = 0; shift < 64; shift += 7) {
                byte b = in.get();
                value |= (long) (b & 0x7f) << shift;
                if (b >= 0) {
                    return value;
                }
            }
        } catch (BufferUnderflowException e) {
            throw new Malformed("a number is cut off");
        }
        throw new Malformed("a number has more than ten bytes");
    }

    private void require(long bytes) throws Malformed {
        if (bytes > in.remaining()) {
            throw new Malformed("a field of " + bytes + " bytes has only " + in.remaining());
        }
    }
}
