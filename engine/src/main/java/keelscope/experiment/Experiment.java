package keelscope.experiment;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import keelscope.model.Architecture;

/**
 * An experiment: one model, data set and recipe, and arms that differ. Same seed, same initial values, same batches in
 * every arm.
 *
 * @param name shown on screen and used for the run folder; 1 to 120 characters on one line
 * @param seed seed of the initial values and of the order of batches
 * @param device {@code auto}, {@code cpu}, {@code gpu} or {@code gpu:N}
 * @param threads PyTorch threads per engine; 0 = auto
 * @param arms at least one; their names differ also where case is ignored, since each names a file
 * @param lockstep whether arms that run side by side keep to the same step
 * @param divergence the numbers by which divergence is judged
 */
public record Experiment(
        String name,
        long seed,
        String device,
        int threads,
        ModelSpec model,
        DataSpec data,
        TrainingSpec training,
        MeasureSpec measure,
        List<ArmSpec> arms,
        boolean lockstep,
        DivergenceRule divergence) {
    private static final Pattern DEVICE = Pattern.compile("auto|cpu|gpu(:\\d{1,3})?");
    private static final int LONGEST_NAME = 120;
    private static final int MOST_THREADS = 1024;
    private static final int MOST_ARMS = 64;

    /** @throws InvalidExperimentException if a value is not allowed */
    public Experiment {
        Require.present("name", name);
        if (name.isBlank() || name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw Require.refuse(
                    "name",
                    name.isBlank() ? "empty" : "'" + name + "'",
                    "1 to " + LONGEST_NAME + " characters on one line");
        }
        Require.present("device", device);
        if (!DEVICE.matcher(device).matches()) {
            throw Require.refuse("device", device, "auto, cpu, gpu, or gpu:N with N the number of the card");
        }
        if (threads < 0 || threads > MOST_THREADS) {
            throw Require.refuse("threads", threads, "auto or a whole number from 1 to " + MOST_THREADS);
        }
        Require.present("model", model);
        Require.present("data", data);
        Require.present("training", training);
        Require.present("measure", measure);
        Require.present("divergence", divergence);
        Require.present("arms", arms);
        if (arms.isEmpty() || arms.size() > MOST_ARMS) {
            throw new InvalidExperimentException(
                    "arms", "arms has " + arms.size() + " entries; allowed are 1 to " + MOST_ARMS + ".");
        }
        arms = List.copyOf(arms);
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < arms.size(); i++) {
            ArmSpec arm = arms.get(i);
            Integer earlier = places.putIfAbsent(arm.name().toLowerCase(Locale.ROOT), i);
            if (earlier != null) {
                throw new InvalidExperimentException(
                        "arms[" + i + "].name",
                        "arms[" + i + "].name is '" + arm.name() + "', the name of arms[" + earlier
                                + "] too; allowed is a name that no other arm has, also where case is ignored.");
            }
            double finalLr = arm.training().finalLr().orElse(training.finalLr());
            if (arm.peakLr().isPresent() && arm.peakLr().getAsDouble() < finalLr) {
                throw Require.refuse(
                        "arms[" + i + "].peak_lr",
                        arm.peakLr().getAsDouble(),
                        "at least training.final_lr (" + finalLr + ")");
            }
            requireRecipe(i, arm, training);
        }
    }

    /** An experiment whose arms run freely and are judged by the default rule. */
    public Experiment(
            String name,
            long seed,
            String device,
            int threads,
            ModelSpec model,
            DataSpec data,
            TrainingSpec training,
            MeasureSpec measure,
            List<ArmSpec> arms) {
        this(name, seed, device, threads, model, data, training, measure, arms, false, DivergenceRule.DEFAULT);
    }

    /** The same under another name, cut to the longest that is allowed. */
    public Experiment withName(String other) {
        String fitting = other.length() <= LONGEST_NAME ? other : other.substring(0, LONGEST_NAME);
        return new Experiment(fitting, seed, device, threads, model, data, training, measure, arms, lockstep, divergence);
    }

    /** What differs in an arm may not go with a recipe that was changed since. */
    private static void requireRecipe(int place, ArmSpec arm, TrainingSpec training) {
        try {
            recipe(arm, training);
        } catch (InvalidExperimentException e) {
            String arms = "arms[" + place + "].";
            throw new InvalidExperimentException(arms + e.key(), arms + e.getMessage());
        }
    }

    /** The recipe of an arm: the experiment's, with what is different in the arm. */
    public TrainingSpec recipe(ArmSpec arm) {
        return recipe(arm, training);
    }

    private static TrainingSpec recipe(ArmSpec arm, TrainingSpec training) {
        return arm.training().withPeakLr(arm.peakLr()).of(training);
    }

    /** Peak learning rate of an arm: its own, else the recipe's. */
    public double peakLr(ArmSpec arm) {
        return recipe(arm).peakLr();
    }

    /** The model of an arm, for data of {@code vocabulary} tokens. */
    public Architecture architecture(ArmSpec arm, int vocabulary) {
        return new Architecture(arm.scheme(), model.layers(), model.dModel(), model.heads(), model.ffHidden(), vocabulary,
                arm.alpha().orElse(Double.NaN), arm.trainedAlpha());
    }

    /** Cores an engine may count on while all arms train side by side on this machine. */
    public int coresOfAnArm() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / arms.size());
    }

    /** What should be known of arms that can be trained but are not what they are called, one sentence for each. */
    public List<String> remarks(Collection<ArmSpec> chosen) {
        return chosen.stream()
                .flatMap(arm -> arm.scheme().sameAs(model.layers()).stream().map(other -> "The arm " + arm.name() + " trains as "
                        + other.id() + ", since " + arm.scheme().id() + " (" + arm.scheme().formula() + ") with model.layers = "
                        + model.layers() + " is the same."))
                .toList();
    }

    /** The arm of this name, if there is one. */
    public Optional<ArmSpec> arm(String armName) {
        return arms.stream().filter(arm -> arm.name().equals(armName)).findFirst();
    }
}
