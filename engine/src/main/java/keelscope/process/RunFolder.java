package keelscope.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.runfile.Failure;
import keelscope.runfile.RunFileException;

/** Where runs are kept: one folder an experiment, in it the experiment's YAML and a run file per arm. */
public final class RunFolder {
    /** The experiment's YAML in its folder. */
    public static final String EXPERIMENT = "experiment.yaml";

    private static final String RUN_FILE = ".keelrun";
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmm", Locale.ROOT);
    private static final int LONGEST_NAME = 48;

    private RunFolder() {}

    /** The folder of all runs: {@code KEELSCOPE_RUNS} where set, else {@code ~/keelscope-runs}. */
    public static Path home() {
        String set = System.getenv("KEELSCOPE_RUNS");
        return set == null || set.isBlank() ? Path.of(System.getProperty("user.home"), "keelscope-runs") : Path.of(set);
    }

    /**
     * Makes a new folder for an experiment in {@code parent}, named by date and experiment, and writes its YAML there.
     *
     * @throws RunFileException if it cannot be made or written
     */
    public static Path create(Path parent, Experiment experiment) {
        String name = DATE.format(LocalDateTime.now()) + "-" + fileName(experiment.name());
        makeAll(parent);
        for (int number = 1; ; number++) {
            Path folder = parent.resolve(number == 1 ? name : name + "-" + number);
            try {
                Files.createDirectory(folder);
                writeExperiment(folder, experiment);
                return folder;
            } catch (FileAlreadyExistsException e) {
                // two in a minute: count on
            } catch (IOException e) {
                throw refusal(folder, e);
            }
        }
    }

    /**
     * Takes {@code folder} for an experiment, making it where it is missing, and writes its YAML there.
     *
     * @throws RunFileException if it holds an experiment already, or cannot be made or written
     */
    public static Path use(Path folder, Experiment experiment) {
        makeAll(folder);
        if (Files.exists(folder.resolve(EXPERIMENT))) {
            throw new RunFileException("The folder " + folder + " holds an experiment already; choose another one.");
        }
        writeExperiment(folder, experiment);
        return folder;
    }

    /** The experiment's YAML in its folder. */
    public static Path experiment(Path folder) {
        return folder.resolve(EXPERIMENT);
    }

    /** The run file of an arm in its experiment's folder. */
    public static Path runFile(Path folder, String arm) {
        return folder.resolve(arm + RUN_FILE);
    }

    /** The arm of a run file in its experiment's folder. */
    public static String arm(Path runFile) {
        String name = runFile.getFileName().toString();
        return name.endsWith(RUN_FILE) ? name.substring(0, name.length() - RUN_FILE.length()) : name;
    }

    /**
     * The run files of a folder, by name.
     *
     * @throws RunFileException if it cannot be read or holds none
     */
    public static List<Path> runFiles(Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            List<Path> files = all.filter(file -> file.getFileName().toString().endsWith(RUN_FILE)).sorted().toList();
            if (files.isEmpty()) {
                throw new RunFileException("The folder " + folder + " holds no run file; choose a folder in which an experiment was run.");
            }
            return files;
        } catch (IOException e) {
            throw new RunFileException("The folder " + folder + " cannot be read; check that it is there and that you may read it.", e);
        }
    }

    /** What the arm's engine prints. */
    public static Path log(Path folder, String arm) {
        return folder.resolve(arm + ".log");
    }

    private static void makeAll(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw refusal(folder, e);
        }
    }

    private static void writeExperiment(Path folder, Experiment experiment) {
        try {
            Files.writeString(folder.resolve(EXPERIMENT), ExperimentFile.write(experiment), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw refusal(folder, e);
        }
    }

    private static RunFileException refusal(Path folder, IOException e) {
        return new RunFileException("The run folder " + folder + " cannot be written: " + Failure.reason(e)
                + "; choose another place, or set KEELSCOPE_RUNS to one.", e);
    }

    /** {@code name} as a part of a file name on every system: lower-case ASCII letters, digits and single hyphens. */
    static String fileName(String name) {
        String plain = Normalizer.normalize(name.replace("ß", "ss"), Normalizer.Form.NFKD).replaceAll("\\p{M}", "").toLowerCase(Locale.ROOT);
        String joined = plain.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String cut = joined.length() <= LONGEST_NAME ? joined : joined.substring(0, LONGEST_NAME).replaceAll("-[^-]*$", "");
        return cut.isEmpty() ? "experiment" : cut;
    }
}
