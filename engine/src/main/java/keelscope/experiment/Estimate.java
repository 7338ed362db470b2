package keelscope.experiment;

/**
 * What an experiment will need, computed before it starts.
 *
 * @param parameters trained parameters of one arm
 * @param memoryBytes peak memory of one engine process, bytes
 * @param stepMs milliseconds a step of one arm on this machine, arms side by side; NaN where the speed is not known
 */
public record Estimate(long parameters, long memoryBytes, double stepMs) {
    /** The estimate for {@code arm} of {@code experiment}. */
    public static Estimate of(Experiment experiment, ArmSpec arm) {
        throw new UnsupportedOperationException();
    }
}
