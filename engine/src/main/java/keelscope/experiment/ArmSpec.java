package keelscope.experiment;

import java.util.OptionalDouble;
import keelscope.model.Scheme;

/**
 * One arm: what differs from the other arms of its experiment.
 *
 * @param name unique in the experiment and usable as a file name; by default the scheme's id, with a number appended
 *     where that is taken
 * @param scheme residual scheme
 * @param alpha α of {@code keel} where set by hand; else it is L
 * @param peakLr peak learning rate where it differs from the recipe's
 */
public record ArmSpec(String name, Scheme scheme, OptionalDouble alpha, OptionalDouble peakLr) {}
