package keelscope.picture;

import java.nio.file.Path;
import java.util.List;
import keelscope.export.Progress;

/**
 * A PDF that tells of an experiment: what it was and what came of it, then its charts, a page each.
 *
 * @param title the experiment's name
 * @param text its summary and its settings, line by line
 * @param pictures the whole dashboard first, then chart after chart
 */
public record Report(String title, String text, List<Drawing> pictures) {
    public Report {
        pictures = List.copyOf(pictures);
    }

    /**
     * Writes it.
     *
     * @throws keelscope.export.ExportException with one sentence if the file cannot be written
     * @throws java.util.concurrent.CancellationException if {@code progress} cancels; no file is left then
     */
    public void write(Path file, Progress progress) {
        Pictures.write(file, aside -> PdfPages.report(this, aside, progress));
    }
}
