package keelscope.experiment;

/**
 * What is measured when. Loss, gradient norms and speed are recorded at every step and need no setting.
 *
 * @param probeEvery steps between probes; 0 = auto: chosen at start so that probing costs at most 5 % of the time
 * @param validateEvery steps between validations; 0 = never
 * @param validationBatches batches per validation
 */
public record MeasureSpec(int probeEvery, int validateEvery, int validationBatches) {}
