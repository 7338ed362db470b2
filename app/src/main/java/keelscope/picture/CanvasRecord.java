package keelscope.picture;

import com.sun.javafx.font.PGFont;
import com.sun.javafx.sg.prism.GrowableDataBuffer;
import com.sun.javafx.sg.prism.NGCanvas;
import com.sun.javafx.tk.Toolkit;
import java.awt.geom.AffineTransform;
import java.awt.geom.Arc2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.geom.RoundRectangle2D;
import java.awt.image.BufferedImage;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Deque;
import javafx.geometry.VPos;
import javafx.scene.canvas.Canvas;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.shape.FillRule;
import javafx.scene.shape.StrokeLineCap;
import javafx.scene.text.Font;
import javafx.scene.text.Text;
import javafx.scene.text.TextAlignment;

/**
 * What was drawn on a canvas since the last pulse, as drawing calls rather than pixels. JavaFX keeps the calls until the pulse, in a
 * buffer that only its renderer is meant to read; its instruction set ({@code NGCanvas.renderStream}) has stayed the same since
 * JavaFX 8, and the version is pinned. This is the only class of this program that depends on JavaFX's inner parts: the alternative is to
 * write each chart, axis and marker of ChartFX a second time for pictures, and to keep both alike for ever.
 */
final class CanvasRecord {
    private final Canvas drawn;
    private final AffineTransform place;
    private final double opacity;

    private Drawing out;
    private GrowableDataBuffer calls;
    private AffineTransform transform;
    private Path2D path = new Path2D.Double();
    private final Deque<Path2D> clips = new ArrayDeque<>();
    private double alpha;
    private javafx.scene.paint.Paint fill;
    private javafx.scene.paint.Paint stroke;
    private double lineWidth;
    private boolean roundEnds;
    private double[] dashes;
    private Font font;
    private TextAlignment align;
    private VPos baseline;
    private boolean evenOdd;
    private int arcType = Arc2D.OPEN;

    /** @param place from the canvas's coordinates to the picture's */
    CanvasRecord(Canvas drawn, AffineTransform place, double opacity) {
        this.drawn = drawn;
        this.place = place;
        this.opacity = opacity;
        // A drawing routine leaves its state as it found it or always in the same way, and a call that changes nothing is not kept:
        // so what the state is now is what it was when the first call was made.
        GraphicsContext now = drawn.getGraphicsContext2D();
        transform = ScenePainter.affine(now.getTransform());
        alpha = now.getGlobalAlpha();
        fill = now.getFill();
        stroke = now.getStroke();
        lineWidth = now.getLineWidth();
        roundEnds = now.getLineCap() == StrokeLineCap.ROUND;
        dashes = now.getLineDashes() == null ? new double[0] : now.getLineDashes();
        font = now.getFont();
        align = now.getTextAlign();
        baseline = now.getTextBaseline();
        evenOdd = now.getFillRule() == FillRule.EVEN_ODD;
    }

    private static GrowableDataBuffer callsOf(Canvas canvas) {
        try {
            Field current = Canvas.class.getDeclaredField("current");
            current.setAccessible(true);
            return (GrowableDataBuffer) current.get(canvas);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException("This version of JavaFX does not let its drawings be read; a PNG can still be made.", e);
        }
    }

    /** Makes the calls again. */
    void drawOn(VectorCanvas canvas) {
        calls = callsOf(drawn);
        if (calls == null || calls.isEmpty()) {
            return;
        }
        begin();
        calls.save();
        try {
            while (calls.hasValues()) {
                call(calls.getByte());
            }
        } finally {
            calls.restore();
        }
        Path2D edge = new Path2D.Double(new Rectangle2D.Double(0, 0, drawn.getWidth(), drawn.getHeight()), place);
        canvas.clipped(edge, () -> out.drawOn(canvas));
    }

    private void begin() {
        out = new Drawing(Math.max(1, drawn.getWidth()), Math.max(1, drawn.getHeight()), "");
    }

    private void call(int code) {
        switch (code) {
            case NGCanvas.RESET -> reset();
            case NGCanvas.SET_DIMS -> floats(2);
            case NGCanvas.PATHSTART -> path = new Path2D.Double();
            case NGCanvas.MOVETO -> path.moveTo(next(), next());
            case NGCanvas.LINETO -> path.lineTo(next(), next());
            case NGCanvas.QUADTO -> path.quadTo(next(), next(), next(), next());
            case NGCanvas.CUBICTO -> path.curveTo(next(), next(), next(), next(), next(), next());
            case NGCanvas.CLOSEPATH -> path.closePath();
            case NGCanvas.PATHEND -> { }
            case NGCanvas.PUSH_CLIP -> clips.addLast(shape((com.sun.javafx.geom.Path2D) calls.getObject()));
            case NGCanvas.POP_CLIP -> clips.removeLast();
            case NGCanvas.ARC_TYPE -> arcType = switch (calls.getByte()) {
                case NGCanvas.ARC_CHORD -> Arc2D.CHORD;
                case NGCanvas.ARC_PIE -> Arc2D.PIE;
                default -> Arc2D.OPEN;
            };
            case NGCanvas.TRANSFORM -> {
                double mxx = calls.getDouble();
                double mxy = calls.getDouble();
                double mxt = calls.getDouble();
                double myx = calls.getDouble();
                double myy = calls.getDouble();
                double myt = calls.getDouble();
                transform = new AffineTransform(mxx, myx, mxy, myy, mxt, myt);
            }
            case NGCanvas.GLOBAL_ALPHA -> alpha = next();
            case NGCanvas.FILL_RULE -> evenOdd = calls.getByte() == NGCanvas.FILL_RULE_EVEN_ODD;
            case NGCanvas.COMP_MODE, NGCanvas.EFFECT, NGCanvas.FX_APPLY_EFFECT -> calls.getObject();
            case NGCanvas.FILL_PAINT -> fill = paint(calls.getObject());
            case NGCanvas.STROKE_PAINT -> stroke = paint(calls.getObject());
            case NGCanvas.LINE_WIDTH -> lineWidth = next();
            case NGCanvas.LINE_CAP -> roundEnds = calls.getUByte() == NGCanvas.CAP_ROUND;
            case NGCanvas.LINE_JOIN, NGCanvas.FONT_SMOOTH, NGCanvas.IMAGE_SMOOTH -> calls.getUByte();
            case NGCanvas.MITER_LIMIT, NGCanvas.DASH_OFFSET -> next();
            case NGCanvas.DASH_ARRAY -> dashes = calls.getObject() instanceof double[] given ? given : new double[0];
            case NGCanvas.FONT -> {
                PGFont given = (PGFont) calls.getObject();
                font = new Font(given.getFullName(), given.getSize());
            }
            case NGCanvas.TEXT_ALIGN -> align = switch (calls.getUByte()) {
                case NGCanvas.ALIGN_CENTER -> TextAlignment.CENTER;
                case NGCanvas.ALIGN_RIGHT -> TextAlignment.RIGHT;
                default -> TextAlignment.LEFT;
            };
            case NGCanvas.TEXT_BASELINE -> baseline = switch (calls.getUByte()) {
                case NGCanvas.BASE_TOP -> VPos.TOP;
                case NGCanvas.BASE_MIDDLE -> VPos.CENTER;
                case NGCanvas.BASE_BOTTOM -> VPos.BOTTOM;
                default -> VPos.BASELINE;
            };
            case NGCanvas.FILL_PATH -> fill(inPlace(path, new AffineTransform()));
            case NGCanvas.STROKE_PATH -> stroke(inPlace(path, new AffineTransform()));
            case NGCanvas.FILL_RECT -> fill(inPlace(new Path2D.Double(box()), transform));
            case NGCanvas.STROKE_RECT -> stroke(inPlace(new Path2D.Double(box()), transform));
            case NGCanvas.CLEAR_RECT -> clear(box());
            case NGCanvas.STROKE_LINE -> {
                Path2D line = new Path2D.Double();
                line.moveTo(next(), next());
                line.lineTo(next(), next());
                stroke(inPlace(line, transform));
            }
            case NGCanvas.FILL_OVAL -> fill(inPlace(oval(), transform));
            case NGCanvas.STROKE_OVAL -> stroke(inPlace(oval(), transform));
            case NGCanvas.FILL_ROUND_RECT -> fill(inPlace(roundBox(), transform));
            case NGCanvas.STROKE_ROUND_RECT -> stroke(inPlace(roundBox(), transform));
            case NGCanvas.FILL_ARC -> fill(inPlace(arc(), transform));
            case NGCanvas.STROKE_ARC -> stroke(inPlace(arc(), transform));
            case NGCanvas.FILL_TEXT, NGCanvas.STROKE_TEXT -> text();
            case NGCanvas.DRAW_IMAGE -> image(false);
            case NGCanvas.DRAW_SUBIMAGE -> image(true);
            default -> throw new IllegalStateException("The drawing call " + code + " of JavaFX is not known; a PNG can still be made.");
        }
    }

    /** Charts wipe the whole canvas before they draw it anew; what was drawn before is then no longer to be seen. */
    private void clear(Rectangle2D wiped) {
        Rectangle2D box = transform.createTransformedShape(wiped).getBounds2D();
        if (box.getMinX() <= 0.5 && box.getMinY() <= 0.5 && box.getMaxX() >= drawn.getWidth() - 0.5
                && box.getMaxY() >= drawn.getHeight() - 0.5) {
            begin();
        }
    }

    private void reset() {
        begin();
        transform = new AffineTransform();
        clips.clear();
        alpha = 1;
        fill = javafx.scene.paint.Color.BLACK;
        stroke = javafx.scene.paint.Color.BLACK;
        lineWidth = 1;
        roundEnds = false;
        dashes = new double[0];
        align = TextAlignment.LEFT;
        baseline = VPos.BASELINE;
        evenOdd = false;
        font = Font.getDefault();
    }

    private float next() {
        return calls.getFloat();
    }

    private void floats(int count) {
        for (int i = 0; i < count; i++) {
            calls.getFloat();
        }
    }

    // Arguments are read in the order in which they are written: Java evaluates them from the left.
    private Rectangle2D box() {
        return new Rectangle2D.Double(next(), next(), next(), next());
    }

    private Path2D oval() {
        return new Path2D.Double(new Ellipse2D.Double(next(), next(), next(), next()));
    }

    private Path2D roundBox() {
        return new Path2D.Double(new RoundRectangle2D.Double(next(), next(), next(), next(), next(), next()));
    }

    private Path2D arc() {
        return new Path2D.Double(new Arc2D.Double(next(), next(), next(), next(), next(), next(), arcType));
    }

    /** @param before what the shape has yet to go through on the canvas: points of paths have gone through its transform already */
    private Path2D inPlace(Path2D shape, AffineTransform before) {
        AffineTransform all = new AffineTransform(place);
        all.concatenate(before);
        return new Path2D.Double(shape, all);
    }

    private double scale() {
        AffineTransform all = new AffineTransform(place);
        all.concatenate(transform);
        return Math.sqrt(Math.abs(all.getDeterminant()));
    }

    private void fill(Path2D shape) {
        shape.setWindingRule(evenOdd ? Path2D.WIND_EVEN_ODD : Path2D.WIND_NON_ZERO);
        ScenePainter.colour(fill, alpha * opacity).ifPresent(colour -> clipped(() -> out.fill(shape, colour)));
    }

    private void stroke(Path2D shape) {
        double scale = scale();
        if (lineWidth * scale <= 0) {
            return;
        }
        double[] scaled = new double[dashes.length];
        for (int i = 0; i < dashes.length; i++) {
            scaled[i] = dashes[i] * scale;
        }
        ScenePainter.colour(stroke, alpha * opacity)
                .map(colour -> new VectorCanvas.Pen(colour, lineWidth * scale, scaled, roundEnds))
                .ifPresent(pen -> clipped(() -> out.stroke(shape, pen)));
    }

    private void text() {
        double x = next();
        double y = next();
        next(); // the greatest width, which no chart sets
        calls.getBoolean();
        Text text = new Text((String) calls.getObject());
        text.setFont(font);
        text.setTextOrigin(baseline);
        text.setFill(fill);
        double width = text.getLayoutBounds().getWidth();
        AffineTransform to = new AffineTransform(place);
        to.concatenate(transform);
        to.translate(x - (align == TextAlignment.CENTER ? width / 2 : align == TextAlignment.RIGHT ? width : 0), y);
        clipped(() -> ScenePainter.write(text, to, alpha * opacity, out));
    }

    private void image(boolean part) {
        Rectangle2D target = box();
        Rectangle2D source = part ? box() : target;
        BufferedImage image = ScenePainter.buffered(Toolkit.getImageAccessor().fromPlatformImage(calls.getObject()));
        if (part) {
            image = image.getSubimage((int) source.getX(), (int) source.getY(), (int) source.getWidth(), (int) source.getHeight());
        }
        // The pixels belong to the chart, which will paint the next picture into them.
        BufferedImage kept = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_ARGB);
        kept.getGraphics().drawImage(image, 0, 0, null);
        AffineTransform to = new AffineTransform(place);
        to.concatenate(transform);
        to.translate(target.getX(), target.getY());
        to.scale(target.getWidth(), target.getHeight());
        clipped(() -> out.image(kept, to));
    }

    private void clipped(Runnable drawing) {
        if (clips.isEmpty()) {
            drawing.run();
            return;
        }
        java.util.Iterator<Path2D> left = clips.iterator();
        clipped(left, drawing);
    }

    private void clipped(java.util.Iterator<Path2D> left, Runnable drawing) {
        if (left.hasNext()) {
            out.clipped(new Path2D.Double(left.next(), place), () -> clipped(left, drawing));
        } else {
            drawing.run();
        }
    }

    private static javafx.scene.paint.Paint paint(Object prism) {
        if (prism instanceof com.sun.prism.paint.Color colour) {
            return new javafx.scene.paint.Color(colour.getRed(), colour.getGreen(), colour.getBlue(), colour.getAlpha());
        }
        if (prism instanceof com.sun.prism.paint.Gradient gradient && gradient.getNumStops() > 0) {
            return paint(gradient.getStops().get(0).getColor());
        }
        return javafx.scene.paint.Color.TRANSPARENT;
    }

    private static Path2D shape(com.sun.javafx.geom.Path2D given) {
        Path2D path = new Path2D.Double();
        float[] c = new float[6];
        for (com.sun.javafx.geom.PathIterator i = given.getPathIterator(null); !i.isDone(); i.next()) {
            switch (i.currentSegment(c)) {
                case com.sun.javafx.geom.PathIterator.SEG_MOVETO -> path.moveTo(c[0], c[1]);
                case com.sun.javafx.geom.PathIterator.SEG_LINETO -> path.lineTo(c[0], c[1]);
                case com.sun.javafx.geom.PathIterator.SEG_QUADTO -> path.quadTo(c[0], c[1], c[2], c[3]);
                case com.sun.javafx.geom.PathIterator.SEG_CUBICTO -> path.curveTo(c[0], c[1], c[2], c[3], c[4], c[5]);
                default -> path.closePath();
            }
        }
        return path;
    }
}
