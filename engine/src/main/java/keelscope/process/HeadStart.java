package keelscope.process;

import java.nio.file.Files;
import java.time.Duration;
import keelscope.experiment.Experiment;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunReader;

/**
 * The first arm's engine may have the machine to itself until its first step: an engine's start keeps more than
 * one core busy for two seconds, so that on few cores all of them at once keep the first point from the chart two to three times as long.
 */
public final class HeadStart {
    /** A long text takes longer to read; then the others wait no more. */
    private static final Duration LONGEST = Duration.ofSeconds(4);

    private final EngineProcess first;
    private final Duration longest;
    private final long since = System.nanoTime();

    private HeadStart(EngineProcess first, Duration longest) {
        this.first = first;
        this.longest = longest;
    }

    /**
     * Whether there is something to gain: more engines than the cores can start at once. Where the arms keep in step none may go ahead.
     *
     * @param arms arms that start together
     * @param cores cores of the machine
     */
    public static boolean helps(Experiment experiment, int arms, int cores) {
        return arms > 1 && cores < 2 * arms && !experiment.lockstep();
    }

    /** The head start of an engine that was started just now. */
    public static HeadStart of(EngineProcess first) {
        return of(first, LONGEST);
    }

    /** The same, but never longer than {@code longest}. */
    static HeadStart of(EngineProcess first, Duration longest) {
        return new HeadStart(first, longest);
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
}
