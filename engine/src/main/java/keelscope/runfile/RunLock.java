package keelscope.runfile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * One engine on one run file: a lock on {@code FILE.lock}, which the operating system frees when the process ends, however it ends.
 * The lock file holds the process id of its owner.
 */
final class RunLock implements AutoCloseable {
    /**
     * Files locked by this process. Asked before the lock file is touched, since on POSIX systems closing any handle of a file drops
     * all locks the process has on it.
     */
    private static final Set<Path> HELD = new HashSet<>();

    /** Where the lock lies: beyond the text, which so stays readable where locks are mandatory. */
    private static final long POSITION = 1L << 40;

    private final Path key;
    private final Path lockFile;
    private final FileChannel channel;
    private final FileLock lock;

    private RunLock(Path key, Path lockFile, FileChannel channel, FileLock lock) {
        this.key = key;
        this.lockFile = lockFile;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Locks {@code file}, which need not exist yet.
     *
     * @throws RunFileException if another engine has it, or its folder is missing or cannot be written
     */
    static RunLock take(Path file) {
        Path lockFile = Format.beside(file.toAbsolutePath(), ".lock");
        synchronized (HELD) {
            try {
                // fails where the folder is missing
                Path key = lockFile.getParent().toRealPath().resolve(lockFile.getFileName());
                if (HELD.contains(key)) {
                    throw inUse(file, Long.toString(ProcessHandle.current().pid()));
                }
                RunLock taken = lock(file, key, lockFile);
                HELD.add(key);
                return taken;
            } catch (NoSuchFileException e) {
                throw new RunFileException("The folder " + lockFile.getParent() + " for the run file does not exist; make it first.", e);
            } catch (AccessDeniedException e) {
                throw new RunFileException("The run file " + file + " cannot be written: permission denied in the folder "
                        + lockFile.getParent() + "; choose another folder.", e);
            } catch (IOException e) {
                throw new RunFileException("The run file " + file + " cannot be written: " + Failure.reason(e)
                        + "; choose another folder or mend this one.", e);
            }
        }
    }

    private static RunLock lock(Path file, Path key, Path lockFile) throws IOException {
        while (true) {
            FileChannel channel =
                    FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                Object opened = Files.readAttributes(lockFile, "fileKey").get("fileKey");
                FileLock lock = channel.tryLock(POSITION, 1, false);
                if (lock == null) {
                    ByteBuffer text = ByteBuffer.allocate(32);
                    channel.read(text, 0);
                    throw inUse(file, new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip());
                }
                // The former owner deletes the file as it lets go: what was locked must still be what lies there.
                if (Files.exists(lockFile)
                        && Objects.equals(opened, Files.readAttributes(lockFile, "fileKey").get("fileKey"))) {
                    channel.truncate(0);
                    channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
                    return new RunLock(key, lockFile, channel, lock);
                }
            } catch (NoSuchFileException e) {
                // deleted between two of the lines above; try again
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
            channel.close();
        }
    }

    private static RunFileException inUse(Path file, String pid) {
        return new RunFileException("The run file " + file + " is being written by another engine"
                + (pid.isEmpty() ? "" : " (process " + pid + ")") + "; stop that one first or choose another folder.");
    }

    /** The process that has, or last had, the lock on {@code file}; empty after a clean end. */
    static Optional<Long> owner(Path file) {
        Path lockFile = Format.beside(file.toAbsolutePath(), ".lock");
        synchronized (HELD) {
            if (HELD.contains(lockFile) || HELD.contains(real(lockFile))) {
                return Optional.of(ProcessHandle.current().pid());
            }
            try {
                return Optional.of(Long.parseLong(Files.readString(lockFile, StandardCharsets.US_ASCII).strip()));
            } catch (IOException | NumberFormatException e) {
                return Optional.empty(); // no lock file, or its owner is just writing it
            }
        }
    }

    private static Path real(Path lockFile) {
        try {
            return lockFile.getParent().toRealPath().resolve(lockFile.getFileName());
        } catch (IOException e) {
            return lockFile;
        }
    }

    @Override
    public void close() {
        synchronized (HELD) {
            HELD.remove(key);
            try {
                Files.deleteIfExists(lockFile);
                lock.release();
                channel.close();
            } catch (IOException e) {
                // On Windows an open file cannot be deleted; it is then left behind, unlocked and harmless.
                closeQuietly();
            }
        }
    }

    private void closeQuietly() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new RunFileException("The lock " + lockFile + " cannot be let go: " + Failure.reason(e) + ".", e);
        }
    }
}
