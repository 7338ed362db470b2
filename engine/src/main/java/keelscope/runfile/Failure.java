package keelscope.runfile;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Turns what SQLite and the file system report into one sentence for the user. */
public final class Failure {
    private Failure() {}

    /** The low byte of SQLite's result code: the kind of error. */
    static int code(SQLException e) {
        return e.getErrorCode() & 0xff;
    }

    /** Whether the disk has no room; so an index that cannot grow shows too, the file beside a run file that its readers share. */
    static boolean isFull(SQLException e) {
        return code(e) == SQLiteErrorCode.SQLITE_FULL.code
                || e instanceof SQLiteException s && s.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE;
    }

    /** Of a file that holds what no engine wrote. */
    static RunFileException damaged(Path file, String what, Throwable cause) {
        return new RunFileException("The run file " + file + " is damaged (" + what + "); copy it again from where it came from.", cause);
    }

    static RunFileException of(Path file, SQLException e) {
        int code = code(e);
        String sentence;
        if (isFull(e)) {
            sentence = "The disk that holds the run file " + file + " is full; free some space on it. What was recorded before is kept.";
        } else if (code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code) {
            sentence = "The run file " + file + " is damaged; copy it again from where it came from.";
        } else if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
            sentence = "The run file " + file + " is held by another program; close that program and try again.";
        } else if (code == SQLiteErrorCode.SQLITE_READONLY.code || code == SQLiteErrorCode.SQLITE_PERM.code) {
            sentence = "The run file " + file + " cannot be written; check that you may write it and its folder.";
        } else if (code == SQLiteErrorCode.SQLITE_CANTOPEN.code) {
            sentence = "The run file " + file + " cannot be opened; check that it is there and that you may read it.";
        } else if (code == SQLiteErrorCode.SQLITE_IOERR.code) {
            sentence = "The disk reported an error for the run file " + file + " (" + e.getMessage()
                    + "); check the disk. What was recorded before is kept.";
        } else {
            sentence = "The run file " + file + " cannot be used: " + e.getMessage();
        }
        return new RunFileException(sentence, e);
    }

    /** What went wrong, in a few words, without the file's name. */
    public static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "a file of that name lies there";
        }
        if (e instanceof NoSuchFileException) {
            return "there is no such file or folder";
        }
        String said = e instanceof FileSystemException f && f.getReason() != null ? f.getReason() : e.getMessage();
        if (said == null || said.isBlank()) {
            return "no reason is given";
        }
        // The words of the C library begin with a capital.
        return said.equals("No space left on device") ? "the disk is full" : Character.toLowerCase(said.charAt(0)) + said.substring(1);
    }
}
