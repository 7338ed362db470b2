package keelscope.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import keelscope.runfile.Failure;

/** Makes a new folder under another name and renames it when it is complete, so that a cancelled export leaves nothing. */
final class Aside {

    /** Fills the folder. */
    @FunctionalInterface
    interface Content {
        void writeTo(Path folder) throws IOException;
    }

    private Aside() {}

    static Path folder(Path target, Content content) {
        Path absolute = target.toAbsolutePath();
        Path aside = absolute.resolveSibling(absolute.getFileName() + ".unfinished");
        try {
            if (Files.exists(absolute) && !isEmptyFolder(absolute)) {
                throw new ExportException(target + " exists already; choose another folder or move it away.");
            }
            remove(aside);
            Files.createDirectories(aside);
            content.writeTo(aside);
            Files.deleteIfExists(absolute);
            return Files.move(aside, absolute);
        } catch (IOException e) {
            ExportException refusal = new ExportException("The export to " + target + " cannot be written: " + Failure.reason(e)
                    + "; choose another folder.", e);
            discard(aside, refusal);
            throw refusal;
        } catch (RuntimeException | Error e) {
            discard(aside, e);
            throw e;
        }
    }

    private static boolean isEmptyFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> content = Files.list(folder)) {
            return content.findAny().isEmpty();
        }
    }

    private static void discard(Path folder, Throwable because) {
        try {
            remove(folder);
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(folder)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.delete(path);
        }
    }
}
