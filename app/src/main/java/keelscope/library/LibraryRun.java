package keelscope.library;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import keelscope.model.Scheme;

/**
 * One run: an experiment's folder with an arm or several, or a single run file that was read from another program's log.
 *
 * @param place the folder, or the single file
 * @param home whether it lies in the runs folder
 * @param label what its owner wrote
 * @param arms its run files that can be read; at least one
 */
public record LibraryRun(Path place, boolean home, RunLabel label, List<RunHead> arms) {
    public LibraryRun {
        arms = List.copyOf(arms);
        if (arms.isEmpty()) {
            throw new IllegalArgumentException("arms is empty; allowed is one arm or more.");
        }
    }

    /** What it is called: by its owner, else by its experiment. */
    public String name() {
        return label.name().isEmpty() ? arms.get(0).info().experimentName() : label.name();
    }

    public String schemes() {
        return arms.stream().map(LibraryRun::scheme).distinct().collect(Collectors.joining(", "));
    }

    static String scheme(RunHead arm) {
        return Scheme.of(arm.info().scheme()).map(Scheme::title).orElse(arm.info().scheme());
    }

    public int layers() {
        return arms.stream().mapToInt(arm -> arm.info().layers()).max().orElse(0);
    }

    public int width() {
        return arms.stream().mapToInt(arm -> arm.info().dModel()).max().orElse(0);
    }

    public String data() {
        return arms.get(0).info().data();
    }

    /** The greatest of its arms; NaN where none is known. */
    public double peakRate() {
        return rates().max().orElse(Double.NaN);
    }

    private DoubleStream rates() {
        return arms.stream().mapToDouble(RunHead::peakRate).filter(Double::isFinite);
    }

    /** The least of its arms; NaN where none has a step. */
    public double loss() {
        return arms.stream().mapToDouble(RunHead::loss).filter(Double::isFinite).min().orElse(Double.NaN);
    }

    /** Whether an engine is writing one of its arms. */
    public boolean live() {
        return arms.stream().anyMatch(RunHead::live);
    }

    /** When it was begun, ms since 1970. */
    public long createdMs() {
        return arms.stream().mapToLong(arm -> arm.info().createdMs()).min().orElse(0);
    }

    /** What is known of the run and searched for words. */
    String searched() {
        return (name() + " " + arms.get(0).info().experimentName() + " " + schemes() + " L=" + layers() + " " + data() + " "
                        + String.join(" ", label.tags()) + " " + label.notes() + " "
                        + arms.stream()
                                .map(arm -> arm.info().arm() + " " + arm.info().scheme() + " " + LibraryTexts.state(arm))
                                .collect(Collectors.joining(" "))
                        + (label.star() ? " starred" : ""))
                .toLowerCase(Locale.ROOT);
    }

    /** Whether {@code searched} holds every word, whatever its case. */
    static boolean matches(String searched, String words) {
        for (String word : words.toLowerCase(Locale.ROOT).strip().split("\\s+")) {
            if (!searched.contains(word)) {
                return false;
            }
        }
        return true;
    }
}
