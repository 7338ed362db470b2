package keelscope.setup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The experiments that come with the program, in {@code samples/experiments}. */
public final class SampleExperiments {
    /** The one that is offered first. */
    private static final String DEFAULT = "keel-pre-post-64.yaml";

    private SampleExperiments() {}

    /**
     * The project's folder: {@code -Dkeelscope.home} where set, else the nearest folder with {@code
     * samples/experiments} above this program's classes or above the working directory.
     */
    public static Optional<Path> home() {
        String set = System.getProperty("keelscope.home");
        if (set != null && !set.isBlank()) {
            return Optional.of(Path.of(set));
        }
        List<Path> starts = new ArrayList<>();
        CodeSource source = SampleExperiments.class.getProtectionDomain().getCodeSource();
        if (source != null) {
            try {
                starts.add(Path.of(source.getLocation().toURI()));
            } catch (URISyntaxException | IllegalArgumentException e) {
                // Not on a file system: the working directory remains.
                starts.clear();
            }
        }
        starts.add(Path.of("").toAbsolutePath());
        for (Path start : starts) {
            for (Path folder = start; folder != null; folder = folder.getParent()) {
                if (Files.isDirectory(folder.resolve("samples").resolve("experiments"))) {
                    return Optional.of(folder);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * The sample experiments' files, the default first, then by name; none where the samples are not there.
     *
     * @throws UncheckedIOException if their folder cannot be read
     */
    public static List<Path> list() {
        List<Path> found = new ArrayList<>();
        Optional<Path> folder = home().map(home -> home.resolve("samples").resolve("experiments"));
        if (folder.isPresent() && Files.isDirectory(folder.get())) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.get(), "*.{yaml,yml}")) {
                files.forEach(found::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        found.sort(Comparator.comparing((Path file) -> !isDefault(file)).thenComparing(Path::getFileName));
        return found;
    }

    private static boolean isDefault(Path file) {
        return file.getFileName().toString().equals(DEFAULT);
    }
}
