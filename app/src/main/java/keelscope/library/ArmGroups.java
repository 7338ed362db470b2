package keelscope.library;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import keelscope.run.ArmSnapshot;
import keelscope.run.Shown;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.LayerValues;
import keelscope.runfile.Measure;
import keelscope.runfile.RunState;
import keelscope.runfile.RunStatus;
import keelscope.runfile.StepSeries;
import keelscope.runfile.ValidationRecord;

/**
 * Several arms drawn as one: their mean at every step and sub-layer, and its 95 % interval (see {@link SeedMean}) in the places where a
 * snapshot has the least and the greatest of a bucket, and in {@link LayerValues#low()} and {@link LayerValues#high()}. Measures that span
 * decades are put together by their logarithms.
 */
public final class ArmGroups {
    private ArmGroups() {}

    /**
     * The arms with those that have the same key as one, in the order in which keys first occur, coloured anew.
     *
     * @param key what arms of a group agree in; it is also the group's name
     */
    public static Shown by(Function<ArmSnapshot, String> key, List<ArmSnapshot> arms) {
        Map<String, List<ArmSnapshot>> groups = arms.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
        List<ArmSnapshot> means = new ArrayList<>();
        Map<Path, Integer> colours = new HashMap<>();
        groups.forEach((name, members) -> {
            members.forEach(arm -> colours.put(arm.file(), means.size()));
            means.add(mean(name, means.size(), members));
        });
        return new Shown(means, colours);
    }

    /** The mean of some arms up to the last step that all of them have. */
    static ArmSnapshot mean(String name, int colour, List<ArmSnapshot> members) {
        ArmSnapshot first = members.get(0);
        int last = members.stream().mapToInt(ArmSnapshot::lastStep).min().orElse(-1);
        boolean ended = members.stream().allMatch(arm -> arm.state().status().ended());
        String title = members.size() == 1 ? name : name + " (n = " + members.size() + ")";
        return new ArmSnapshot(
                first.file(),
                first.info().withArm(title),
                ended ? first.state() : new RunState(RunStatus.RUNNING, "", 0, first.state().heartbeatMs()),
                colour,
                last,
                steps(members.stream().map(ArmSnapshot::steps).toList(), last),
                validation(members),
                List.of(),
                first.cursor(),
                layers(members),
                matrices(members),
                histograms(members));
    }

    // --- over steps -------------------------------------------------------------------------------------------------

    /** On the widest buckets any member has; of finer ones, the mean by how many of their steps fall into one. */
    static StepSeries steps(List<StepSeries> members, int last) {
        StepSeries grid = members.stream().min(java.util.Comparator.comparingInt(StepSeries::size)).orElseThrow();
        int n = 0;
        while (n < grid.size() && grid.firstStep()[n] <= last) {
            n++;
        }
        StepSeries mean = new StepSeries(new int[n], new int[n], new double[n], new double[n], new double[n], new double[n], new double[n],
                new double[n], new double[n], new double[n], new double[n], new long[n]);
        for (int i = 0; i < n; i++) {
            mean.firstStep()[i] = grid.firstStep()[i];
            mean.lastStep()[i] = Math.min(last, grid.lastStep()[i]);
            mean.tokens()[i] = grid.tokens()[i];
        }
        put(members, mean, StepSeries::loss, false, mean.loss(), mean.lossMin(), mean.lossMax());
        put(members, mean, StepSeries::gradNorm, true, mean.gradNorm(), mean.gradNormMin(), mean.gradNormMax());
        double[] unused = new double[n];
        put(members, mean, StepSeries::lr, false, mean.lr(), unused, unused);
        put(members, mean, StepSeries::stepMs, false, mean.stepMs(), unused, unused);
        put(members, mean, StepSeries::memoryBytes, false, mean.memoryBytes(), unused, unused);
        return mean;
    }

    private static void put(
            List<StepSeries> members, StepSeries grid, Function<StepSeries, double[]> column, boolean geometric, double[] mean, double[] low,
            double[] high) {
        double[][] values = new double[members.size()][];
        for (int m = 0; m < values.length; m++) {
            values[m] = onGrid(members.get(m), column.apply(members.get(m)), grid);
        }
        double[] at = new double[values.length];
        for (int i = 0; i < grid.size(); i++) {
            for (int m = 0; m < values.length; m++) {
                at[m] = values[m][i];
            }
            SeedMean seeds = geometric ? SeedMean.geometric(at) : SeedMean.of(at);
            mean[i] = seeds.mean();
            low[i] = seeds.low();
            high[i] = seeds.high();
        }
    }

    /** A column's mean over the steps of each bucket of {@code grid}, NaN where it has no finite value there. */
    private static double[] onGrid(StepSeries series, double[] column, StepSeries grid) {
        double[] values = new double[grid.size()];
        int begin = 0;
        for (int i = 0; i < values.length; i++) {
            double sum = 0;
            double weight = 0;
            while (begin < series.size() && series.lastStep()[begin] < grid.firstStep()[i]) {
                begin++;
            }
            for (int k = begin; k < series.size() && series.firstStep()[k] <= grid.lastStep()[i]; k++) {
                double shared = Math.min(series.lastStep()[k], grid.lastStep()[i]) - Math.max(series.firstStep()[k], grid.firstStep()[i]) + 1.0;
                if (Double.isFinite(column[k])) {
                    sum += shared * column[k];
                    weight += shared;
                }
            }
            values[i] = weight == 0 ? Double.NaN : sum / weight;
        }
        return values;
    }

    /** At the steps at which every member was validated. */
    private static List<ValidationRecord> validation(List<ArmSnapshot> members) {
        TreeMap<Integer, List<ValidationRecord>> byStep = new TreeMap<>();
        for (ArmSnapshot arm : members) {
            arm.validation().forEach(record -> byStep.computeIfAbsent(record.step(), step -> new ArrayList<>()).add(record));
        }
        List<ValidationRecord> means = new ArrayList<>();
        byStep.forEach((step, records) -> {
            if (records.size() == members.size()) {
                double loss = records.stream().mapToDouble(ValidationRecord::loss).average().orElse(Double.NaN);
                double accuracy = records.stream().mapToDouble(ValidationRecord::accuracy).average().orElse(Double.NaN);
                means.add(new ValidationRecord(step, loss, accuracy));
            }
        });
        return means;
    }

    // --- by layer ---------------------------------------------------------------------------------------------------

    private static Map<Measure, LayerValues> layers(List<ArmSnapshot> members) {
        Map<Measure, LayerValues> means = new EnumMap<>(Measure.class);
        for (Measure measure : members.get(0).layers().keySet()) {
            List<LayerValues> all = members.stream().map(arm -> arm.layers().get(measure)).filter(java.util.Objects::nonNull).toList();
            mean(measure, all, members.size()).ifPresent(values -> means.put(measure, values));
        }
        return means;
    }

    /** Empty where not every member has the measure for the same number of sub-layers: layers of other depths are not the same thing. */
    private static Optional<LayerValues> mean(Measure measure, List<LayerValues> all, int members) {
        int length = all.get(0).values().length;
        if (all.size() < members || all.stream().anyMatch(values -> values.values().length != length)) {
            return Optional.empty();
        }
        int step = all.stream().mapToInt(LayerValues::step).min().orElse(0);
        if (members == 1) {
            return Optional.of(all.get(0));
        }
        float[] mean = new float[length];
        float[] low = new float[length];
        float[] high = new float[length];
        for (int l = 0; l < length; l++) {
            int layer = l;
            double[] at = all.stream().mapToDouble(values -> values.values()[layer]).toArray();
            SeedMean seeds = measure.geometric() ? SeedMean.geometric(at) : SeedMean.of(at);
            mean[l] = (float) seeds.mean();
            low[l] = (float) seeds.low();
            high[l] = (float) seeds.high();
        }
        return Optional.of(new LayerValues(step, mean, low, high));
    }

    private static Map<Measure, LayerMatrix> matrices(List<ArmSnapshot> members) {
        Map<Measure, LayerMatrix> means = new EnumMap<>(Measure.class);
        for (Measure measure : members.get(0).matrices().keySet()) {
            List<LayerMatrix> all = members.stream().map(arm -> arm.matrices().get(measure)).filter(java.util.Objects::nonNull).toList();
            matrix(all, members.size(), measure.geometric()).ifPresent(matrix -> means.put(measure, matrix));
        }
        return means;
    }

    private static Map<Integer, LayerMatrix> histograms(List<ArmSnapshot> members) {
        Map<Integer, LayerMatrix> means = new TreeMap<>();
        Set<Integer> layers = new TreeSet<>(members.get(0).histograms().keySet());
        for (Integer layer : layers) {
            List<LayerMatrix> all = members.stream().map(arm -> arm.histograms().get(layer)).filter(java.util.Objects::nonNull).toList();
            matrix(all, members.size(), false).ifPresent(matrix -> means.put(layer, matrix));
        }
        return means;
    }

    /** On the columns of the member with the fewest; of the others, the column that holds or follows a column's first step. */
    private static Optional<LayerMatrix> matrix(List<LayerMatrix> all, int members, boolean geometric) {
        if (all.size() < members || all.stream().anyMatch(matrix -> matrix.size() == 0)) {
            return Optional.empty();
        }
        if (members == 1) {
            return Optional.of(all.get(0));
        }
        LayerMatrix grid = all.stream().min(java.util.Comparator.comparingInt(LayerMatrix::size)).orElseThrow();
        int layers = grid.values()[0].length;
        if (all.stream().anyMatch(matrix -> matrix.values()[0].length != layers)) {
            return Optional.empty();
        }
        float[][] cells = new float[grid.size()][layers];
        double[] at = new double[members];
        int[] column = new int[members];
        for (int c = 0; c < cells.length; c++) {
            for (int m = 0; m < members; m++) {
                LayerMatrix matrix = all.get(m);
                while (column[m] < matrix.size() - 1 && matrix.lastStep()[column[m]] < grid.firstStep()[c]) {
                    column[m]++;
                }
            }
            for (int l = 0; l < layers; l++) {
                for (int m = 0; m < members; m++) {
                    at[m] = all.get(m).values()[column[m]][l];
                }
                cells[c][l] = (float) (geometric ? SeedMean.geometric(at) : SeedMean.of(at)).mean();
            }
        }
        return Optional.of(new LayerMatrix(grid.firstStep(), grid.lastStep(), cells));
    }
}
