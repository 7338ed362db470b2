package keelscope.data;

import java.nio.charset.StandardCharsets;

/** A token is a byte of the text's UTF-8. */
final class ByteTokenizer implements Tokenizer {
    static final String DEFINITION = "bytes";

    @Override
    public int vocabulary() {
        return 256;
    }

    @Override
    public int[] encode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] ids = new int[bytes.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = bytes[i] & 0xFF;
        }
        return ids;
    }

    @Override
    public String decode(int[] ids) {
        byte[] bytes = new byte[ids.length];
        for (int i = 0; i < ids.length; i++) {
            bytes[i] = (byte) ids[i];
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String description() {
        return "bytes";
    }

    @Override
    public String definition() {
        return DEFINITION;
    }
}
