package keelscope.picture;

import java.awt.Color;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.geom.PathIterator;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;
import org.apache.pdfbox.pdmodel.graphics.image.PDImageXObject;
import org.apache.pdfbox.pdmodel.graphics.state.PDExtendedGraphicsState;
import org.apache.pdfbox.pdmodel.graphics.state.RenderingMode;
import org.apache.pdfbox.util.Matrix;

/**
 * Draws on a page of a PDF. Words are paths, and lie over them once more as invisible text, as in a scanned and recognised page:
 * so they look the same everywhere and can still be searched for and copied.
 */
final class PdfCanvas implements VectorCanvas {
    private final PDDocument document;
    private final PDPageContentStream page;
    private final PDFont font;

    /**
     * @param page whose coordinates run from the upper left corner of the picture downwards
     * @param font of the invisible text
     */
    PdfCanvas(PDDocument document, PDPageContentStream page, PDFont font) {
        this.document = document;
        this.page = page;
        this.font = font;
    }

    /** Writes to the page. */
    @FunctionalInterface
    private interface Writing {
        void run() throws IOException;
    }

    private static void attempt(Writing writing) {
        try {
            writing.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void alone(Writing writing) {
        attempt(() -> {
            page.saveGraphicsState();
            writing.run();
            page.restoreGraphicsState();
        });
    }

    @Override
    public void fill(Path2D shape, Color colour) {
        alone(() -> {
            opacity(colour);
            page.setNonStrokingColor(opaque(colour));
            if (path(shape)) {
                if (shape.getWindingRule() == PathIterator.WIND_EVEN_ODD) {
                    page.fillEvenOdd();
                } else {
                    page.fill();
                }
            }
        });
    }

    @Override
    public void stroke(Path2D path, Pen pen) {
        alone(() -> {
            opacity(pen.colour());
            page.setStrokingColor(opaque(pen.colour()));
            page.setLineWidth((float) pen.width());
            page.setLineJoinStyle(1);
            page.setLineCapStyle(pen.roundEnds() ? 1 : 0);
            float[] dashes = new float[pen.dashes().length];
            for (int i = 0; i < dashes.length; i++) {
                dashes[i] = (float) pen.dashes()[i];
            }
            page.setLineDashPattern(dashes, 0);
            if (path(path)) {
                page.stroke();
            }
        });
    }

    @Override
    public void write(Words words) {
        fill(words.outline(), words.colour());
        String known = known(words.text());
        if (known.isBlank()) {
            return;
        }
        alone(() -> {
            double natural = font.getStringWidth(known) / 1000 * words.size();
            AffineTransform place = new AffineTransform(words.place());
            if (natural > 0 && words.width() > 0) {
                place.scale(words.width() / natural, 1);
            }
            // Letters stand upright where y points up.
            place.scale(1, -1);
            page.beginText();
            page.setRenderingMode(RenderingMode.NEITHER);
            page.setFont(font, (float) words.size());
            page.setTextMatrix(new Matrix(place));
            page.showText(known);
            page.endText();
        });
    }

    /** What the font can write of a text. */
    private String known(String text) {
        StringBuilder known = new StringBuilder();
        text.codePoints().forEach(c -> {
            String letter = Character.isWhitespace(c) || Character.isISOControl(c) ? " " : Character.toString(c);
            try {
                // What is not in this font is in the picture as a shape.
                known.append(PdfPages.canWrite(font, letter) ? letter : " ");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return known.toString();
    }

    @Override
    public void image(BufferedImage image, AffineTransform place) {
        alone(() -> {
            PDImageXObject object = LosslessFactory.createFromImage(document, image);
            object.setInterpolate(false);
            AffineTransform upright = new AffineTransform(place);
            // An image's own square has its lower left corner at the origin and y up.
            upright.translate(0, 1);
            upright.scale(1, -1);
            page.drawImage(object, new Matrix(upright));
        });
    }

    @Override
    public void clipped(Path2D shape, Runnable drawing) {
        alone(() -> {
            if (path(shape)) {
                page.clip();
            }
            drawing.run();
        });
    }

    /** Colour and opacity are apart in PDF. */
    private void opacity(Color colour) throws IOException {
        if (colour.getAlpha() < 255) {
            PDExtendedGraphicsState state = new PDExtendedGraphicsState();
            state.setNonStrokingAlphaConstant(colour.getAlpha() / 255f);
            state.setStrokingAlphaConstant(colour.getAlpha() / 255f);
            page.setGraphicsStateParameters(state);
        }
    }

    private static Color opaque(Color colour) {
        return new Color(colour.getRGB() & 0xffffff);
    }

    /** Whether there was anything in the path. */
    private boolean path(Path2D path) throws IOException {
        double[] c = new double[6];
        double x = 0;
        double y = 0;
        boolean any = false;
        for (PathIterator i = path.getPathIterator(null); !i.isDone(); i.next()) {
            switch (i.currentSegment(c)) {
                case PathIterator.SEG_MOVETO -> page.moveTo((float) c[0], (float) c[1]);
                case PathIterator.SEG_LINETO -> page.lineTo((float) c[0], (float) c[1]);
                case PathIterator.SEG_QUADTO -> page.curveTo(
                        (float) (x + (c[0] - x) * 2 / 3), (float) (y + (c[1] - y) * 2 / 3),
                        (float) (c[2] + (c[0] - c[2]) * 2 / 3), (float) (c[3] + (c[1] - c[3]) * 2 / 3),
                        (float) c[2], (float) c[3]);
                case PathIterator.SEG_CUBICTO -> page.curveTo(
                        (float) c[0], (float) c[1], (float) c[2], (float) c[3], (float) c[4], (float) c[5]);
                default -> page.closePath();
            }
            int last = lastPoint(i.currentSegment(c));
            if (last >= 0) {
                x = c[last];
                y = c[last + 1];
            }
            any = true;
        }
        return any;
    }

    private static int lastPoint(int segment) {
        return switch (segment) {
            case PathIterator.SEG_MOVETO, PathIterator.SEG_LINETO -> 0;
            case PathIterator.SEG_QUADTO -> 2;
            case PathIterator.SEG_CUBICTO -> 4;
            default -> -1;
        };
    }
}
