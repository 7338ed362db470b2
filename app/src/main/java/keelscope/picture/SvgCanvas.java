package keelscope.picture;

import java.awt.Color;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.geom.PathIterator;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Draws as SVG 1.1 (https://www.w3.org/TR/SVG11/). Words are paths, each group of them with the text itself, invisible, at the same
 * place: it can be searched for and selected, and no reader needs the font.
 */
final class SvgCanvas implements VectorCanvas {
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final String XLINK = "http://www.w3.org/1999/xlink";

    private final StringWriter text = new StringWriter();
    private final XMLStreamWriter xml;
    private int clips;

    private SvgCanvas() throws XMLStreamException {
        xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
    }

    /** The picture as an SVG document. */
    static String of(Drawing drawing) {
        try {
            SvgCanvas canvas = new SvgCanvas();
            canvas.document(drawing);
            return canvas.text.toString();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("The picture cannot be written as XML: " + e.getMessage(), e);
        }
    }

    private void document(Drawing drawing) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeStartElement("svg");
        xml.writeDefaultNamespace(SVG);
        xml.writeNamespace("xlink", XLINK);
        xml.writeAttribute("version", "1.1");
        xml.writeAttribute("width", number(drawing.width()));
        xml.writeAttribute("height", number(drawing.height()));
        xml.writeAttribute("viewBox", "0 0 " + number(drawing.width()) + " " + number(drawing.height()));
        xml.writeStartElement("title");
        xml.writeCharacters(legal(drawing.title()));
        xml.writeEndElement();
        drawing.drawOn(this);
        xml.writeEndElement();
        xml.writeEndDocument();
        xml.flush();
    }

    /** Does something that can only fail by a mistake in this class, the target being memory. */
    @FunctionalInterface
    private interface Writing {
        void run() throws XMLStreamException;
    }

    private static void attempt(Writing writing) {
        try {
            writing.run();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("The picture cannot be written as XML: " + e.getMessage(), e);
        }
    }

    @Override
    public void fill(Path2D shape, Color colour) {
        attempt(() -> {
            xml.writeEmptyElement("path");
            xml.writeAttribute("d", path(shape));
            paint("fill", colour);
            if (shape.getWindingRule() == PathIterator.WIND_EVEN_ODD) {
                xml.writeAttribute("fill-rule", "evenodd");
            }
        });
    }

    @Override
    public void stroke(Path2D path, Pen pen) {
        attempt(() -> {
            xml.writeEmptyElement("path");
            xml.writeAttribute("d", path(path));
            xml.writeAttribute("fill", "none");
            paint("stroke", pen.colour());
            xml.writeAttribute("stroke-width", number(pen.width()));
            xml.writeAttribute("stroke-linejoin", "round");
            if (pen.roundEnds()) {
                xml.writeAttribute("stroke-linecap", "round");
            }
            if (pen.dashes().length > 0) {
                xml.writeAttribute("stroke-dasharray",
                        Arrays.stream(pen.dashes()).mapToObj(SvgCanvas::number).collect(Collectors.joining(",")));
            }
        });
    }

    @Override
    public void write(Words words) {
        attempt(() -> {
            xml.writeStartElement("g");
            xml.writeEmptyElement("path");
            xml.writeAttribute("d", path(words.outline()));
            paint("fill", words.colour());
            xml.writeStartElement("text");
            xml.writeAttribute("transform", matrix(words.place()));
            xml.writeAttribute("font-family", "sans-serif");
            xml.writeAttribute("font-size", number(words.size()));
            if (words.width() > 0) {
                xml.writeAttribute("textLength", number(words.width()));
                xml.writeAttribute("lengthAdjust", "spacingAndGlyphs");
            }
            xml.writeAttribute("fill-opacity", "0");
            xml.writeCharacters(legal(words.text()));
            xml.writeEndElement();
            xml.writeEndElement();
        });
    }

    @Override
    public void image(BufferedImage image, AffineTransform place) {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", png);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        attempt(() -> {
            xml.writeEmptyElement("image");
            xml.writeAttribute("transform", matrix(place));
            xml.writeAttribute("width", "1");
            xml.writeAttribute("height", "1");
            xml.writeAttribute("preserveAspectRatio", "none");
            // Cells of a heat map must not run into each other.
            xml.writeAttribute("style", "image-rendering:pixelated");
            xml.writeAttribute(XLINK, "href", "data:image/png;base64," + Base64.getEncoder().encodeToString(png.toByteArray()));
        });
    }

    @Override
    public void clipped(Path2D shape, Runnable drawing) {
        attempt(() -> {
            String id = "clip" + clips++;
            xml.writeStartElement("clipPath");
            xml.writeAttribute("id", id);
            xml.writeEmptyElement("path");
            xml.writeAttribute("d", path(shape));
            xml.writeEndElement();
            xml.writeStartElement("g");
            xml.writeAttribute("clip-path", "url(#" + id + ")");
        });
        drawing.run();
        attempt(xml::writeEndElement);
    }

    private void paint(String attribute, Color colour) throws XMLStreamException {
        xml.writeAttribute(attribute, String.format("#%06x", colour.getRGB() & 0xffffff));
        if (colour.getAlpha() < 255) {
            xml.writeAttribute(attribute + "-opacity", number(colour.getAlpha() / 255.0));
        }
    }

    private static String matrix(AffineTransform t) {
        // The unit square of an image becomes hundreds of points wide: its matrix needs more digits than a point does.
        return "matrix(" + exact(t.getScaleX()) + " " + exact(t.getShearY()) + " " + exact(t.getShearX()) + " " + exact(t.getScaleY()) + " "
                + number(t.getTranslateX()) + " " + number(t.getTranslateY()) + ")";
    }

    private static String path(Path2D path) {
        StringBuilder d = new StringBuilder();
        double[] c = new double[6];
        for (PathIterator i = path.getPathIterator(null); !i.isDone(); i.next()) {
            int points =
                    switch (i.currentSegment(c)) {
                        case PathIterator.SEG_MOVETO -> letter(d, 'M', 1);
                        case PathIterator.SEG_LINETO -> letter(d, 'L', 1);
                        case PathIterator.SEG_QUADTO -> letter(d, 'Q', 2);
                        case PathIterator.SEG_CUBICTO -> letter(d, 'C', 3);
                        default -> letter(d, 'Z', 0);
                    };
            for (int k = 0; k < 2 * points; k++) {
                d.append(k == 0 ? "" : " ").append(number(c[k]));
            }
        }
        return d.toString();
    }

    private static int letter(StringBuilder d, char letter, int points) {
        d.append(letter);
        return points;
    }

    private static String number(double value) {
        return digits(value, 3);
    }

    private static String exact(double value) {
        return digits(value, 6);
    }

    private static String digits(double value, int decimals) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }

    /** Without characters that XML 1.0 forbids. */
    private static String legal(String text) {
        return text.replaceAll("[^\\t\\n\\r\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]", " ");
    }
}
