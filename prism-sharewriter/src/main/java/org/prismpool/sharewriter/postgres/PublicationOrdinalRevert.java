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

    private static final String ASSIGNED = "SELECT count(audit_publication_sequence) FROM qbit_pool_blocks";

    private PublicationOrdinalRevert() {}

    static boolean run(DataSource database) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                if (!holds(statement, PRESENT)) {
                    return false;
                }
                refuseUnderALease(statement);
                statement.execute(script());
                refuseUnderALease(statement); // a coordinator may have started while the script waited for its locks
                connection.commit();
                return true;
            }
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    static long assigned(DataSource database) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            if (!holds(statement, PRESENT)) {
                return 0;
            }
            try (ResultSet row = statement.executeQuery(ASSIGNED)) {
                row.next();
                return row.getLong(1);
            }
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    private static void refuseUnderALease(Statement statement) throws SQLException {
        if (holds(statement, LEASED)) {
            throw new LedgerRefusedException(
                    "a writer lease is active; stop the coordinator first", false, new IllegalStateException());
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
