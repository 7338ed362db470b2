package keelscope.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The residual schemes that can be trained: which {@link SubLayerRule} each sub-layer follows. This is the one place where a
 * scheme is defined; parameters, step program, measures and files follow from it. The name in lower case is the word used
 * in YAML, in run files and on screen. h is what enters F; l counts sub-layers from 0 to L − 1.
 */
public enum Scheme {
    /** x + F(inner(x)); the modern default. */
    PRE_LN("Pre-LN", "x + F(inner(x))") {
        @Override
        SubLayerRule rule(int l, Depth depth) {
            return SubLayerRule.of("x", "F(inner(x))");
        }

        @Override
        public double theoryFactor(double alpha) {
            return 1;
        }
    },
    /** outer(x + F(x)); the original Transformer. */
    POST_LN("Post-LN", "outer(x + F(x))") {
        @Override
        SubLayerRule rule(int l, Depth depth) {
            return SubLayerRule.of("x", "F(x)").outer();
        }

        @Override
        public double theoryFactor(double alpha) {
            return Math.sqrt(0.5);
        }
    },
    /** outer(αx + F(inner(x))), α = L; l = 0 without outer norm and with α = 1, l = 1 with α = 1 (Chen & Wei, section 3.1). */
    KEEL("Keel", "outer(αx + F(inner(x)))") {
        @Override
        SubLayerRule rule(int l, Depth depth) {
            return keelLike(l, depth, SubLayerRule.of("alpha * x", "F(inner(x))"));
        }

        @Override
        public double theoryFactor(double alpha) {
            return 1 / Math.sqrt(1 + 1 / (alpha * alpha));
        }
    },
    /** outer(T ⊙ F(h) + (1 − T) ⊙ x), h = inner(x), T = sigmoid(W_T h + b_T); b_T starts at −ln α, so that it starts as Keel. */
    HIGHWAY("Highway", "outer(T⊙F(inner(x)) + (1−T)⊙x)") {
        @Override
        SubLayerRule rule(int l, Depth depth) {
            SubLayerRule gated = SubLayerRule.of("(1. - T) * x", "T * F(h)")
                    .let("h = inner(x); T = sigmoid(linear(h, W_T, b_T))")
                    .k("torch.mean(1. - T, -1)")
                    .gateStart(l < 2 ? 1 : depth.alphaOr(depth.layers()));
            return l == 0 ? gated : gated.outer();
        }
    },
    /** outer(αx + F(x)), α = L^0.25, with down-scaled initial weights (Wang et al. 2022). */
    DEEPNORM("DeepNorm", "outer(αx + F(x)), α = L^¼") {
        @Override
        SubLayerRule rule(int l, Depth depth) {
            return SubLayerRule.of("alpha * x", "F(x)").outer().alpha(Math.pow(depth.layers(), 0.25), false);
        }

        @Override
        double initialScale(String weight, int layers) {
            return List.of("w1", "w2", "w3", "wv", "wo").contains(weight) ? Math.pow(layers, -0.25) : 1;
        }
    },
    /** Post-LN in the first floor(blocks / 4) blocks, Pre-LN after (Li et al. 2024). */
    MIX_LN("Mix-LN", "Post-LN in the first quarter of blocks, then Pre-LN") {
        @Override
        SubLayerRule rule(int l, Depth depth) {
            return (l / 2 < postLnBlocks(depth.layers()) ? POST_LN : PRE_LN).rule(l, depth);
        }

        @Override
        public Optional<Scheme> sameAs(int layers) {
            return postLnBlocks(layers) == 0 ? Optional.of(PRE_LN) : Optional.empty();
        }

        private int postLnBlocks(int layers) {
            return layers / 2 / 4;
        }
    },
    /** Attention: x + F(x) with norms on q, k and v; feed-forward: u + F(u), u = inner(x) (Zhuo et al. 2025). */
    HYBRID_NORM("HybridNorm", "attention: x + F(x), QKV-norm; feed-forward: u + F(u), u = inner(x)") {
        @Override
        SubLayerRule rule(int l, Depth depth) {
            return l % 2 == 0
                    ? SubLayerRule.of("x", "F(x)").withHeadNorms()
                    : SubLayerRule.of("u", "F(u)")
                            .let("u = inner(x)")
                            .k("torch.rsqrt(torch.mean(x * x, -1) + 1e-6) * torch.mean(torch.abs(inner_norm))");
        }
    },
    /** outer(αx + F(x)): the paper's ablation, attempt 1. */
    KEEL_NO_INNER("Keel without inner norm", "outer(αx + F(x))") {
        @Override
        SubLayerRule rule(int l, Depth depth) {
            return keelLike(l, depth, SubLayerRule.of("alpha * x", "F(x)"));
        }
    },
    /** outer(αx + F(β ⊙ x)), β trained from 1: the paper's ablation, attempt 2. */
    KEEL_SCALED_INPUT("Keel with scaled input", "outer(αx + F(β⊙x))") {
        @Override
        SubLayerRule rule(int l, Depth depth) {
            return keelLike(l, depth, SubLayerRule.of("alpha * x", "F(beta * x)"));
        }
    },
    /** outer(αx + F(β ⊙ inner(x))): the paper's ablation, attempt 3. */
    KEEL_SCALED_NORM("Keel with scaled norm", "outer(αx + F(β⊙inner(x)))") {
        @Override
        SubLayerRule rule(int l, Depth depth) {
            return keelLike(l, depth, SubLayerRule.of("alpha * x", "F(beta * inner(x))"));
        }
    };

    /**
     * What a rule may depend on.
     *
     * @param layers L, the number of sub-layers
     * @param alpha α set by hand, NaN for the scheme's own
     * @param trainedAlpha whether α is a parameter
     */
    public record Depth(int layers, double alpha, boolean trainedAlpha) {
        double alphaOr(double own) {
            return Double.isNaN(alpha) ? own : alpha;
        }
    }

    private final String title;
    private final String formula;

    Scheme(String title, String formula) {
        this.title = title;
        this.formula = formula;
    }

    /** The rule of sub-layer l = 0 … L − 1. */
    abstract SubLayerRule rule(int l, Depth depth);

    /** Factor on the initial values of a linear weight ({@code wq}, {@code w2}, …) in a model of L sub-layers. */
    double initialScale(String weight, int layers) {
        return 1;
    }

    /**
     * By how much theory says that a sub-layer scales a gradient on the residual path, for two addends of equal unscaled norm
     * (Chen & Wei, equations 15 and 19; Pre-LN's 1 follows from its definition); NaN where there is no such result.
     */
    public double theoryFactor(double alpha) {
        return Double.NaN;
    }

    /** The scheme that this one is, sub-layer for sub-layer, in a model of so few sub-layers; empty where it is itself. */
    public Optional<Scheme> sameAs(int layers) {
        return Optional.empty();
    }

    private static SubLayerRule keelLike(int l, Depth depth, SubLayerRule rule) {
        return switch (l) {
            case 0 -> rule.alpha(1, false);
            case 1 -> rule.outer().alpha(1, false);
            default -> rule.outer().alpha(depth.alphaOr(depth.layers()), depth.trainedAlpha());
        };
    }

    /** The word for this scheme in YAML and in run files, for example {@code pre_ln}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name a reader of the papers knows, for example {@code Pre-LN}. */
    public String title() {
        return title;
    }

    /** x_{l+1} as a formula, for people. */
    public String formula() {
        return formula;
    }

    /** Whether α can be set by hand: the Keel family and {@link #HIGHWAY} (there it sets where the gate starts). */
    public boolean hasAlpha() {
        return this == HIGHWAY || name().startsWith("KEEL");
    }

    /** The scheme whose {@link #id()} is {@code id}, if there is one. */
    public static Optional<Scheme> of(String id) {
        return Arrays.stream(values()).filter(s -> s.id().equals(id)).findFirst();
    }

    /** All ids, in the order in which they are offered. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(Scheme::id).toList();
    }
}
