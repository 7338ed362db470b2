package keelscope.picture;

import java.awt.Color;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;

/** What a picture is made of. Coordinates are points, x to the right, y down; later things lie above earlier ones. */
public interface VectorCanvas {

    /** Ends and corners are as a chart's: butt ends for dashes, round joins. */
    record Pen(Color colour, double width, double[] dashes, boolean roundEnds) {
        public Pen {
            if (!(width > 0)) {
                throw new IllegalArgumentException("width is " + width + "; allowed is a number above 0.");
            }
        }
    }

    /**
     * Words as they look, and as they read.
     *
     * @param text what is written
     * @param outline the letters' shapes
     * @param size of the type
     * @param place takes (0, 0), the left end of the base line, and directions to where they are in the picture
     * @param width of the words before {@code place}
     */
    record Words(String text, Path2D outline, Color colour, double size, AffineTransform place, double width) {}

    /** Fills a shape by its winding rule. */
    void fill(Path2D shape, Color colour);

    /** Draws a line along a path. */
    void stroke(Path2D path, Pen pen);

    /**
     * Writes words: drawn as shapes, so that they look the same everywhere whatever fonts there are, and kept as text that can be
     * searched for, selected and read aloud.
     */
    void write(Words words);

    /** Draws an image; {@code place} takes the unit square, (0, 0) its upper left corner, to where it lies. */
    void image(BufferedImage image, AffineTransform place);

    /** Draws only what falls into a shape. */
    void clipped(Path2D shape, Runnable drawing);
}
