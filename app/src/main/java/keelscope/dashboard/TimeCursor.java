package keelscope.dashboard;

import java.util.OptionalInt;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/**
 * The moment that all charts show: a step that was recorded, or the newest one, whatever it is ("live"). Replay moves it
 * on at a speed in steps per second; what is recorded meanwhile only lengthens the way before it.
 */
public final class TimeCursor {
    private final ReadOnlyObjectWrapper<OptionalInt> step =
            new ReadOnlyObjectWrapper<>(this, "step", OptionalInt.empty());
    private final ReadOnlyIntegerWrapper last = new ReadOnlyIntegerWrapper(this, "last", -1);
    private final ReadOnlyBooleanWrapper playing = new ReadOnlyBooleanWrapper(this, "playing");
    private double speed = 1;
    private double exact;

    /** The step looked at; empty while the newest is followed. */
    public ReadOnlyObjectProperty<OptionalInt> stepProperty() {
        return step.getReadOnlyProperty();
    }

    /** The newest recorded step, −1 before the first. */
    public ReadOnlyIntegerProperty lastProperty() {
        return last.getReadOnlyProperty();
    }

    /** Whether the replay runs. */
    public ReadOnlyBooleanProperty playingProperty() {
        return playing.getReadOnlyProperty();
    }

    /** The step that is shown: the one looked at, or the newest. */
    public int shown() {
        return step.get().orElse(last.get());
    }

    /** Speed of the replay in steps per second. */
    public double speed() {
        return speed;
    }

    /** Sets the speed of the replay in steps per second. */
    public void speed(double stepsPerSecond) {
        if (!(stepsPerSecond > 0)) {
            throw new IllegalArgumentException("speed is " + stepsPerSecond + "; allowed is a number above 0.");
        }
        speed = stepsPerSecond;
    }

    /** Tells which step is the newest one; a smaller one than before is that of another run, which is shown live. */
    public void recorded(int newest) {
        if (newest < last.get()) {
            live();
        }
        last.set(newest);
    }

    /** Looks at a step; beyond the recorded ones, at the nearest. */
    public void at(int wanted) {
        if (last.get() < 0) {
            return;
        }
        int bounded = Math.max(0, Math.min(last.get(), wanted));
        exact = bounded;
        step.set(OptionalInt.of(bounded));
    }

    /** Looks at the step so many before or after the one shown; a replay that runs is held. */
    public void move(int steps) {
        pause();
        long wanted = (long) shown() + steps;
        at((int) Math.max(0, Math.min(Integer.MAX_VALUE, wanted)));
    }

    /** Follows the newest step. */
    public void live() {
        pause();
        step.set(OptionalInt.empty());
    }

    /** Replays from the step looked at; from the first, where that is the newest or the newest is followed. */
    public void play() {
        if (last.get() < 0) {
            return;
        }
        if (shown() >= last.get()) {
            at(0);
        } else {
            exact = shown();
        }
        playing.set(true);
    }

    /** Holds the replay. */
    public void pause() {
        playing.set(false);
    }

    /** Lets so much time pass: a replay moves on, and holds when it has come to the newest step. */
    public void elapse(double seconds) {
        if (!playing.get()) {
            return;
        }
        double wanted = exact + Math.max(0, seconds) * speed;
        if (wanted >= last.get()) {
            at(last.get());
            pause();
            return;
        }
        int whole = (int) Math.floor(wanted);
        if (step.get().isEmpty() || step.get().getAsInt() != whole) {
            step.set(OptionalInt.of(whole));
        }
        exact = wanted;
    }
}
