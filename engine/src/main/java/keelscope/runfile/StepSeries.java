package keelscope.runfile;

/**
 * Run measures over steps, one entry per bucket of consecutive steps, ascending. For single steps
 * {@code firstStep == lastStep} and min = mean = max. The arrays have equal length and belong to the caller.
 *
 * @param firstStep first step of each bucket
 * @param lastStep last step of each bucket
 * @param loss mean loss, nats
 * @param lossMin smallest loss in the bucket
 * @param lossMax largest loss in the bucket
 * @param lr mean learning rate
 * @param gradNorm mean total gradient norm
 * @param gradNormMin smallest in the bucket
 * @param gradNormMax largest in the bucket
 * @param stepMs mean duration of a step, ms
 * @param memoryBytes mean memory, bytes
 * @param tokens tokens trained on at the bucket's end
 */
public record StepSeries(
        int[] firstStep,
        int[] lastStep,
        double[] loss,
        double[] lossMin,
        double[] lossMax,
        double[] lr,
        double[] gradNorm,
        double[] gradNormMin,
        double[] gradNormMax,
        double[] stepMs,
        double[] memoryBytes,
        long[] tokens) {

    /** Number of buckets. */
    public int size() {
        return firstStep.length;
    }
}
