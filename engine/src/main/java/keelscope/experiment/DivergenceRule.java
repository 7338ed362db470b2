package keelscope.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The numbers by which a run's loss is judged for divergence. Losses are in nats; a share is one of the run's steps unless
 * said otherwise. As JSON (in the run file) the names are those below in snake case.
 *
 * <p>The loss of single batches is noisy, so it is judged by <em>blocks</em>: the median of a number of consecutive steps.
 *
 * @param blockShare length of a block, share of the run
 * @param blockMin shortest block, steps
 * @param blockMax longest block, steps
 * @param spikeSigmas how far above the lowest level so far a loss must lie to count as risen, in standard deviations of the
 *     noise (of a step, or of a block's median)
 * @param spikeRise the least rise that counts, nats, however small the noise
 * @param spikeSteps consecutive risen steps that make a spike (two consecutive risen blocks make one too)
 * @param returnShare a spike is over once the loss is down to this share of the rise that counts
 * @param patienceShare a spike not over after this share of the run is irrecoverable
 * @param patienceMin the same, steps, for short runs
 * @param stayFactor how long a plateau must be on a logarithmic axis of steps: it is judged at step t by the fall over
 *     [t / stayFactor, t] …
 * @param plateauFall … which, per logarithm of steps, must be less than this share of the fall over
 *     [t / stayFactor², t / stayFactor]
 * @param earlyShare a plateau is far too early if it begins before this share of the run
 * @param stayShare it stays once it has lasted this share of the run
 * @param edgeShare a loss within this share of its start, both above the task's floor, has not begun to fall; one that is down
 *     to this share has nothing left to learn and is no plateau
 * @param slowFactor a run lags if the healthy run had reached its level this many times earlier …
 * @param slowGap … and it is behind by more than this share of the healthy run's fall
 * @param slowShare lagging for this share of the run is degradation
 */
public record DivergenceRule(
        double blockShare,
        int blockMin,
        int blockMax,
        double spikeSigmas,
        double spikeRise,
        int spikeSteps,
        double returnShare,
        double patienceShare,
        int patienceMin,
        double stayFactor,
        double plateauFall,
        double earlyShare,
        double stayShare,
        double edgeShare,
        double slowFactor,
        double slowGap,
        double slowShare) {

    /** The rule used unless another is given; it suits runs of 100 to 1,000,000 steps. */
    public static final DivergenceRule DEFAULT = new DivergenceRule(
            0.01, 5, 500, 6, 0.1, 3, 0.5, 0.1, 20, 3, 0.1, 0.25, 0.2, 0.05, 3, 0.1, 0.25);

    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** @throws IllegalArgumentException with one sentence that names the value at fault and what is allowed */
    public DivergenceRule {
        share("block_share", blockShare);
        atLeast("block_min", blockMin, 5);
        atLeast("block_max", blockMax, blockMin);
        positive("spike_sigmas", spikeSigmas);
        positive("spike_rise", spikeRise);
        atLeast("spike_steps", spikeSteps, 1);
        share("return_share", returnShare);
        share("patience_share", patienceShare);
        atLeast("patience_min", patienceMin, 1);
        above("stay_factor", stayFactor, 1);
        share("plateau_fall", plateauFall);
        share("early_share", earlyShare);
        share("stay_share", stayShare);
        share("edge_share", edgeShare);
        above("slow_factor", slowFactor, 1);
        share("slow_gap", slowGap);
        share("slow_share", slowShare);
    }

    /** The length of a block in a run of {@code steps} steps. */
    public int block(int steps) {
        return (int) Math.max(blockMin, Math.min(blockMax, blockShare * steps));
    }

    /** Every number by its name in snake case, in order. */
    public Map<String, Number> values() {
        return JSON.convertValue(this, new TypeReference<LinkedHashMap<String, Number>>() {});
    }

    /** This rule with some numbers replaced, by their names in snake case. */
    public DivergenceRule with(Map<String, Number> replaced) {
        Map<String, Number> all = values();
        all.putAll(replaced);
        return fromJson(JSON.valueToTree(all).toString());
    }

    /** This rule as one line of JSON; {@link #fromJson} gives it back. */
    public String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The divergence rule could not be written as JSON.", e);
        }
    }

    /** @throws IllegalArgumentException with one sentence if the text is not a rule */
    public static DivergenceRule fromJson(String json) {
        try {
            JsonNode tree = JSON.readTree(json);
            Set<String> known = new HashSet<>();
            JSON.valueToTree(DEFAULT).fieldNames().forEachRemaining(known::add);
            for (Iterator<String> keys = tree.fieldNames(); keys.hasNext(); ) {
                String key = keys.next();
                if (!known.remove(key)) {
                    throw new IllegalArgumentException("The divergence rule has no key " + key + ".");
                }
            }
            if (!known.isEmpty()) {
                throw new IllegalArgumentException("The divergence rule lacks " + String.join(", ", new TreeSet<>(known)) + ".");
            }
            return JSON.treeToValue(tree, DivergenceRule.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    e.getCause() instanceof IllegalArgumentException refusal
                            ? refusal.getMessage()
                            : "The divergence rule is not readable as JSON: " + e.getOriginalMessage(),
                    e);
        }
    }

    private static void share(String name, double value) {
        if (!(value > 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " is " + value + "; it must lie above 0 and up to 1.");
        }
    }

    private static void positive(String name, double value) {
        above(name, value, 0);
    }

    private static void above(String name, double value, double limit) {
        if (!(value > limit) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be a number above " + limit + ".");
        }
    }

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be " + least + " or more.");
        }
    }
}
