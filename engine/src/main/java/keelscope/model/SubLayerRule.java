package keelscope.model;

/**
 * How one sub-layer adds its branch F to the residual stream, as the expressions of its formula. They are TorchScript, with
 * these names: {@code x} the stream entering, {@code F(·)} the branch (attention or feed-forward), {@code inner(·)} and
 * {@code outer(·)} the RMSNorms, {@code alpha}, {@code beta} (the trained input scale), {@code W_T} and {@code b_T} (the
 * trained gate), {@code sigmoid}, {@code linear}. What leaves is {@code outer(carry + transform)} where {@code outerNorm},
 * else {@code carry + transform}.
 *
 * @param let assignments that come first, separated by semicolons; may be empty
 * @param carry the addend that carries x
 * @param transform the addend that holds F
 * @param k by how much the carry scales a gradient on the residual path, before the outer norm: {@code 1}, {@code alpha}
 *     or an expression of shape (B, T)
 * @param innerNorm whether the sub-layer has an inner norm's gain
 * @param outerNorm whether it has an outer norm
 * @param headNorms whether q, k and v are normed per head (attention only)
 * @param inputScale whether it has a trained scale β of d_model values
 * @param gate whether it has a trained gate: W_T (d_model × d_model) and b_T (d_model)
 * @param alpha α, 1 where the rule has none
 * @param trainedAlpha whether α is a parameter that starts at {@code alpha}
 */
public record SubLayerRule(
        String let,
        String carry,
        String transform,
        String k,
        boolean innerNorm,
        boolean outerNorm,
        boolean headNorms,
        boolean inputScale,
        boolean gate,
        double alpha,
        boolean trainedAlpha) {

    /** A rule without norms, gate or scale, with α = 1. */
    static SubLayerRule of(String carry, String transform) {
        return new SubLayerRule(
                "", carry, transform, "1", transform.contains("inner("), false, false, transform.contains("beta"), false, 1, false);
    }

    SubLayerRule let(String assignments) {
        return new SubLayerRule(assignments, carry, transform, k, innerNorm || assignments.contains("inner("), outerNorm,
                headNorms, inputScale, gate || assignments.contains("W_T"), alpha, trainedAlpha);
    }

    SubLayerRule outer() {
        return new SubLayerRule(let, carry, transform, k, innerNorm, true, headNorms, inputScale, gate, alpha, trainedAlpha);
    }

    SubLayerRule withHeadNorms() {
        return new SubLayerRule(let, carry, transform, k, innerNorm, outerNorm, true, inputScale, gate, alpha, trainedAlpha);
    }

    SubLayerRule k(String expression) {
        return new SubLayerRule(
                let, carry, transform, expression, innerNorm, outerNorm, headNorms, inputScale, gate, alpha, trainedAlpha);
    }

    SubLayerRule alpha(double value, boolean trained) {
        return new SubLayerRule(let, carry, transform, "alpha", innerNorm, outerNorm, headNorms, inputScale, gate, value, trained);
    }

    /** Starts the gate's bias so that carry : transform = {@code value} : 1, by the gate alone. */
    SubLayerRule gateStart(double value) {
        return new SubLayerRule(let, carry, transform, k, innerNorm, outerNorm, headNorms, inputScale, gate, value, false);
    }
}
