package keelscope.device;

/**
 * One line of the doctor's report.
 *
 * @param level whether this is as it should be
 * @param topic what was looked at, one or two words
 * @param text what was found
 * @param remedy what to do about it; empty where nothing is to be done
 */
public record Finding(Level level, String topic, String text, String remedy) {

    /** A warning leaves the program usable, a failure does not. */
    public enum Level {
        OK,
        WARN,
        FAIL
    }

    static Finding ok(String topic, String text) {
        return new Finding(Level.OK, topic, text, "");
    }

    static Finding warn(String topic, String text, String remedy) {
        return new Finding(Level.WARN, topic, text, remedy);
    }

    static Finding fail(String topic, String text, String remedy) {
        return new Finding(Level.FAIL, topic, text, remedy);
    }
}
