package keelscope.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CheckpointCadenceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** The seconds in which checkpoints are begun that take {@code took} seconds each, looked at once a second. */
    private static List<Integer> begun(int took, int until) {
        // A clock that begins anywhere, also shortly before it runs over.
        long start = Long.MAX_VALUE - 30 * SECOND;
        CheckpointCadence cadence = new CheckpointCadence(start);
        List<Integer> begun = new ArrayList<>();
        for (int s = 1; s <= until; s++) {
            if (cadence.due(start + s * SECOND)) {
                begun.add(s);
                cadence.wrote(start + s * SECOND, start + (s + took) * SECOND);
                s += took;
            }
        }
        return begun;
    }

    @Test
    void theFirstComesSoonAndTheOthersWhenTheTimeTrainedHasDoubledAtMostAMinuteApart() {
        assertThat(begun(0, 270)).containsExactly(5, 10, 20, 40, 80, 140, 200, 260);
    }

    @Test
    void writingTakesAtMostAFiftiethOfTheTime() {
        assertThat(begun(2, 420)).containsExactly(5, 5 + 2 + 100, 5 + 2 * (2 + 100), 5 + 3 * (2 + 100), 5 + 4 * (2 + 100));
    }
}
