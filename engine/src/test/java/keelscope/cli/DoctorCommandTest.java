package keelscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import keelscope.device.Finding;
import keelscope.device.Finding.Level;
import org.junit.jupiter.api.Test;

class DoctorCommandTest {

    private static final List<Finding> FINDINGS = List.of(
            new Finding(Level.OK, "Java", "17 in /jdk", ""),
            new Finding(Level.FAIL, "disk, runs", "0.1 GB free in /runs", "free some space there"));

    @Test
    void findingsAreAlignedWithWhatToDoBelow() {
        assertThat(DoctorCommand.asText(FINDINGS).lines())
                .containsExactly(
                        "ok    Java        17 in /jdk",
                        "fail  disk, runs  0.1 GB free in /runs",
                        "                  → free some space there");
    }

    @Test
    void aFailureMakesTheReportUnsoundAlsoInJson() throws IOException {
        JsonNode report = new ObjectMapper().readTree(DoctorCommand.asJson(FINDINGS));
        assertThat(report.get("sound").asBoolean()).isFalse();
        assertThat(report.at("/findings/1/level").asText()).isEqualTo("fail");
        assertThat(report.at("/findings/1/remedy").asText()).isEqualTo("free some space there");
        assertThat(new ObjectMapper()
                        .readTree(DoctorCommand.asJson(FINDINGS.subList(0, 1)))
                        .get("sound")
                        .asBoolean())
                .isTrue();
    }
}
