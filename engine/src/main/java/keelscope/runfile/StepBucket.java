package keelscope.runfile;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Run measures of consecutive steps folded into one record: means, and of loss and gradient norm the smallest and greatest, over
 * what was finite. Built from single steps and from records of lower levels alike.
 */
final class StepBucket implements Levels.Bucket<StepBucket> {
    static final String STEP_COLUMNS = "step, tokens, loss, lr, grad_norm, step_ms, time_ms, memory_bytes";
    static final String LEVEL_COLUMNS = "first_step, last_step, count, tokens, loss_count, loss, loss_min, loss_max, grad_norm_count,"
            + " grad_norm, grad_norm_min, grad_norm_max, lr, step_ms, memory_bytes";

    /** Records added, of whatever level. */
    private int records;

    int firstStep;
    int lastStep;
    int count;
    long tokens;
    final Range loss = new Range();
    final Range gradNorm = new Range();
    private double lr;
    private double stepMs;
    private double memoryBytes;

    /** Mean, smallest and greatest of the finite values of one measure. */
    static final class Range {
        int count;
        private double sum;
        private double min;
        private double max;
        /** The value where only one was ever added, finite or not. */
        private double only;

        private int added;

        void add(double value) {
            only = value;
            added++;
            if (Double.isFinite(value)) {
                include(1, value, value, value);
            }
        }

        void add(int n, double mean, double least, double greatest) {
            added += 2;
            if (n > 0) {
                include(n, mean, least, greatest);
            }
        }

        private void include(int n, double mean, double least, double greatest) {
            min = count == 0 ? least : Math.min(min, least);
            max = count == 0 ? greatest : Math.max(max, greatest);
            sum += n * mean;
            count += n;
        }

        double mean() {
            return added == 1 ? only : count == 0 ? Double.NaN : sum / count;
        }

        double min() {
            return added == 1 ? only : count == 0 ? Double.NaN : min;
        }

        double max() {
            return added == 1 ? only : count == 0 ? Double.NaN : max;
        }
    }

    void add(StepRecord step) {
        extend(step.step(), step.step(), 1, step.tokens(), step.lr(), step.stepMs(), step.memoryBytes());
        loss.add(step.loss());
        gradNorm.add(step.gradNorm());
    }

    @Override
    public int records() {
        return records;
    }

    @Override
    public void add(StepBucket other) {
        extend(other.firstStep, other.lastStep, other.count, other.tokens, other.lr(), other.stepMs(), other.memoryBytes());
        loss.add(other.loss.count, other.loss.mean(), other.loss.min(), other.loss.max());
        gradNorm.add(other.gradNorm.count, other.gradNorm.mean(), other.gradNorm.min(), other.gradNorm.max());
    }

    /** Adds a row of {@link #STEP_COLUMNS} (level 0) or {@link #LEVEL_COLUMNS}. */
    @Override
    public void add(ResultSet row, int level) throws SQLException {
        if (level == 0) {
            int step = row.getInt(1);
            extend(step, step, 1, row.getLong(2), Database.real(row, 4), Database.real(row, 6), row.getLong(8));
            loss.add(Database.real(row, 3));
            gradNorm.add(Database.real(row, 5));
        } else {
            extend(row.getInt(1), row.getInt(2), row.getInt(3), row.getLong(4), Database.real(row, 13), Database.real(row, 14),
                    Database.real(row, 15));
            loss.add(row.getInt(5), row.getDouble(6), row.getDouble(7), row.getDouble(8));
            gradNorm.add(row.getInt(9), row.getDouble(10), row.getDouble(11), row.getDouble(12));
        }
    }

    private void extend(int first, int last, int n, long tokensAtEnd, double meanLr, double meanStepMs, double meanMemory) {
        firstStep = records == 0 ? first : firstStep;
        lastStep = last;
        tokens = tokensAtEnd;
        count += n;
        lr += n * meanLr;
        stepMs += n * meanStepMs;
        memoryBytes += n * meanMemory;
        records++;
    }

    double lr() {
        return lr / count;
    }

    double stepMs() {
        return stepMs / count;
    }

    double memoryBytes() {
        return memoryBytes / count;
    }

    /** Binds {@link #LEVEL_COLUMNS}. */
    @Override
    public void bind(PreparedStatement insert) throws SQLException {
        insert.setInt(1, firstStep);
        insert.setInt(2, lastStep);
        insert.setInt(3, count);
        insert.setLong(4, tokens);
        insert.setInt(5, loss.count);
        insert.setDouble(6, loss.mean());
        insert.setDouble(7, loss.min());
        insert.setDouble(8, loss.max());
        insert.setInt(9, gradNorm.count);
        insert.setDouble(10, gradNorm.mean());
        insert.setDouble(11, gradNorm.min());
        insert.setDouble(12, gradNorm.max());
        insert.setDouble(13, lr());
        insert.setDouble(14, stepMs());
        insert.setDouble(15, memoryBytes());
    }
}
