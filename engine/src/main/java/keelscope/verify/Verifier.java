package keelscope.verify;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import keelscope.model.Architecture;
import keelscope.model.Initializer;
import keelscope.model.Scheme;
import keelscope.random.SplitMix64;
import keelscope.model.StepProgram;
import keelscope.model.StepResult;
import keelscope.model.StepSettings;
import keelscope.runfile.Measure;
import keelscope.train.LearningRate;

/** Runs a reference vector (section 7 of the specification) through the step program and compares every number. */
public final class Verifier {

    /** Relative tolerance for float32 code. */
    private static final double TOLERANCE = 1e-3;
    /** For chaotic cases, and for gradient norms below {@link #TINY} of the total. */
    private static final double LOOSE_TOLERANCE = 1e-2;
    private static final double TINY = 1e-6;

    private static final Map<String, Measure> MEASURES = new LinkedHashMap<>();

    static {
        MEASURES.put("residual_factor", Measure.RESIDUAL_FACTOR);
        MEASURES.put("alpha", Measure.ALPHA);
        MEASURES.put("carry_rms", Measure.CARRY_RMS);
        MEASURES.put("transform_rms", Measure.TRANSFORM_RMS);
        MEASURES.put("carry_gate_mean", Measure.CARRY_GATE_MEAN);
        MEASURES.put("carry_gate_std", Measure.CARRY_GATE_STD);
        MEASURES.put("cosine_mean", Measure.COSINE);
        MEASURES.put("input_rms", Measure.INPUT_RMS);
        MEASURES.put("input_grad_norm", Measure.ACTIVATION_GRAD_NORM);
        MEASURES.put("highway_transport", Measure.HIGHWAY_TRANSPORT);
        MEASURES.put("param_grad_norm", Measure.PARAM_GRAD_NORM);
        MEASURES.put("gate_mean", Measure.GATE_MEAN);
        MEASURES.put("gate_std", Measure.GATE_STD);
        MEASURES.put("gate_min", Measure.GATE_MIN);
        MEASURES.put("gate_max", Measure.GATE_MAX);
    }

    private final ReferenceCase reference;
    private final Architecture model;
    private final double tolerance;
    private final Map<String, Quantity> found = new LinkedHashMap<>();

    private Verifier(ReferenceCase reference, Path file) {
        this.reference = reference;
        ReferenceCase.Given given = reference.given();
        Scheme scheme = Scheme.of(given.scheme())
                .orElseThrow(() -> new VerificationException(
                        file + " asks for the scheme \"" + given.scheme() + "\"; known are " + String.join(", ", Scheme.ids()) + "."));
        model = new Architecture(scheme, 2 * given.blocks(), given.dModel(), given.heads(), given.ffHidden(), given.vocab(),
                given.alpha() == null ? Double.NaN : given.alpha(), false);
        // A gradient that grows on its way down multiplies rounding errors as it multiplies itself.
        boolean chaotic = reference.expected().sublayers().get(0).get("input_grad_norm")
                > 100 * reference.expected().outputGradNorm();
        tolerance = chaotic ? LOOSE_TOLERANCE : TOLERANCE;
    }

    /**
     * Runs one vector.
     *
     * @param type float32, or float64 to tell rounding from a wrong formula
     * @return the worst deviation of every quantity the vector holds
     * @throws VerificationException if the file is not a reference vector
     */
    public static List<Quantity> verify(Path file, Device device, DataType type) {
        Verifier verifier = new Verifier(ReferenceCase.read(file), file);
        verifier.run(device, type);
        return List.copyOf(verifier.found.values());
    }

    private void run(Device device, DataType type) {
        ReferenceCase.Given given = reference.given();
        ReferenceCase.Expected expected = reference.expected();
        try (StepProgram program =
                StepProgram.create(model, given.sequence(), device, type, Initializer::referenceValues)) {
            StepResult start = program.step(flat(given.ids()), flat(given.targets()), 1, given.batch(),
                    new StepSettings(0, 0.9, 0.95, 1e-8, 0, 1, 1, false, true));
            compare("loss", "", expected.loss(), start.loss(), tolerance);
            float[] logits = program.predict(flat(given.ids()), given.batch());
            for (int i = 0; i < expected.logits().length; i++) {
                // Logits pass through zero: their error is taken relative to the row's largest.
                compareScaled("logits_first_row", "token " + i, expected.logits()[i], logits[i], largest(expected.logits()), tolerance);
            }
            compare("grad_norm_total", "", expected.gradNormTotal(), start.gradNorm(), tolerance);
            List<Architecture.Parameter> parameters = model.parameters();
            if (parameters.size() != expected.gradNorm().size()) {
                throw new VerificationException("The vector has " + expected.gradNorm().size() + " parameters, the model "
                        + parameters.size() + ".");
            }
            for (int i = 0; i < parameters.size(); i++) {
                String name = parameters.get(i).name();
                Double value = expected.gradNorm().get(name);
                if (value == null) {
                    throw new VerificationException("The vector has no gradient norm for the model's parameter " + name + ".");
                }
                compareNorm("grad_norm", name, value, start.parameterGradNorms()[i]);
            }
            float[] activation = start.layers().get(Measure.ACTIVATION_GRAD_NORM);
            compareNorm("output_grad_norm", "", expected.outputGradNorm(), activation[activation.length - 1]);
            for (int l = 0; l < expected.sublayers().size(); l++) {
                for (Map.Entry<String, Double> entry : expected.sublayers().get(l).entrySet()) {
                    compareMeasure(entry.getKey(), l, entry.getValue(), start);
                }
            }
            if (given.training() != null) {
                train(program, given);
            }
        }
    }

    private void compareMeasure(String name, int l, double value, StepResult start) {
        Measure measure = MEASURES.get(name);
        if (measure == null || !start.layers().containsKey(measure)) {
            throw new VerificationException("The vector expects the measure \"" + name + "\", which this program does not take.");
        }
        double actual = start.layers().get(measure)[l];
        String where = "sub-layer " + l;
        if (name.endsWith("grad_norm")) {
            compareNorm(name, where, value, actual);
        } else if (name.equals("cosine_mean")) {
            compareScaled(name, where, value, actual, 1, tolerance); // a cosine passes through zero; its scale is 1
        } else {
            compare(name, where, value, actual, tolerance);
        }
    }

    private void train(StepProgram program, ReferenceCase.Given given) {
        ReferenceCase.Training recipe = given.training();
        LearningRate rate = new LearningRate(recipe.peakLr(), recipe.finalLr(), recipe.warmup(), recipe.steps());
        for (int s = 0; s < recipe.steps(); s++) {
            int[] values = batch(s, given);
            int[] ids = new int[given.batch() * given.sequence()];
            int[] targets = new int[ids.length];
            for (int b = 0; b < given.batch(); b++) {
                int from = b * (given.sequence() + 1);
                System.arraycopy(values, from, ids, b * given.sequence(), given.sequence());
                System.arraycopy(values, from + 1, targets, b * given.sequence(), given.sequence());
            }
            // The first step of a vector is taken on the case's own batch, which is that of batch.0.
            StepResult result = program.step(ids, targets, 1, given.batch(),
                    new StepSettings(rate.at(s), recipe.beta1(), recipe.beta2(), recipe.adamEps(), recipe.weightDecay(),
                            recipe.clipNorm(), s + 1, true, false));
            ReferenceCase.TrainingStep expected = reference.expected().training().get(s);
            compare("training lr", "step " + s, expected.lr(), rate.at(s), tolerance);
            compare("training loss", "step " + s, expected.loss(), result.loss(), tolerance);
            compare("training grad_norm", "step " + s, expected.gradNorm(), result.gradNorm(), tolerance);
        }
    }

    /** Section 7.2: B · (T + 1) values floor(u · vocab) from the name {@code batch.s}. */
    private static int[] batch(int step, ReferenceCase.Given given) {
        SplitMix64 random = new SplitMix64(Initializer.fnv1a("batch." + step));
        return IntStream.range(0, given.batch() * (given.sequence() + 1))
                .map(i -> (int) Math.floor(random.uniform() * given.vocab()))
                .toArray();
    }

    private void compareNorm(String name, String where, double expected, double actual) {
        boolean tiny = expected < TINY * reference.expected().gradNormTotal();
        compare(name, where, expected, actual, tiny ? LOOSE_TOLERANCE : tolerance);
    }

    private void compare(String name, String where, double expected, double actual, double allowed) {
        compareScaled(name, where, expected, actual, Math.abs(expected), allowed);
    }

    private void compareScaled(String name, String where, double expected, double actual, double scale, double allowed) {
        double difference = Math.abs(actual - expected);
        double error = difference == 0 ? 0 : difference / scale;
        found.merge(name, new Quantity(name, 1, error, where, allowed), (a, b) -> {
            // The one that comes nearest to (or furthest over) its own tolerance is the worst.
            boolean second = Double.isNaN(b.worst()) || b.worst() / b.tolerance() > a.worst() / a.tolerance();
            Quantity worst = second ? b : a;
            return new Quantity(name, a.values() + 1, worst.worst(), worst.where(), worst.tolerance());
        });
    }

    private static double largest(double[] values) {
        double largest = 0;
        for (double value : values) {
            largest = Math.max(largest, Math.abs(value));
        }
        return largest;
    }

    private static int[] flat(int[][] rows) {
        return java.util.Arrays.stream(rows).flatMapToInt(java.util.Arrays::stream).toArray();
    }
}
