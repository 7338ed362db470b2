package keelscope.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import keelscope.process.EngineProcess;
import keelscope.process.RunFolder;
import keelscope.process.Waiting;
import keelscope.runfile.RunReader;
import keelscope.runfile.RunStatus;

/**
 * Kills an engine again and again at random moments, goes on each time, and compares what is recorded at the end with a run that
 * nobody killed. Started by hand for many kills: {@code KilledEngine [KILLS] [SEED]}; the tests do a few.
 */
final class KilledEngine {
    /** Steps an engine is left to go beyond what was recorded, at most; checkpoints are denser, so that many are hit as they are written. */
    private static final int MOST_STEPS = 40;

    private KilledEngine() {}

    public static void main(String[] args) throws IOException {
        int kills = args.length > 0 ? Integer.parseInt(args[0]) : 100;
        long seed = args.length > 1 ? Long.parseLong(args[1]) : System.nanoTime();
        Path folder = Files.createTempDirectory("keelscope-kills-");
        System.out.println("seed " + seed + ", in " + folder);
        System.out.println(run(folder, kills, seed, true));
    }

    /**
     * @return one line on what was found
     * @throws AssertionError where a committed step was lost, a file did not open or the numbers differ
     */
    static String run(Path folder, int kills, long seed, boolean talk) throws IOException {
        Random random = new Random(seed);
        int steps = kills * 3 * MOST_STEPS; // an engine goes on for a while as it is looked at
        String[] schemes = {"keel", "pre_ln", "highway", "hybrid_norm", "deepnorm"};
        String arm = schemes[random.nextInt(schemes.length)];
        String training = "checkpoint_every: " + (1 + random.nextInt(10));
        Path killed = Engines.folder(folder.resolve("killed"), steps, seed, training, "arms:\n  - scheme: " + arm);
        int mostLeft = -1;
        int midway = 0;
        for (int kill = 0; kill < kills; kill++) {
            boolean begun = Files.exists(RunFolder.runFile(killed, arm));
            EngineProcess engine = begun ? EngineProcess.resume(killed, arm) : Engines.start(killed, arm);
            int from = mostLeft;
            int until = from + 1 + random.nextInt(MOST_STEPS - 1);
            Engines.awaitStep(engine, until);
            spin(random.nextInt(4_000_000)); // up to a few steps: anywhere in a step, a commit or a checkpoint
            int seen = Waiting.lastStep(killed, arm);
            Engines.kill(engine);
            int left = Waiting.lastStep(killed, arm);
            if (left < seen || left < mostLeft) {
                throw new AssertionError("Step " + Math.max(seen, mostLeft) + " had been committed, and " + left + " is the last one.");
            }
            mostLeft = left;
            midway += hasLeftovers(killed.resolve(arm + ".checkpoints")) ? 1 : 0;
            if (talk) {
                System.out.println("kill " + (kill + 1) + ": killed after step " + left);
            }
        }
        EngineProcess last = EngineProcess.resume(killed, arm);
        last.ended().join();
        try (RunReader reader = RunReader.open(RunFolder.runFile(killed, arm))) {
            if (reader.state().status() != RunStatus.FINISHED) {
                throw new AssertionError("The run ended as " + reader.state());
            }
            long anew = reader.events(0).stream().filter(event -> event.text().contains("recorded anew")).count();
            if (anew > 0) {
                throw new AssertionError("Steps came out otherwise than recorded.");
            }
        }
        Path whole = Engines.folder(folder.resolve("whole"), steps, seed, training, "arms:\n  - scheme: " + arm);
        Engines.start(whole, arm).ended().join();
        if (!Engines.numbers(killed, arm).equals(Engines.numbers(whole, arm))) {
            throw new AssertionError("The killed run differs from the whole one; both are in " + folder);
        }
        return kills + " kills (" + midway + " in the writing of a checkpoint), " + steps + " steps of " + arm + ", " + training
                + ": no committed step lost, every file opened, all numbers equal to the last bit to those of a run that was not killed.";
    }

    private static void spin(long ns) {
        long until = System.nanoTime() + ns;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    private static boolean hasLeftovers(Path checkpoints) throws IOException {
        if (!Files.isDirectory(checkpoints)) {
            return false;
        }
        try (var all = Files.list(checkpoints)) {
            return all.anyMatch(file -> file.toString().endsWith(".tmp"));
        }
    }
}
