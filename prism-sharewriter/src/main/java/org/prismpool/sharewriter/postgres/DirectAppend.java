package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Appends a batch of new shares in one request: fence, rows, sequences and commit travel together.
 *
 * <p>Nobody asks whether the ids exist. The unique key says so, and a batch with a replay is rolled back as a whole for the
 * caller to ask with {@link AppendProbe}; so do the next batches, because replays come in flocks and each failure leaves
 * dead rows. Sequences are foretold from the last one that this connection gave, and drawn after the rows are in: a replay
 * consumes none. Nothing is written unless the sequence still stands where it did.
 *
 * <p>Confined to the thread that appends.
 */
final class DirectAppend {

    /** Rows under the fence; the lease row is locked first, since the condition is looked at before any row is made. */
    static final String ROWS = "WITH fence AS (" + Transactions.FENCE_SQL + ") " + ShareColumns.INSERT
            + " WHERE EXISTS (SELECT FROM fence)"
            + " AND (SELECT last_value FROM qbit_share_ledger_share_seq_seq WHERE is_called) = ?";

    /** Draws what the rows above got, if they are there and the lease is this session's. */
    static final String DRAW = "SELECT count(nextval('qbit_share_ledger_share_seq_seq')) FROM generate_series(1, ?)"
            + " WHERE EXISTS (SELECT FROM qbit_share_ledger WHERE share_seq = ? AND share_id = ?)"
            + " AND " + Transactions.HELD_SQL;

    private static final String REQUEST = ROWS + "; " + DRAW + "; COMMIT";
    private static final int PROBED_AFTER_A_REPLAY = 64;
    private static final String UNIQUE_VIOLATION = "23505";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private @Nullable Connection known; // the connection whose last sequence is known
    private long last;
    private int probed; // batches that have to ask first
    private boolean forbidden; // this role may draw from the sequence but not look at it

    /** Notes the last sequence that a batch got on a connection. */
    void gave(Connection connection, long sequence) {
        known = connection;
        last = sequence;
    }

    /**
     * Appends and commits, if every entry turns out to be new.
     *
     * @return one result per entry; empty if the batch has to ask first: then nothing is written and no transaction is open
     */
    Optional<List<AppendResult>> append(Connection connection, WriterFence fence, List<AppendEntry> batch)
            throws SQLException {
        if (known != connection || forbidden || !plain(batch)) {
            return Optional.empty();
        }
        if (probed > 0) {
            probed--;
            return Optional.empty();
        }
        try {
            return send(
                    connection, fence, batch.stream().map(AppendEntry::share).toList());
        } catch (SQLException refused) {
            if (UNIQUE_VIOLATION.equals(refused.getSQLState())) {
                probed = PROBED_AFTER_A_REPLAY;
            } else if (INSUFFICIENT_PRIVILEGE.equals(refused.getSQLState())) {
                forbidden = true;
            } else {
                throw refused;
            }
            connection.rollback();
            return Optional.empty();
        }
    }

    /** Without candidates, and no id twice. */
    private static boolean plain(List<AppendEntry> batch) {
        Set<String> ids = new HashSet<>(2 * batch.size());
        return !batch.isEmpty()
                && batch.stream()
                        .allMatch(entry -> entry.candidate().isEmpty()
                                && ids.add(entry.share().shareId()));
    }

    private Optional<List<AppendResult>> send(Connection connection, WriterFence fence, List<PendingShare> rows)
            throws SQLException {
        int n = rows.size();
        long[] sequences = new long[n];
        List<AppendResult> results = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            sequences[i] = last + 1 + i;
            results.add(new AppendResult.New(sequences[i], Optional.empty()));
        }
        try (PreparedStatement statement = connection.prepareStatement(REQUEST)) {
            int at = Transactions.bindFence(statement, fence);
            at = ShareColumns.of(rows, sequences).bind(connection, statement, at, fence);
            statement.setLong(++at, last);
            statement.setInt(++at, n);
            statement.setLong(++at, last + n);
            statement.setString(++at, rows.get(n - 1).shareId());
            Transactions.bindHeld(statement, at, fence);
            statement.execute();
            int written = statement.getUpdateCount();
            statement.getMoreResults();
            long drawn = count(statement);
            known = drawn == n ? connection : null; // else somebody draws beside us: the next batch asks
            last += drawn;
            if (written == 0) {
                return Optional.empty();
            }
            if (written != n) {
                throw new IllegalStateException(written + " of " + n + " shares were written");
            }
            return Optional.of(results);
        }
    }

    private static long count(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.getResultSet()) {
            row.next();
            return row.getLong(1);
        }
    }
}
