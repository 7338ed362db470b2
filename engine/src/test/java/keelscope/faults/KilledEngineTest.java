package keelscope.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class KilledEngineTest {
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void anEngineKilledAtRandomLosesNoCommittedStepAndGoesOnBitByBit(@TempDir Path folder) throws Exception {
        assertThat(KilledEngine.run(folder, 3, 20_24, false)).contains("no committed step lost");
    }
}
