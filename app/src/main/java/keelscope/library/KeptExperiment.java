package keelscope.library;

import java.nio.file.Path;
import keelscope.experiment.Experiment;
import keelscope.experiment.ExperimentFile;
import keelscope.experiment.InvalidExperimentException;
import keelscope.runfile.RunInfo;
import keelscope.text.Texts;

/** The experiment that a run was made from, as its run file keeps it. */
public final class KeptExperiment {
    private KeptExperiment() {}

    /**
     * The experiment, to be changed and started again.
     *
     * @param file the run file
     * @param name what the run is called on screen
     * @throws InvalidExperimentException with one sentence if none was kept, or one that this version cannot use
     */
    public static Experiment of(RunInfo info, Path file, String name) {
        if (info.experimentYaml().isEmpty()) {
            throw new InvalidExperimentException("", Texts.get("library.duplicate.none", name));
        }
        try {
            return ExperimentFile.parse(info.experimentYaml(), name, file.toAbsolutePath().getParent());
        } catch (InvalidExperimentException e) {
            throw new InvalidExperimentException(e.key(), Texts.get("library.duplicate.unread", name, e.getMessage()));
        }
    }
}
