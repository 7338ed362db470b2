package keelscope.process;

import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import keelscope.runfile.Command;
import keelscope.runfile.Measure;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunStatus;
import keelscope.runfile.RunWriter;
import keelscope.runfile.StepRecord;

/** A main class that behaves as an engine does towards its parent, and trains nothing: a step a millisecond. */
final class PacedEngine {
    private PacedEngine() {}

    /** Arguments: run file, number of steps, and how it behaves (well, deaf, fails, refuses, memory). */
    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[0]);
        int steps = Integer.parseInt(args[1]);
        String manner = args[2];
        if (manner.equals("refuses")) {
            System.err.println("The text corpus.txt is empty; choose another one.");
            System.exit(1);
        }
        AtomicBoolean stop = new AtomicBoolean();
        RunInfo info = new RunInfo("paced", "", "keel", "keel", 2, 8, 100, steps, 64, 2, 1, "none", "", 256, "cpu", "", 1,
                System.currentTimeMillis());
        ParentWatch.start(System.in, () -> stop.set(true));
        try (LastWords words = LastWords.before(() -> stop.set(true)); RunWriter writer = RunWriter.create(file, info)) {
            writer.state(RunStatus.RUNNING, "");
            for (int step = 0; step < steps && !stop.get(); step++) {
                Thread.sleep(1);
                writer.step(new StepRecord(step, 64L * (step + 1), 3, 1e-3, 1, 1, System.currentTimeMillis(), 1),
                        Map.of(Measure.PARAM_GRAD_NORM, new float[] {1, 2}), OptionalDouble.empty());
                if (manner.equals("memory") && step == 20) {
                    long[][] all = new long[1 << 20][];
                    for (int i = 0; i < all.length; i++) {
                        all[i] = new long[1 << 24];
                    }
                }
                if (manner.equals("fails") && step == 20) {
                    writer.state(RunStatus.FAILED, "The data ended at step 20.");
                    return;
                }
                for (Command command : writer.pendingCommands()) {
                    if (!manner.equals("deaf")) {
                        writer.taken(command, step, "Took " + command.name() + ".");
                        stop.compareAndSet(false, command.name().equals("stop"));
                    }
                }
            }
            writer.state(stop.get() ? RunStatus.STOPPED : RunStatus.FINISHED, "");
        }
    }
}
