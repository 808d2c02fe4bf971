package org.prismpool.sharewriter.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.prismpool.sharewriter.LedgerRefusedException;

/** Removes the publication ordinal in one transaction. */
final class PublicationOrdinalRevert {

    private static final String SCRIPT = "/org/prismpool/sharewriter/schema/revert_publication_ordinal.sql";
    private static final String PRESENT = "SELECT EXISTS (SELECT FROM pg_attribute"
            + " WHERE attrelid = to_regclass('qbit_pool_blocks') AND attname = 'audit_publication_sequence'"
            + " AND NOT attisdropped) OR to_regclass('qbit_audit_publication_sequence_seq') IS NOT NULL";
    private static final String LEASED =
            "SELECT EXISTS (SELECT FROM qbit_ledger_writer_lease WHERE lease_expires_at > clock_timestamp())";

    private PublicationOrdinalRevert() {}

    static boolean run(DataSource database) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                if (!holds(statement, PRESENT)) {
                    return false;
                }
                if (holds(statement, LEASED)) {
                    throw new LedgerRefusedException(
                            "a writer lease is active; stop the coordinator first", false, new IllegalStateException());
                }
                statement.execute(script());
                connection.commit();
                return true;
            }
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    private static boolean holds(Statement statement, String question) throws SQLException {
        try (ResultSet row = statement.executeQuery(question)) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static String script() {
        try (InputStream in = PublicationOrdinalRevert.class.getResourceAsStream(SCRIPT)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + SCRIPT);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
