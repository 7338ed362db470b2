package keelscope.picture;

import java.awt.Color;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A picture in memory: taken from the window on the JavaFX thread in a moment, then written by another thread in whatever format,
 * as often as wanted.
 */
public final class Drawing implements VectorCanvas {
    private final double width;
    private final double height;
    private final String title;
    private List<Consumer<VectorCanvas>> parts = new ArrayList<>();

    /**
     * @param width and {@code height} in points
     * @param title what the picture shows, in words
     */
    public Drawing(double width, double height, String title) {
        if (!(width > 0) || !(height > 0)) {
            throw new IllegalArgumentException("The picture's size is " + width + " × " + height + "; allowed are numbers above 0.");
        }
        this.width = width;
        this.height = height;
        this.title = title;
    }

    public double width() {
        return width;
    }

    public double height() {
        return height;
    }

    public String title() {
        return title;
    }

    /** Draws it all again. */
    public void drawOn(VectorCanvas canvas) {
        parts.forEach(part -> part.accept(canvas));
    }

    @Override
    public void fill(Path2D shape, Color colour) {
        parts.add(canvas -> canvas.fill(shape, colour));
    }

    @Override
    public void stroke(Path2D path, Pen pen) {
        parts.add(canvas -> canvas.stroke(path, pen));
    }

    @Override
    public void write(Words words) {
        parts.add(canvas -> canvas.write(words));
    }

    @Override
    public void image(BufferedImage image, AffineTransform place) {
        parts.add(canvas -> canvas.image(image, place));
    }

    @Override
    public void clipped(Path2D shape, Runnable drawing) {
        List<Consumer<VectorCanvas>> outer = parts;
        List<Consumer<VectorCanvas>> inner = new ArrayList<>();
        parts = inner;
        try {
            drawing.run();
        } finally {
            parts = outer;
        }
        if (!inner.isEmpty()) {
            parts.add(canvas -> canvas.clipped(shape, () -> inner.forEach(part -> part.accept(canvas))));
        }
    }
}
