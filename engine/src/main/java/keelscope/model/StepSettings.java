package keelscope.model;

/**
 * What one step is taken with.
 *
 * @param lr learning rate
 * @param beta1 AdamW's decay of the first moment
 * @param beta2 AdamW's decay of the second moment
 * @param eps AdamW's ε
 * @param weightDecay decoupled, on 2-D parameters
 * @param clipNorm total gradient norm to clip to
 * @param time number of this update, from 1
 * @param update false to measure without changing a parameter
 * @param watch whether to take the measures of a probe
 */
public record StepSettings(
        double lr,
        double beta1,
        double beta2,
        double eps,
        double weightDecay,
        double clipNorm,
        long time,
        boolean update,
        boolean watch) {}
