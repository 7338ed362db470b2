package keelscope.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
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

    public static ArmSnapshot of(
            String scheme, int colour, int layers, int steps, int lastStep, double noise, RunStatus status, List<RunEvent> events) {
        Random random = new Random(colour);
        int buckets = Math.min(lastStep + 1, RunFollower.MAX_BUCKETS);
        int[] first = new int[buckets];
        int[] last = new int[buckets];
        double[] loss = new double[buckets];
        double[] low = new double[buckets];
        double[] high = new double[buckets];
        double[] one = new double[buckets];
        long[] tokens = new long[buckets];
        for (int b = 0; b < buckets; b++) {
            first[b] = (int) ((long) b * (lastStep + 1) / buckets);
            last[b] = (int) ((long) (b + 1) * (lastStep + 1) / buckets) - 1;
            loss[b] = loss(scheme, first[b]) + noise * random.nextGaussian();
            double spread = last[b] > first[b] ? 2 * noise : 0;
            low[b] = loss[b] - spread;
            high[b] = loss[b] + spread;
            one[b] = 1;
            tokens[b] = 512L * (last[b] + 1);
        }
        StepSeries series = new StepSeries(first, last, loss, low, high, one, one, one, one, one, one, tokens);
        List<ValidationRecord> validation = new ArrayList<>();
        int every = Math.max(50, steps / 8);
        for (int s = every - 1; s <= lastStep; s += every) {
            validation.add(new ValidationRecord(s, loss(scheme, s) + 0.06));
        }
        Map<Measure, LayerValues> layerValues = new EnumMap<>(Measure.class);
        if (lastStep >= 0) {
            layerValues.put(Measure.PARAM_GRAD_NORM, row(lastStep, layers, l -> gradient(scheme, layers, lastStep, l)));
            layerValues.put(Measure.CARRY_GATE_MEAN, row(lastStep, layers, l -> carry(scheme, layers, l)));
            layerValues.put(Measure.CARRY_GATE_P05, row(lastStep, layers, l -> 1 - 1.5 * (1 - carry(scheme, layers, l))));
            layerValues.put(Measure.CARRY_GATE_P95, row(lastStep, layers, l -> 1 - 0.6 * (1 - carry(scheme, layers, l))));
            layerValues.put(Measure.HIGHWAY_TRANSPORT, row(lastStep, layers, l -> transport(scheme, layers, l)));
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
        return new ArmSnapshot(
                Path.of(scheme + ".keelrun"), info(scheme, layers, steps), new RunState(status, "", 1, 0), colour, lastStep,
                series, validation, events, -1, layerValues,
                Map.of(Measure.PARAM_GRAD_NORM, new LayerMatrix(firstColumn, lastColumn, cells)), Map.of());
    }

    private static LayerValues row(int step, int layers, IntToDoubleFunction value) {
        float[] values = new float[layers];
        for (int l = 0; l < layers; l++) {
            values[l] = (float) value.applyAsDouble(l);
        }
        return new LayerValues(step, values);
    }

    /** Keel, Pre-LN and Post-LN after {@code lastStep}. */
    public static List<ArmSnapshot> three(int lastStep) {
        return Arrays.asList(
                of("keel", 0, LAYERS, 400, lastStep, 0.08),
                of("pre_ln", 1, LAYERS, 400, lastStep, 0.08),
                of("post_ln", 2, LAYERS, 400, lastStep, 0.08));
    }
}
