package keelscope.runfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Writes a run file; one per engine process. Not safe for use by several threads. */
public final class RunWriter implements AutoCloseable {

    /** The step of a command that never took effect. */
    static final int NEVER = -1;

    private final RunLock lock;
    private final Database db;
    private final long pid = ProcessHandle.current().pid();
    private Levels<StepBucket> stepLevels;
    private Map<Measure, Levels<LayerBucket>> layerLevels;
    private int lastStep = -1;
    private long commandVersion = -1;
    private boolean commandsWaiting = true;
    private boolean closed;

    private RunWriter(RunLock lock, Database db) {
        this.lock = lock;
        this.db = db;
        this.stepLevels = stepLevels();
        this.layerLevels = new EnumMap<>(Measure.class);
    }

    /**
     * Makes a new run file, locked for this process until {@link #close()}.
     *
     * @throws RunFileException if the file exists, is in use by another engine, or cannot be written
     */
    public static RunWriter create(Path file, RunInfo info) {
        RunLock lock = RunLock.take(file);
        try {
            if (Files.exists(file)) {
                throw new RunFileException("The run file " + file + " exists already; choose another folder or move it away.");
            }
            // Made under another name, so that whoever finds the file finds it whole.
            Path unfinished = Format.beside(file, ".new");
            Files.deleteIfExists(unfinished);
            make(unfinished, file, info);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            return open(lock, file);
        } catch (IOException e) {
            lock.close();
            throw new RunFileException("The run file " + file + " cannot be made: " + Failure.reason(e) + "; choose another folder.", e);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Opens an existing run file to go on after its last step, locked for this process until {@link #close()}.
     *
     * @throws RunFileException if it is missing, not a run file, damaged, in use by another engine, or cannot be written
     */
    public static RunWriter reopen(Path file) {
        Format.check(file);
        RunLock lock = RunLock.take(file);
        try {
            RunWriter writer = open(lock, file);
            writer.addColumns();
            writer.rebuild();
            return writer;
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Says in the run file of an engine that is gone how it ended, unless it said so itself: the state becomes {@code status} with
     * {@code message}, and an event of the kind {@code kind} says the same at the last step. The process id stays the engine's.
     *
     * @return whether this was written; false where the file already has an ended state
     * @throws RunFileException as {@link #reopen}
     */
    public static boolean markEnded(Path file, RunStatus status, String message, String kind) {
        try (RunWriter writer = reopen(file)) {
            return writer.db.write(() -> {
                PreparedStatement update = writer.db.prepared("UPDATE state SET status = ?, message = ? WHERE status NOT IN (?, ?, ?, ?)");
                update.setString(1, status.name());
                update.setString(2, message);
                update.setString(3, RunStatus.FINISHED.name());
                update.setString(4, RunStatus.STOPPED.name());
                update.setString(5, RunStatus.DIVERGED.name());
                update.setString(6, RunStatus.FAILED.name());
                boolean open = update.executeUpdate() == 1;
                if (open) {
                    writer.insertEvent(writer.lastStep, kind, message);
                }
                return open;
            });
        }
    }

    /**
     * Makes ready a run file whose engine is gone, for another one that goes on with it: the state becomes {@link
     * RunStatus#STARTING}, and what was asked of the former engine too late is put away.
     *
     * @throws RunFileException as {@link #reopen}; also where an engine is at work on it
     */
    public static void markStarting(Path file) {
        try (RunWriter writer = reopen(file)) {
            for (Command command : writer.pendingCommands()) {
                writer.taken(command, NEVER, writer.lastStep + 1, "The engine had ended before it could take " + command.name());
            }
            writer.state(RunStatus.STARTING, "");
        }
    }

    private static void make(Path unfinished, Path file, RunInfo info) {
        try (Database db = Database.open(unfinished, file, "mode=rwc")) {
            db.execute("PRAGMA application_id = " + Format.APPLICATION_ID);
            db.execute("PRAGMA user_version = " + Format.VERSION);
            db.write(() -> {
                for (String statement : Format.schema()) {
                    db.execute(statement);
                }
                PreparedStatement insert = db.prepared("INSERT INTO meta (key, value) VALUES (?, ?)");
                for (Map.Entry<String, String> entry : Meta.entries(info).entrySet()) {
                    insert.setString(1, entry.getKey());
                    insert.setString(2, entry.getValue());
                    insert.executeUpdate();
                }
                db.execute("INSERT INTO state VALUES (1, '" + RunStatus.STARTING + "', '', " + ProcessHandle.current().pid() + ", "
                        + System.currentTimeMillis() + ")");
                return null;
            });
        } catch (SQLException e) {
            throw Failure.of(file, e);
        }
    }

    private static RunWriter open(RunLock lock, Path file) {
        try {
            Database db = Database.open(file, "mode=rw");
            try {
                db.execute("PRAGMA journal_mode = WAL");
                // With a write-ahead log NORMAL keeps every commit through a killed process; only a power cut may lose the last ones.
                db.execute("PRAGMA synchronous = NORMAL");
                db.execute("PRAGMA journal_size_limit = " + (16 << 20));
                return new RunWriter(lock, db);
            } catch (SQLException | RuntimeException e) {
                db.close();
                throw e;
            }
        } catch (SQLException e) {
            throw Failure.of(file, e);
        }
    }

    /** The file written. */
    public Path file() {
        return db.file();
    }

    /** The last committed step, −1 before the first. */
    public int lastStep() {
        return lastStep;
    }

    /**
     * Commits one step, all of it or nothing: its run measures, per-sub-layer measures and, where given, the
     * validation loss taken after it. When this returns, the step survives a killed process.
     *
     * @param step its number is greater than that of the last one
     * @param layers values per measure, L (or L + 1) each; {@link Measure#PARAM_GRAD_NORM} always among them
     * @throws RunFileException if it cannot be written (a full disk); the file then holds all steps before it, and the call may be
     *     repeated
     */
    public void step(StepRecord step, Map<Measure, float[]> layers, OptionalDouble validationLoss) {
        step(step, layers, validationLoss.isPresent()
                ? Optional.of(new ValidationRecord(step.step(), validationLoss.getAsDouble()))
                : Optional.empty());
    }

    /**
     * The same with all there is to say of the validation.
     *
     * @param validation of this step
     */
    public void step(StepRecord step, Map<Measure, float[]> layers, Optional<ValidationRecord> validation) {
        if (step.step() <= lastStep) {
            throw new IllegalArgumentException("Step " + step.step() + " is given after step " + lastStep + "; steps ascend.");
        }
        try {
            db.write(() -> {
                insert(step);
                for (Map.Entry<Measure, float[]> entry : layers.entrySet()) {
                    insert(entry.getKey(), step.step(), entry.getValue());
                }
                if (validation.isPresent()) {
                    insertValidation(validation.get());
                }
                return null;
            });
        } catch (RuntimeException e) {
            rebuildAfter(e);
            throw e;
        }
        lastStep = step.step();
    }

    private void insert(StepRecord step) throws SQLException {
        PreparedStatement insert =
                db.prepared("INSERT INTO step (" + StepBucket.STEP_COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        insert.setInt(1, step.step());
        insert.setLong(2, step.tokens());
        insert.setDouble(3, step.loss());
        insert.setDouble(4, step.lr());
        insert.setDouble(5, step.gradNorm());
        insert.setDouble(6, step.stepMs());
        insert.setLong(7, step.timeMs());
        insert.setLong(8, step.memoryBytes());
        insert.executeUpdate();
        stepLevels.add(bucket -> bucket.add(step));
    }

    private void insert(Measure measure, int step, float[] values) throws SQLException {
        Levels<LayerBucket> levels = layerLevels.get(measure);
        if (levels == null) {
            if (!db.hasTable(Format.table(measure))) {
                db.execute(Format.layers(measure));
            }
            levels = layerLevels(measure);
            layerLevels.put(measure, levels);
        }
        PreparedStatement insert = db.prepared("INSERT INTO " + Format.table(measure) + " (step, value) VALUES (?, ?)");
        insert.setInt(1, step);
        insert.setBytes(2, Format.blob(values));
        insert.executeUpdate();
        levels.add(bucket -> bucket.add(step, values));
    }

    private void insertValidation(ValidationRecord validation) throws SQLException {
        PreparedStatement insert = db.prepared("INSERT OR REPLACE INTO validation (step, loss, accuracy) VALUES (?, ?, ?)");
        insert.setInt(1, validation.step());
        insert.setDouble(2, validation.loss());
        insert.setDouble(3, validation.accuracy());
        insert.executeUpdate();
    }

    /** Records a validation loss outside a step (for example before the first: step −1). */
    public void validation(int step, double loss) {
        db.write(() -> {
            insertValidation(new ValidationRecord(step, loss));
            return null;
        });
    }

    /** Records an event. */
    public void event(int step, String kind, String text) {
        db.write(() -> {
            insertEvent(step, kind, text);
            return null;
        });
    }

    private void insertEvent(int step, String kind, String text) throws SQLException {
        PreparedStatement insert = db.prepared("INSERT INTO event (step, time_ms, kind, text) VALUES (?, ?, ?, ?)");
        insert.setInt(1, step);
        insert.setLong(2, System.currentTimeMillis());
        insert.setString(3, kind);
        insert.setString(4, text);
        insert.executeUpdate();
    }

    /** Records the cadence of the probes, once it has been found: {@link RunInfo#probeEvery}. */
    public void probeEvery(int steps) {
        db.write(() -> {
            PreparedStatement update = db.prepared("UPDATE meta SET value = ? WHERE key = 'probe_every'");
            update.setString(1, Integer.toString(steps));
            update.executeUpdate();
            return null;
        });
    }

    /** Writes the state, with this process's id and the time as heartbeat. */
    public void state(RunStatus status, String message) {
        db.write(() -> {
            PreparedStatement update = db.prepared("UPDATE state SET status = ?, message = ?, pid = ?, heartbeat_ms = ?");
            update.setString(1, status.name());
            update.setString(2, message);
            update.setLong(3, pid);
            update.setLong(4, System.currentTimeMillis());
            return update.executeUpdate();
        });
    }

    /** A sign of life while no step is written (paused, validating); at most a few per second are needed. */
    public void heartbeat() {
        db.write(() -> {
            PreparedStatement update = db.prepared("UPDATE state SET heartbeat_ms = ?");
            update.setLong(1, System.currentTimeMillis());
            return update.executeUpdate();
        });
    }

    /** Commands not yet taken, oldest first. Cheap when there are none: it is called at every step. */
    public List<Command> pendingCommands() {
        return db.single(() -> {
            // Changes when another process has committed, which it only does to leave a command.
            long version = db.number("PRAGMA data_version", 0);
            if (version == commandVersion && !commandsWaiting) {
                return List.of();
            }
            commandVersion = version;
            List<Command> commands = new ArrayList<>();
            try (ResultSet row =
                    db.prepared("SELECT id, name, argument FROM command WHERE taken_step IS NULL ORDER BY id").executeQuery()) {
                while (row.next()) {
                    commands.add(new Command(row.getLong(1), row.getString(2), row.getString(3)));
                }
            }
            commandsWaiting = !commands.isEmpty();
            return List.copyOf(commands);
        });
    }

    /** Marks a command as taken at {@code step} and records the event {@code text} for it, together. */
    public void taken(Command command, int step, String text) {
        taken(command, step, step, text);
    }

    private void taken(Command command, int takenStep, int step, String text) {
        db.write(() -> {
            PreparedStatement update = db.prepared("UPDATE command SET taken_step = ?, taken_ms = ? WHERE id = ?");
            update.setInt(1, takenStep);
            update.setLong(2, System.currentTimeMillis());
            update.setLong(3, command.id());
            update.executeUpdate();
            insertEvent(step, command.name(), text);
            return null;
        });
    }

    /**
     * Removes the steps after {@code step} with their measures and validations, to take them again from a checkpoint. Events and
     * commands stay: they happened.
     */
    public void truncateAfter(int step) {
        db.write(() -> {
            delete("validation", "step", step);
            truncate("step", step);
            for (Measure measure : Measure.values()) {
                if (db.hasTable(Format.table(measure))) {
                    truncate(Format.table(measure), step);
                }
            }
            return null;
        });
        rebuild();
    }

    private void truncate(String table, int step) throws SQLException {
        delete(table, "step", step);
        for (int level = 1; level <= Format.LEVELS; level++) {
            String of = Format.table(table, level);
            if (!db.hasTable(of)) {
                return;
            }
            delete(of, "first_step", step);
            // The record that holds the step and goes on behind it; found by its key, since last_step has no index.
            delete(of, "first_step = (SELECT max(first_step) FROM " + of + ") AND last_step", step);
        }
    }

    private void delete(String table, String column, int step) throws SQLException {
        PreparedStatement delete = db.prepared("DELETE FROM " + table + " WHERE " + column + " > ?");
        delete.setInt(1, step);
        delete.executeUpdate();
    }

    private Levels<StepBucket> stepLevels() {
        return new Levels<>(db, "step", StepBucket.STEP_COLUMNS, StepBucket.LEVEL_COLUMNS, StepBucket::new, Format::stepLevel);
    }

    private Levels<LayerBucket> layerLevels(Measure measure) {
        return new Levels<>(db, Format.table(measure), LayerBucket.STEP_COLUMNS, LayerBucket.LEVEL_COLUMNS, () -> new LayerBucket(measure),
                level -> Format.layersLevel(measure, level));
    }

    /** Reads the records that are not yet folded, so that recording goes on where the file ends. */
    private void rebuild() {
        db.read(() -> {
            lastStep = (int) db.number("SELECT max(step) FROM step", -1);
            stepLevels = stepLevels();
            stepLevels.load();
            layerLevels = new EnumMap<>(Measure.class);
            for (Measure measure : Measure.values()) {
                if (db.hasTable(Format.table(measure))) {
                    Levels<LayerBucket> levels = layerLevels(measure);
                    levels.load();
                    layerLevels.put(measure, levels);
                }
            }
            return null;
        });
    }

    /** What files made by earlier versions lack. */
    private void addColumns() {
        db.write(() -> {
            if (!db.hasColumn("validation", "accuracy")) {
                db.execute("ALTER TABLE validation ADD COLUMN accuracy REAL");
            }
            return null;
        });
    }

    private void rebuildAfter(RuntimeException failure) {
        try {
            rebuild();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Lets the file go. Where nobody else has it open it becomes a single file again, readable from a folder that cannot be
     * written; else the last reader to close does that.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            db.execute("PRAGMA busy_timeout = 0");
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)");
            db.execute("PRAGMA journal_mode = DELETE");
        } catch (SQLException e) {
            // A reader has the file open, or the disk is full: the log stays beside the file and loses nothing.
            if (Failure.code(e) != org.sqlite.SQLiteErrorCode.SQLITE_BUSY.code
                    && Failure.code(e) != org.sqlite.SQLiteErrorCode.SQLITE_FULL.code) {
                throw Failure.of(db.file(), e);
            }
        } finally {
            try {
                db.close();
            } finally {
                lock.close();
            }
        }
    }
}
