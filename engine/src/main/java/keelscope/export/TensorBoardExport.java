package keelscope.export;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.Measure;
import keelscope.runfile.RunReader;
import keelscope.runfile.StepRecord;
import keelscope.runfile.ValidationRecord;

/**
 * A run file as a folder with one TensorBoard event file.
 *
 * <p>Scalars, every step: {@code loss}, {@code lr}, {@code grad_norm}, {@code step_ms}, {@code tokens},
 * {@code tokens_per_s}, {@code memory_bytes}; and {@code val_loss}, of a task {@code accuracy} as well. All of them are float32, though
 * the format has doubles too: TensorBoard's data server shows no scalar of another type (data_compat.rs). Histograms: for each
 * per-sub-layer measure {@code layers/MEASURE}, how its
 * values spread over the sub-layers; for a measure that is a histogram already, {@code MEASURE/l0}, {@code MEASURE/l1}, … TensorBoard
 * keeps some hundred histograms a tag, so no more are written: of longer runs, several steps are taken together as {@link LayerMatrix}
 * does, and stand at the last of them.
 *
 * <p>Wall times are those at which the steps ended.
 */
public final class TensorBoardExport {

    private static final int WINDOW = 4096;
    private static final int HISTOGRAMS = 500;
    private static final int BUCKETS = 30;

    private final RunReader run;
    private final Progress progress;
    private final int last;
    private int parts;

    private TensorBoardExport(RunReader run, Progress progress) {
        this.run = run;
        this.progress = progress;
        this.last = run.lastStep();
    }

    /**
     * Writes the folder. A run that is being written is exported up to its present step.
     *
     * @param target a folder that does not exist or is empty
     * @throws ExportException with one sentence if it cannot be written
     * @throws java.util.concurrent.CancellationException if {@code progress} cancels; nothing is left then
     */
    public static Path write(RunReader run, Path target, Progress progress) {
        TensorBoardExport export = new TensorBoardExport(run, progress);
        return Aside.folder(target, export::writeTo);
    }

    private void writeTo(Path folder) throws IOException {
        double start = run.info().createdMs() / 1000.0;
        Path file = folder.resolve(String.format(Locale.ROOT, "events.out.tfevents.%010d.keelscope", (long) start));
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            out.write(EventRecords.framed(new ProtoWriter().fixed64(1, start).text(3, "brain.Event:2").toBytes()));
            scalars(out);
            for (Measure measure : Measure.values()) {
                histograms(out, measure);
                parts++;
            }
        }
        progress.check(1);
    }

    private void scalars(OutputStream out) throws IOException {
        for (ValidationRecord record : run.validation(-1)) {
            ProtoWriter summary = new ProtoWriter().message(1, scalar("val_loss", record.loss()));
            if (!Double.isNaN(record.accuracy())) {
                summary.message(1, scalar("accuracy", record.accuracy()));
            }
            event(out, Math.max(0, record.step()), summary);
        }
        for (int from = 0; from <= last; from += WINDOW) {
            progress.check(share(from));
            for (StepRecord step : run.records(from, Math.min(last, from + WINDOW - 1))) {
                ProtoWriter summary = new ProtoWriter()
                        .message(1, scalar("loss", step.loss()))
                        .message(1, scalar("lr", step.lr()))
                        .message(1, scalar("grad_norm", step.gradNorm()))
                        .message(1, scalar("step_ms", step.stepMs()))
                        .message(1, scalar("tokens", step.tokens()))
                        .message(1, scalar("tokens_per_s", run.info().tokensPerStep() * 1000 / step.stepMs()))
                        .message(1, scalar("memory_bytes", step.memoryBytes()));
                event(out, step.timeMs() > 0 ? step.timeMs() : run.info().createdMs(), step.step(), summary);
            }
        }
        parts++;
    }

    private void histograms(OutputStream out, Measure measure) throws IOException {
        progress.check(share(0));
        LayerMatrix matrix = run.layers(measure, 0, last, HISTOGRAMS);
        int layers = run.info().layers();
        for (int i = 0; i < matrix.size(); i++) {
            progress.check(share(matrix.firstStep()[i]));
            float[] values = matrix.values()[i];
            int bins = CsvExport.binsPerSubLayer(values.length, layers);
            ProtoWriter summary = new ProtoWriter();
            if (bins == 1) {
                summary.message(1, new ProtoWriter().text(1, "layers/" + measure.id()).message(5, spread(values)));
            } else {
                for (int l = 0; l < layers; l++) {
                    ProtoWriter counts = counts(Arrays.copyOfRange(values, l * bins, (l + 1) * bins));
                    summary.message(1, new ProtoWriter().text(1, measure.id() + "/l" + l).message(5, counts));
                }
            }
            event(out, matrix.lastStep()[i], summary);
        }
    }

    private double share(int step) {
        return (parts + (double) step / (last + 1)) / (1 + Measure.values().length);
    }

    private void event(OutputStream out, int step, ProtoWriter summary) throws IOException {
        event(out, run.timeMs(step), step, summary);
    }

    private static void event(OutputStream out, long timeMs, int step, ProtoWriter summary) throws IOException {
        out.write(EventRecords.framed(new ProtoWriter().fixed64(1, timeMs / 1000.0).varint(2, step).message(5, summary).toBytes()));
    }

    private static ProtoWriter scalar(String tag, double value) {
        return new ProtoWriter().text(1, tag).fixed32(2, (float) value);
    }

    /** The histogram of values: as many equal buckets as there can be up to 30, between the least and the greatest finite one. */
    static ProtoWriter spread(float[] values) {
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        int n = 0;
        for (float value : values) {
            if (Float.isFinite(value)) {
                least = Math.min(least, value);
                greatest = Math.max(greatest, value);
                n++;
            }
        }
        if (n == 0) {
            return histogram(0, 0, 0, 0, 0, new double[] {0}, new double[] {0});
        }
        int buckets = greatest > least ? BUCKETS : 1;
        double[] limits = new double[buckets];
        double[] counts = new double[buckets];
        for (int b = 0; b < buckets; b++) {
            limits[b] = b == buckets - 1 ? greatest : least + (greatest - least) * (b + 1) / buckets;
        }
        double sum = 0;
        double squares = 0;
        for (float value : values) {
            if (Float.isFinite(value)) {
                int b = buckets == 1 ? 0 : (int) Math.min(buckets - 1, (value - least) / (greatest - least) * buckets);
                counts[b]++;
                sum += value;
                squares += (double) value * value;
            }
        }
        return histogram(least, greatest, n, sum, squares, limits, counts);
    }

    /** A histogram on [0, 1] of equal bins, whose values are taken at the middle of their bin. */
    private static ProtoWriter counts(float[] bins) {
        double[] limits = new double[bins.length];
        double[] counts = new double[bins.length];
        double n = 0;
        double sum = 0;
        double squares = 0;
        for (int b = 0; b < bins.length; b++) {
            double middle = (b + 0.5) / bins.length;
            limits[b] = (b + 1.0) / bins.length;
            counts[b] = Float.isFinite(bins[b]) ? bins[b] : 0;
            n += counts[b];
            sum += counts[b] * middle;
            squares += counts[b] * middle * middle;
        }
        return histogram(0, 1, n, sum, squares, limits, counts);
    }

    private static ProtoWriter histogram(
            double min, double max, double n, double sum, double squares, double[] limits, double[] counts) {
        return new ProtoWriter().fixed64(1, min).fixed64(2, max).fixed64(3, n).fixed64(4, sum).fixed64(5, squares)
                .packed(6, limits).packed(7, counts);
    }
}
