package keelscope.runfile;

/**
 * The run measures of one step.
 *
 * @param step number of the step, from 0
 * @param tokens tokens trained on up to and including this step
 * @param loss mean cross-entropy of the step's batch before its update, nats
 * @param lr learning rate of the update
 * @param gradNorm total gradient norm before clipping
 * @param stepMs duration of the step, ms, measuring included
 * @param timeMs wall clock at the end of the step, ms since 1970
 * @param memoryBytes resident memory of the engine process (on a GPU: plus its device memory), bytes
 */
public record StepRecord(
        int step, long tokens, double loss, double lr, double gradNorm, double stepMs, long timeMs, long memoryBytes) {}
