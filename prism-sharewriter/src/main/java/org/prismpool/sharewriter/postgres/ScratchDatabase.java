package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.Driver;
import org.prismpool.sharewriter.LedgerUnavailableException;

/**
 * A database of its own on a server, with the complete schema, dropped with everything in it when closed. For measuring
 * and trying out; no other database of the server is touched. Blocking, for one caller.
 */
public final class ScratchDatabase implements AutoCloseable {

    private final PostgresTarget server;
    private final String name;

    private ScratchDatabase(PostgresTarget server, String name) {
        this.server = server;
        this.name = name;
    }

    /**
     * Creates the database.
     *
     * @param server any database of the server, with an account that may create databases
     * @return the database, migrated
     * @throws org.prismpool.sharewriter.LedgerException if it cannot be created
     */
    public static ScratchDatabase create(PostgresTarget server) {
        ScratchDatabase database = new ScratchDatabase(
                server, "prism_scratch_" + ProcessHandle.current().pid() + "_" + System.nanoTime());
        database.run("CREATE DATABASE " + database.name);
        try {
            new SchemaMigrator(database.target()).up();
            return database;
        } catch (RuntimeException failed) {
            database.close();
            throw failed;
        }
    }

    /**
     * Returns where the database is.
     *
     * @return target of a ledger
     */
    public PostgresTarget target() {
        return server.withDatabase(name);
    }

    private void run(String sql) {
        try (Connection connection = new Driver().connect(server.jdbcUrl(), server.properties())) {
            if (connection == null) {
                throw new LedgerUnavailableException("the driver does not know this database address");
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    @Override
    public void close() {
        run("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }
}
