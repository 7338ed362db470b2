package keelscope.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunReader;

/**
 * Keeps the arms of a folder at the same step: none takes step s before every other one has taken s − 1. Who takes part says so
 * in a file {@code ARM.lockstep} with the process it is; how far each is stands in its run file. An arm that is done, diverged,
 * failed or whose process is gone, however it ended, is waited for no longer. One that is paused is: pausing one pauses
 * all.
 */
public final class Lockstep implements AutoCloseable {
    private static final String SUFFIX = ".lockstep";

    private final Path own;
    private final List<Other> others = new ArrayList<>();

    /** Another arm. */
    private static final class Other {
        final Path presence;
        final Path file;
        Optional<RunReader> reader = Optional.empty();
        int lastStep = -1;
        long version = Long.MIN_VALUE;

        Other(Path presence, Path file) {
            this.presence = presence;
            this.file = file;
        }
    }

    private Lockstep(Path own) {
        this.own = own;
    }

    /**
     * Takes part until {@link #close()}.
     *
     * @param folder the run folder
     * @param arm this arm
     * @param arms all arms of the experiment
     * @throws RunFileException if the folder cannot be written
     */
    public static Lockstep enter(Path folder, String arm, List<String> arms) {
        Lockstep lockstep = new Lockstep(folder.resolve(arm + SUFFIX));
        for (String other : arms) {
            if (!other.equals(arm)) {
                lockstep.others.add(new Other(folder.resolve(other + SUFFIX), RunFolder.runFile(folder, other)));
            }
        }
        announce(folder, arm, ProcessHandle.current());
        return lockstep;
    }

    /**
     * Says that the arm takes part as soon as its process is there, so that a quicker one does not run ahead of it.
     *
     * @throws RunFileException if the folder cannot be written
     */
    static void announce(Path folder, String arm, ProcessHandle engine) {
        try {
            Path aside = Files.createTempFile(folder, arm, SUFFIX + ".new");
            Files.writeString(aside, identity(engine), StandardCharsets.US_ASCII);
            Files.move(aside, folder.resolve(arm + SUFFIX), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new RunFileException("The run folder " + folder + " cannot be written (" + e.getMessage()
                    + "), which lockstep needs; choose another folder.", e);
        }
    }

    /** Whether all others have taken the step before {@code step}. */
    public boolean mayTake(int step) {
        for (Other other : others) {
            if (other.lastStep < step - 1 && isBehind(other, step)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBehind(Other other, int step) {
        if (!takesPart(other.presence)) {
            return false;
        }
        try {
            if (other.reader.isEmpty()) {
                if (!Files.exists(other.file)) {
                    return step > 0; // it is starting; the first step need not wait for it
                }
                other.reader = Optional.of(RunReader.open(other.file));
            }
            RunReader reader = other.reader.get();
            long version = reader.dataVersion();
            if (version != other.version) {
                other.version = version;
                other.lastStep = reader.lastStep();
            }
            return other.lastStep < step - 1;
        } catch (RunFileException e) {
            return false; // its file is gone or broken, and so will be its engine
        }
    }

    /** Whether the process that wrote {@code presence} is alive; its start is compared too, since systems use process ids again. */
    private static boolean takesPart(Path presence) {
        try {
            String said = Files.readString(presence, StandardCharsets.US_ASCII);
            long pid = Long.parseLong(said.substring(0, said.indexOf(' ')));
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(process -> identity(process).equals(said)).isPresent();
        } catch (IOException | RuntimeException e) {
            return false; // not there, or no longer
        }
    }

    private static String identity(ProcessHandle process) {
        return process.pid() + " " + process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    @Override
    public void close() {
        for (Other other : others) {
            other.reader.ifPresent(RunReader::close);
        }
        try {
            Files.deleteIfExists(own);
        } catch (IOException e) {
            // The process ends now, so nobody waits for it.
        }
    }
}
