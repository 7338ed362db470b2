package keelscope.experiment;

import java.util.List;

/**
 * An experiment: one model, data set and recipe, and arms that differ. Same seed, same initial values, same batches in
 * every arm.
 *
 * @param name shown on screen and used for the run folder
 * @param seed seed of the initial values and of the order of batches
 * @param device {@code auto}, {@code cpu}, {@code gpu} or {@code gpu:N}
 * @param threads PyTorch threads per engine; 0 = auto
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
        List<ArmSpec> arms) {}
