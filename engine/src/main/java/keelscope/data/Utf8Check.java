package keelscope.data;

/** Finds the first byte of a stream that is not UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF). */
final class Utf8Check {
    private long offset;
    /** Continuation bytes that the current character still needs, and what the next of them may be. */
    private int needed;
    private int least = 0x80;
    private int most = 0xBF;
    private long start;

    /** Reads on; gives the offset of the first byte of the first invalid character, or −1. */
    long read(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            int b = bytes[i] & 0xFF;
            if (needed == 0) {
                if (b >= 0x80 && !begin(b, offset + i)) {
                    return offset + i;
                }
            } else if (b < least || b > most) {
                return start;
            } else {
                needed--;
                least = 0x80;
                most = 0xBF;
            }
        }
        offset += length;
        return -1;
    }

    /** At the end of the stream: the offset of a character that is cut off there, or −1. */
    long end() {
        return needed == 0 ? -1 : start;
    }

    private boolean begin(int b, long at) {
        start = at;
        if (b >= 0xC2 && b <= 0xDF) {
            needed = 1;
        } else if (b >= 0xE0 && b <= 0xEF) {
            needed = 2;
            least = b == 0xE0 ? 0xA0 : 0x80;
            most = b == 0xED ? 0x9F : 0xBF;
        } else if (b >= 0xF0 && b <= 0xF4) {
            needed = 3;
            least = b == 0xF0 ? 0x90 : 0x80;
            most = b == 0xF4 ? 0x8F : 0xBF;
        } else {
            return false;
        }
        return true;
    }
}
