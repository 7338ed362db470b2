package keelscope.model;

import java.util.Map;
import keelscope.runfile.Measure;

/**
 * What a step found.
 *
 * @param loss mean cross-entropy before the update, nats
 * @param gradNorm total gradient norm before clipping
 * @param parameterGradNorms gradient norm of every named parameter, in the order of {@link Architecture#parameters()}
 * @param layers per-sub-layer measures: {@link Measure#PARAM_GRAD_NORM}, and when watched all the others
 */
public record StepResult(double loss, double gradNorm, float[] parameterGradNorms, Map<Measure, float[]> layers) {}
