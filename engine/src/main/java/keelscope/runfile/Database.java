package keelscope.runfile;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** One connection to a run file: statements prepared once, transactions, and errors as sentences. */
final class Database implements AutoCloseable {
    /** How long to wait for another process's commit, ms. Commits take well under a millisecond. */
    private static final int BUSY_MS = 10_000;

    private final Path file;
    private final Connection connection;
    private final Path opened;
    private boolean closed;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    private Database(Path opened, Path file, Connection connection) {
        this.opened = opened;
        this.file = file;
        this.connection = connection;
    }

    /** What is done inside a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws SQLException;
    }

    /**
     * Opens {@code file}.
     *
     * @param parameters of SQLite's file URI: {@code mode=rwc} makes the file, {@code mode=rw} does not, {@code immutable=1} reads
     *     it without locks or files beside it
     */
    static Database open(Path file, String parameters) throws SQLException {
        return open(file, file, parameters);
    }

    /** The same for a file that the user knows by another name. */
    static Database open(Path file, Path known, String parameters) throws SQLException {
        Format.opened(file);
        // A URI, so that a ? or # in a path is part of the path.
        Connection connection;
        try {
            connection = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath().toUri() + "?" + parameters);
        } catch (SQLException e) {
            Format.closed(file);
            throw e;
        }
        Database database = new Database(file, known, connection);
        try {
            database.execute("PRAGMA busy_timeout = " + BUSY_MS);
            return database;
        } catch (SQLException e) {
            database.close();
            throw e;
        }
    }

    Path file() {
        return file;
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The statement {@code sql}, prepared at its first use; the caller binds all its parameters. */
    PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return statement;
    }

    /** The first column of the only row of {@code sql}, or {@code otherwise} where there is no row or NULL. */
    long number(String sql, long otherwise) throws SQLException {
        try (ResultSet row = prepared(sql).executeQuery()) {
            if (!row.next()) {
                return otherwise;
            }
            long value = row.getLong(1);
            return row.wasNull() ? otherwise : value;
        }
    }

    boolean hasTable(String name) throws SQLException {
        PreparedStatement query = prepared("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
        query.setString(1, name);
        try (ResultSet row = query.executeQuery()) {
            return row.next();
        }
    }

    boolean hasColumn(String table, String column) throws SQLException {
        PreparedStatement query = prepared("SELECT 1 FROM pragma_table_info(?) WHERE name = ?");
        query.setString(1, table);
        query.setString(2, column);
        try (ResultSet row = query.executeQuery()) {
            return row.next();
        }
    }

    /** Runs {@code work} on one snapshot of the file. */
    <T> T read(Work<T> work) {
        return transaction("BEGIN", work);
    }

    /** Runs {@code work} and commits it, or nothing of it. */
    <T> T write(Work<T> work) {
        return transaction("BEGIN IMMEDIATE", work);
    }

    /** Runs {@code work} without a transaction of its own: a single statement. */
    <T> T single(Work<T> work) {
        try {
            return work.run();
        } catch (SQLException e) {
            forgetStatements(e);
            throw Failure.of(file, e);
        }
    }

    private <T> T transaction(String begin, Work<T> work) {
        try {
            prepared(begin).execute();
            T result = work.run();
            prepared("COMMIT").execute();
            return result;
        } catch (SQLException e) {
            rollback(e);
            throw Failure.of(file, e);
        } catch (RuntimeException e) {
            rollback(e);
            throw e;
        }
    }

    private void rollback(Exception cause) {
        forgetStatements(cause);
        try {
            execute("ROLLBACK");
        } catch (SQLException e) {
            // SQLite rolls back by itself after some errors (a full disk), and then there is nothing left to undo.
            if (!String.valueOf(e.getMessage()).contains("no transaction is active")) {
                cause.addSuppressed(e);
            }
        }
    }

    /** The driver finalizes a statement that failed, and one still open would hold up the rollback: all are prepared anew. */
    private void forgetStatements(Exception cause) {
        for (PreparedStatement statement : prepared.values()) {
            try {
                statement.close();
            } catch (SQLException e) {
                cause.addSuppressed(e);
            }
        }
        prepared.clear();
    }

    /** A REAL column; NULL is how SQLite keeps a NaN. */
    static double real(ResultSet row, int column) throws SQLException {
        double value = row.getDouble(column);
        return row.wasNull() ? Double.NaN : value;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw Failure.of(file, e);
        } finally {
            if (!closed) {
                closed = true;
                Format.closed(opened);
            }
        }
    }
}
