package keelscope.picture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import keelscope.export.Progress;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDDocumentInformation;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.util.Matrix;

/** PDF files of pictures, and a report of several with text before them. Fonts are embedded, reduced to the letters that occur. */
final class PdfPages {
    private static final PDRectangle SHEET = new PDRectangle(PDRectangle.A4.getHeight(), PDRectangle.A4.getWidth());
    private static final float MARGIN = 36;
    private static final float TYPE = 9;
    private static final float LINE = 12;
    private static final float HEADING = 15;

    private PdfPages() {}

    /** One page as large as the picture. */
    static void picture(Drawing drawing, Path file) throws IOException {
        try (PDDocument document = document(drawing.title())) {
            PDFont font = font(document);
            PDPage page = new PDPage(new PDRectangle((float) drawing.width(), (float) drawing.height()));
            document.addPage(page);
            draw(document, page, font, drawing, 1, 0, (float) drawing.height());
            document.save(file.toFile());
        }
    }

    /** The report on sheets of A4, lying: its text, then a page a picture. */
    static void report(Report report, Path file, Progress progress) throws IOException {
        try (PDDocument document = document(report.title())) {
            PDFont font = font(document);
            text(document, font, report.title(), report.text());
            List<Drawing> pictures = report.pictures();
            for (int i = 0; i < pictures.size(); i++) {
                progress.check((double) i / (pictures.size() + 1));
                PDPage page = new PDPage(SHEET);
                document.addPage(page);
                Drawing picture = pictures.get(i);
                double scale = Math.min((SHEET.getWidth() - 2 * MARGIN) / picture.width(), (SHEET.getHeight() - 2 * MARGIN) / picture.height());
                float left = (float) (SHEET.getWidth() - scale * picture.width()) / 2;
                float top = (float) (SHEET.getHeight() + scale * picture.height()) / 2;
                draw(document, page, font, picture, scale, left, top);
            }
            progress.check((double) pictures.size() / (pictures.size() + 1));
            document.save(file.toFile());
        }
    }

    private static PDDocument document(String title) {
        PDDocument document = new PDDocument();
        PDDocumentInformation about = new PDDocumentInformation();
        about.setTitle(title);
        about.setCreator("Keelscope");
        document.setDocumentInformation(about);
        return document;
    }

    /** Liberation Sans, which PDFBox carries (SIL Open Font License). */
    private static PDFont font(PDDocument document) throws IOException {
        try (InputStream file = PDFont.class.getResourceAsStream("/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf")) {
            if (file == null) {
                throw new IOException("PDFBox came without its font");
            }
            return PDType0Font.load(document, file, true);
        }
    }

    private static void draw(PDDocument document, PDPage page, PDFont font, Drawing drawing, double scale, float left, float top)
            throws IOException {
        try (PDPageContentStream content = new PDPageContentStream(document, page)) {
            // From here on x runs right and y down from the picture's upper left corner.
            content.transform(new Matrix((float) scale, 0, 0, (float) -scale, left, top));
            drawing.drawOn(new PdfCanvas(document, content, font));
        }
    }

    private static void text(PDDocument document, PDFont font, String title, String text) throws IOException {
        List<String> lines = new ArrayList<>();
        float room = (SHEET.getWidth() - 3 * MARGIN) / 2;
        for (String line : text.lines().toList()) {
            wrap(writable(font, line), font, room, lines);
        }
        int perColumn = (int) ((SHEET.getHeight() - 3 * MARGIN) / LINE);
        for (int from = 0; from == 0 || from < lines.size(); from += 2 * perColumn) {
            PDPage page = new PDPage(SHEET);
            document.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                put(content, font, HEADING, MARGIN, SHEET.getHeight() - MARGIN - HEADING, List.of(writable(font, title)));
                for (int column = 0; column < 2; column++) {
                    int begin = Math.min(lines.size(), from + column * perColumn);
                    int end = Math.min(lines.size(), begin + perColumn);
                    put(content, font, TYPE, MARGIN + column * (room + MARGIN), SHEET.getHeight() - 2 * MARGIN - HEADING,
                            lines.subList(begin, end));
                }
            }
        }
    }

    private static void put(PDPageContentStream content, PDFont font, float size, float x, float y, List<String> lines) throws IOException {
        content.beginText();
        content.setFont(font, size);
        content.setLeading(LINE);
        content.newLineAtOffset(x, y);
        for (String line : lines) {
            content.showText(line);
            content.newLine();
        }
        content.endText();
    }

    /** Breaks a line where it is too long, at a space where there is one; what follows is indented like the line and a little more. */
    private static void wrap(String line, PDFont font, float room, List<String> lines) throws IOException {
        String left = line;
        String indent = " ".repeat(line.length() - line.stripLeading().length() + 4);
        while (width(font, left) > room) {
            int fits = left.length();
            while (fits > 1 && width(font, left.substring(0, fits)) > room) {
                fits--;
            }
            int space = left.lastIndexOf(' ', fits);
            int cut = space > indent.length() ? space : Math.max(fits, indent.length() + 1);
            if (cut >= left.length()) {
                break;
            }
            lines.add(left.substring(0, cut).stripTrailing());
            left = indent + left.substring(cut).strip();
        }
        lines.add(left);
    }

    private static float width(PDFont font, String text) throws IOException {
        return font.getStringWidth(text) / 1000 * TYPE;
    }

    /** The text in letters that the font has; the others by what Unicode takes them for, or a question mark. */
    private static String writable(PDFont font, String text) throws IOException {
        StringBuilder writable = new StringBuilder();
        for (int c : text.codePoints().toArray()) {
            String letter = Character.isWhitespace(c) || Character.isISOControl(c) ? " " : Character.toString(c);
            for (String candidate : List.of(letter, java.text.Normalizer.normalize(letter, java.text.Normalizer.Form.NFKD), "?")) {
                if (canWrite(font, candidate)) {
                    writable.append(candidate);
                    break;
                }
            }
        }
        return writable.toString();
    }

    static boolean canWrite(PDFont font, String text) throws IOException {
        try {
            font.encode(text);
            return true;
        } catch (IllegalArgumentException e) {
            // PDFBox's way to say that a letter is missing.
            return false;
        }
    }
}
