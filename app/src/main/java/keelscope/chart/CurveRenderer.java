package keelscope.chart;

import io.fair_acc.chartfx.axes.Axis;
import io.fair_acc.chartfx.axes.spi.AxisRange;
import io.fair_acc.chartfx.renderer.spi.AbstractRendererXY;
import io.fair_acc.chartfx.ui.css.DataSetNode;
import io.fair_acc.dataset.DataSet;
import java.util.Arrays;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.shape.StrokeLineJoin;

/**
 * Draws {@link Curve}s as a paper draws them: bands as areas, lines without a marker on every point but with one about
 * every {@value #MARKER_GAP} pixels where the style has a marker, and never more than four points of a line per pixel column.
 * The first curve is drawn first, so the last lies on top.
 */
final class CurveRenderer extends AbstractRendererXY<CurveRenderer> {
    private static final double MARKER_GAP = 56;
    private static final double LEAST_GAP = 10;

    /** Where points lie closer than this, in pixels, nobody sees that a corner is round; but to make it so takes a fifth of the time. */
    private static final double ROUND_GAP = 3;

    private double scale = 1;
    private double[] px = new double[256];
    private double[] py = new double[256];

    /** Draws lines and markers so many times as large as the style sheet says. */
    void scale(double newScale) {
        scale = newScale;
    }

    @Override
    public void render() {
        if (getDatasets().isEmpty()) {
            return;
        }
        updateCachedVariables();
        GraphicsContext gc = getChart().getCanvas().getGraphicsContext2D();
        for (DataSetNode node : getDatasetNodes()) {
            if (node.isVisible()) {
                render(gc, node.getDataSet(), node);
            }
        }
    }

    @Override
    protected void render(GraphicsContext gc, DataSet dataSet, DataSetNode style) {
        Curve curve = (Curve) dataSet;
        int count = curve.getDataCount();
        if (count == 0) {
            return;
        }
        // One point beyond each edge, so that lines run out of the picture rather than end in it.
        int from = Math.max(0, curve.nearest(Math.min(xMin, xMax)) - 1);
        int to = Math.min(count, curve.nearest(Math.max(xMin, xMax)) + 2);
        gc.save();
        style.applyLineStrokeStyle(gc);
        gc.setLineWidth(scale * style.getLineWidth());
        gc.setLineDashes(dashes(style));
        if (curve.isBand()) {
            gc.setFill(style.getLineColor());
            band(gc, curve, from, to);
        } else {
            gc.setFill(style.getMarkerColor());
            line(gc, curve, from, to, style);
            if (style.getMarkerSize() > 0) {
                markers(gc, curve, from, to, style);
            }
        }
        gc.restore();
    }

    /**
     * The dashes as the style sheet has them, and null for none. ChartFX's own getLineDashes is bound to them, but now and then keeps
     * an answer from before the style was there, and a line would be solid for good.
     */
    private double[] dashes(DataSetNode style) {
        Object array = style.lineDashArrayProperty().getValue();
        return array instanceof Number[] lengths ? Arrays.stream(lengths).mapToDouble(length -> scale * length.doubleValue()).toArray() : null;
    }

    private void line(GraphicsContext gc, Curve curve, int from, int to, DataSetNode style) {
        if (style.getLineWidth() <= 0) {
            return;
        }
        double pixels = Math.abs(xAxis.getDisplayPosition(xMax) - xAxis.getDisplayPosition(xMin));
        if (to - from > pixels / ROUND_GAP) {
            gc.setLineJoin(StrokeLineJoin.BEVEL);
        }
        boolean reduce = to - from > 2 * pixels;
        int n = 0;
        long column = Long.MIN_VALUE;
        int columnStart = 0;
        for (int i = from; i <= to; i++) {
            double x = i < to ? xAxis.getDisplayPosition(curve.get(DataSet.DIM_X, i)) : Double.NaN;
            double y = i < to ? yAxis.getDisplayPosition(curve.get(DataSet.DIM_Y, i)) : Double.NaN;
            if (Double.isNaN(x) || Double.isNaN(y)) {
                if (n == 1) {
                    gc.strokeLine(px[0], py[0], px[0], py[0]);
                } else if (n > 1) {
                    gc.strokePolyline(px, py, n);
                }
                n = 0;
                column = Long.MIN_VALUE;
                continue;
            }
            y = clamp(y);
            if (reduce && (long) x == column) {
                n = columnStart + mergeIntoColumn(columnStart, n - columnStart, x, y);
                continue;
            }
            ensure(n + 4);
            column = (long) x;
            columnStart = n;
            px[n] = x;
            py[n] = y;
            n++;
        }
    }

    /** Keeps first, lowest, highest and last of a pixel column, in four slots from {@code start}; returns how many are used. */
    private int mergeIntoColumn(int start, int used, double x, double y) {
        if (used < 4) {
            for (int i = used; i < 4; i++) {
                px[start + i] = x;
                py[start + i] = i == 3 ? y : py[start + used - 1];
            }
        }
        py[start + 1] = Math.min(Math.min(py[start + 1], py[start]), y);
        py[start + 2] = Math.max(Math.max(py[start + 2], py[start]), y);
        px[start + 3] = x;
        py[start + 3] = y;
        return 4;
    }

    private void band(GraphicsContext gc, Curve curve, int from, int to) {
        int i = from;
        while (i < to) {
            while (i < to && isGap(curve, i)) {
                i++;
            }
            int start = i;
            while (i < to && !isGap(curve, i)) {
                i++;
            }
            int length = i - start;
            if (length == 0) {
                continue;
            }
            ensure(2 * length);
            for (int k = 0; k < length; k++) {
                double x = xAxis.getDisplayPosition(curve.get(DataSet.DIM_X, start + k));
                px[k] = x;
                py[k] = clamp(yAxis.getDisplayPosition(curve.get(DataSet.DIM_Y, start + k)));
                px[2 * length - 1 - k] = x;
                py[2 * length - 1 - k] = clamp(yAxis.getDisplayPosition(curve.low(start + k)));
            }
            gc.fillPolygon(px, py, 2 * length);
        }
    }

    private boolean isGap(Curve curve, int i) {
        return Double.isNaN(yAxis.getDisplayPosition(curve.get(DataSet.DIM_Y, i)))
                || Double.isNaN(yAxis.getDisplayPosition(curve.low(i)));
    }

    private void markers(GraphicsContext gc, Curve curve, int from, int to, DataSetNode style) {
        boolean every = curve.phase() == Curve.EVERY_POINT;
        double gap = scale * (every ? LEAST_GAP : MARKER_GAP);
        double next = xAxis.getDisplayPosition(curve.get(DataSet.DIM_X, 0)) + (every ? 0 : curve.phase() * gap);
        if (next < 0) {
            next += gap * Math.ceil(-next / gap);
        }
        gc.setLineDashes();
        gc.setLineWidth(scale * Math.max(1.5, style.getMarkerLineWidth()));
        gc.setStroke(style.getMarkerColor());
        for (int i = from; i < to; i++) {
            double x = xAxis.getDisplayPosition(curve.get(DataSet.DIM_X, i));
            double y = yAxis.getDisplayPosition(curve.get(DataSet.DIM_Y, i));
            if (Double.isNaN(x) || Double.isNaN(y) || x < next - 0.5) {
                continue;
            }
            style.getMarkerType().draw(gc, x, y, scale * style.getMarkerSize());
            next = Math.max(next + gap, x);
        }
    }

    // Points far outside would cost the rasteriser time without being seen.
    private double clamp(double y) {
        return Math.max(-20_000, Math.min(20_000, y));
    }

    private void ensure(int size) {
        if (px.length < size) {
            px = Arrays.copyOf(px, Math.max(size, 2 * px.length));
            py = Arrays.copyOf(py, px.length);
        }
    }

    // The tile sets the limits of its axes itself.
    @Override
    public void updateAxisRange(Axis axis, AxisRange range) {}

    @Override
    protected CurveRenderer getThis() {
        return this;
    }
}
