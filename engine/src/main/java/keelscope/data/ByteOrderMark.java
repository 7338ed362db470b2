package keelscope.data;

import java.util.Arrays;
import java.util.Optional;

/**
 * The character U+FEFF with which some programs begin a file, to tell its encoding (the Unicode Standard, section 23.8). It is no part
 * of the text.
 */
final class ByteOrderMark {
    /** Bytes of a stream that must be seen to know its mark. */
    static final int LONGEST = 4;

    private static final byte[] UTF_8 = bytes(0xEF, 0xBB, 0xBF);
    private static final byte[] UTF_16_LITTLE_ENDIAN = bytes(0xFF, 0xFE);
    private static final byte[] UTF_16_BIG_ENDIAN = bytes(0xFE, 0xFF);
    private static final byte[] UTF_32_LITTLE_ENDIAN = bytes(0xFF, 0xFE, 0, 0);
    private static final byte[] UTF_32_BIG_ENDIAN = bytes(0, 0, 0xFE, 0xFF);

    private ByteOrderMark() {}

    /** How many of the first {@code length} bytes of a text are the mark of UTF-8: 3 or 0. */
    static int utf8(byte[] start, int length) {
        return begins(start, length, UTF_8) ? UTF_8.length : 0;
    }

    /** The encoding other than UTF-8 that the first {@code length} bytes of a file tell of. */
    static Optional<String> otherEncoding(byte[] start, int length) {
        if (begins(start, length, UTF_32_LITTLE_ENDIAN) || begins(start, length, UTF_32_BIG_ENDIAN)) {
            return Optional.of("UTF-32");
        }
        return begins(start, length, UTF_16_LITTLE_ENDIAN) || begins(start, length, UTF_16_BIG_ENDIAN)
                ? Optional.of("UTF-16")
                : Optional.empty();
    }

    private static boolean begins(byte[] start, int length, byte[] mark) {
        return length >= mark.length && Arrays.equals(start, 0, mark.length, mark, 0, mark.length);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
