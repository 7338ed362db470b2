package keelscope.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import javafx.animation.AnimationTimer;
import javafx.embed.swing.SwingFXUtils;
import javafx.scene.Scene;
import javafx.stage.Stage;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import keelscope.chart.ChartTile;
import keelscope.dashboard.Dashboard;
import keelscope.export.Progress;
import keelscope.run.FormulaArm;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** Pictures of real charts in a real window, read back with an XML parser and with PDFBox. */
@ExtendWith(ApplicationExtension.class)
class PicturesTest {
    private static final List<String> ARMS = List.of("Keel", "Pre-LN", "Post-LN");

    @TempDir
    Path folder;

    private Dashboard dashboard;

    @Start
    void start(Stage stage) {
        dashboard = new Dashboard();
        Scene scene = new Scene(dashboard, 1400, 900);
        scene.getStylesheets().add(keelscope.app.MainWindow.class.getResource("light.css").toExternalForm());
        stage.setScene(scene);
        stage.show();
        dashboard.show(FormulaArm.three(399));
    }

    private static <T> T onFx(Callable<T> work) {
        return WaitForAsyncUtils.waitForAsyncFx(60_000, work);
    }

    /** Charts draw over some frames until their axes fit their data. */
    private void settle() throws Exception {
        java.util.concurrent.CountDownLatch frames = new java.util.concurrent.CountDownLatch(30);
        AnimationTimer timer = new AnimationTimer() {
            @Override
            public void handle(long now) {
                frames.countDown();
            }
        };
        onFx(() -> {
            timer.start();
            return true;
        });
        assertThat(frames.await(60, TimeUnit.SECONDS)).isTrue();
        onFx(() -> {
            timer.stop();
            return true;
        });
    }

    private Path keep(String name) throws Exception {
        String where = System.getProperty("keelscope.pictures", "");
        return (where.isEmpty() ? folder : Files.createDirectories(Path.of(where))).resolve(name);
    }

    @Test
    void anSvgHasEveryLabelAsTextAndEveryCurveAsALine() throws Exception {
        settle();
        for (ChartTile tile : dashboard.tiles()) {
            Path file = keep(Pictures.fileName(tile) + ".svg");
            Drawing drawing = onFx(() -> Pictures.of(tile));
            Pictures.svg(drawing, file);
            Document svg = parse(file);
            assertThat(svg.getDocumentElement().getAttribute("width")).isEqualTo(number(tile.getWidth()));
            List<String> words = texts(svg, "text");
            assertThat(words).contains(tile.title()).containsAll(ARMS);
            // Nothing that is there to be pressed.
            assertThat(words).doesNotContain("Smoothing", "Log", "Linear", "All", "Attn", "Each arm");
            assertThat(texts(svg, "title")).containsExactly(tile.summary());
            // No letter depends on a font that the reader may lack.
            assertThat(svg.getElementsByTagName("path").getLength()).isGreaterThan(words.size() + 10);
        }
        Document loss = parse(keep("loss.svg"));
        assertThat(texts(loss, "text")).contains("step", "loss (nats per token)");
    }

    private static String number(double value) {
        return java.math.BigDecimal.valueOf(value).setScale(3, java.math.RoundingMode.HALF_EVEN).stripTrailingZeros().toPlainString();
    }

    private static Document parse(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(file.toFile());
    }

    private static List<String> texts(Document svg, String element) {
        NodeList nodes = svg.getElementsByTagName(element);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }

    @Test
    void aPdfLooksLikeTheScreenAndItsLabelsAreText() throws Exception {
        settle();
        for (ChartTile tile : dashboard.tiles()) {
            Path file = keep(Pictures.fileName(tile) + ".pdf");
            BufferedImage screen = onFx(() -> SwingFXUtils.fromFXImage(tile.snapshotImage(1), null));
            Pictures.pdf(onFx(() -> Pictures.of(tile)), file);
            try (PDDocument pdf = Loader.loadPDF(file.toFile())) {
                assertThat(pdf.getNumberOfPages()).isEqualTo(1);
                assertThat(new PDFTextStripper().getText(pdf)).contains(ARMS);
                for (var name : pdf.getPage(0).getResources().getFontNames()) {
                    PDFont font = pdf.getPage(0).getResources().getFont(name);
                    assertThat(font.isEmbedded()).isTrue();
                }
                BufferedImage page = new PDFRenderer(pdf).renderImage(0, 1);
                // The header's buttons are left out, and edges are smoothed by another rasteriser.
                assertThat(difference(screen, page)).as(tile.title()).isLessThan(0.04);
            }
        }
    }

    /** Mean difference of the red, green and blue of all pixels below the header, 0 … 1. */
    private static double difference(BufferedImage a, BufferedImage b) {
        // The screen's picture has whole pixels at both sides of what may begin between two.
        assertThat(Math.abs(a.getWidth() - b.getWidth())).isLessThanOrEqualTo(2);
        double sum = 0;
        long count = 0;
        for (int y = 40; y < Math.min(a.getHeight(), b.getHeight()); y++) {
            for (int x = 0; x < Math.min(a.getWidth(), b.getWidth()); x++) {
                for (int shift = 0; shift <= 16; shift += 8) {
                    sum += Math.abs((a.getRGB(x, y) >> shift & 255) - (b.getRGB(x, y) >> shift & 255)) / 255.0;
                    count++;
                }
            }
        }
        return sum / count;
    }

    @Test
    void takingAPictureLeavesTheChartAsItWas() throws Exception {
        settle();
        ChartTile loss = dashboard.tiles().get(0);
        BufferedImage before = onFx(() -> SwingFXUtils.fromFXImage(loss.snapshotImage(1), null));
        onFx(() -> Pictures.of(loss));
        settle();
        BufferedImage after = onFx(() -> SwingFXUtils.fromFXImage(loss.snapshotImage(1), null));
        assertThat(difference(before, after)).isLessThan(0.002);
    }

    @Test
    void aPngHasTwoPixelsAPoint() throws Exception {
        settle();
        ChartTile loss = dashboard.tiles().get(0);
        Path file = keep("loss.png");
        double width = onFx(loss::getWidth);
        Pictures.png(onFx(() -> Pictures.image(loss)), file);
        BufferedImage image = ImageIO.read(file.toFile());
        assertThat((double) image.getWidth()).isBetween(2 * width - 2, 2 * width + 2);
        // Right of the title there is nothing: neither slider nor buttons, nor a frame.
        int paper = image.getRGB(image.getWidth() - 1, 0);
        for (int x = image.getWidth() / 2; x < image.getWidth(); x++) {
            for (int y = 0; y < 70; y++) {
                assertThat(image.getRGB(x, y)).as("pixel %d, %d", x, y).isEqualTo(paper);
            }
        }
        settle();
        assertThat(onFx(loss::getWidth)).isEqualTo(width);
    }

    @Test
    void theDataOfTheLossChartAreTheLossesOfTheArms() throws Exception {
        settle();
        String csv = onFx(() -> dashboard.tiles().get(0).csv());
        double[] loss = FormulaArm.three(399).get(0).steps().loss();
        List<String> lines = csv.lines().toList();
        assertThat(lines.get(0)).isEqualTo("line,step,loss (nats per token),lower_edge");
        assertThat(lines).contains("raw 0 keel,0.0," + loss[0] + ",", "raw 0 keel,399.0," + loss[399] + ",");
    }

    @Test
    void aReportHasItsTextThenTheDashboardThenEachChart() throws Exception {
        settle();
        Report report = onFx(() -> {
            List<Drawing> pictures = new ArrayList<>();
            pictures.add(Pictures.of(dashboard, "Dashboard", dashboard.tiles()));
            dashboard.tiles().forEach(tile -> pictures.add(Pictures.of(tile)));
            return new Report("Three schemes", "Width: 64\n  α = L\n" + "a long line of words ".repeat(20), pictures);
        });
        Path file = keep("report.pdf");
        report.write(file, Progress.UNWATCHED);
        try (PDDocument pdf = Loader.loadPDF(file.toFile())) {
            assertThat(pdf.getNumberOfPages()).isEqualTo(2 + dashboard.tiles().size());
            PDFTextStripper page = new PDFTextStripper();
            page.setEndPage(1);
            assertThat(page.getText(pdf)).contains("Three schemes", "Width: 64", "α = L");
            page.setStartPage(2);
            page.setEndPage(2);
            assertThat(page.getText(pdf)).contains(ARMS).contains("step");
        }
    }

    @Test
    void aCancelledReportLeavesNothing() throws Exception {
        settle();
        Report report = onFx(() -> new Report("x", "y", List.of(Pictures.of(dashboard.tiles().get(0)))));
        Path file = folder.resolve("cancelled.pdf");
        assertThatThrownBy(() -> report.write(file, share -> false)).isInstanceOf(CancellationException.class);
        assertThat(folder).isEmptyDirectory();
    }
}
