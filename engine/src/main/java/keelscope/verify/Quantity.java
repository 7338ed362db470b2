package keelscope.verify;

/**
 * The worst deviation found for one quantity of a reference vector.
 *
 * @param name the quantity, for example {@code grad_norm}
 * @param values how many values were compared
 * @param worst the largest relative error; NaN where a value is not finite though it should be
 * @param where which value that was
 * @param tolerance the largest relative error allowed
 */
public record Quantity(String name, int values, double worst, String where, double tolerance) {
    /** Whether every value is within the tolerance. */
    public boolean met() {
        return worst <= tolerance;
    }
}
