package keelscope.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import keelscope.experiment.DivergenceRule;
import keelscope.train.Verdict.Degradation;
import keelscope.train.Verdict.Healthy;
import keelscope.train.Verdict.Instability;
import keelscope.train.Verdict.NotFinite;
import keelscope.train.Verdict.Spike;
import keelscope.train.Verdict.Stagnation;

/**
 * Watches a run's loss, a step at a time, for the kinds of divergence of Chen and Wei (arXiv 2601.19895, section 5.1): loss
 * stagnation, irrecoverable instability, optimisation degradation, and a loss or gradient that is not finite. The paper
 * describes the kinds in words; {@link DivergenceRule} states the numbers this class puts to them.
 *
 * <p>How it judges. The loss is the level of the run plus the noise of single batches. Levels are medians over blocks of
 * steps; the noise is estimated from the differences of neighbouring steps (1.4826 × their median magnitude / √2, which a
 * slow fall does not disturb), since batches are drawn independently. Neither is moved by a few wild values.
 * <ul>
 *   <li>A <b>spike</b> begins when some steps in a row, or two blocks in a row, lie above the lowest level so far by more than
 *       the noise explains. It is over when the loss is back near that level; if it is not over after the rule's patience it is
 *       <b>instability</b>. While a spike lasts, nothing else is judged and nothing is learnt from the loss.
 *   <li>A <b>plateau</b> at the present level reaches back to the first block that had come down to it. It is stagnation when
 *       it begins early and has lasted long, also on a logarithmic axis of steps, and the task is not solved.
 *   <li><b>Degradation</b> is judged beside a healthy run: when that had reached the present level several times earlier, for
 *       long, and the loss still falls.
 * </ul>
 * A verdict may be revised: a loss that comes back, or leaves its plateau, is reported as such. Time per step is constant but
 * for a block's end; memory is a number per block, at most a few thousand. To go on after a resume, feed the recorded steps
 * again. Not safe for use by several threads.
 */
public final class Divergence {

    /** Turns a median absolute deviation of normal noise into its standard deviation. */
    private static final double MAD_TO_SIGMA = 1.4826;

    /** Standard error of a median of n normal values, times √n. */
    private static final double MEDIAN_ERROR = 1.2533;

    /** A difference of this many standard errors is not chance. */
    private static final double CERTAIN = 6;

    private static final int RECENT = 5;
    private static final int NOISE_MEMORY = 256;
    private static final int START_STEPS = 3;

    private final DivergenceRule rule;
    private final int steps;
    private final int warmup;
    private final double floor;
    private final Optional<LossCurve> healthy;

    private final double[] block;
    private int blockSize;
    private int blockStart;
    private final List<Block> blocks = new ArrayList<>();

    private final double[] differences = new double[NOISE_MEMORY];
    private int differenceCount;
    private final double[] recent = new double[RECENT];
    private int recentCount;
    private final double[] first = new double[START_STEPS];
    private int firstCount;
    private double previous = Double.NaN;
    private int lastStep = -1;

    private double stepNoise;
    private double blockNoise;
    private double lowest = Double.POSITIVE_INFINITY;
    private int risenSteps;
    private int risenFrom;
    private double risenPeak;
    private int risenBlocks;
    private int risenBlocksFrom;
    private int slowSince = -1;

    private Optional<Excursion> excursion = Optional.empty();
    private Optional<Spike> lastSpike = Optional.empty();
    private Optional<Plateau> plateau = Optional.empty();
    private Optional<Stagnation> stagnation = Optional.empty();
    private Optional<Degradation> degradation = Optional.empty();
    private Optional<NotFinite> notFinite = Optional.empty();

    private record Block(int start, int end, double level) {}

    /** A level around a step (counted from 1), with its standard error. */
    private record Level(double middle, double value, double error) {}

    /** A plateau that need not have lasted long enough: it ends once the loss lies more than {@code band} below its level. */
    private record Plateau(int from, double level, double band) {}

    /** A spike that is not over. */
    private static final class Excursion {
        final int from;
        final double before;
        final double rise;
        final boolean slow;
        double peak;
        Optional<Instability> declared = Optional.empty();

        Excursion(int from, double before, double rise, boolean slow, double peak) {
            this.from = from;
            this.before = before;
            this.rise = rise;
            this.slow = slow;
            this.peak = peak;
        }
    }

    /**
     * @param rule the numbers to judge by
     * @param steps steps of the run's recipe
     * @param warmup warm-up steps of the recipe
     * @param floor the lowest loss the task allows, nats, if it is known (0 is assumed)
     * @param healthy a healthy run of the same budget; without it degradation is not judged
     */
    public Divergence(DivergenceRule rule, int steps, int warmup, OptionalDouble floor, Optional<LossCurve> healthy) {
        if (steps < 1) {
            throw new IllegalArgumentException("steps is " + steps + "; it must be 1 or more.");
        }
        if (warmup < 0 || warmup > steps) {
            throw new IllegalArgumentException("warmup is " + warmup + "; it must lie from 0 to steps (" + steps + ").");
        }
        this.rule = rule;
        this.steps = steps;
        this.warmup = warmup;
        this.floor = floor.orElse(0);
        this.healthy = healthy;
        this.block = new double[rule.block(steps)];
    }

    /** Judges by the default rule, without a floor and a healthy run to compare with. */
    public Divergence(int steps, int warmup) {
        this(DivergenceRule.DEFAULT, steps, warmup, OptionalDouble.empty(), Optional.empty());
    }

    /**
     * Takes one step's loss and gradient norm.
     *
     * @param step greater than the one before
     * @param loss nats
     * @param gradNorm total gradient norm before clipping
     * @return what is newly found, most often nothing; after a {@link NotFinite} always nothing
     */
    public List<Verdict> observe(int step, double loss, double gradNorm) {
        if (step <= lastStep) {
            throw new IllegalArgumentException("step is " + step + "; it must be greater than the one before, " + lastStep + ".");
        }
        lastStep = step;
        if (notFinite.isPresent()) {
            return List.of();
        }
        if (!Double.isFinite(loss) || !Double.isFinite(gradNorm)) {
            boolean byLoss = !Double.isFinite(loss);
            NotFinite found = new NotFinite(step, byLoss ? "loss" : "gradient norm", byLoss ? loss : gradNorm);
            notFinite = Optional.of(found);
            return List.of(found);
        }
        if (firstCount < START_STEPS) {
            first[firstCount++] = loss;
        }
        recent[recentCount++ % RECENT] = loss;
        List<Verdict> found = new ArrayList<>(0);
        if (excursion.isPresent()) {
            followExcursion(excursion.get(), step, loss, found);
        } else {
            followLevel(step, loss, found);
        }
        return found;
    }

    /** The weightiest of what holds now; a spike that is over gives way to every other but nothing amiss. */
    public Verdict verdict() {
        Optional<? extends Verdict> worst = notFinite;
        return worst.<Verdict>map(v -> v)
                .or(() -> excursion.flatMap(e -> e.declared))
                .or(() -> stagnation)
                .or(() -> degradation)
                .or(() -> excursion.map(e -> new Spike(e.from, e.before, e.peak, false, lastStep)))
                .or(() -> lastSpike)
                .orElseGet(() -> new Healthy(Math.max(0, lastStep), "The loss shows nothing amiss."));
    }

    private void followLevel(int step, double loss, List<Verdict> found) {
        if (noiseKnown()) {
            double rise = Math.max(rule.spikeSigmas() * stepNoise, rule.spikeRise());
            if (loss > lowest + rise) {
                if (risenSteps++ == 0) {
                    risenFrom = step;
                    risenPeak = loss;
                }
                risenPeak = Math.max(risenPeak, loss);
                if (risenSteps == rule.spikeSteps()) {
                    begin(new Excursion(risenFrom, lowest, rise, false, risenPeak), step, found);
                    return;
                }
            } else {
                risenSteps = 0;
            }
        }
        if (!Double.isNaN(previous)) {
            differences[differenceCount++ % NOISE_MEMORY] = Math.abs(loss - previous);
        }
        previous = loss;
        if (fillBlock(step, loss)) {
            endBlock(step, found);
        }
    }

    /** Whether enough was seen for the noise to be estimated. */
    private boolean noiseKnown() {
        return blocks.size() >= 2;
    }

    private boolean fillBlock(int step, double loss) {
        if (blockSize == 0) {
            blockStart = step;
        }
        block[blockSize++] = loss;
        return blockSize == block.length;
    }

    private double takeBlock() {
        blockSize = 0;
        return median(block.clone());
    }

    private void endBlock(int step, List<Verdict> found) {
        double level = takeBlock();
        if (noiseKnown()) {
            double rise = Math.max(rule.spikeSigmas() * blockNoise, rule.spikeRise());
            if (level > lowest + rise) {
                if (risenBlocks++ == 0) {
                    risenBlocksFrom = blockStart;
                }
                if (risenBlocks == 2) {
                    begin(new Excursion(risenBlocksFrom, lowest, rise, true, level), step, found);
                    return;
                }
            } else {
                risenBlocks = 0;
            }
        }
        blocks.add(new Block(blockStart, step, level));
        lowest = Math.min(lowest, level);
        estimateNoise();
        if (step >= warmup - 1) {
            judgePlateau(step, found);
            judgePace(step, found);
        }
    }

    private void estimateNoise() {
        int n = Math.min(differenceCount, NOISE_MEMORY);
        stepNoise = MAD_TO_SIGMA * median(Arrays.copyOf(differences, n)) / Math.sqrt(2);
        blockNoise = MEDIAN_ERROR * stepNoise / Math.sqrt(block.length);
    }

    private void begin(Excursion begun, int step, List<Verdict> found) {
        excursion = Optional.of(begun);
        blockSize = 0;
        found.add(new Spike(begun.from, begun.before, begun.peak, false, step));
    }

    private void followExcursion(Excursion now, int step, double loss, List<Verdict> found) {
        now.peak = Math.max(now.peak, loss);
        boolean blockFull = fillBlock(step, loss);
        double level;
        boolean judged;
        if (now.slow) {
            judged = blockFull;
            level = blockFull ? takeBlock() : Double.NaN;
        } else {
            if (blockFull) {
                blockSize = 0;
            }
            judged = recentCount >= RECENT;
            level = median(recent.clone());
        }
        if (judged && level <= now.before + rule.returnShare() * now.rise) {
            Spike over = new Spike(now.from, now.before, now.peak, true, step);
            lastSpike = Optional.of(over);
            excursion = Optional.empty();
            risenSteps = 0;
            risenBlocks = 0;
            blockSize = 0;
            previous = Double.NaN;
            found.add(over);
        } else if (now.declared.isEmpty() && step - now.from >= Math.max(rule.patienceMin(), rule.patienceShare() * steps)) {
            Instability lost = new Instability(now.from, now.before, median(recent.clone()), step);
            now.declared = Optional.of(lost);
            found.add(lost);
        }
    }

    /**
     * On a logarithmic axis of steps a healthy loss falls about evenly: by a power law with exponent a, the fall over [t/3, t] is
     * 3^−a times that over [t/9, t/3], whatever the entropy it falls to. On a plateau next to nothing of it is left.
     */
    private void judgePlateau(int step, List<Verdict> found) {
        if (stagnation.isPresent()) {
            Stagnation stuck = stagnation.get();
            if (levelOver(step).value < stuck.level() - plateau.get().band) {
                found.add(new Healthy(step, String.format(Locale.ROOT,
                        "The loss has left its plateau near %.2f nats and falls again.", stuck.level())));
                stagnation = Optional.empty();
                plateau = Optional.empty();
            }
            return;
        }
        Level now = levelOver(step);
        if (plateau.isPresent() && now.value < plateau.get().level - plateau.get().band) {
            plateau = Optional.empty();
        }
        if (plateau.isEmpty()) {
            plateau = plateauAt(step, now);
        }
        if (plateau.isEmpty()) {
            return;
        }
        double start = start();
        boolean lasted = step - plateau.get().from >= rule.stayShare() * steps;
        boolean solved = now.value - floor <= rule.edgeShare() * (start - floor);
        boolean asHealthy = healthy.isPresent() && now.value - healthy.get().at(step) <= behind(healthy.get(), step);
        if (lasted && !solved && !asHealthy) {
            Stagnation stuck = new Stagnation(plateau.get().from, now.value, step);
            stagnation = Optional.of(stuck);
            degradation = Optional.empty();
            found.add(stuck);
        }
    }

    private Optional<Plateau> plateauAt(int step, Level now) {
        Level before = levelOver((int) (step / rule.stayFactor()));
        Level longBefore = levelOver((int) (step / (rule.stayFactor() * rule.stayFactor())));
        double start = start();
        double startError = stepNoise * MEDIAN_ERROR / Math.sqrt(firstCount);
        double band;
        if (longBefore.middle == before.middle) {
            return Optional.empty();
        }
        if (start - now.value + 3 * Math.hypot(startError, now.error) < rule.edgeShare() * (start - floor)) {
            // It has not begun to fall, so there is no earlier fall to compare with.
            if (step < rule.stayShare() * steps) {
                return Optional.empty();
            }
            band = rule.edgeShare() * (start - floor);
        } else {
            double earlier = longBefore.value - before.value;
            double later = before.value - now.value;
            // Blocks are coarse beside the early steps, so the stretches are taken as long as they really are.
            double expected = earlier * Math.log(now.middle / before.middle) / Math.log(before.middle / longBefore.middle);
            double error = Math.sqrt(longBefore.error * longBefore.error + 2 * before.error * before.error + now.error * now.error);
            if (earlier < CERTAIN * error || later > rule.plateauFall() * expected) {
                return Optional.empty();
            }
            // Two levels of a plateau differ by chance too.
            band = Math.max(rule.plateauFall() * expected, 3 * Math.sqrt(2) * now.error);
        }
        int began = 0;
        int n = blocks.size();
        double reached = now.value + Math.max(0.02 * (start - now.value), 2 * blockNoise / Math.sqrt(3));
        while (began + 3 < n && medianLevel(began, began + 3) > reached) {
            began++;
        }
        while (began < n - 1 && blocks.get(began).level > reached) {
            began++;
        }
        int from = blocks.get(began).start;
        return from <= rule.earlyShare() * steps ? Optional.of(new Plateau(from, now.value, band)) : Optional.empty();
    }

    /** The level over the third before a step, or over the one block there. */
    private Level levelOver(int step) {
        int to = 0;
        while (to < blocks.size() - 1 && blocks.get(to + 1).end <= step) {
            to++;
        }
        int from = to;
        while (from > 0 && blocks.get(from - 1).start >= step * 2L / 3) {
            from--;
        }
        double middle = 1 + (blocks.get(from).start + blocks.get(to).end) / 2.0;
        return new Level(middle, medianLevel(from, to + 1), blockNoise / Math.sqrt(to + 1 - from));
    }

    private double start() {
        return median(Arrays.copyOf(first, firstCount));
    }

    /** By how many nats a run may lie above the healthy one. */
    private double behind(LossCurve reference, int step) {
        return rule.slowGap() * (reference.start() - reference.at(step));
    }

    private void judgePace(int step, List<Verdict> found) {
        int n = blocks.size();
        if (healthy.isEmpty() || n < 4) {
            return;
        }
        LossCurve reference = healthy.get();
        double level = medianLevel(n - 3, n);
        boolean slow = level - reference.at(step) > behind(reference, step)
                && step >= rule.slowFactor() * reference.reached(level);
        if (!slow) {
            slowSince = -1;
            if (degradation.isPresent()) {
                degradation = Optional.empty();
                found.add(new Healthy(step, "The loss has caught up with the healthy run."));
            }
            return;
        }
        if (slowSince < 0) {
            slowSince = step;
        }
        if (degradation.isPresent() || stagnation.isPresent() || step - slowSince < rule.slowShare() * steps) {
            return;
        }
        int since = 0;
        while (blocks.get(since).end < slowSince) {
            since++;
        }
        double start = start();
        boolean falling = blocks.get(since).level - level > rule.slowGap() * rule.slowGap() * (start - level);
        if (falling) {
            Degradation lags = new Degradation(slowSince, level, reference.at(step), step);
            degradation = Optional.of(lags);
            found.add(lags);
        }
    }

    private double medianLevel(int from, int to) {
        double[] levels = new double[to - from];
        for (int i = from; i < to; i++) {
            levels[i - from] = blocks.get(i).level;
        }
        return median(levels);
    }

    /** The median; sorts the array it is given. */
    static double median(double[] values) {
        Arrays.sort(values);
        int n = values.length;
        return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
    }
}
