package keelscope.checkpoint;

import java.util.Arrays;
import java.util.Optional;

/** The types of numbers a safetensors file can hold that fill whole bytes; the names are those of the format. */
public enum Dtype {
    F64(8),
    F32(4),
    F16(2),
    BF16(2),
    I64(8),
    I32(4),
    I16(2),
    I8(1),
    U64(8),
    U32(4),
    U16(2),
    U8(1),
    BOOL(1);

    private final int bytes;

    Dtype(int bytes) {
        this.bytes = bytes;
    }

    /** Size of one number, bytes. */
    public int bytes() {
        return bytes;
    }

    /** The type of this name, if there is one. */
    public static Optional<Dtype> of(String name) {
        return Arrays.stream(values()).filter(d -> d.name().equals(name)).findFirst();
    }
}
