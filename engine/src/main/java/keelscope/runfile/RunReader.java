package keelscope.runfile;

import java.io.File;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a run file, finished or being written. Each call is one short read transaction; results are snapshots.
 * Not safe for use by several threads at once (one reader per thread).
 *
 * <p>What is reduced falls into buckets that begin at multiples of a power of two steps, so that a bucket keeps its place
 * while the run grows.
 */
public final class RunReader implements AutoCloseable {

    private final Database db;
    private final RunInfo info;
    /** Measures whose tables are known to exist; a table never goes away. */
    private final Set<Measure> recorded = EnumSet.noneOf(Measure.class);

    private RunReader(Database db) {
        this.db = db;
        this.info = db.read(() -> {
            Map<String, String> entries = new HashMap<>();
            try (ResultSet row = db.prepared("SELECT key, value FROM meta").executeQuery()) {
                while (row.next()) {
                    entries.put(row.getString(1), row.getString(2));
                }
            }
            try {
                return Meta.info(entries);
            } catch (NumberFormatException e) {
                throw Failure.damaged(db.file(), e.getMessage(), e);
            }
        });
    }

    /**
     * Opens a run file for reading; it need not be writable, nor its folder, nor need there be room on its disk.
     *
     * @throws RunFileException if it is missing, not a run file, of a newer format, or damaged
     */
    public static RunReader open(Path file) {
        Format.check(file);
        try {
            // Writable where it can be, though nothing is written: the last to close then puts the write-ahead log away.
            return open(file, "mode=rw");
        } catch (RunFileException e) {
            if (isFull(e)) {
                return openOnFullDisk(file, e);
            }
            if (!cannotOpen(e)) {
                throw e;
            }
            // Nothing can be made beside the file. Without a log nothing is needed beside it either.
            if (Format.hasLog(file)) {
                throw new RunFileException("The run file " + file + " was not closed by its engine and lies in a folder that cannot be"
                        + " written; copy it, together with " + Format.beside(file, "-wal").getFileName()
                        + ", to a folder that can be.", e);
            }
            return open(file, "mode=ro&immutable=1");
        }
    }

    /** The index of a log is then held in memory, since there is no room for the file that readers and writers share it by. */
    private static RunReader openOnFullDisk(Path file, RunFileException full) {
        if (!Format.hasLog(file)) {
            return open(file, "mode=ro&immutable=1");
        }
        boolean alone = !hasEngine(file) && File.separatorChar == '/'; // SQLite has this way only where there are POSIX locks
        if (!alone) {
            throw full;
        }
        return open(file, "mode=rw&vfs=unix-excl");
    }

    private static RunReader open(Path file, String parameters) {
        try {
            Database db = Database.open(file, parameters);
            try {
                db.execute("PRAGMA query_only = 1");
                return new RunReader(db);
            } catch (SQLException | RuntimeException e) {
                db.close();
                throw e;
            }
        } catch (SQLException e) {
            throw Failure.of(file, e);
        }
    }

    private static boolean isFull(RunFileException e) {
        return e.getCause() instanceof SQLException cause && Failure.isFull(cause);
    }

    private static boolean cannotOpen(RunFileException e) {
        return e.getCause() instanceof SQLException cause
                && (Failure.code(cause) == org.sqlite.SQLiteErrorCode.SQLITE_CANTOPEN.code
                        || Failure.code(cause) == org.sqlite.SQLiteErrorCode.SQLITE_READONLY.code);
    }

    /**
     * Asks the engine that writes {@code file} for something.
     *
     * @throws RunFileException if the file cannot be written or its run has ended
     */
    public static void send(Path file, String command, String argument) {
        Format.check(file);
        try (Database db = Database.open(file, "mode=rw")) {
            db.write(() -> {
                try (ResultSet row = db.prepared("SELECT status FROM state").executeQuery()) {
                    if (row.next() && status(db, row).ended()) {
                        throw new RunFileException("The run of " + file + " has ended (" + row.getString(1)
                                + "), so there is no engine to ask for " + command + ".");
                    }
                }
                PreparedStatement insert = db.prepared("INSERT INTO command (time_ms, name, argument) VALUES (?, ?, ?)");
                insert.setLong(1, System.currentTimeMillis());
                insert.setString(2, command);
                insert.setString(3, argument);
                return insert.executeUpdate();
            });
        } catch (SQLException e) {
            throw Failure.of(file, e);
        }
    }

    public Path file() {
        return db.file();
    }

    public RunInfo info() {
        return info;
    }

    public RunState state() {
        return db.read(() -> {
            long stepMs = db.number("SELECT time_ms FROM step ORDER BY step DESC LIMIT 1", 0);
            try (ResultSet row = db.prepared("SELECT status, message, pid, heartbeat_ms FROM state").executeQuery()) {
                if (!row.next()) {
                    return new RunState(RunStatus.STARTING, "", 0, info.createdMs());
                }
                // Every step is a sign of life as well.
                return new RunState(status(db, row), Objects.toString(row.getString(2), ""), row.getLong(3),
                        Math.max(row.getLong(4), stepMs));
            }
        });
    }

    /** The first column of a row of the table {@code state}. */
    private static RunStatus status(Database db, ResultSet row) throws SQLException {
        String word = String.valueOf(row.getString(1));
        try {
            return RunStatus.valueOf(word);
        } catch (IllegalArgumentException e) {
            throw Failure.damaged(db.file(), "its state is '" + word + "'", e);
        }
    }

    /**
     * Whether an engine of this machine is writing the file at this moment. Where none is and the state is not
     * {@linkplain RunStatus#ended() ended}, the engine was killed together with whoever started it.
     */
    public boolean hasEngine() {
        return hasEngine(db.file());
    }

    /** The same of a file that need not be readable. */
    public static boolean hasEngine(Path file) {
        return RunLock.owner(file).flatMap(ProcessHandle::of).filter(ProcessHandle::isAlive).isPresent();
    }

    /** A number that changes whenever another process has committed to the file; costs microseconds. */
    public long dataVersion() {
        return db.single(() -> db.number("PRAGMA data_version", 0));
    }

    /** The last committed step, −1 before the first. */
    public int lastStep() {
        return db.read(() -> (int) db.number("SELECT max(step) FROM step", -1));
    }

    /** The run measures of the steps {@code from … to} (inclusive), reduced to about {@code maxBuckets} or fewer. */
    public StepSeries steps(int from, int to, int maxBuckets) {
        List<StepBucket> buckets = db.read(() -> {
            Span span = span("step", from, to, maxBuckets);
            List<StepBucket> result = new ArrayList<>();
            scan("step", StepBucket.STEP_COLUMNS, StepBucket.LEVEL_COLUMNS, span, (row, level) -> {
                int step = row.getInt(1);
                if (result.isEmpty() || span.bucket(step) != span.bucket(result.get(result.size() - 1).firstStep)) {
                    result.add(new StepBucket());
                }
                result.get(result.size() - 1).add(row, level);
            });
            return result;
        });
        int n = buckets.size();
        StepSeries series = new StepSeries(new int[n], new int[n], new double[n], new double[n], new double[n], new double[n],
                new double[n], new double[n], new double[n], new double[n], new double[n], new long[n]);
        for (int i = 0; i < n; i++) {
            StepBucket bucket = buckets.get(i);
            series.firstStep()[i] = bucket.firstStep;
            series.lastStep()[i] = bucket.lastStep;
            series.loss()[i] = bucket.loss.mean();
            series.lossMin()[i] = bucket.loss.min();
            series.lossMax()[i] = bucket.loss.max();
            series.lr()[i] = bucket.lr();
            series.gradNorm()[i] = bucket.gradNorm.mean();
            series.gradNormMin()[i] = bucket.gradNorm.min();
            series.gradNormMax()[i] = bucket.gradNorm.max();
            series.stepMs()[i] = bucket.stepMs();
            series.memoryBytes()[i] = bucket.memoryBytes();
            series.tokens()[i] = bucket.tokens;
        }
        return series;
    }

    /** The steps {@code from … to} (inclusive) exactly as they were written, ascending. */
    public List<StepRecord> records(int from, int to) {
        return db.read(() -> {
            List<StepRecord> records = new ArrayList<>();
            PreparedStatement query =
                    db.prepared("SELECT " + StepBucket.STEP_COLUMNS + " FROM step WHERE step >= ? AND step <= ? ORDER BY step");
            query.setInt(1, from);
            query.setInt(2, to);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    records.add(new StepRecord(row.getInt(1), row.getLong(2), Database.real(row, 3), Database.real(row, 4),
                            Database.real(row, 5), Database.real(row, 6), row.getLong(7), row.getLong(8)));
                }
            }
            return List.copyOf(records);
        });
    }

    /**
     * Wall clock at the end of the last step at or before {@code step}, ms since 1970, so with all pauses before it; of no step, or
     * where the clock is not known, when the file was made.
     */
    public long timeMs(int step) {
        return db.read(() -> {
            PreparedStatement query = db.prepared("SELECT time_ms FROM step WHERE step <= ? ORDER BY step DESC LIMIT 1");
            query.setInt(1, step);
            try (ResultSet row = query.executeQuery()) {
                return row.next() && row.getLong(1) > 0 ? row.getLong(1) : info.createdMs();
            }
        });
    }

    /** Commands that took effect, in the order in which they were given. */
    public List<TakenCommand> commands() {
        return db.read(() -> {
            List<TakenCommand> commands = new ArrayList<>();
            try (ResultSet row = db.prepared("SELECT id, name, argument, taken_step FROM command WHERE taken_step >= 0 ORDER BY id")
                    .executeQuery()) {
                while (row.next()) {
                    commands.add(new TakenCommand(new Command(row.getLong(1), row.getString(2), row.getString(3)), row.getInt(4)));
                }
            }
            return List.copyOf(commands);
        });
    }

    /** Validation losses of steps greater than {@code afterStep}, ascending. */
    public List<ValidationRecord> validation(int afterStep) {
        return db.read(() -> {
            List<ValidationRecord> records = new ArrayList<>();
            // Files made by earlier versions have no accuracy.
            String accuracy = db.hasColumn("validation", "accuracy") ? "accuracy" : "NULL";
            PreparedStatement query = db.prepared("SELECT step, loss, " + accuracy + " FROM validation WHERE step > ? ORDER BY step");
            query.setInt(1, afterStep);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    records.add(new ValidationRecord(row.getInt(1), Database.real(row, 2), Database.real(row, 3)));
                }
            }
            return List.copyOf(records);
        });
    }

    /** Events with an id greater than {@code afterId}, ascending. */
    public List<RunEvent> events(long afterId) {
        return db.read(() -> {
            List<RunEvent> events = new ArrayList<>();
            PreparedStatement query = db.prepared("SELECT id, step, time_ms, kind, text FROM event WHERE id > ? ORDER BY id");
            query.setLong(1, afterId);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    events.add(new RunEvent(row.getLong(1), row.getInt(2), row.getLong(3), row.getString(4), row.getString(5)));
                }
            }
            return List.copyOf(events);
        });
    }

    /** The measure at the last step at or before {@code step} that recorded it; empty where there is none. */
    public Optional<LayerValues> layers(Measure measure, int step) {
        return layers(measure, step, Optional.empty());
    }

    /** The same; {@code known} itself where it is what would be read, so that what has not changed is not read again. */
    public Optional<LayerValues> layers(Measure measure, int step, Optional<LayerValues> known) {
        return db.read(() -> {
            if (!isRecorded(measure)) {
                return Optional.empty();
            }
            PreparedStatement query = db.prepared(
                    "SELECT step, value FROM " + Format.table(measure) + " WHERE step <= ? ORDER BY step DESC LIMIT 1");
            query.setInt(1, step);
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                int found = row.getInt(1);
                if (known.isPresent() && known.get().step() == found) {
                    return known;
                }
                return Optional.of(new LayerValues(found, Format.floats(row.getBytes(2))));
            }
        });
    }

    /** The measure over the steps {@code from … to} (inclusive), reduced to about {@code maxColumns} or fewer columns. */
    public LayerMatrix layers(Measure measure, int from, int to, int maxColumns) {
        List<LayerBucket> buckets = new ArrayList<>();
        List<float[]> columns = new ArrayList<>();
        db.read(() -> {
            if (!isRecorded(measure)) {
                return null;
            }
            Span span = span(Format.table(measure), from, to, maxColumns);
            scan(Format.table(measure), LayerBucket.STEP_COLUMNS, LayerBucket.MEAN_COLUMNS, span, (row, level) -> {
                int step = row.getInt(1);
                if (buckets.isEmpty() || span.bucket(step) != span.bucket(buckets.get(buckets.size() - 1).firstStep)) {
                    buckets.add(new LayerBucket(measure));
                }
                buckets.get(buckets.size() - 1).addMean(row, level);
            });
            return null;
        });
        int[] firstStep = new int[buckets.size()];
        int[] lastStep = new int[buckets.size()];
        for (int i = 0; i < buckets.size(); i++) {
            firstStep[i] = buckets.get(i).firstStep;
            lastStep[i] = buckets.get(i).lastStep;
            columns.add(buckets.get(i).mean());
        }
        return new LayerMatrix(firstStep, lastStep, columns.toArray(float[][]::new));
    }

    private boolean isRecorded(Measure measure) throws SQLException {
        if (!recorded.contains(measure) && db.hasTable(Format.table(measure))) {
            recorded.add(measure);
        }
        return recorded.contains(measure);
    }

    /** The steps {@code from … to} in buckets of {@code width} steps, a power of two. */
    private record Span(int from, int to, long width) {
        long bucket(int step) {
            return Math.floorDiv(step, width);
        }
    }

    /** The part of {@code from … to} that {@code table} has records in, in at most {@code most} buckets. */
    private Span span(String table, int from, int to, int most) throws SQLException {
        if (most < 1) {
            throw new IllegalArgumentException("At least one bucket must be allowed, not " + most + ".");
        }
        long last = Math.min(to, db.number("SELECT max(step) FROM " + table, -1));
        long first = Math.max(from, db.number("SELECT min(step) FROM " + table, 0));
        long width = 1;
        while (last >= first && Math.floorDiv(last, width) - Math.floorDiv(first, width) + 1 > most
                && width <= Integer.MAX_VALUE) {
            width *= 2;
        }
        return new Span((int) first, (int) Math.max(last, first - 1), width);
    }

    /** Takes a row of a level. */
    @FunctionalInterface
    private interface Row {
        void take(ResultSet row, int level) throws SQLException;
    }

    /** Gives {@code to} the records of a span in order, each step once, from the highest level whose records fit into a bucket. */
    private void scan(String table, String stepColumns, String levelColumns, Span span, Row to) throws SQLException {
        new Scan(table, stepColumns, levelColumns, to).scan(level(table, span), span.from(), span.to());
    }

    /** The highest level with records in the span that are no wider than its buckets. */
    private int level(String table, Span span) throws SQLException {
        for (int level = Format.LEVELS; level > 0 && span.width() > 1; level--) {
            if (!db.hasTable(Format.table(table, level))) {
                continue;
            }
            PreparedStatement query = db.prepared("SELECT last_step - first_step FROM " + Format.table(table, level)
                    + " WHERE first_step >= ? AND first_step <= ? ORDER BY first_step LIMIT 1");
            query.setInt(1, span.from());
            query.setInt(2, span.to());
            try (ResultSet row = query.executeQuery()) {
                if (row.next() && row.getInt(1) < span.width()) {
                    return level;
                }
            }
        }
        return 0;
    }

    /** A scan of one table. */
    private final class Scan {
        private final String table;
        private final String stepColumns;
        private final String levelColumns;
        private final Row to;

        Scan(String table, String stepColumns, String levelColumns, Row to) {
            this.table = table;
            this.stepColumns = stepColumns;
            this.levelColumns = levelColumns;
            this.to = to;
        }

        /** The records of {@code level} that lie whole in {@code first … last}; what they leave at both ends from the level below. */
        void scan(int level, int first, int last) throws SQLException {
            if (first > last) {
                return;
            }
            if (level == 0) {
                rows(0, first, last);
                return;
            }
            String levelTable = Format.table(table, level);
            long begin = bound("SELECT first_step FROM " + levelTable + " WHERE first_step >= ?1 AND first_step <= ?2 AND last_step <= ?2"
                    + " ORDER BY first_step LIMIT 1", first, last);
            if (begin < 0) {
                scan(level - 1, first, last);
                return;
            }
            long end = bound("SELECT last_step FROM " + levelTable + " WHERE first_step >= ?1 AND first_step <= ?2 AND last_step <= ?2"
                    + " ORDER BY first_step DESC LIMIT 1", first, last);
            scan(level - 1, first, (int) begin - 1);
            rows(level, (int) begin, (int) end);
            scan(level - 1, (int) end + 1, last);
        }

        private long bound(String sql, int first, int last) throws SQLException {
            PreparedStatement query = db.prepared(sql);
            query.setInt(1, first);
            query.setInt(2, last);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : -1;
            }
        }

        private void rows(int level, int first, int last) throws SQLException {
            String key = level == 0 ? "step" : "first_step";
            PreparedStatement query = db.prepared("SELECT " + (level == 0 ? stepColumns : levelColumns) + " FROM "
                    + Format.table(table, level) + " WHERE " + key + " >= ? AND " + key + " <= ? ORDER BY " + key);
            query.setInt(1, first);
            query.setInt(2, last);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    to.take(row, level);
                }
            }
        }
    }

    @Override
    public void close() {
        db.close();
    }
}
