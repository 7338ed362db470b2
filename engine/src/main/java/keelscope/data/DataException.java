package keelscope.data;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;

/** The data cannot be used. The message is one sentence for the user: what is wrong, where, what to do. */
public class DataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DataException(String message) {
        super(message);
    }

    public DataException(String message, Throwable cause) {
        super(message, cause);
    }

    static DataException unreadable(String name, IOException e) {
        if (e instanceof EOFException) {
            return new DataException(
                    name + " has become shorter since it was opened; leave it as it is while it is in use.", e);
        }
        String reason = e instanceof AccessDeniedException ? "access denied" : String.valueOf(e.getMessage());
        return new DataException(name + " cannot be read (" + reason + "); check the file and that you may read it.", e);
    }

    static DataException cutOff(String name, EOFException e) {
        return new DataException(name + " is cut off: its packed data end too early; pack it or copy it again.", e);
    }

    static DataException notUtf8(String name, long offset) {
        return new DataException(name + " is not UTF-8 text: the byte at offset " + offset
                + " begins no valid character; convert it to UTF-8 (for example with iconv), choose another text, or let"
                + " data.invalid_utf8 be replace.");
    }

    /** Of a text that begins with the byte-order mark of another encoding. */
    static DataException encoded(String name, String encoding) {
        return new DataException(name + " is " + encoding + " text, as the mark at its start tells; convert it to UTF-8 (for example with iconv).");
    }

    /** Of a path that leads to neither a file nor a folder. */
    static DataException noFile(String path) {
        return new DataException(path + " is not a file, but a device or the like; choose a UTF-8 text file.");
    }

    static DataException binary(String name, long offset) {
        return new DataException(
                name + " is a binary file (a zero byte at offset " + offset + "); choose a UTF-8 text.");
    }
}
