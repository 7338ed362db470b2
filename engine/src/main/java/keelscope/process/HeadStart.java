package keelscope.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import keelscope.experiment.Experiment;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunReader;

/**
 * The first arm's engine may have the machine to itself until its first step: an engine's start keeps more than one core busy for two
 * seconds, so that on few cores all of them at once keep the first point from the chart two to three times as long. Then it waits for the
 * others, which start all the sooner, so that no arm runs ahead.
 */
public final class HeadStart {
    /** A long text takes longer to read; then the others wait no more. */
    private static final Duration LONGEST = Duration.ofSeconds(4);

    /** Nor does the first arm wait longer for them: one of them may have been refused. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

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

    /**
     * What lets the engine with the head start wait for the others, asked before each of its steps: they have got there when they have
     * their run files, which an engine makes right before its first step.
     *
     * @param folder the run folder
     * @param others the arms to wait for; none for an engine without a head start
     */
    public static IntPredicate waitingFor(Path folder, List<String> others) {
        return waitingFor(folder, others, LONGEST_WAIT);
    }

    /** The same, but never longer than {@code longest}. */
    static IntPredicate waitingFor(Path folder, List<String> others, Duration longest) {
        List<Path> awaited = new ArrayList<>(others.stream().map(other -> RunFolder.runFile(folder, other)).toList());
        AtomicLong since = new AtomicLong();
        return step -> {
            if (step > 0 && !awaited.isEmpty()) {
                since.compareAndSet(0, System.nanoTime());
                awaited.removeIf(Files::exists);
                if (System.nanoTime() - since.get() >= longest.toNanos()) {
                    awaited.clear();
                }
            }
            return step == 0 || awaited.isEmpty();
        };
    }
}
