package keelscope.process;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import keelscope.experiment.ArmSpec;
import keelscope.experiment.Experiment;
import keelscope.experiment.MemoryFit;

/**
 * What is asked before the first engine of a run starts, so that what cannot be trained is refused once, not by each engine, and leaves
 * no run folder behind. Quick, whatever the size of the text, and without PyTorch.
 */
public final class Preflight {

    private Preflight() {}

    /**
     * Refuses arms that cannot be trained side by side.
     *
     * @throws keelscope.data.DataException if the data cannot be used, as far as a quick look tells
     * @throws keelscope.experiment.InvalidExperimentException if the arms do not fit into memory together
     */
    public static void require(Experiment experiment, Collection<ArmSpec> arms) {
        experiment.data().look(Path.of(""));
        requireMemory(experiment, arms);
    }

    /**
     * Refuses arms that cannot be trained one after another.
     *
     * @throws keelscope.data.DataException if the data cannot be used, as far as a quick look tells
     * @throws keelscope.experiment.InvalidExperimentException if one of the arms does not fit into memory
     */
    public static void requireEach(Experiment experiment, Collection<ArmSpec> arms) {
        experiment.data().look(Path.of(""));
        arms.forEach(arm -> requireMemory(experiment, List.of(arm)));
    }

    /**
     * Refuses arms that do not fit into memory side by side. On a GPU it is the card's memory that counts, of which the estimate knows
     * nothing: there nothing is refused.
     *
     * @throws keelscope.experiment.InvalidExperimentException with the numbers and the nearest change that fits
     */
    public static void requireMemory(Experiment experiment, Collection<ArmSpec> arms) {
        if (!EngineProcess.device(experiment).isGpu()) {
            MemoryFit.require(experiment, arms, FreeMemory.bytes());
        }
    }
}
