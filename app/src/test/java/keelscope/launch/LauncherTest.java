package keelscope.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code app/keelscope} in a small copy of the project, with a Java, a Maven and a package manager that only note how they
 * were called.
 */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {

    private static final Path LAUNCHER = Path.of("keelscope").toAbsolutePath();
    private static final String LIBRARIES = "engine/src/main/resources/keelscope/device/system-libraries.txt";

    @TempDir
    private Path folder;

    private Path project;
    private Path bin;
    private Path jdk;

    /** What a start came to. */
    private record Result(int status, String out, String err) {}

    @BeforeEach
    void makeProject() throws IOException {
        project = Files.createDirectories(folder.resolve("a project"));
        bin = Files.createDirectories(folder.resolve("bin"));
        jdk = Files.createDirectories(folder.resolve("jdk"));
        for (String source : List.of("pom.xml", "engine/pom.xml", "app/pom.xml", "engine/src/main/A.java", "app/src/main/B.java")) {
            write(source, "");
        }
        write(LIBRARIES, Files.readString(LAUNCHER.resolveSibling("../" + LIBRARIES).normalize()));
        Files.copy(LAUNCHER, project.resolve("app/keelscope"));

        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"17.0.1\"\n");
        script(jdk.resolve("bin/java"), "for a in \"$@\"; do echo \"[$a]\"; done; exit ${JAVA_STATUS:-0}");
        script(jdk.resolve("bin/javac"), "");
        script(
                bin.resolve("mvn"),
                "echo \"$@\" >> '" + folder + "/maven-calls'\n"
                        + "echo \"[INFO] Tests run: 3\"\n"
                        + "[ -z \"${MAVEN_SAYS:-}\" ] || { printf '%s\\n' \"$MAVEN_SAYS\"; exit 1; }\n"
                        + "cd \"$3/..\" 2>/dev/null || cd \"$(dirname \"$3\")\"\n"
                        + "mkdir -p engine/target/classes app/target/classes\n"
                        + "touch '" + folder + "/lib.jar'\n"
                        + "printf '%s' '" + folder + "/lib.jar' > app/target/classpath");
        script(bin.resolve("ldconfig"), "");
    }

    @Test
    void theFirstStartBuildsAndTheSecondStartsNoMaven() throws Exception {
        Result first = start(List.of(), "doctor");
        assertThat(first.status()).isZero();
        assertThat(first.err()).contains("building");
        assertThat(mavenCalls()).hasSize(1);
        Result second = start(List.of(), "doctor");
        assertThat(second.err()).isEmpty();
        assertThat(mavenCalls()).hasSize(1);
    }

    @Test
    void aSourceThatChangedOrIsGoneIsBuiltAnew() throws Exception {
        start(List.of(), "doctor");
        Path source = project.resolve("engine/src/main/A.java");
        Instant later = Instant.now().plusSeconds(2);
        Files.setLastModifiedTime(source, FileTime.from(later));
        start(List.of(), "doctor");
        assertThat(mavenCalls()).hasSize(2);

        Files.delete(project.resolve("app/src/main/B.java"));
        Files.setLastModifiedTime(project.resolve("app/src/main"), FileTime.from(later));
        start(List.of(), "doctor");
        assertThat(mavenCalls()).hasSize(3);
    }

    @Test
    void aLibraryThatIsGoneIsFetchedAgain() throws Exception {
        start(List.of(), "doctor");
        Files.delete(folder.resolve("lib.jar"));
        start(List.of(), "doctor");
        assertThat(mavenCalls()).hasSize(2);
    }

    @Test
    void aCommandGoesToTheEngineWithItsWordsAndItsExitStatusComesBack() throws Exception {
        Result result = start(List.of("JAVA_STATUS=7"), "run", "my file.yaml", "--out", "");
        assertThat(result.status()).isEqualTo(7);
        assertThat(result.out()).contains("[keelscope.cli.Main]\n[run]\n[my file.yaml]\n[--out]\n[]\n");
        assertThat(result.out()).contains("[-DOPT_OUT_TRACKING=true]");
    }

    @Test
    void noWordOrAFileOpensTheWindow() throws Exception {
        assertThat(start(List.of("KEELSCOPE_SKIP_SYSTEM_CHECK=1")).out()).endsWith("[keelscope.app.Main]\n");
        assertThat(start(List.of("KEELSCOPE_SKIP_SYSTEM_CHECK=1"), "my experiment.yaml").out())
                .endsWith("[keelscope.app.Main]\n[my experiment.yaml]\n");
    }

    @Test
    void theClassPathIsTheProjectsClassesThenTheLibraries() throws Exception {
        assertThat(start(List.of(), "doctor").out())
                .contains("[" + real(project) + "/app/target/classes:" + real(project) + "/engine/target/classes:" + folder
                        + "/lib.jar]");
    }

    @Test
    void itIsFoundThroughALinkFromAnotherFolder() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("a project/app/keelscope"));
        Result result = start(link, List.of(), "doctor");
        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.out()).contains("[doctor]");
    }

    @Test
    void aJavaThatIsTooOldOrNotThereIsNamed() throws Exception {
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"1.8.0_392\"\n");
        assertThat(refused(List.of(), "doctor"))
                .isEqualTo("keelscope: JAVA_HOME is a Java 1 (" + jdk
                        + "), but Keelscope needs a JDK 17 or newer: set JAVA_HOME to one, or unset it.\n");
        assertThat(refused(List.of("JAVA_HOME=/nowhere"), "doctor")).contains("JAVA_HOME is /nowhere");
    }

    @Test
    void aJavaThatCannotCompileIsTold() throws Exception {
        Files.delete(jdk.resolve("bin/javac"));
        assertThat(refused(List.of(), "doctor")).contains("cannot compile: install a JDK 17");
    }

    @Test
    @DisabledOnOs(OS.MAC)
    void inAPlainLocaleJavaIsGivenUtf8AndAnotherLocaleIsLeftAlone() throws Exception {
        script(jdk.resolve("bin/java"), "echo \"${LC_ALL:-} ${LC_CTYPE:-}\"");
        assertThat(start(List.of("LC_ALL=", "LC_CTYPE=", "LANG="), "doctor").out()).isEqualTo(" C.UTF-8\n");
        assertThat(start(List.of("LC_ALL=C", "LC_CTYPE=", "LANG="), "doctor").out()).isEqualTo("C.UTF-8 C.UTF-8\n");
        assertThat(start(List.of("LC_ALL=", "LC_CTYPE=", "LANG=C.UTF-8"), "doctor").out()).isEqualTo(" \n");
        assertThat(start(List.of("LC_ALL=", "LC_CTYPE=", "LANG=tlh_QO.UTF-8"), "doctor").out()).as("a locale that is not there")
                .isEqualTo(" C.UTF-8\n");
    }

    @Test
    void picturesAreDrawnByTheWindowsProgramAndTheRestOfExportByTheEngines() throws Exception {
        assertThat(start(List.of(), "export", "run", "--csv", "a", "--png=b").out()).contains("[keelscope.app.Main]\n[export]");
        assertThat(start(List.of(), "export", "run", "--csv", "a").out()).contains("[keelscope.cli.Main]\n[export]");
    }

    @Test
    void theHomeFolderIsThatOfTheEnvironment() throws Exception {
        assertThat(start(List.of("HOME=/a home"), "doctor").out()).contains("[-Duser.home=/a home]");
    }

    @Test
    void aNewJavaIsToldThatNativeLibrariesAreMeant() throws Exception {
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
        assertThat(start(List.of(), "doctor").out())
                .contains("[--enable-native-access=ALL-UNNAMED]\n[--sun-misc-unsafe-memory-access=allow]");
    }

    /** As another user meets it whose home is closed: the libraries are as good as gone, and the project's folder is not to be written. */
    @Test
    void librariesOfAnotherUserThatCannotBeReadAreTold() throws Exception {
        start(List.of(), "doctor");
        Path library = folder.resolve("lib.jar");
        Files.delete(library);
        script(bin.resolve("touch"), "exit 1");
        assertThat(refused(List.of(), "doctor"))
                .isEqualTo("keelscope: Keelscope was built by another user, with libraries that you cannot read (" + library
                        + "): copy the project to a folder of yours and start it there, or let that user make them readable.\n");
    }

    @Test
    void withoutTheNetworkOneSentenceSaysWhatMavenCouldNotReach() throws Exception {
        String maven = "MAVEN_SAYS=[ERROR] Could not transfer artifact a:b:pom:1 from/to central (https://repo): transfer failed"
                + " for https://repo/x.pom: Unknown host repo -> [Help 1]";
        assertThat(refused(List.of(maven), "doctor"))
                .endsWith("keelscope: libraries are missing and Maven Central could not be reached (Unknown host repo): connect to"
                        + " the network (behind a proxy, tell ~/.m2/settings.xml of it) and start again.\n");
    }

    @Test
    void aBuildThatFailsShowsItsErrorsAndStartsNothing() throws Exception {
        Result result = start(List.of("MAVEN_SAYS=[ERROR] A.java:[1,2] ';' expected"), "doctor");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("';' expected").contains("the build failed");
    }

    @Test
    void testHandsItsWordsToMavenAndShowsWhatItSays() throws Exception {
        Result result = start(List.of("KEELSCOPE_SKIP_SYSTEM_CHECK=1"), "test", "-Dtest=Some*");
        assertThat(result.status()).isZero();
        assertThat(result.out()).contains("Tests run: 3");
        assertThat(mavenCalls().get(0)).endsWith("test -Dtest=Some*");
        assertThat(start(List.of("KEELSCOPE_SKIP_SYSTEM_CHECK=1", "MAVEN_SAYS=failed"), "test").status())
                .isEqualTo(1);
    }

    @Test
    @DisabledOnOs(OS.MAC)
    void rootInstallsTheSystemLibrariesThatAreMissing() throws Exception {
        script(bin.resolve("id"), "echo 0");
        script(bin.resolve("apt-get"), "echo \"$@\" >> '" + folder + "/apt-calls'");
        script(bin.resolve("ldconfig"), "printf '\\tlibgtk-3.so.0 (libc6) => /x\\n\\tlibfreetype.so.6 (libc6) => /x\\n'");
        Result result = start(List.of("DISPLAY=:9"));
        assertThat(result.status()).as(result.err()).isZero();
        assertThat(Files.readString(folder.resolve("apt-calls")))
                .startsWith("install -y ")
                .contains(" libgl1")
                .doesNotContain("libgtk")
                .doesNotContain("libfreetype6");
    }

    @Test
    @DisabledOnOs(OS.MAC)
    void oneWhoMayNotInstallIsAskedForThePackagesByName() throws Exception {
        script(bin.resolve("id"), "echo 1000");
        script(bin.resolve("sudo"), "exit 1");
        script(bin.resolve("apt-get"), "");
        script(bin.resolve("ldconfig"), "printf '\\tlibfreetype.so.6 (libc6) => /x\\n'");
        assertThat(refused(List.of("DISPLAY=")))
                .isEqualTo("keelscope: the system lacks libraries that the window needs; install them with: sudo apt-get install"
                        + " libfontconfig1 libpango-1.0-0 libpangoft2-1.0-0\n");
    }

    private String refused(List<String> environment, String... words) throws Exception {
        Result result = start(environment, words);
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        return result.err();
    }

    private Result start(List<String> environment, String... words) throws Exception {
        return start(project.resolve("app/keelscope"), environment, words);
    }

    private Result start(Path launcher, List<String> environment, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", launcher.toString()));
        command.addAll(List.of(words));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("PATH", bin + ":/usr/bin:/bin");
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().remove("DISPLAY");
        for (String variable : environment) {
            builder.environment().put(variable.split("=", 2)[0], variable.split("=", 2)[1]);
        }
        Process process = builder.start();
        try {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private List<String> mavenCalls() throws IOException {
        return Files.readAllLines(folder.resolve("maven-calls"));
    }

    private static Path real(Path path) throws IOException {
        return path.toRealPath();
    }

    private void write(String path, String text) throws IOException {
        Path file = project.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, StandardCharsets.UTF_8);
        // Older than any build.
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
