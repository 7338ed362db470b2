package keelscope.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunFolderTest {
    @Test
    void aNameBecomesAPartOfAFileNameOnEverySystem() {
        assertThat(RunFolder.fileName("Keel, Pre-LN and Post-LN at 64 layers")).isEqualTo("keel-pre-ln-and-post-ln-at-64-layers");
        assertThat(RunFolder.fileName("  ../Größe:\\Tiefe?  ")).isEqualTo("grosse-tiefe");
        assertThat(RunFolder.fileName("深")).isEqualTo("experiment");
        assertThat(RunFolder.fileName("word ".repeat(30))).hasSizeLessThanOrEqualTo(48).endsWith("word");
    }
}
