package keelscope.export;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.Measure;
import keelscope.runfile.RunEvent;
import keelscope.runfile.RunInfo;
import keelscope.runfile.RunReader;
import keelscope.runfile.StepRecord;
import keelscope.runfile.ValidationRecord;

/**
 * A run file as a folder of CSV files (RFC 4180: commas, quotes doubled, one header line; decimal points; {@code NaN} and
 * {@code Infinity} for what is not finite), every record as it was written:
 * <ul>
 *   <li>{@code run.csv}: what the run is, a name and a value a line
 *   <li>{@code steps.csv}: the run measures, a step a line
 *   <li>{@code validation.csv}, {@code events.csv}
 *   <li>{@code layers/MEASURE.csv}: a recorded step a line, a sub-layer a column ({@code l0}, {@code l1}, …); for a histogram
 *       {@code l0_b0}, … by sub-layer and bin
 * </ul>
 */
public final class CsvExport {

    /** Steps read at once. */
    private static final int WINDOW = 1024;

    private final RunReader run;
    private final int last;
    private final Progress progress;
    private int parts;

    private CsvExport(RunReader run, Progress progress) {
        this.run = run;
        this.last = run.lastStep();
        this.progress = progress;
    }

    /**
     * Writes the folder. A run that is being written is exported up to its present step.
     *
     * @param target a folder that does not exist or is empty
     * @throws ExportException with one sentence if it cannot be written
     * @throws java.util.concurrent.CancellationException if {@code progress} cancels; nothing is left then
     */
    public static Path write(RunReader run, Path target, Progress progress) {
        CsvExport export = new CsvExport(run, progress);
        return Aside.folder(target, export::writeTo);
    }

    private void writeTo(Path folder) throws IOException {
        try (Writer out = Files.newBufferedWriter(folder.resolve("run.csv"))) {
            about(out);
        }
        try (Writer out = Files.newBufferedWriter(folder.resolve("steps.csv"))) {
            steps(out);
        }
        try (Writer out = Files.newBufferedWriter(folder.resolve("validation.csv"))) {
            line(out, "step", "val_loss", "accuracy");
            for (ValidationRecord record : run.validation(-1)) {
                line(out, record.step(), record.loss(), record.accuracy());
            }
        }
        try (Writer out = Files.newBufferedWriter(folder.resolve("events.csv"))) {
            line(out, "id", "step", "time_ms", "kind", "text");
            for (RunEvent event : run.events(0)) {
                line(out, event.id(), event.step(), event.timeMs(), event.kind(), event.text());
            }
        }
        Path layers = Files.createDirectories(folder.resolve("layers"));
        for (Measure measure : Measure.values()) {
            if (run.layers(measure, Integer.MAX_VALUE).isPresent()) {
                try (BufferedWriter out = Files.newBufferedWriter(layers.resolve(measure.id() + ".csv"))) {
                    layers(out, measure);
                }
            }
            parts++;
        }
        progress.check(1);
    }

    private void about(Writer out) throws IOException {
        line(out, "name", "value");
        try {
            for (RecordComponent component : RunInfo.class.getRecordComponents()) {
                line(out, snake(component.getName()), component.getAccessor().invoke(run.info()));
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("A component of RunInfo could not be read.", e);
        }
        line(out, "status", run.state().status());
        line(out, "message", run.state().message());
    }

    private void steps(Writer out) throws IOException {
        line(out, "step", "tokens", "loss", "lr", "grad_norm", "step_ms", "time_ms", "memory_bytes");
        for (int from = 0; from <= last; from += WINDOW) {
            progress.check(share(from));
            for (StepRecord step : run.records(from, Math.min(last, from + WINDOW - 1))) {
                line(out, step.step(), step.tokens(), step.loss(), step.lr(), step.gradNorm(), step.stepMs(), step.timeMs(),
                        step.memoryBytes());
            }
        }
        parts++;
    }

    private void layers(Writer out, Measure measure) throws IOException {
        boolean named = false;
        for (int from = 0; from <= last; from += WINDOW) {
            progress.check(share(from));
            LayerMatrix matrix = run.layers(measure, from, Math.min(last, from + WINDOW - 1), WINDOW);
            for (int i = 0; i < matrix.size(); i++) {
                float[] values = matrix.values()[i];
                if (!named) {
                    line(out, columns(values.length));
                    named = true;
                }
                Object[] cells = new Object[values.length + 1];
                cells[0] = matrix.firstStep()[i];
                for (int l = 0; l < values.length; l++) {
                    cells[l + 1] = values[l];
                }
                line(out, cells);
            }
        }
    }

    private Object[] columns(int values) {
        int bins = binsPerSubLayer(values, run.info().layers());
        Object[] names = new Object[values + 1];
        names[0] = "step";
        for (int i = 0; i < values; i++) {
            names[i + 1] = bins == 1 ? "l" + i : "l" + i / bins + "_b" + i % bins;
        }
        return names;
    }

    /** How many values a sub-layer has: more than one in a histogram. (L + 1 values are one for each x_l.) */
    static int binsPerSubLayer(int values, int layers) {
        return layers > 0 && values % layers == 0 ? values / layers : 1;
    }

    private double share(int step) {
        return (parts + (double) step / (last + 1)) / (1 + Measure.values().length);
    }

    private static String snake(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT);
    }

    private static void line(Writer out, Object... cells) throws IOException {
        for (int i = 0; i < cells.length; i++) {
            if (i > 0) {
                out.write(',');
            }
            String text = cells[i].toString();
            boolean quoted = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
            out.write(quoted ? '"' + text.replace("\"", "\"\"") + '"' : text);
        }
        out.write("\r\n");
    }
}
