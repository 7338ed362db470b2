package keelscope.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import keelscope.runfile.RunReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvExportTest {

    @TempDir
    Path folder;

    private Path export(int steps, Progress progress) {
        try (RunReader run = RunReader.open(Runs.write(folder.resolve("keel.keelrun"), steps))) {
            return CsvExport.write(run, folder.resolve("csv"), progress);
        }
    }

    @Test
    void everyStepEventAndLayerValueIsWritten() throws IOException {
        Path csv = export(1_500, Progress.UNWATCHED);
        List<String> steps = Files.readAllLines(csv.resolve("steps.csv"));
        assertThat(steps).hasSize(1_501);
        assertThat(steps.get(0)).isEqualTo("step,tokens,loss,lr,grad_norm,step_ms,time_ms,memory_bytes");
        assertThat(steps.get(1)).isEqualTo("0,512,5.0,0.0,0.5,20.0,1700000000020,1048576");
        assertThat(steps.get(1_500)).isEqualTo("1499,768000," + 5.0 / 1_500 + ",1.499,1499.5,20.0,1700000030000,1048576");
        assertThat(Files.readAllLines(csv.resolve("validation.csv"))).hasSize(151).startsWith("step,val_loss,accuracy", "9,1.0,NaN");
        assertThat(Files.readAllLines(csv.resolve("events.csv")).get(1)).contains("3,").endsWith(",lr,\"The learning rate was halved, by \"\"hand\"\".\"");
        assertThat(Files.readAllLines(csv.resolve("layers/param_grad_norm.csv")))
                .hasSize(1_501)
                .startsWith("step,l0,l1,l2,l3", "0,0.0,1.0,2.0,3.0", "1,1.0,2.0,3.0,4.0");
        assertThat(Files.readAllLines(csv.resolve("layers/carry_gate_mean.csv"))).hasSize(151).contains("1490,0.5,0.6,0.7,NaN");
        assertThat(Files.readAllLines(csv.resolve("run.csv")))
                .contains("scheme,keel", "d_model,8", "status,FINISHED", "experiment_name,\"depth, and \"\"width\"\"\"");
        try (Stream<Path> layers = Files.list(csv.resolve("layers"))) {
            assertThat(layers).hasSize(2);
        }
    }

    @Test
    void aCancelledExportLeavesNothing() throws IOException {
        assertThatThrownBy(() -> export(100, share -> share < 0.3)).isInstanceOf(CancellationException.class);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).noneMatch(f -> f.getFileName().toString().startsWith("csv"));
        }
    }

    @Test
    void aFolderWithSomethingInItIsLeftAlone() throws IOException {
        Path other = Files.createDirectories(folder.resolve("csv")).resolve("thesis.txt");
        Files.writeString(other, "years of work");
        assertThatThrownBy(() -> export(1, Progress.UNWATCHED))
                .isInstanceOf(ExportException.class)
                .hasMessage(folder.resolve("csv") + " exists already; choose another folder or move it away.");
        assertThat(other).hasContent("years of work");
    }

    @Test
    void aHistogramHasAColumnForEachSubLayerAndBin() {
        assertThat(CsvExport.binsPerSubLayer(64, 64)).isEqualTo(1);
        assertThat(CsvExport.binsPerSubLayer(65, 64)).isEqualTo(1);
        assertThat(CsvExport.binsPerSubLayer(64 * 32, 64)).isEqualTo(32);
    }
}
