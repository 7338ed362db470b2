package keelscope.library;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Collectors;
import keelscope.text.Quantities;
import keelscope.text.Texts;

/** How the library writes what it knows. */
final class LibraryTexts {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    private LibraryTexts() {}

    static String state(RunHead arm) {
        return arm.gone() ? Texts.get("library.state.gone") : Texts.get("library.state." + arm.status().name().toLowerCase(Locale.ROOT));
    }

    static String state(LibraryRun run) {
        return run.arms().stream().map(LibraryTexts::state).distinct().collect(Collectors.joining(", "));
    }

    static String date(long ms) {
        return ms <= 0 ? "" : DATE.format(Instant.ofEpochMilli(ms).atZone(ZoneId.systemDefault()));
    }

    static String number(double value) {
        return Double.isFinite(value) ? Quantities.number(value) : "";
    }

    static String loss(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4f", value) : "";
    }
}
