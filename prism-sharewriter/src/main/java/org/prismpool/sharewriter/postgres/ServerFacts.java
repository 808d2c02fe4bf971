package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/**
 * What a check wants to know of a database server.
 *
 * @param version version of the server as it names itself
 * @param fsync whether it forces what it writes to the disk
 * @param fullPageWrites whether it survives a torn page
 * @param synchronousCommit what a commit waits for; {@code off} means it may be lost after its acknowledgement
 */
public record ServerFacts(String version, boolean fsync, boolean fullPageWrites, String synchronousCommit) {

    private static final String QUESTION = "SELECT current_setting('server_version'), current_setting('fsync'),"
            + " current_setting('full_page_writes'), current_setting('synchronous_commit')";

    /**
     * Asks a server over a connection of its own.
     *
     * @param target where the database is
     * @param limit longest wait for the connection, and again for the answer
     * @return the facts
     * @throws org.prismpool.sharewriter.LedgerException if it cannot be reached or does not answer
     */
    public static ServerFacts ask(PostgresTarget target, Duration limit) {
        try (Connection connection = DirectSource.of(target, "qbit-prism-check", Optional.of(limit))
                        .getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(QUESTION)) {
            row.next();
            return new ServerFacts(
                    row.getString(1), "on".equals(row.getString(2)), "on".equals(row.getString(3)), row.getString(4));
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    /**
     * Tells whether an acknowledged commit survives a crash.
     *
     * @return true if nothing that durability needs is off
     */
    public boolean durable() {
        return fsync && fullPageWrites && !"off".equals(synchronousCommit);
    }
}
