package keelscope.experiment;

import java.nio.file.Path;

/** Reads and writes experiments as YAML; every key is described in the README's table. */
public final class ExperimentFile {

    private ExperimentFile() {}

    /**
     * Reads an experiment. A relative {@code data.text} is resolved against the file's folder.
     *
     * @throws InvalidExperimentException with one sentence that names the key, its place (file, line) and what is allowed
     */
    public static Experiment read(Path file) {
        throw new UnsupportedOperationException();
    }

    /** Parses YAML text; {@code origin} names it in messages, {@code folder} resolves a relative {@code data.text}. */
    public static Experiment parse(String yaml, String origin, Path folder) {
        throw new UnsupportedOperationException();
    }

    /** The experiment as YAML with every default written out; {@link #parse} gives it back. */
    public static String write(Experiment experiment) {
        throw new UnsupportedOperationException();
    }
}
