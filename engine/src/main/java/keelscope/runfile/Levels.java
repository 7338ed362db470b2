package keelscope.runfile;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The reduced levels of one table while it is written: {@value Format#FOLD} records of a level fold into one of the next.
 *
 * @param <B> the bucket that folds
 */
final class Levels<B extends Levels.Bucket<B>> {
    private final Database db;
    private final String table;
    private final String stepColumns;
    private final String levelColumns;
    private final Supplier<B> empty;
    private final IntFunction<String> definition;
    /** The highest level that is known to have a table. */
    private int made;
    /** Index k: the bucket that will be the next record of level k + 1. */
    private final List<B> open = new ArrayList<>();

    /** Records folded into one. */
    interface Bucket<B> {
        /** How many records it holds. */
        int records();

        /** Takes a record of the level below. */
        void add(B lower);

        /** Takes a record as it was read from the table of a level. */
        void add(ResultSet row, int level) throws SQLException;

        /** Puts its values into a statement that inserts them. */
        void bind(PreparedStatement insert) throws SQLException;
    }

    /** Adds a record to a bucket of the lowest level. */
    @FunctionalInterface
    interface Addition<B> {
        void addTo(B bucket);
    }

    /**
     * @param table the table of level 0
     * @param empty makes a bucket without records
     * @param definition the statement that makes the table of a level
     */
    Levels(Database db, String table, String stepColumns, String levelColumns, Supplier<B> empty, IntFunction<String> definition) {
        this.db = db;
        this.table = table;
        this.stepColumns = stepColumns;
        this.levelColumns = levelColumns;
        this.empty = empty;
        this.definition = definition;
        for (int level = 1; level <= Format.LEVELS; level++) {
            open.add(empty.get());
        }
    }

    /** Adds a record just inserted into the table, and inserts the records of higher levels that it completes. */
    void add(Addition<B> record) throws SQLException {
        record.addTo(open.get(0));
        for (int level = 1; level <= Format.LEVELS && open.get(level - 1).records() == Format.FOLD; level++) {
            B full = open.set(level - 1, empty.get());
            if (level > made) {
                // Made when they are needed: of a short run most would stay empty, at a page each.
                if (!db.hasTable(Format.table(table, level))) {
                    db.execute(definition.apply(level));
                }
                made = level;
            }
            PreparedStatement insert = db.prepared("INSERT INTO " + Format.table(table, level) + " (" + levelColumns + ") VALUES ("
                    + "?, ".repeat(levelColumns.split(",").length - 1) + "?)");
            full.bind(insert);
            insert.executeUpdate();
            if (level < Format.LEVELS) {
                open.get(level).add(full);
            }
        }
    }

    /** Fills the open buckets with the records of each level that lie behind the last record of the next. */
    void load() throws SQLException {
        boolean above = true;
        for (int level = 0; level < Format.LEVELS && above; level++) {
            above = db.hasTable(Format.table(table, level + 1));
            long folded = !above ? Integer.MIN_VALUE
                    : db.number("SELECT last_step FROM " + Format.table(table, level + 1) + " ORDER BY first_step DESC LIMIT 1",
                            Integer.MIN_VALUE);
            String key = level == 0 ? "step" : "first_step";
            PreparedStatement query = db.prepared("SELECT " + (level == 0 ? stepColumns : levelColumns) + " FROM "
                    + Format.table(table, level) + " WHERE " + key + " > ? ORDER BY " + key);
            query.setLong(1, folded);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    open.get(level).add(row, level);
                }
            }
        }
    }
}
