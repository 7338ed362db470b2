package keelscope.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class TimeCursorTest {
    private final TimeCursor cursor = new TimeCursor();

    @Test
    void theNewestStepIsFollowedUntilAnotherIsLookedAt() {
        cursor.recorded(10);
        cursor.recorded(20);
        assertThat(cursor.shown()).isEqualTo(20);
        cursor.at(7);
        cursor.recorded(30);
        assertThat(cursor.shown()).isEqualTo(7);
        cursor.live();
        assertThat(cursor.shown()).isEqualTo(30);
        assertThat(cursor.stepProperty().get()).isEmpty();
    }

    @Test
    void aStepThatWasNotRecordedIsTheNearestThatWas() {
        cursor.recorded(10);
        cursor.at(99);
        assertThat(cursor.shown()).isEqualTo(10);
        cursor.move(-50);
        assertThat(cursor.shown()).isZero();
    }

    @Test
    void aReplayMovesBySpeedTimesTimeWhateverTheLengthOfItsFrames() {
        cursor.recorded(1000);
        cursor.at(100);
        cursor.speed(5);
        cursor.play();
        for (int frame = 0; frame < 64; frame++) {
            cursor.elapse(0.0625);
        }
        // 64 frames of a sixteenth of a second are 4 s: 20 steps at 5 a second.
        assertThat(cursor.shown()).isEqualTo(120);
    }

    @Test
    void aReplayHoldsAtTheNewestStepAndBeginsAnewFromThere() {
        cursor.recorded(10);
        cursor.at(8);
        cursor.speed(100);
        cursor.play();
        cursor.elapse(1);
        assertThat(cursor.shown()).isEqualTo(10);
        assertThat(cursor.playingProperty().get()).isFalse();
        cursor.play();
        assertThat(cursor.shown()).isZero();
    }

    @Test
    void aStepByHandHoldsTheReplay() {
        cursor.recorded(10);
        cursor.at(3);
        cursor.play();
        cursor.move(1);
        assertThat(cursor.playingProperty().get()).isFalse();
        assertThat(cursor.stepProperty().get()).isEqualTo(OptionalInt.of(4));
    }

    @Test
    void anotherRunIsShownLive() {
        cursor.recorded(100);
        cursor.at(50);
        cursor.recorded(3);
        assertThat(cursor.stepProperty().get()).isEmpty();
        assertThat(cursor.shown()).isEqualTo(3);
    }
}
