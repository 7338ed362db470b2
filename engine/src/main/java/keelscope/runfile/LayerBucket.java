package keelscope.runfile;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * Consecutive records of a per-sub-layer measure folded into one: by sub-layer a mean ({@link Measure#geometric()} says which), the
 * smallest and the greatest finite value. Built from single records and from records of lower levels alike.
 */
final class LayerBucket implements Levels.Bucket<LayerBucket> {
    static final String STEP_COLUMNS = "step, value";
    static final String LEVEL_COLUMNS = "first_step, last_step, count, mean, mean_count, min, max";
    /** The columns for {@link #addMean}: without the ranges, which are two thirds of the bytes. */
    static final String MEAN_COLUMNS = "first_step, last_step, count, mean, mean_count";

    /** Records added, of whatever level. */
    private int records;

    int firstStep;
    int lastStep;
    int count;

    private final boolean geometric;
    private double[] sum = {};
    private int[] counted = {};
    private float[] min = {};
    private float[] max = {};
    /** The mean of the first record; it is the bucket's as it stands while there is no second. */
    private float[] first = {};

    LayerBucket(Measure measure) {
        geometric = measure.geometric();
    }

    void add(int step, float[] values) {
        extend(step, step, 1, values);
        for (int l = 0; l < values.length; l++) {
            float value = values[l];
            if (Float.isFinite(value)) {
                if (!(min[l] <= value)) {
                    min[l] = value;
                }
                if (!(max[l] >= value)) {
                    max[l] = value;
                }
                if (!geometric || value > 0) {
                    sum[l] += geometric ? Math.log(value) : value;
                    counted[l]++;
                }
            }
        }
    }

    @Override
    public int records() {
        return records;
    }

    @Override
    public void add(LayerBucket other) {
        add(other.firstStep, other.lastStep, other.count, other.mean(), other.counted, other.min, other.max);
    }

    /** Adds a row of {@link #STEP_COLUMNS} (level 0) or of {@link #LEVEL_COLUMNS}. */
    @Override
    public void add(ResultSet row, int level) throws SQLException {
        add(row, level, true);
    }

    /** Adds a row of {@link #STEP_COLUMNS} (level 0) or of {@link #MEAN_COLUMNS}; the bucket's ranges mean nothing then. */
    void addMean(ResultSet row, int level) throws SQLException {
        add(row, level, false);
    }

    private void add(ResultSet row, int level, boolean ranges) throws SQLException {
        if (level == 0) {
            add(row.getInt(1), Format.floats(row.getBytes(2)));
            return;
        }
        float[] mean = Format.floats(row.getBytes(4));
        byte[] meanCount = row.getBytes(5);
        int n = row.getInt(3);
        int[] counts;
        if (meanCount == null) {
            counts = new int[mean.length];
            Arrays.fill(counts, n);
        } else {
            counts = Format.ints(meanCount);
        }
        add(row.getInt(1), row.getInt(2), n, mean, counts,
                ranges ? Format.floats(row.getBytes(6)) : mean, ranges ? Format.floats(row.getBytes(7)) : mean);
    }

    private void add(int firstOfOther, int lastOfOther, int n, float[] mean, int[] meanCount, float[] least, float[] greatest) {
        extend(firstOfOther, lastOfOther, n, mean);
        for (int l = 0; l < mean.length; l++) {
            if (least[l] < min[l] || Float.isNaN(min[l])) {
                min[l] = least[l];
            }
            if (greatest[l] > max[l] || Float.isNaN(max[l])) {
                max[l] = greatest[l];
            }
            if (meanCount[l] > 0) {
                sum[l] += meanCount[l] * (geometric ? Math.log(mean[l]) : mean[l]);
                counted[l] += meanCount[l];
            }
        }
    }

    private void extend(int firstOfOther, int lastOfOther, int n, float[] mean) {
        if (records == 0) {
            firstStep = firstOfOther;
            first = mean;
            sum = new double[mean.length];
            counted = new int[mean.length];
            min = new float[mean.length];
            max = new float[mean.length];
            Arrays.fill(min, Float.NaN);
            Arrays.fill(max, Float.NaN);
        } else if (mean.length != sum.length) {
            throw new IllegalArgumentException("A record of " + mean.length + " values follows one of " + sum.length
                    + "; every record of a measure has the same number.");
        }
        lastStep = lastOfOther;
        count += n;
        records++;
    }

    /** Values to be given to the user or to the level above; a single record's as they were recorded. */
    float[] mean() {
        if (records == 1) {
            return first;
        }
        float[] mean = new float[sum.length];
        for (int l = 0; l < mean.length; l++) {
            if (counted[l] == 0) {
                mean[l] = max[l];
            } else {
                double m = sum[l] / counted[l];
                mean[l] = (float) (geometric ? Math.exp(m) : m);
            }
        }
        return mean;
    }

    /** Binds {@link #LEVEL_COLUMNS}. */
    @Override
    public void bind(PreparedStatement insert) throws SQLException {
        insert.setInt(1, firstStep);
        insert.setInt(2, lastStep);
        insert.setInt(3, count);
        insert.setBytes(4, Format.blob(mean()));
        boolean all = Arrays.stream(counted).allMatch(n -> n == count);
        insert.setBytes(5, all ? null : Format.blob(counted));
        insert.setBytes(6, Format.blob(min));
        insert.setBytes(7, Format.blob(max));
    }
}
