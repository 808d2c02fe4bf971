package org.prismpool.sharewriter.postgres;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Asks which ids of a batch are new and draws a sequence for each of these, in order, so that a replay consumes none.
 *
 * <p>The question is a statement after the fence, never a part of it: its snapshot must see what an earlier attempt of
 * this very batch committed while the fence waited for the lease row. Both travel in one request.
 */
final class AppendProbe {

    static final String PROBE = "WITH known AS MATERIALIZED"
            + " (SELECT share_id FROM qbit_share_ledger WHERE share_id = ANY (?))"
            + " SELECT ARRAY(SELECT share_id FROM known), ARRAY(SELECT nextval('qbit_share_ledger_share_seq_seq')"
            + " FROM generate_series(1, ? - (SELECT count(*) FROM known))"
            // a fenced session must not even draw sequences
            + " WHERE " + Transactions.HELD_SQL + ")";

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
            try (ResultSet row = statement.getResultSet()) {
                return fresh(row, ids);
            } finally {
                array.free();
            }
        }
    }

    /** Asks after the fence was passed. */
    static Map<String, Long> ask(Connection connection, WriterFence fence, Collection<String> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PROBE)) {
            Array array = bind(connection, statement, 0, fence, ids);
            try (ResultSet row = statement.executeQuery()) {
                return fresh(row, ids);
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
        statement.setLong(bound + 2, ids.size());
        Transactions.bindHeld(statement, bound + 2, fence);
        return array;
    }

    /** The new ids keep their order; each gets the next of the drawn sequences, which only rise. */
    private static Map<String, Long> fresh(ResultSet row, Collection<String> ids) throws SQLException {
        row.next();
        Set<String> known = Set.of((String[]) row.getArray(1).getArray());
        Long[] drawn = (Long[]) row.getArray(2).getArray();
        if (drawn.length != 0 && drawn.length != ids.size() - known.size()) {
            throw new IllegalStateException("as many sequences as new shares are drawn");
        }
        Map<String, Long> sequences = new HashMap<>(2 * drawn.length);
        int next = 0;
        for (String id : ids) {
            if (next < drawn.length && !known.contains(id)) {
                sequences.put(id, drawn[next++]);
            }
        }
        return sequences;
    }
}
