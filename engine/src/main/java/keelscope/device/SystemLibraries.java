package keelscope.device;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The shared libraries that JavaFX takes from a Linux system; app/keelscope reads the same list. */
final class SystemLibraries {

    /** What a library is needed for: pictures without a display, or besides those a window. */
    enum Use {
        DRAWING,
        WINDOW
    }

    /**
     * A library.
     *
     * @param name as the loader knows it, for example {@code libgtk-3.so.0}
     * @param debianPackage the package it comes in on Debian
     */
    record Library(String name, String debianPackage, Use use) {}

    private SystemLibraries() {}

    /** All of them. */
    static List<Library> all() {
        InputStream stream = SystemLibraries.class.getResourceAsStream("system-libraries.txt");
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .map(line -> line.split(" "))
                    .map(word -> new Library(word[0], word[1], Use.valueOf(word[2].toUpperCase(Locale.ROOT))))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Those that are missing.
     *
     * @param loaderCache what {@code ldconfig -p} printed
     */
    static List<Library> missing(String loaderCache) {
        return all().stream()
                .filter(library -> !loaderCache.contains("\t" + library.name() + " "))
                .toList();
    }

    /** What {@code ldconfig -p} prints here; empty where there is no such program or it knows nothing. */
    static Optional<String> loaderCache() {
        for (String program : List.of("/sbin/ldconfig", "/usr/sbin/ldconfig", "ldconfig")) {
            try {
                Probe.Output output = Child.run(List.of(program, "-p"), Map.of(), Duration.ofSeconds(10));
                if (output.status() == 0 && !output.text().isBlank()) {
                    return Optional.of(output.text());
                }
            } catch (IOException e) {
                // Not there under this name.
            }
        }
        return Optional.empty();
    }

    /** The packages of these libraries, for a sentence or a command. */
    static String packages(List<Library> libraries) {
        return libraries.stream().map(Library::debianPackage).collect(Collectors.joining(" "));
    }
}
