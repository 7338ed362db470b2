package keelscope.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.IntPredicate;
import keelscope.experiment.Experiment;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunReader;
import org.slf4j.LoggerFactory;

/**
 * The first arm's engine may have the machine to itself until its first step: an engine's start keeps more than one core busy for two
 * seconds, so that on few cores all of them at once keep the first point from the chart two to three times as long. Then it waits for the
 * others, which start all the sooner, so that no arm runs ahead: it takes no second step while a file {@code ARM.waits} is there, which whoever
 * starts the engines removes.
 */
public final class HeadStart {
    private static final String SUFFIX = ".waits";

    /** A long text takes longer to read; then the others wait no more. */
    private static final Duration LONGEST = Duration.ofSeconds(4);

    /** How often {@link #isOver} and {@link #endsWith} are worth asking, ms. */
    public static final long LOOK_MS = 20;

    private final EngineProcess first;
    private final Path waits;
    private final Duration longest;
    private final long since = System.nanoTime();

    private HeadStart(EngineProcess first, Path waits, Duration longest) {
        this.first = first;
        this.waits = waits;
        this.longest = longest;
    }

    /** Whether there is something to gain on this machine. */
    public static boolean helps(Experiment experiment, int arms) {
        return helps(experiment, arms, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Whether there is something to gain: more engines than the cores can start at once. Where the arms keep in step none may go ahead.
     *
     * @param arms arms that start together
     * @param cores cores of the machine
     */
    static boolean helps(Experiment experiment, int arms, int cores) {
        return arms > 1 && cores < 2 * arms && !experiment.lockstep();
    }

    /**
     * Starts the first engine, as {@link EngineProcess#start(Path, String, Path)} does; the others are to be started once {@link #isOver},
     * and {@link #endsWith} or {@link #end} to be called then.
     *
     * @throws RunFileException if the engine cannot be started or the folder cannot be written
     */
    public static HeadStart start(Path experiment, String arm, Path folder) {
        Path waits = folder.resolve(arm + SUFFIX);
        try {
            Files.write(waits, new byte[0]);
        } catch (IOException e) {
            throw new RunFileException("The run folder " + folder + " cannot be written (" + e.getMessage() + "); choose another folder.", e);
        }
        try {
            return new HeadStart(EngineProcess.startWaiting(waits, experiment, arm, folder), waits, LONGEST);
        } catch (RuntimeException e) {
            delete(waits);
            throw e;
        }
    }

    /** That of an engine which is there already. */
    static HeadStart of(EngineProcess first, Path waits, Duration longest) {
        return new HeadStart(first, waits, longest);
    }

    /** The engine with the head start. */
    public EngineProcess engine() {
        return first;
    }

    /** Whether the other engines may start: the first has recorded a step, or has ended. */
    public boolean isOver() {
        return !first.isAlive() || System.nanoTime() - since >= longest.toNanos() || hasStep();
    }

    private boolean hasStep() {
        if (!Files.exists(first.runFile())) {
            return false;
        }
        try (RunReader reader = RunReader.open(first.runFile())) {
            return reader.lastStep() >= 0;
        } catch (RunFileException e) {
            return true; // whoever follows it will say so
        }
    }

    /**
     * Lets the first arm go on once all others are as far: each has its run file, which an engine makes right before its first step, or has
     * ended. To be asked from time to time.
     *
     * @return whether it goes on
     */
    public boolean endsWith(Collection<EngineProcess> others) {
        boolean there = others.stream().allMatch(other -> other == first || Files.exists(other.runFile()) || !other.isAlive());
        if (there) {
            end();
        }
        return there;
    }

    /** Lets the first arm go on. */
    public void end() {
        delete(waits);
    }

    /**
     * What the engine asks before each of its steps.
     *
     * @param waits the file while which it waits after its first step, if it has a head start
     */
    public static IntPredicate waitingWhile(Optional<Path> waits) {
        return step -> step == 0 || waits.isEmpty() || !Files.exists(waits.get());
    }

    /** Removes the file, if it is there; where that cannot be, the engine does as it ends. */
    public static void delete(Path waits) {
        try {
            Files.deleteIfExists(waits);
        } catch (IOException e) {
            LoggerFactory.getLogger(HeadStart.class).warn("{} cannot be removed", waits, e);
        }
    }
}
