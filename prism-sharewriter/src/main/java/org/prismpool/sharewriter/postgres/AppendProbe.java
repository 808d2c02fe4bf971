package org.prismpool.sharewriter.postgres;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Asks which ids of a batch are new and draws a sequence for each of these, in order, so that a replay consumes none.
 *
 * <p>The question is a statement after the fence, never a part of it: its snapshot must see what an earlier attempt of
 * this very batch committed while the fence waited for the lease row. Both travel in one request.
 */
final class AppendProbe {

    private static final String PROBE = "SELECT i.share_id, CASE WHEN l.share_seq IS NULL"
            + " THEN nextval('qbit_share_ledger_share_seq_seq') END"
            + " FROM unnest(?) WITH ORDINALITY AS i (share_id, position)"
            + " LEFT JOIN qbit_share_ledger AS l ON l.share_id = i.share_id"
            // a fenced session must not even draw sequences
            + " WHERE EXISTS (SELECT FROM qbit_ledger_writer_lease WHERE writer_session_token = ?)"
            + " ORDER BY i.position";

    private static final String FENCED_PROBE = Transactions.FENCE_SQL + "; " + PROBE;

    private AppendProbe() {}

    /**
     * Passes the fence and asks.
     *
     * @param ids distinct ids in the order of the batch
     * @return sequence of each new id; an id that is missing here is in the ledger
     * @throws WriterFencedException without the lease
     */
    static Map<String, Long> passAndAsk(Connection connection, WriterFence fence, Collection<String> ids)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FENCED_PROBE)) {
            int bound = Transactions.bindFence(statement, fence);
            Array array = bind(connection, statement, bound, fence, ids);
            statement.execute();
            try (ResultSet passed = statement.getResultSet()) {
                if (!passed.next()) {
                    throw new WriterFencedException(SqlFailures.FENCED);
                }
            }
            statement.getMoreResults();
            try (ResultSet rows = statement.getResultSet()) {
                return fresh(rows);
            } finally {
                array.free();
            }
        }
    }

    /** Asks after the fence was passed. */
    static Map<String, Long> ask(Connection connection, WriterFence fence, Collection<String> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PROBE)) {
            Array array = bind(connection, statement, 0, fence, ids);
            try (ResultSet rows = statement.executeQuery()) {
                return fresh(rows);
            } finally {
                array.free();
            }
        }
    }

    private static Array bind(
            Connection connection, PreparedStatement statement, int bound, WriterFence fence, Collection<String> ids)
            throws SQLException {
        Array array = connection.createArrayOf("text", ids.toArray());
        statement.setArray(bound + 1, array);
        statement.setString(bound + 2, fence.identity().sessionToken());
        return array;
    }

    private static Map<String, Long> fresh(ResultSet rows) throws SQLException {
        Map<String, Long> sequences = new HashMap<>();
        while (rows.next()) {
            long sequence = rows.getLong(2);
            if (!rows.wasNull()) {
                sequences.put(rows.getString(1), sequence);
            }
        }
        return sequences;
    }
}
