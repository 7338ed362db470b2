package keelscope.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import keelscope.data.Corpus;
import keelscope.export.LogImport;
import keelscope.export.Progress;
import keelscope.run.RunSession;

/** What a file or a folder is that a user hands to the window. */
enum Handed {
    /** A run file, a folder of them, or a folder that holds nothing the window knows. */
    RUN,
    /** Another program's log, or a folder of logs. */
    LOG,
    /** An experiment's YAML. */
    EXPERIMENT,
    /** A text to train on, or a folder of texts. */
    TEXT;

    /** So many files of a folder are looked at for texts: enough to know it, and few enough that nobody waits for it. */
    private static final int MOST_LOOKED_AT = 2000;

    /**
     * Tells a file by its name. A folder is looked into, which may take a while.
     *
     * @throws java.util.concurrent.CancellationException if {@code progress} cancels
     */
    static Handed of(Path path, Progress progress) {
        String name = nameOf(path);
        if (LogImport.isLog(path, progress)) {
            return LOG;
        }
        if (Files.isDirectory(path)) {
            return holdsTexts(path, progress) ? TEXT : RUN;
        }
        if (name.endsWith(RunSession.RUN_FILE_SUFFIX)) {
            return RUN;
        }
        return name.endsWith(".yaml") || name.endsWith(".yml") ? EXPERIMENT : TEXT;
    }

    private static boolean holdsTexts(Path folder, Progress progress) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> some = files.limit(MOST_LOOKED_AT).peek(file -> progress.check(0)).toList();
            return some.stream().noneMatch(file -> nameOf(file).endsWith(RunSession.RUN_FILE_SUFFIX))
                    && some.stream().anyMatch(Corpus::isText);
        } catch (IOException | UncheckedIOException e) {
            // Whoever opens it will say what is wrong with it.
            return false;
        }
    }

    private static String nameOf(Path path) {
        return String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
    }
}
