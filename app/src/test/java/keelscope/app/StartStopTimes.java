package keelscope.app;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import keelscope.run.Arm;
import keelscope.run.RunPhase;
import org.junit.jupiter.api.Test;
import org.testfx.util.WaitForAsyncUtils;

/**
 * Times Start and Stop of the default experiment through the window, with real engines: until every arm's first step is in the charts'
 * data, and until every engine process has ended. It states nothing, since that is the machine's: it prints. Run by
 * {@code mvn -q -pl app -am test -Dtest=StartStopTimes -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class StartStopTimes extends WindowTest {
    private static final int ROUNDS = 5;

    /** So long at least a user looks at the new window before the first Start. */
    private static final int LOOKING_S = 3;

    @Test
    void startAndStop() {
        double[] first = new double[ROUNDS];
        double[] all = new double[ROUNDS];
        double[] stop = new double[ROUNDS];
        WaitForAsyncUtils.sleep(LOOKING_S, TimeUnit.SECONDS);
        for (int i = 0; i < ROUNDS; i++) {
            until("the experiment can be started", this::canStart);
            long start = press(window::start);
            first[i] = seconds(start, () -> arms().stream().anyMatch(arm -> arm.lastStep() >= 0));
            all[i] = seconds(start, () -> !arms().isEmpty() && arms().stream().allMatch(arm -> arm.lastStep() >= 0));
            WaitForAsyncUtils.sleep(1 + i, TimeUnit.SECONDS);
            List<ProcessHandle> engines = arms().stream().flatMap(arm -> engine(arm.name())).toList();
            stop[i] = seconds(press(window::stop), () -> engines.stream().noneMatch(ProcessHandle::isAlive));
            until("the run has ended", () -> window.session().orElseThrow().phaseProperty().get() == RunPhase.ENDED);
        }
        print("Start to the first arm's first step", first);
        print("Start to every arm's first step", all);
        print("Stop to the end of every engine", stop);
    }

    private List<Arm> arms() {
        return window.session().map(session -> session.armsProperty().get()).orElse(List.of());
    }

    private Stream<ProcessHandle> engine(String arm) {
        return window.session().orElseThrow().pid(arm).stream().flatMap(pid -> ProcessHandle.of(pid).stream());
    }

    private long press(Runnable button) {
        long now = System.nanoTime();
        robot.interact(button);
        return now;
    }

    private double seconds(long since, Callable<Boolean> condition) {
        until("it comes", condition);
        return (System.nanoTime() - since) / 1e9;
    }

    private static void print(String what, double[] seconds) {
        double[] sorted = Arrays.stream(seconds).sorted().toArray();
        System.out.printf(Locale.ROOT, "%s: median %.2f s, longest %.2f s of %d%n", what, sorted[ROUNDS / 2], sorted[ROUNDS - 1], ROUNDS);
    }
}
