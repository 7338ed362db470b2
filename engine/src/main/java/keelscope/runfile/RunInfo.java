package keelscope.runfile;

/**
 * What an arm is, fixed when its run file is made.
 *
 * @param experimentName name of the experiment
 * @param experimentYaml the experiment, whole, as YAML with every default written out
 * @param arm name of the arm, unique in its experiment
 * @param scheme id of the residual scheme, for example {@code keel}
 * @param layers L, the number of sub-layers
 * @param dModel width
 * @param parameters number of trained parameters
 * @param steps number of steps of the recipe
 * @param tokensPerStep batch × sequence × accumulation
 * @param alpha α of the arm where the scheme has one, else NaN
 * @param seed the seed
 * @param data description of the data: name, bytes, how it was split, one line
 * @param dataHash SHA-256 of the data, hexadecimal
 * @param vocabulary number of tokens
 * @param device the device in use, for example {@code cpu} or {@code gpu:0 NVIDIA …}
 * @param deviceNote why this device was chosen; for the status bar
 * @param threads threads of PyTorch
 * @param createdMs wall clock of creation, ms since 1970
 * @param probeEvery steps from one probe to the next, 0 where it is not known
 * @param divergence the rule by which divergence is judged, JSON; empty where it is not known
 * @param recompute how many blocks at a time the backward pass computes again, 0 for none
 */
public record RunInfo(
        String experimentName,
        String experimentYaml,
        String arm,
        String scheme,
        int layers,
        int dModel,
        long parameters,
        int steps,
        int tokensPerStep,
        double alpha,
        long seed,
        String data,
        String dataHash,
        int vocabulary,
        String device,
        String deviceNote,
        int threads,
        long createdMs,
        int probeEvery,
        String divergence,
        int recompute) {

    /** An arm of which nothing more is known. */
    public RunInfo(
            String experimentName,
            String experimentYaml,
            String arm,
            String scheme,
            int layers,
            int dModel,
            long parameters,
            int steps,
            int tokensPerStep,
            double alpha,
            long seed,
            String data,
            String dataHash,
            int vocabulary,
            String device,
            String deviceNote,
            int threads,
            long createdMs) {
        this(experimentName, experimentYaml, arm, scheme, layers, dModel, parameters, steps, tokensPerStep, alpha, seed, data, dataHash,
                vocabulary, device, deviceNote, threads, createdMs, 0, "", 0);
    }

    /** The same arm under another name. */
    public RunInfo withArm(String name) {
        return new RunInfo(experimentName, experimentYaml, name, scheme, layers, dModel, parameters, steps, tokensPerStep, alpha, seed, data,
                dataHash, vocabulary, device, deviceNote, threads, createdMs, probeEvery, divergence, recompute);
    }
}
