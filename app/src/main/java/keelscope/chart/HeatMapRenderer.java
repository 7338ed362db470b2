package keelscope.chart;

import io.fair_acc.chartfx.axes.Axis;
import io.fair_acc.chartfx.axes.spi.AxisRange;
import io.fair_acc.chartfx.renderer.spi.AbstractRendererXY;
import io.fair_acc.chartfx.ui.css.DataSetNode;
import io.fair_acc.dataset.DataSet;
import java.nio.IntBuffer;
import java.util.Arrays;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.image.PixelBuffer;
import javafx.scene.image.PixelFormat;
import javafx.scene.image.WritableImage;
import javafx.scene.paint.Color;

/**
 * Paints a {@link HeatMapData} pixel by pixel: the colour of a pixel is the mean of all cells it covers, so the
 * cost is bounded by the cells and by the pixels, whichever are more, and nothing blurs.
 */
final class HeatMapRenderer extends AbstractRendererXY<HeatMapRenderer> {
    private ColourMap colours = ColourMap.VIRIDIS;
    private double first;
    private double last = 1;

    private WritableImage image;
    private PixelBuffer<IntBuffer> pixels;
    private int[] argb = new int[0];
    private int width;
    private int height;

    /** The colours, and the cells that have the first and the last of them. */
    void scale(ColourMap newColours, double newFirst, double newLast) {
        if (newColours != colours || newFirst != first || newLast != last) {
            colours = newColours;
            first = newFirst;
            last = newLast;
            invalidateCanvas();
        }
    }

    @Override
    protected void render(GraphicsContext gc, DataSet dataSet, DataSetNode style) {
        int w = (int) Math.ceil(gc.getCanvas().getWidth());
        int h = (int) Math.ceil(gc.getCanvas().getHeight());
        if (w <= 0 || h <= 0) {
            return;
        }
        if (w != width || h != height) {
            width = w;
            height = h;
            argb = new int[w * h];
            pixels = new PixelBuffer<>(w, h, IntBuffer.wrap(argb), PixelFormat.getIntArgbPreInstance());
            image = new WritableImage(pixels);
        }
        paint((HeatMapData) dataSet, style.getLineColor() instanceof Color colour ? argbOf(colour) : 0);
        pixels.updateBuffer(buffer -> null);
        gc.drawImage(image, 0, 0);
    }

    private static int argbOf(Color colour) {
        return 0xff000000
                | (int) Math.round(colour.getRed() * 255) << 16
                | (int) Math.round(colour.getGreen() * 255) << 8
                | (int) Math.round(colour.getBlue() * 255);
    }

    /** @param missing the colour of cells without a value; what lies before the first and after the last column is left bare */
    private void paint(HeatMapData data, int missing) {
        Arrays.fill(argb, 0);
        float[][] cells = data.cells();
        if (cells.length == 0) {
            return;
        }
        int layers = Arrays.stream(cells).mapToInt(column -> column.length).max().orElse(0);
        // Rows of pixels to layers: cell l reaches from l − 0.5 to l + 0.5.
        int[] from = new int[height];
        int[] to = new int[height];
        for (int row = 0; row < height; row++) {
            double bottom = yAxis.getValueForDisplay(row + 1.0) + 0.5;
            double top = yAxis.getValueForDisplay(row) + 0.5;
            range(bottom, top, layers, from, to, row);
        }
        double end = data.end();
        float[] column = new float[layers];
        int[] counts = new int[layers];
        int shown = -1;
        int shownTo = -1;
        double scale = 1 / (last - first);
        for (int x = 0; x < width; x++) {
            double left = xAxis.getValueForDisplay(x);
            double right = xAxis.getValueForDisplay(x + 1.0);
            if (right <= data.matrix().firstStep()[0] || left >= end) {
                continue;
            }
            int c0 = Math.max(0, data.column(left));
            int c1 = Math.max(c0, data.column(right - 1e-9 * (right - left)));
            // A column that begins inside this pixel and was drawn by the one before is left to that one.
            if (c1 > c0 && left > data.matrix().firstStep()[c0]) {
                c0++;
            }
            if (c0 == shown && c1 == shownTo && x > 0) {
                for (int row = 0; row < height; row++) {
                    argb[row * width + x] = argb[row * width + x - 1];
                }
                continue;
            }
            shown = c0;
            shownTo = c1;
            mean(cells, c0, c1, column, counts);
            for (int row = 0; row < height; row++) {
                if (from[row] < 0) {
                    continue;
                }
                double sum = 0;
                int n = 0;
                for (int l = from[row]; l < to[row]; l++) {
                    if (!Float.isNaN(column[l])) {
                        sum += column[l];
                        n++;
                    }
                }
                argb[row * width + x] = n > 0 ? colours.argb((sum / n - first) * scale) : missing;
            }
        }
    }

    private static void range(double bottom, double top, int layers, int[] from, int[] to, int row) {
        double middle = 0.5 * (bottom + top);
        if (middle < 0 || middle >= layers) {
            from[row] = -1;
            return;
        }
        if (top - bottom <= 1) {
            from[row] = (int) middle;
            to[row] = from[row] + 1;
        } else {
            from[row] = Math.max(0, (int) Math.round(bottom));
            to[row] = Math.max(from[row] + 1, Math.min(layers, (int) Math.round(top)));
        }
    }

    private static void mean(float[][] cells, int c0, int c1, float[] column, int[] counts) {
        if (c0 == c1) {
            float[] only = cells[c0];
            System.arraycopy(only, 0, column, 0, only.length);
            Arrays.fill(column, only.length, column.length, Float.NaN);
            return;
        }
        Arrays.fill(column, 0);
        Arrays.fill(counts, 0);
        for (int c = c0; c <= c1; c++) {
            for (int l = 0; l < cells[c].length; l++) {
                if (!Float.isNaN(cells[c][l])) {
                    column[l] += cells[c][l];
                    counts[l]++;
                }
            }
        }
        for (int l = 0; l < column.length; l++) {
            column[l] = counts[l] == 0 ? Float.NaN : column[l] / counts[l];
        }
    }

    /** The colour at a pixel of the last picture, 0 where nothing was drawn. */
    int argb(int x, int y) {
        return argb[y * width + x];
    }

    // The tile sets the limits of its axes itself.
    @Override
    public void updateAxisRange(Axis axis, AxisRange range) {}

    @Override
    protected HeatMapRenderer getThis() {
        return this;
    }
}
