package keelscope.experiment;

import java.util.Collection;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import keelscope.model.Scheme;

/**
 * One arm: what differs from the other arms of its experiment.
 *
 * @param name unique in the experiment and usable as a file name; by default the scheme's id, with a number appended
 *     where that is taken
 * @param scheme residual scheme
 * @param alpha α of {@code keel} where set by hand; else it is L
 * @param peakLr peak learning rate where it differs from the recipe's
 * @param trainedAlpha whether α is trained, a scalar per sub-layer that starts at {@code alpha} or L
 * @param training what is different in the arm's recipe, besides {@code peakLr}
 */
public record ArmSpec(
        String name,
        Scheme scheme,
        OptionalDouble alpha,
        OptionalDouble peakLr,
        boolean trainedAlpha,
        TrainingChange training) {
    // ASCII only: under the C locale Java cannot make a file with any other name.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9 ._+=-]{0,62}[A-Za-z0-9_+=-])?");
    private static final Pattern RESERVED = Pattern.compile("(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?");

    /**
     * @throws InvalidExperimentException if a value is not allowed; its key is the field alone, for example {@code
     *     alpha}, since an arm does not know its place in the list
     */
    public ArmSpec {
        Require.present("scheme", scheme);
        Require.present("name", name);
        Require.present("alpha", alpha);
        Require.present("peak_lr", peakLr);
        Require.present("training", training);
        if (!NAME.matcher(name).matches()) {
            throw Require.refuse(
                    "name",
                    "'" + name + "'",
                    "a name that can be a file's: 1 to 64 of the letters a to z, digits, spaces and . _ + = -, "
                            + "beginning with a letter or digit and not ending with a dot or space");
        }
        if (RESERVED.matcher(name).matches()) {
            throw Require.refuse("name", "'" + name + "'", "any name but those that Windows keeps for devices");
        }
        if (alpha.isPresent()) {
            if (!takesAlpha(scheme)) {
                throw new InvalidExperimentException(
                        "alpha",
                        "alpha is " + alpha.getAsDouble() + ", but scheme " + scheme.id()
                                + " has no alpha; allowed is alpha with the schemes keel, keel_… and highway.");
            }
            Require.positive("alpha", alpha.getAsDouble());
        }
        if (trainedAlpha && !trainsAlpha(scheme)) {
            throw new InvalidExperimentException(
                    "alpha",
                    "alpha is trained, but scheme " + scheme.id()
                            + " has no alpha to train; allowed is trained with the schemes keel and keel_….");
        }
        if (peakLr.isPresent()) {
            Require.positive("peak_lr", peakLr.getAsDouble());
        }
    }

    /** An arm with the experiment's recipe, α not trained. */
    public ArmSpec(String name, Scheme scheme, OptionalDouble alpha, OptionalDouble peakLr) {
        this(name, scheme, alpha, peakLr, false, TrainingChange.NONE);
    }

    /** Whether α can be set by hand in this scheme. */
    public static boolean takesAlpha(Scheme scheme) {
        return scheme.hasAlpha();
    }

    /** Whether α can be trained in this scheme. */
    public static boolean trainsAlpha(Scheme scheme) {
        return scheme.hasAlpha() && scheme != Scheme.HIGHWAY;
    }

    /** The name of an arm that was given none: the scheme's id, with the first free number where that is taken. */
    public static String defaultName(Scheme scheme, Collection<String> taken) {
        return Stream.iterate(1, number -> number + 1)
                .map(number -> number == 1 ? scheme.id() : scheme.id() + "-" + number)
                .filter(name -> taken.stream().noneMatch(name::equalsIgnoreCase))
                .findFirst()
                .orElseThrow();
    }
}
