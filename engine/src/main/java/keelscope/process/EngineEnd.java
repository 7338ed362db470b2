package keelscope.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why an engine process that did not say so itself has ended, from its exit status and the last thing it printed.
 *
 * @param text a sentence without its full stop, in which {@link #ENGINE} stands for the engine
 * @param kind the kind of the event in the run file: killed or failed
 * @param byRequest whether this program ended it, because it was to stop
 */
record EngineEnd(String text, String kind, boolean byRequest) {
    static final String ENGINE = "{engine}";

    /** An exit status above this is a signal's number added to it. */
    private static final int SIGNALLED = 128;

    /** Exit status of the command line for an error it has a sentence for. */
    private static final int EXPLAINED = 1;

    /** Exit status of {@code -XX:+ExitOnOutOfMemoryError}. */
    private static final int OUT_OF_MEMORY = 3;

    private static final int LOG_TAIL = 8192;

    static EngineEnd of(int exitValue, Duration killedAfter, Path log, Path crashFile) {
        if (!killedAfter.isZero()) {
            return new EngineEnd(String.format(Locale.ROOT, ENGINE + " was asked to stop and was ended by force after %.1f s",
                    killedAfter.toMillis() / 1e3), "killed", true);
        }
        if (isOutOfMemory(crashFile)) {
            return new EngineEnd(ENGINE + " ran out of memory (try fewer layers, a smaller batch, shorter sequences or training.recompute: on)",
                    "failed", false);
        }
        if (Files.exists(crashFile)) {
            return new EngineEnd(ENGINE + " crashed in native code (details are in " + crashFile + ")", "failed", false);
        }
        if (exitValue > SIGNALLED) {
            int signal = exitValue - SIGNALLED;
            return new EngineEnd(ENGINE + " was ended by signal " + signal + switch (signal) {
                case 2 -> " (interrupted)";
                case 6, 11 -> " (a crash in native code)";
                case 9 -> " (killed, perhaps for lack of memory)";
                case 15 -> " (asked to end)";
                default -> "";
            }, "killed", false);
        }
        Optional<String> said = lastLine(log).filter(line -> !ReadingProgress.isLine(line)).map(line -> line.replaceAll("[.\\s]+$", ""));
        if (exitValue == OUT_OF_MEMORY && said.filter(line -> line.contains("OutOfMemoryError")).isPresent()) {
            return new EngineEnd(ENGINE + " ran out of Java memory (try a smaller data.batch, training.accumulate or data.sequence)", "failed", false);
        }
        if (exitValue == EXPLAINED && said.isPresent()) {
            return new EngineEnd(said.get(), "failed", false);
        }
        if (said.isEmpty() && isFull(log)) {
            return new EngineEnd(ENGINE + " ended with status " + exitValue + ", and the disk that holds its log " + log
                    + " is full: free some space on it", "failed", false);
        }
        return new EngineEnd(ENGINE + " ended with status " + exitValue + said.map(line -> " and said: " + line).orElse("")
                + " (its log is " + log + ")", "failed", false);
    }

    /** Whether Java says that the system gave it no more memory; it ends as after a crash then. */
    private static boolean isOutOfMemory(Path crashFile) {
        try (Stream<String> lines = Files.lines(crashFile)) {
            return lines.limit(10).anyMatch(line -> line.contains("insufficient memory"));
        } catch (IOException | UncheckedIOException e) {
            return false; // there is none
        }
    }

    /** Whether no word of the engine can have found room in its log. */
    private static boolean isFull(Path log) {
        try {
            return Files.getFileStore(log).getUsableSpace() == 0;
        } catch (IOException e) {
            return false; // not known, so not said
        }
    }

    /** The last line of a log that a user can read: not blank, not of a stack trace. */
    static Optional<String> lastLine(Path log) {
        String tail;
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - LOG_TAIL);
            byte[] bytes = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            tail = new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return Optional.empty(); // there is no log to quote
        }
        return tail.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\t") && !line.startsWith("Caused by:") && !line.startsWith("#"))
                .reduce((a, b) -> b)
                .map(String::strip);
    }
}
