package keelscope.run;

/**
 * Steps from one to another.
 *
 * @param first the first step, 0 or above
 * @param last the last step, not below the first
 */
public record StepRange(int first, int last) {
    public StepRange {
        if (first < 0) {
            throw new IllegalArgumentException("first is " + first + "; allowed are 0 and above.");
        }
        if (last < first) {
            throw new IllegalArgumentException("last is " + last + "; allowed are " + first + " (the first step) and above.");
        }
    }
}
