package keelscope.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import keelscope.runfile.Failure;
import keelscope.runfile.RunFileException;
import keelscope.runfile.RunReader;

/** Several runs taken out into one folder, each into a folder in it that has the arm's name. */
public final class RunExport {

    private static final String RUN_FILE = ".keelrun";

    /** What a run can be taken out as. */
    public enum Format {
        CSV,
        TENSORBOARD
    }

    private RunExport() {}

    /**
     * The run files that are meant by a file or a folder: of a folder all in it, or, where it holds none, those one folder below.
     *
     * @throws ExportException if there is none
     */
    public static List<Path> runFiles(Path fileOrFolder) {
        if (!Files.isDirectory(fileOrFolder)) {
            return List.of(fileOrFolder);
        }
        for (int depth = 1; depth <= 2; depth++) {
            try (Stream<Path> all = Files.walk(fileOrFolder, depth)) {
                List<Path> files = all.filter(f -> f.getFileName().toString().endsWith(RUN_FILE) && Files.isRegularFile(f)).sorted().toList();
                if (!files.isEmpty()) {
                    return files;
                }
            } catch (IOException e) {
                throw new ExportException("The folder " + fileOrFolder + " cannot be read: " + Failure.reason(e) + ".", e);
            }
        }
        throw new ExportException("There is no run file in the folder " + fileOrFolder + "; run files end in " + RUN_FILE + ".");
    }

    /**
     * Writes the folder with all runs, or nothing.
     *
     * @param target a folder that does not exist or is empty
     * @return the folders of the runs, in the order of the run files
     * @throws ExportException with one sentence if it cannot be written
     * @throws RunFileException if a run file cannot be read; nothing is left then
     * @throws java.util.concurrent.CancellationException if {@code progress} cancels; nothing is left then
     */
    public static List<Path> write(List<Path> runFiles, Format format, Path target, Progress progress) {
        List<String> names = new ArrayList<>();
        Aside.folder(target, folder -> {
            Set<String> taken = new HashSet<>();
            for (int i = 0; i < runFiles.size(); i++) {
                int done = i;
                Progress part = share -> progress.at((done + share) / runFiles.size());
                try (RunReader run = RunReader.open(runFiles.get(i))) {
                    String name = free(run.info().arm(), taken);
                    names.add(name);
                    switch (format) {
                        case CSV -> CsvExport.write(run, folder.resolve(name), part);
                        case TENSORBOARD -> TensorBoardExport.write(run, folder.resolve(name), part);
                    }
                }
            }
        });
        return names.stream().map(target::resolve).toList();
    }

    /** The name as a folder's, with a number where it is taken; upper and lower case count as the same. */
    private static String free(String arm, Set<String> taken) {
        String plain = arm.replaceAll("[^\\p{L}\\p{N} ._+=-]", "_").strip();
        String name = plain.isEmpty() || plain.startsWith(".") ? "run" + plain : plain;
        String free = name;
        for (int number = 2; !taken.add(free.toLowerCase(Locale.ROOT)); number++) {
            free = name + "-" + number;
        }
        return free;
    }
}
