package keelscope.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import keelscope.random.SplitMix64;

/**
 * Initial values of parameters, in row-major order. Each follows from the seed and the parameter's name alone, so every
 * scheme starts from the same values where it has the same parameters.
 */
public final class Initializer {

    /** Standard deviation of a linear weight × sqrt(fan_in): what 0.02 is at width 1024. */
    public static final double GAIN = 0.64;

    private Initializer() {}

    /** The training start of section 2 of the specification. */
    public static float[] values(Architecture.Parameter parameter, long seed) {
        float[] values = new float[Math.toIntExact(parameter.size())];
        switch (parameter.kind()) {
            case LINEAR -> {
                int fanIn = parameter.shape().get(1);
                normal(values, seed ^ fnv1a(parameter.name()), GAIN / Math.sqrt(fanIn) * parameter.start());
            }
            case EMBEDDING -> normal(values, seed ^ fnv1a(parameter.name()), 1);
            case NORM_GAIN, INPUT_SCALE -> Arrays.fill(values, 1);
            case GATE_WEIGHT -> Arrays.fill(values, 0);
            case GATE_BIAS -> Arrays.fill(values, (float) -Math.log(parameter.start()));
            case ALPHA -> values[0] = (float) parameter.start();
        }
        return values;
    }

    /** The values of the reference vectors, section 7.1 of the specification. */
    public static float[] referenceValues(Architecture.Parameter parameter) {
        float[] values = new float[Math.toIntExact(parameter.size())];
        SplitMix64 random = new SplitMix64(fnv1a(parameter.name()));
        for (int i = 0; i < values.length; i++) {
            double v = 2 * random.uniform() - 1;
            values[i] = (float) switch (parameter.kind()) {
                case LINEAR -> v * Math.sqrt(3.0 / parameter.shape().get(1));
                case EMBEDDING -> v * Math.sqrt(3);
                case NORM_GAIN, INPUT_SCALE -> 1 + 0.1 * v;
                case GATE_WEIGHT -> v * 0.5 / Math.sqrt(parameter.shape().get(1));
                case GATE_BIAS -> -Math.log(parameter.start());
                case ALPHA -> parameter.start();
            };
        }
        return values;
    }

    /** FNV-1a, 64 bits, of the name in UTF-8. */
    public static long fnv1a(String name) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    /** Fills with N(0, deviation²) by Marsaglia's polar method; StrictMath, so that every machine gets the same values. */
    private static void normal(float[] values, long seed, double deviation) {
        SplitMix64 random = new SplitMix64(seed);
        for (int i = 0; i < values.length; ) {
            double u = 2 * random.uniform() - 1;
            double v = 2 * random.uniform() - 1;
            double s = u * u + v * v;
            if (s >= 1 || s == 0) {
                continue;
            }
            double factor = deviation * Math.sqrt(-2 * StrictMath.log(s) / s);
            values[i++] = (float) (u * factor);
            if (i < values.length) {
                values[i++] = (float) (v * factor);
            }
        }
    }
}
