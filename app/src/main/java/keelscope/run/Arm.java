package keelscope.run;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import keelscope.model.Scheme;
import keelscope.text.Texts;

/**
 * One arm of the experiment on screen.
 *
 * @param name the arm's name
 * @param colour the colour in which charts show it: its index or, in a comparison of groups, that of its group
 * @param phase what it is doing
 * @param message one sentence about its end, or what it does while it starts; empty where there is nothing to say
 * @param snapshot what its run file holds; empty before the engine has made it
 */
public record Arm(String name, int colour, ArmPhase phase, String message, Optional<ArmSnapshot> snapshot) {
    /** The last buckets that stand for "now" in a speed: a tenth of all, and at least these. */
    private static final int RECENT_BUCKETS = 20;

    /** The name on screen: the scheme's title where the arm is named after its scheme, else the arm's own. */
    public String title() {
        return title(name);
    }

    /** The name on screen of an arm named {@code name}. */
    static String title(String name) {
        return Scheme.of(name).map(Scheme::title).orElse(name);
    }

    /** What it is doing and at which step, in few words. */
    public String state() {
        if (phase == ArmPhase.STARTING && !message.isEmpty()) {
            return message;
        }
        String key = "arm." + phase.name().toLowerCase(Locale.ROOT);
        return lastStep() < 0 && Texts.has(key + ".early") ? Texts.get(key + ".early") : Texts.get(key, lastStep());
    }

    /** The last committed step, −1 before the first. */
    public int lastStep() {
        return snapshot.map(ArmSnapshot::lastStep).orElse(-1);
    }

    /** Steps of the recipe, 0 while not known. */
    public int steps() {
        return snapshot.map(s -> s.info().steps()).orElse(0);
    }

    /** Median duration of the latest steps in ms, which one slow step does not move; NaN before the first. */
    public double recentStepMs() {
        if (snapshot.isEmpty()) {
            return Double.NaN;
        }
        double[] stepMs = snapshot.get().steps().stepMs();
        double[] recent = Arrays.stream(stepMs)
                .skip(Math.max(0, stepMs.length - Math.max(RECENT_BUCKETS, stepMs.length / 10)))
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return recent.length == 0 ? Double.NaN : recent[recent.length / 2];
    }

    /** Tokens trained on per second, 0 where it does not train. */
    public double tokensPerSecond() {
        double stepMs = recentStepMs();
        if (phase != ArmPhase.RUNNING || !(stepMs > 0)) {
            return 0;
        }
        return snapshot.map(s -> s.info().tokensPerStep() * 1000.0 / stepMs).orElse(0.0);
    }

    /** The time its remaining steps will take at the present speed; empty where that cannot be said. */
    public Optional<Duration> timeLeft() {
        double stepMs = recentStepMs();
        if (phase.ended() || !(stepMs >= 0)) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis(Math.round(stepMs * (steps() - 1 - lastStep()))));
    }
}
