package keelscope.experiment;

/** Refuses a setting's value with a sentence that names the key, the value and what is allowed. */
final class Require {

    private Require() {}

    static void between(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw refuse(key, value, "a whole number from " + least + " to " + most);
        }
    }

    static void positive(String key, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw refuse(key, value, "a number greater than 0");
        }
    }

    static void notNegative(String key, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw refuse(key, value, "a number of at least 0");
        }
    }

    static void present(String key, Object value) {
        if (value == null) {
            throw new InvalidExperimentException(key, key + " is missing.");
        }
    }

    /** A message is one line, whatever the value holds. */
    private static String printable(Object value) {
        return value.toString().replaceAll("\\p{Cntrl}", "?");
    }

    static InvalidExperimentException refuse(String key, Object value, String allowed) {
        return new InvalidExperimentException(key, key + " is " + printable(value) + "; allowed is " + allowed + ".");
    }
}
