package keelscope.picture;

import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javafx.geometry.Point2D;
import javafx.scene.layout.Region;
import javax.imageio.ImageIO;
import keelscope.chart.ChartTile;
import keelscope.export.ExportException;

/** Takes pictures of charts, and writes them. Taking one is quick and happens on the JavaFX thread; writing is for any other. */
public final class Pictures {
    /** Pixels per point of a PNG. */
    public static final double PIXELS = 2;

    // The chart is drawn afresh at this size, so that all its drawing calls are at hand, and finer than the screen's pixels.
    private static final double FINENESS = 2;

    private Pictures() {}

    /** One chart, line for line; it must be in a scene and laid out. */
    public static Drawing of(ChartTile tile) {
        Drawing drawing = new Drawing(tile.getWidth(), tile.getHeight(), tile.summary());
        draw(tile, 0, 0, drawing);
        return drawing;
    }

    /** All visible charts where they stand in {@code place}, their common ancestor. */
    public static Drawing of(Region place, String title, List<ChartTile> tiles) {
        Drawing drawing = new Drawing(place.getWidth(), place.getHeight(), title);
        for (ChartTile tile : tiles) {
            if (tile.isVisible() && tile.getWidth() > 0 && tile.getHeight() > 0) {
                Point2D at = place.sceneToLocal(tile.localToScene(0, 0));
                draw(tile, at.getX(), at.getY(), drawing);
            }
        }
        return drawing;
    }

    private static void draw(ChartTile tile, double x, double y, Drawing drawing) {
        Path2D edge = new Path2D.Double(new Rectangle2D.Double(x, y, tile.getWidth(), tile.getHeight()));
        tile.drawnAt(FINENESS, () -> {
            AffineTransform toPicture = AffineTransform.getTranslateInstance(x, y);
            toPicture.scale(1 / FINENESS, 1 / FINENESS);
            drawing.clipped(edge, () -> new ScenePainter(tile, toPicture, drawing).paint());
            return drawing;
        });
    }

    /** One chart in pixels, {@value #PIXELS} of them per point. */
    public static BufferedImage image(ChartTile tile) {
        return ScenePainter.buffered(tile.snapshotImage(PIXELS));
    }

    /** Writes a PNG. @throws ExportException with one sentence if the file cannot be written */
    public static void png(BufferedImage image, Path file) {
        write(file, aside -> {
            if (!ImageIO.write(image, "png", aside.toFile())) {
                throw new IOException("this Java cannot write PNG files");
            }
        });
    }

    /** Writes an SVG. @throws ExportException with one sentence if the file cannot be written */
    public static void svg(Drawing drawing, Path file) {
        write(file, aside -> Files.writeString(aside, SvgCanvas.of(drawing), StandardCharsets.UTF_8));
    }

    /** Writes a PDF of one page, as large as the picture. @throws ExportException with one sentence if the file cannot be written */
    public static void pdf(Drawing drawing, Path file) {
        write(file, aside -> PdfPages.picture(drawing, aside));
    }

    /** Writes a chart's data. @throws ExportException with one sentence if the file cannot be written */
    public static void csv(String data, Path file) {
        write(file, aside -> Files.writeString(aside, data, StandardCharsets.UTF_8));
    }

    /** Writes content to a file. */
    @FunctionalInterface
    interface Content {
        void writeTo(Path file) throws IOException;
    }

    /** Writes beside the file and puts the whole in its place: whoever cancels, or runs out of disk, keeps what was there. */
    static void write(Path file, Content content) {
        Path absolute = file.toAbsolutePath();
        Path aside = absolute.resolveSibling(absolute.getFileName() + ".unfinished");
        try {
            content.writeTo(aside);
            Files.move(aside, absolute, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | java.io.UncheckedIOException e) {
            ExportException refusal = new ExportException(
                    "The picture " + file + " cannot be written (" + e.getMessage() + "); choose another place.", e);
            remove(aside, refusal);
            throw refusal;
        } catch (RuntimeException e) {
            remove(aside, e);
            throw e;
        }
    }

    private static void remove(Path file, RuntimeException because) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    /** A chart's name as a file's: lower-case words joined by hyphens. */
    public static String fileName(ChartTile tile) {
        String plain = tile.title().toLowerCase(java.util.Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", "-").replaceAll("^-|-$", "");
        return plain.isEmpty() ? "chart" : plain;
    }
}
