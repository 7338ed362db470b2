package keelscope.process;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far an engine is in reading its text. A run file begins with what the text turned out to be, so this is said before there is one:
 * by a line in the engine's log.
 */
public final class ReadingProgress implements DoubleConsumer {
    private static final Pattern LINE = Pattern.compile("Reading the text: (\\d+) %");
    /** A text that takes less long to read is not worth a word; then one as often. */
    private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(1);

    private final PrintStream log;
    private long said = System.nanoTime();

    /**
     * In the engine.
     *
     * @param log its standard output
     */
    public ReadingProgress(PrintStream log) {
        this.log = log;
    }

    @Override
    public void accept(double share) {
        long now = System.nanoTime();
        if (now - said >= EVERY_NS) {
            said = now;
            log.println(line(share));
        }
    }

    static String line(double share) {
        return String.format(Locale.ROOT, "Reading the text: %d %%", (int) (100 * share));
    }

    static boolean isLine(String line) {
        return LINE.matcher(line).matches();
    }

    /**
     * Outside the engine: the share that has been read, in percent; empty where the engine is at something else.
     *
     * @param log what the engine printed
     */
    public static Optional<Integer> percent(Path log) {
        return EngineEnd.lastLine(log)
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> Integer.valueOf(line.group(1)));
    }
}
