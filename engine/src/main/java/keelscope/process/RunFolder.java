package keelscope.process;

import java.nio.file.Path;

/** Where runs are kept: one folder an experiment, in it the experiment's YAML and a run file per arm. */
public final class RunFolder {

    private RunFolder() {}

    /** The folder of all runs: {@code KEELSCOPE_RUNS} where set, else {@code ~/keelscope-runs}. */
    public static Path home() {
        String set = System.getenv("KEELSCOPE_RUNS");
        return set == null || set.isBlank() ? Path.of(System.getProperty("user.home"), "keelscope-runs") : Path.of(set);
    }

    /** Makes a new folder for an experiment in {@code parent}, named by date and experiment, and writes its YAML there. */
    public static Path create(Path parent, keelscope.experiment.Experiment experiment) {
        throw new UnsupportedOperationException();
    }
}
