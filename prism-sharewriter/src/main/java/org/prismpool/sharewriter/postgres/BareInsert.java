package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Writes shares into the ledger's table and its indexes and does nothing else: no lease, no look for replays, no sequence.
 * What is left is what this table costs on this server, whoever writes.
 *
 * <p>A baseline for benchmarks; not for use. Single-threaded.
 */
public final class BareInsert implements AutoCloseable {

    private static final String LAST = "SELECT last_value FROM qbit_share_ledger_share_seq_seq";
    private static final String CATCH_UP =
            "SELECT setval('qbit_share_ledger_share_seq_seq'," + " (SELECT max(share_seq) FROM qbit_share_ledger))";

    private final Connection connection;
    private final WriterFence fence;
    private long last;

    private BareInsert(Connection connection, WriterFence fence) {
        this.connection = connection;
        this.fence = fence;
    }

    /**
     * Opens a connection; nobody else may append until it is closed.
     *
     * @param config where the database is
     * @param fence whose identity the rows bear
     * @return the writer
     */
    public static BareInsert open(PostgresConfig config, WriterFence fence) {
        Connection connection = new Sessions(config)
                .open(
                        "qbit-prism-bench",
                        config.connectTimeout(),
                        config.operationTimeout(),
                        config.operationTimeout());
        BareInsert insert = new BareInsert(connection, fence);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET plan_cache_mode = force_generic_plan");
            insert.last = number(statement, LAST);
            connection.setAutoCommit(false);
            return insert;
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    /**
     * Writes a batch and commits it, in one request.
     *
     * @param shares shares with ids that do not exist
     */
    public void append(List<PendingShare> shares) {
        long[] sequences = new long[shares.size()];
        for (int i = 0; i < sequences.length; i++) {
            sequences[i] = ++last;
        }
        try (PreparedStatement statement = connection.prepareStatement(ShareColumns.INSERT + "; COMMIT")) {
            ShareColumns.of(shares, sequences).bind(connection, statement, 0, fence);
            statement.execute();
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Lets the sequence follow the rows. */
    @Override
    public void close() {
        try (connection;
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            number(statement, CATCH_UP);
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }
}
