package keelscope.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import keelscope.run.RecordedRun;
import keelscope.runfile.RunStatus;
import org.apache.pdfbox.Loader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PictureExportTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int export(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "export";
        System.arraycopy(args, 0, all, 1, args.length);
        assertThat(PictureExport.isAskedFor(all)).isTrue();
        return PictureExport.run(all, print(out), print(err));
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    @Test
    void picturesOfARunAreMadeWithoutADisplay() throws Exception {
        Path run = RecordedRun.write(folder, 8, 60, 60, RunStatus.FINISHED, "");
        Path made = folder.resolve("made");
        assertThat(export(run.toString(), "--svg", made.toString(), "--pdf", made.toString(), "--png", made.toString(), "--data",
                        made.toString(), "--report", folder.resolve("all.pdf").toString(), "--csv", folder.resolve("csv").toString()))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(made.resolve("loss.svg").toFile())
                        .getElementsByTagName("text").getLength())
                .isGreaterThan(10);
        try (var pdf = Loader.loadPDF(made.resolve("loss.pdf").toFile())) {
            assertThat(new org.apache.pdfbox.text.PDFTextStripper().getText(pdf)).contains("Post-LN");
        }
        assertThat(Files.readString(made.resolve("loss.csv"))).startsWith("line,step,");
        assertThat(made.resolve("loss.png")).isNotEmptyFile();
        assertThat(folder.resolve("all.pdf")).isNotEmptyFile();
        assertThat(folder.resolve("csv")).isDirectoryRecursivelyContaining("glob:**/steps.csv");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Wrote " + made.resolve("loss.svg"));
    }

    @Test
    void aRunThatIsNotThereIsRefusedInOneSentence() {
        assertThat(export(folder.resolve("nowhere.keelrun").toString(), "--svg", folder.toString())).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("nowhere.keelrun");
    }

    /** The launcher starts the window's program for these, and the engine's for any other export. */
    @Test
    void theLauncherKnowsEveryOptionThatAsksForPictures() throws Exception {
        assertThat(Files.readString(Path.of("keelscope")))
                .contains(String.join(" | ", PictureExport.OPTIONS) + " | " + String.join("=* | ", PictureExport.OPTIONS) + "=*)");
    }
}
