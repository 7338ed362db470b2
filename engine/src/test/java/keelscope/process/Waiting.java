package keelscope.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import keelscope.runfile.RunReader;
import org.awaitility.Awaitility;

/** Waiting for what another process does: never for ever, and leaving the cores to it. */
public final class Waiting {
    /** What would take a second takes longer than this on no machine, unless it never comes. */
    private static final Duration LONGEST = Duration.ofMinutes(4);

    private static final Duration BETWEEN = Duration.ofMillis(2);

    private Waiting() {}

    /** @throws org.awaitility.core.ConditionTimeoutException naming {@code what}, if it does not come */
    public static void until(String what, BooleanSupplier arrived) {
        Awaitility.await(what).atMost(LONGEST).pollInSameThread().pollDelay(Duration.ZERO).pollInterval(BETWEEN).until(arrived::getAsBoolean);
    }

    /** The last committed step; −1 where there is no run file yet, or no step. */
    public static int lastStep(Path folder, String arm) {
        Path file = RunFolder.runFile(folder, arm);
        if (!Files.exists(file)) {
            return -1;
        }
        try (RunReader reader = RunReader.open(file)) {
            return reader.lastStep();
        }
    }
}
