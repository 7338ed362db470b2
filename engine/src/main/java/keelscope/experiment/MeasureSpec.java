package keelscope.experiment;

/**
 * What is measured when. Loss, gradient norms and speed are recorded at every step and need no setting.
 *
 * @param probeEvery steps between probes; 0 = auto: chosen at start so that probing costs at most 5 % of the time
 * @param validateEvery steps between validations; 0 = never
 * @param validationBatches batches per validation
 */
public record MeasureSpec(int probeEvery, int validateEvery, int validationBatches) {
    private static final int MOST_BATCHES = 1 << 20;

    /** @throws InvalidExperimentException if a value is not allowed */
    public MeasureSpec {
        Require.between("measure.probe_every", probeEvery, 0, Integer.MAX_VALUE);
        Require.between("measure.validate_every", validateEvery, 0, Integer.MAX_VALUE);
        Require.between("measure.validation_batches", validationBatches, 1, MOST_BATCHES);
    }

    /** What is measured where an experiment says nothing about it. */
    public static MeasureSpec defaults() {
        return new MeasureSpec(Defaults.PROBE_EVERY, Defaults.VALIDATE_EVERY, Defaults.VALIDATION_BATCHES);
    }
}
