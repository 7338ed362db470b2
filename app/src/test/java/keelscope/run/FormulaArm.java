package keelscope.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunState;
import keelscope.runfile.RunStatus;
import keelscope.runfile.StepSeries;
import keelscope.runfile.ValidationRecord;

/** Arms whose every value follows from a formula, for trying charts without an engine. */
public final class FormulaArm {
    public static final int LAYERS = 64;
    public static final int BINS = 32;

    private FormulaArm() {}

    public static RunInfo info(String scheme, int layers, int steps) {
        double alpha = scheme.equals("keel") ? layers : Double.NaN;
        return new RunInfo("formulas", "", scheme, scheme, layers, 64, 1_000_000, steps, 512, alpha, 1, "sample", "0", 256, "cpu", "", 1, 0);
    }

    /** Loss floor + 3·exp(−s/100) plus noise of that size; its floor and the shape by layer differ by scheme. */
    public static ArmSnapshot of(String scheme, int colour, int layers, int steps, int lastStep, double noise) {
        return of(scheme, colour, layers, steps, lastStep, noise, RunStatus.RUNNING, List.of());
    }

    public static double loss(String scheme, int step) {
        return switch (scheme) {
            case "post_ln" -> 3.18 + 2.4 * Math.exp(-step / 25.0);
            case "pre_ln" -> 2.15 + 3.4 * Math.exp(-step / 90.0);
            default -> 2.26 + 3.9 * Math.exp(-step / 100.0);
        };
    }

    public static double gradient(String scheme, int layers, int step, int l) {
        double base = switch (scheme) {
            case "post_ln" -> 0.3 * Math.pow(2, -(layers - l) / 6.0) * Math.exp(-step / 200.0);
            case "pre_ln" -> 0.12 / Math.sqrt(1 + l);
            default -> 0.05 * (1 + 0.3 * Math.sin(l / 6.0));
        };
        return base * (l % 2 == 0 ? 0.6 : 1) * (1 + 0.8 * Math.exp(-step / 40.0));
    }

    public static double carry(String scheme, int layers, int l) {
        return switch (scheme) {
            case "post_ln" -> 0.72 + 0.05 * Math.sin(l / 5.0);
            case "pre_ln" -> 1 - 0.3 / (1 + l);
            default -> l < 2 ? 0.75 : layers / Math.sqrt(layers * (double) layers + 1);
        };
    }

    public static double transport(String scheme, int layers, int l) {
        return switch (scheme) {
            case "post_ln" -> Math.pow(1.9, -(layers - l) / 2.0);
            case "pre_ln" -> 1;
            default -> Math.pow(1 + 1.2 / ((double) layers * layers), -(layers - l) / 2.0);
        };
    }

    /** The value of sub-layer l of a measure that a scheme has and that has no formula of its own above. */
    public static Optional<IntToDoubleFunction> value(Measure measure, String scheme, int layers, int step) {
        double wave = 0.3 + 0.001 * step;
        boolean highway = scheme.equals("highway");
        return Optional.ofNullable(switch (measure) {
            case PARAM_GRAD_NORM -> l -> gradient(scheme, layers, step, l);
            case ACTIVATION_GRAD_NORM -> l -> 3 * gradient(scheme, layers, step, l - l % 2);
            case CARRY_GATE_MEAN -> l -> carry(scheme, layers, l);
            case TRANSFORM_GATE_MEAN -> l -> Math.sqrt(1 - Math.pow(carry(scheme, layers, l), 2));
            case RESIDUAL_FACTOR -> l -> scheme.equals("post_ln") ? 0.72 + 0.02 * Math.sin(l) : scheme.equals("pre_ln") ? 1 : 0.9999;
            case INPUT_RMS -> l -> scheme.equals("pre_ln") ? Math.sqrt(1 + 0.7 * l) : 1 + 0.1 * Math.sin(l / 9.0);
            case CARRY_RMS -> l -> scheme.equals("keel") ? layers : 1;
            case TRANSFORM_RMS -> l -> wave * (l % 2 == 0 ? 0.5 : 1);
            case COSINE -> l -> 0.2 * Math.sin(l / 5.0 + colourOf(scheme)) + (l % 2 == 0 ? 0.1 : -0.1);
            case UPDATE_RATIO -> l -> 1e-3 * (l % 2 == 0 ? 1.5 : 0.7) * (1 + 0.5 * Math.sin(l / 7.0 + colourOf(scheme)));
            case PARAM_NORM -> l -> 10 + 0.02 * step + (l % 2 == 0 ? 0 : 5);
            case ALPHA -> scheme.equals("keel") ? l -> l < 2 ? 1 : layers * (1 + 0.1 * Math.sin(l / 4.0)) : null;
            case GATE_MEAN -> highway ? l -> gate(layers, step, l) : null;
            case GATE_STD -> highway ? l -> 0.3 * gate(layers, step, l) : null;
            case GATE_MIN -> highway ? l -> 0.2 * gate(layers, step, l) : null;
            case GATE_MAX -> highway ? l -> Math.min(1, 3 * gate(layers, step, l)) : null;
            case GATE_LOW -> highway ? l -> Math.max(0, 1 - 8 * gate(layers, step, l)) : null;
            case GATE_HIGH -> highway ? l -> 0.01 * l / layers : null;
            default -> null;
        });
    }

    private static int colourOf(String scheme) {
        return scheme.equals("keel") ? 0 : scheme.equals("pre_ln") ? 1 : 2;
    }

    private static double gate(int layers, int step, int l) {
        return Math.min(0.6, 1.0 / (1 + layers) + step / 4000.0 * (1 + Math.sin(l / 6.0)) * (l % 2 == 0 ? 1 : 1.5));
    }

    /** Share of the gate values of sub-layer l in a bin: exp(−|bin − middle| / 2), scaled to a sum of 1. */
    public static double share(int layers, int step, int l, int bin) {
        double middle = BINS * gate(layers, step, l);
        double sum = 0;
        for (int b = 0; b < BINS; b++) {
            sum += Math.exp(-Math.abs(b + 0.5 - middle) / 2);
        }
        return Math.exp(-Math.abs(bin + 0.5 - middle) / 2) / sum;
    }

    private static LayerMatrix matrix(Measure measure, String scheme, int layers, int lastStep) {
        int columns = Math.min(lastStep + 1, 100);
        int[] first = new int[columns];
        float[][] cells = new float[columns][];
        for (int c = 0; c < columns; c++) {
            first[c] = (int) ((long) c * (lastStep + 1) / columns);
            cells[c] = row(first[c], measure == Measure.ACTIVATION_GRAD_NORM ? layers + 1 : layers, value(measure, scheme, layers, first[c]).orElseThrow())
                    .values();
        }
        return new LayerMatrix(first, first, cells);
    }

    private static LayerMatrix histograms(int layers, int lastStep, int l) {
        int columns = Math.min(lastStep + 1, 40);
        int[] first = new int[columns];
        float[][] cells = new float[columns][];
        for (int c = 0; c < columns; c++) {
            int step = (int) ((long) c * (lastStep + 1) / columns);
            first[c] = step;
            cells[c] = row(step, BINS, b -> share(layers, step, l, b)).values();
        }
        return new LayerMatrix(first, first, cells);
    }

    public static ArmSnapshot of(
            String scheme, int colour, int layers, int steps, int lastStep, double noise, RunStatus status, List<RunEvent> events) {
        return of(scheme, colour, layers, steps, lastStep, noise, status, events, Set.of());
    }

    /** The same with these measures over all steps, beside that of the parameters' gradients. */
    public static ArmSnapshot of(
            String scheme, int colour, int layers, int steps, int lastStep, double noise, RunStatus status, List<RunEvent> events,
            Set<Measure> matrixMeasures) {
        Random random = new Random(colour);
        int buckets = Math.min(lastStep + 1, RunFollower.MAX_BUCKETS);
        int[] first = new int[buckets];
        int[] last = new int[buckets];
        double[] loss = new double[buckets];
        double[] low = new double[buckets];
        double[] high = new double[buckets];
        long[] tokens = new long[buckets];
        for (int b = 0; b < buckets; b++) {
            first[b] = (int) ((long) b * (lastStep + 1) / buckets);
            last[b] = (int) ((long) (b + 1) * (lastStep + 1) / buckets) - 1;
            loss[b] = loss(scheme, first[b]) + noise * random.nextGaussian();
            double spread = last[b] > first[b] ? 2 * noise : 0;
            low[b] = loss[b] - spread;
            high[b] = loss[b] + spread;
            tokens[b] = 512L * (last[b] + 1);
        }
        StepSeries series = new StepSeries(
                first, last, loss, low, high, over(first, s -> rate(steps, s)), over(first, s -> norm(s)), over(first, s -> 0.8 * norm(s)),
                over(first, s -> 1.3 * norm(s)), over(first, s -> 20 + 2 * Math.sin(s)), over(first, s -> 4e8 + 1e6 * Math.min(s, 50)), tokens);
        List<ValidationRecord> validation = new ArrayList<>();
        int every = Math.max(50, steps / 8);
        for (int s = every - 1; s <= lastStep; s += every) {
            validation.add(new ValidationRecord(s, loss(scheme, s) + 0.06, 1 - Math.exp(-s / 200.0)));
        }
        Map<Measure, LayerValues> layerValues = new EnumMap<>(Measure.class);
        if (lastStep >= 0) {
            layerValues.put(Measure.PARAM_GRAD_NORM, row(lastStep, layers, l -> gradient(scheme, layers, lastStep, l)));
            layerValues.put(Measure.CARRY_GATE_MEAN, row(lastStep, layers, l -> carry(scheme, layers, l)));
            layerValues.put(Measure.CARRY_GATE_P05, row(lastStep, layers, l -> 1 - 1.5 * (1 - carry(scheme, layers, l))));
            layerValues.put(Measure.CARRY_GATE_P95, row(lastStep, layers, l -> 1 - 0.6 * (1 - carry(scheme, layers, l))));
            layerValues.put(Measure.HIGHWAY_TRANSPORT, row(lastStep, layers, l -> transport(scheme, layers, l)));
            for (Measure measure : Measure.values()) {
                value(measure, scheme, layers, lastStep).ifPresent(formula -> layerValues.putIfAbsent(
                        measure, row(lastStep, measure == Measure.ACTIVATION_GRAD_NORM ? layers + 1 : layers, formula)));
            }
            if (scheme.equals("highway")) {
                layerValues.put(Measure.GATE_HISTOGRAM, row(lastStep, layers * BINS, i -> share(layers, lastStep, i / BINS, i % BINS)));
            }
        }
        Map<Measure, LayerMatrix> matrices = new EnumMap<>(Measure.class);
        for (Measure measure : matrixMeasures) {
            value(measure, scheme, layers, 0).ifPresent(formula -> matrices.put(measure, matrix(measure, scheme, layers, lastStep)));
        }
        int columns = Math.min(lastStep + 1, RunFollower.MAX_COLUMNS);
        int[] firstColumn = new int[columns];
        int[] lastColumn = new int[columns];
        float[][] cells = new float[columns][];
        for (int c = 0; c < columns; c++) {
            firstColumn[c] = (int) ((long) c * (lastStep + 1) / columns);
            lastColumn[c] = (int) ((long) (c + 1) * (lastStep + 1) / columns) - 1;
            int step = firstColumn[c];
            cells[c] = row(step, layers, l -> gradient(scheme, layers, step, l) * Math.exp(0.15 * random.nextGaussian())).values();
        }
        matrices.put(Measure.PARAM_GRAD_NORM, new LayerMatrix(firstColumn, lastColumn, cells));
        return new ArmSnapshot(
                Path.of(scheme + ".keelrun"), info(scheme, layers, steps), new RunState(status, "", 1, 0), colour, lastStep,
                series, validation, events, -1, layerValues,
                matrices, scheme.equals("highway") ? Map.of(7, histograms(layers, lastStep, 7)) : Map.of());
    }

    /** Warm-up over a tenth of the steps to 3e-3, then half a cosine. */
    public static double rate(int steps, int s) {
        double warm = steps / 10.0;
        return s < warm ? 3e-3 * (s + 1) / warm : 1.5e-3 * (1 + Math.cos(Math.PI * (s - warm) / (steps - warm)));
    }

    public static double norm(int step) {
        return 0.5 + 4 * Math.exp(-step / 60.0);
    }

    private static double[] over(int[] steps, IntToDoubleFunction formula) {
        return Arrays.stream(steps).mapToDouble(formula).toArray();
    }

    private static LayerValues row(int step, int layers, IntToDoubleFunction value) {
        float[] values = new float[layers];
        for (int l = 0; l < layers; l++) {
            values[l] = (float) value.applyAsDouble(l);
        }
        return new LayerValues(step, values);
    }

    /** Keel, Pre-LN, Post-LN and Highway after {@code lastStep}, with every measure over all steps. */
    public static List<ArmSnapshot> four(int lastStep) {
        List<RunEvent> events = List.of(
                new RunEvent(1, 90, 0, "lr", "Learning rate set to 0.001 at step 90."), new RunEvent(2, 200, 0, "checkpoint", "Checkpoint."));
        List<ArmSnapshot> arms = new ArrayList<>();
        for (String scheme : List.of("keel", "pre_ln", "post_ln", "highway")) {
            arms.add(of(scheme, arms.size(), LAYERS, 400, lastStep, 0.08, RunStatus.RUNNING, events, EnumSet.allOf(Measure.class)));
        }
        return arms;
    }

    /** Keel, Pre-LN and Post-LN after {@code lastStep}. */
    public static List<ArmSnapshot> three(int lastStep) {
        return Arrays.asList(
                of("keel", 0, LAYERS, 400, lastStep, 0.08),
                of("pre_ln", 1, LAYERS, 400, lastStep, 0.08),
                of("post_ln", 2, LAYERS, 400, lastStep, 0.08));
    }
}
