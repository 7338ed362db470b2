package keelscope.picture;

import java.awt.Color;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.geom.RoundRectangle2D;
import java.awt.image.BufferedImage;
import java.util.Optional;
import javafx.embed.swing.SwingFXUtils;
import javafx.geometry.Bounds;
import javafx.geometry.Insets;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.canvas.Canvas;
import javafx.scene.image.Image;
import javafx.scene.image.ImageView;
import javafx.scene.layout.BackgroundFill;
import javafx.scene.layout.BorderStroke;
import javafx.scene.layout.Region;
import javafx.scene.paint.LinearGradient;
import javafx.scene.paint.Paint;
import javafx.scene.shape.ClosePath;
import javafx.scene.shape.CubicCurveTo;
import javafx.scene.shape.Line;
import javafx.scene.shape.LineTo;
import javafx.scene.shape.MoveTo;
import javafx.scene.shape.Path;
import javafx.scene.shape.PathElement;
import javafx.scene.shape.QuadCurveTo;
import javafx.scene.shape.Rectangle;
import javafx.scene.shape.Shape;
import javafx.scene.text.Text;
import javafx.scene.transform.Transform;

/**
 * Draws a part of the window again, line for line: texts, shapes, backgrounds and borders from the scene graph, charts from what was
 * drawn on their canvases.
 */
final class ScenePainter {
    private final Node root;
    private final AffineTransform toPicture;
    private final VectorCanvas canvas;

    /** @param toPicture from the root's coordinates to the picture's */
    ScenePainter(Node root, AffineTransform toPicture, VectorCanvas canvas) {
        this.root = root;
        this.toPicture = toPicture;
        this.canvas = canvas;
    }

    /** Draws the root and all in it; on the JavaFX thread. */
    void paint() {
        paint(root, 1);
    }

    private void paint(Node node, double opacityAbove) {
        double opacity = opacityAbove * node.getOpacity();
        if (!node.isVisible() || opacity <= 0) {
            return;
        }
        if (node.getClip() != null) {
            Bounds clip = node.getClip().getBoundsInParent();
            canvas.clipped(placed(rectangle(clip), place(node)), () -> paintUnclipped(node, opacity));
        } else {
            paintUnclipped(node, opacity);
        }
    }

    private void paintUnclipped(Node node, double opacity) {
        if (node instanceof Canvas drawn) {
            new CanvasRecord(drawn, place(node), opacity).drawOn(canvas);
        } else if (node instanceof Text text) {
            write(text, place(text), opacity, canvas);
        } else if (node instanceof Line line) {
            line(line, opacity);
        } else if (node instanceof Shape shape) {
            shape(shape, opacity);
        } else if (node instanceof ImageView view && view.getImage() != null) {
            image(view);
        } else if (node instanceof Region region) {
            background(region, opacity);
            border(region, opacity);
        }
        if (node instanceof Parent parent) {
            for (Node child : parent.getChildrenUnmodifiable()) {
                paint(child, opacity);
            }
        }
    }

    /** From a node's own coordinates to the picture's. */
    private AffineTransform place(Node node) {
        AffineTransform place = new AffineTransform(toPicture);
        place.concatenate(affine(fromScene()));
        place.concatenate(affine(node.getLocalToSceneTransform()));
        return place;
    }

    private Transform fromScene() {
        try {
            return root.getLocalToSceneTransform().createInverse();
        } catch (javafx.scene.transform.NonInvertibleTransformException e) {
            throw new IllegalStateException("A part of the window that has no size cannot be drawn.", e);
        }
    }

    static AffineTransform affine(Transform t) {
        return new AffineTransform(t.getMxx(), t.getMyx(), t.getMxy(), t.getMyy(), t.getTx(), t.getTy());
    }

    // --- words and shapes -------------------------------------------------------------------------------------------

    /** @param place from the text's own coordinates to the picture's */
    static void write(Text text, AffineTransform place, double opacity, VectorCanvas canvas) {
        Optional<Color> colour = colour(text.getFill(), opacity);
        if (colour.isEmpty() || text.getText().isBlank()) {
            return;
        }
        Bounds box = text.getLayoutBounds();
        AffineTransform base = new AffineTransform(place);
        base.translate(box.getMinX(), box.getMinY() + text.getBaselineOffset());
        double scale = Math.sqrt(Math.abs(place.getDeterminant()));
        AffineTransform even = new AffineTransform(base);
        even.scale(1 / scale, 1 / scale);
        canvas.write(new VectorCanvas.Words(text.getText(), outline(text, place), colour.get(), text.getFont().getSize() * scale, even,
                box.getWidth() * scale));
    }

    /** The letters' shapes: what remains of the text when nothing is taken away. */
    private static Path2D outline(Text text, AffineTransform place) {
        Text alone = new Text(text.getX(), text.getY(), text.getText());
        alone.setFont(text.getFont());
        alone.setTextOrigin(text.getTextOrigin());
        alone.setWrappingWidth(text.getWrappingWidth());
        alone.setTextAlignment(text.getTextAlignment());
        alone.setBoundsType(text.getBoundsType());
        return placed(path((Path) Shape.subtract(alone, new Rectangle(0, 0))), place);
    }

    private void line(Line line, double opacity) {
        Path2D path = new Path2D.Double();
        path.moveTo(line.getStartX(), line.getStartY());
        path.lineTo(line.getEndX(), line.getEndY());
        AffineTransform place = place(line);
        double scale = Math.sqrt(Math.abs(place.getDeterminant()));
        colour(line.getStroke(), opacity).filter(c -> line.getStrokeWidth() > 0).ifPresent(colour -> canvas.stroke(placed(path, place),
                new VectorCanvas.Pen(colour, line.getStrokeWidth() * scale,
                        line.getStrokeDashArray().stream().mapToDouble(dash -> dash * scale).toArray(), false)));
    }

    private void shape(Shape shape, double opacity) {
        Optional<Color> colour = colour(shape.getFill(), opacity).or(() -> colour(shape.getStroke(), opacity));
        if (colour.isEmpty()) {
            return;
        }
        // In scene coordinates.
        Path2D path = path((Path) Shape.subtract(shape, new Rectangle(0, 0)));
        AffineTransform place = new AffineTransform(toPicture);
        place.concatenate(affine(fromScene()));
        canvas.fill(placed(path, place), colour.get());
    }

    private void image(ImageView view) {
        Bounds box = view.getLayoutBounds();
        AffineTransform place = place(view);
        place.translate(box.getMinX(), box.getMinY());
        place.scale(box.getWidth(), box.getHeight());
        canvas.image(buffered(view.getImage()), place);
    }

    static BufferedImage buffered(Image image) {
        return SwingFXUtils.fromFXImage(image, null);
    }

    // --- boxes ------------------------------------------------------------------------------------------------------

    private void background(Region region, double opacity) {
        if (region.getBackground() == null || region.getShape() != null) {
            return;
        }
        for (BackgroundFill fill : region.getBackground().getFills()) {
            Insets in = fill.getInsets();
            double w = region.getWidth() - in.getLeft() - in.getRight();
            double h = region.getHeight() - in.getTop() - in.getBottom();
            double arc = 2 * fill.getRadii().getTopLeftHorizontalRadius();
            if (w > 0 && h > 0) {
                java.awt.Shape box = arc > 0
                        ? new RoundRectangle2D.Double(in.getLeft(), in.getTop(), w, h, Math.min(arc, w), Math.min(arc, h))
                        : new Rectangle2D.Double(in.getLeft(), in.getTop(), w, h);
                colour(fill.getFill(), opacity)
                        .ifPresent(colour -> canvas.fill(placed(new Path2D.Double(box), place(region)), colour));
            }
        }
    }

    private void border(Region region, double opacity) {
        if (region.getBorder() == null) {
            return;
        }
        double w = region.getWidth();
        double h = region.getHeight();
        for (BorderStroke stroke : region.getBorder().getStrokes()) {
            double top = stroke.getWidths().getTop();
            double right = stroke.getWidths().getRight();
            double bottom = stroke.getWidths().getBottom();
            double left = stroke.getWidths().getLeft();
            side(region, stroke.getTopStroke(), new Rectangle2D.Double(0, 0, w, top), opacity);
            side(region, stroke.getBottomStroke(), new Rectangle2D.Double(0, h - bottom, w, bottom), opacity);
            side(region, stroke.getLeftStroke(), new Rectangle2D.Double(0, 0, left, h), opacity);
            side(region, stroke.getRightStroke(), new Rectangle2D.Double(w - right, 0, right, h), opacity);
        }
    }

    private void side(Region region, Paint paint, Rectangle2D side, double opacity) {
        if (!side.isEmpty()) {
            colour(paint, opacity).ifPresent(colour -> canvas.fill(placed(new Path2D.Double(side), place(region)), colour));
        }
    }

    // --- from JavaFX's geometry to Java's ---------------------------------------------------------------------------

    static Path2D placed(Path2D path, AffineTransform place) {
        return new Path2D.Double(path, place);
    }

    private static Path2D rectangle(Bounds box) {
        return new Path2D.Double(new Rectangle2D.Double(box.getMinX(), box.getMinY(), box.getWidth(), box.getHeight()));
    }

    private static Path2D path(Path shape) {
        Path2D path = new Path2D.Double();
        for (PathElement element : shape.getElements()) {
            if (element instanceof MoveTo to) {
                path.moveTo(to.getX(), to.getY());
            } else if (element instanceof LineTo to) {
                path.lineTo(to.getX(), to.getY());
            } else if (element instanceof QuadCurveTo to) {
                path.quadTo(to.getControlX(), to.getControlY(), to.getX(), to.getY());
            } else if (element instanceof CubicCurveTo to) {
                path.curveTo(to.getControlX1(), to.getControlY1(), to.getControlX2(), to.getControlY2(), to.getX(), to.getY());
            } else if (element instanceof ClosePath) {
                path.closePath();
            }
        }
        return path;
    }

    /** A paint as one colour, a gradient as its first; empty where nothing would be seen. */
    static Optional<Color> colour(Paint paint, double opacity) {
        if (paint instanceof LinearGradient gradient && !gradient.getStops().isEmpty()) {
            return colour(gradient.getStops().get(0).getColor(), opacity);
        }
        if (paint instanceof javafx.scene.paint.Color colour && colour.getOpacity() * opacity > 0) {
            return Optional.of(new Color((float) colour.getRed(), (float) colour.getGreen(), (float) colour.getBlue(),
                    (float) (colour.getOpacity() * Math.min(1, opacity))));
        }
        return Optional.empty();
    }
}
