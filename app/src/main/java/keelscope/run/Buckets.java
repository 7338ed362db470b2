package keelscope.run;

import java.util.Arrays;
import keelscope.runfile.LayerMatrix;
import keelscope.runfile.StepSeries;

/**
 * Arithmetic of a run file's buckets: they are as many steps wide as the smallest power of two that gives few enough of
 * them, and begin at multiples of their width.
 */
final class Buckets {
    static final StepSeries NO_STEPS = new StepSeries(
            new int[0], new int[0], new double[0], new double[0], new double[0], new double[0], new double[0],
            new double[0], new double[0], new double[0], new double[0], new long[0]);
    static final LayerMatrix NO_CELLS = new LayerMatrix(new int[0], new int[0], new float[0][]);

    private Buckets() {}

    /** The width of the buckets that hold {@code first … last} when at most {@code most} are allowed. */
    static long width(int first, int last, int most) {
        long width = 1;
        while (Math.floorDiv(last, width) - Math.floorDiv(first, width) + 1 > most) {
            width *= 2;
        }
        return width;
    }

    /** How many buckets of that width hold {@code first … last}. */
    static int count(int first, int last, long width) {
        return (int) (Math.floorDiv(last, width) - Math.floorDiv(first, width) + 1);
    }

    /**
     * The first step that must be read again when a run has grown: that of the last bucket, which may not have been full.
     * −1 if all must be read, because there were none or the width has changed.
     */
    static int resumeAt(int[] firstStep, int[] lastStep, long width) {
        int n = firstStep.length;
        if (n < 2) {
            return -1;
        }
        // Every bucket but the first and the last is full, and the first begins a multiple: its width shows.
        long before = (long) lastStep[n - 2] - firstStep[n - 2] + 1;
        boolean same = before == width && firstStep[n - 1] % width == 0 && firstStep[0] == 0;
        return same ? firstStep[n - 1] : -1;
    }

    /** The buckets of {@code before} that end before {@code from}, then those of {@code more}. */
    static StepSeries join(StepSeries before, int from, StepSeries more) {
        int keep = kept(before.firstStep(), from);
        return new StepSeries(
                join(before.firstStep(), keep, more.firstStep()),
                join(before.lastStep(), keep, more.lastStep()),
                join(before.loss(), keep, more.loss()),
                join(before.lossMin(), keep, more.lossMin()),
                join(before.lossMax(), keep, more.lossMax()),
                join(before.lr(), keep, more.lr()),
                join(before.gradNorm(), keep, more.gradNorm()),
                join(before.gradNormMin(), keep, more.gradNormMin()),
                join(before.gradNormMax(), keep, more.gradNormMax()),
                join(before.stepMs(), keep, more.stepMs()),
                join(before.memoryBytes(), keep, more.memoryBytes()),
                join(before.tokens(), keep, more.tokens()));
    }

    /** The columns of {@code before} that end before {@code from}, then those of {@code more}; columns are shared, not copied. */
    static LayerMatrix join(LayerMatrix before, int from, LayerMatrix more) {
        int keep = kept(before.firstStep(), from);
        float[][] values = Arrays.copyOf(before.values(), keep + more.size());
        System.arraycopy(more.values(), 0, values, keep, more.size());
        return new LayerMatrix(
                join(before.firstStep(), keep, more.firstStep()), join(before.lastStep(), keep, more.lastStep()), values);
    }

    /** {@code all} with the buckets that {@code finer} covers replaced by its own; these begin and end with whole buckets of {@code all}. */
    static StepSeries splice(StepSeries all, StepSeries finer) {
        if (finer.size() == 0) {
            return all;
        }
        int from = finer.firstStep()[0];
        return join(join(all, from, finer), Integer.MAX_VALUE, after(all, finer.lastStep()[finer.size() - 1]));
    }

    /** As for steps; columns are shared, not copied. */
    static LayerMatrix splice(LayerMatrix all, LayerMatrix finer) {
        if (finer.size() == 0) {
            return all;
        }
        int from = finer.firstStep()[0];
        int rest = kept(all.firstStep(), finer.lastStep()[finer.size() - 1] + 1);
        LayerMatrix after = new LayerMatrix(
                Arrays.copyOfRange(all.firstStep(), rest, all.size()),
                Arrays.copyOfRange(all.lastStep(), rest, all.size()),
                Arrays.copyOfRange(all.values(), rest, all.size()));
        return join(join(all, from, finer), Integer.MAX_VALUE, after);
    }

    private static StepSeries after(StepSeries s, int step) {
        int rest = kept(s.firstStep(), step + 1);
        int n = s.size();
        return new StepSeries(
                Arrays.copyOfRange(s.firstStep(), rest, n), Arrays.copyOfRange(s.lastStep(), rest, n),
                Arrays.copyOfRange(s.loss(), rest, n), Arrays.copyOfRange(s.lossMin(), rest, n),
                Arrays.copyOfRange(s.lossMax(), rest, n), Arrays.copyOfRange(s.lr(), rest, n),
                Arrays.copyOfRange(s.gradNorm(), rest, n), Arrays.copyOfRange(s.gradNormMin(), rest, n),
                Arrays.copyOfRange(s.gradNormMax(), rest, n), Arrays.copyOfRange(s.stepMs(), rest, n),
                Arrays.copyOfRange(s.memoryBytes(), rest, n), Arrays.copyOfRange(s.tokens(), rest, n));
    }

    private static int kept(int[] firstStep, int from) {
        int found = Arrays.binarySearch(firstStep, from);
        return found >= 0 ? found : -found - 1;
    }

    private static int[] join(int[] before, int keep, int[] more) {
        int[] all = Arrays.copyOf(before, keep + more.length);
        System.arraycopy(more, 0, all, keep, more.length);
        return all;
    }

    private static long[] join(long[] before, int keep, long[] more) {
        long[] all = Arrays.copyOf(before, keep + more.length);
        System.arraycopy(more, 0, all, keep, more.length);
        return all;
    }

    private static double[] join(double[] before, int keep, double[] more) {
        double[] all = Arrays.copyOf(before, keep + more.length);
        System.arraycopy(more, 0, all, keep, more.length);
        return all;
    }
}
