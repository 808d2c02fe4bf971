package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;
import org.prismpool.sharewriter.block.ConfirmResult;
import org.prismpool.sharewriter.block.ConfirmResult.Outcome;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Confirms a block in one request with its commit: the balances of all its accounts change in it, and shares wait for the
 * lease row meanwhile.
 */
final class ConfirmRequest {

    private static final int SUPERSEDED = -1;

    private static final String ORDINAL = "SELECT audit_publication_sequence FROM qbit_pool_blocks"
            + " WHERE block_hash = ? AND chain_state = 'confirmed'";

    /**
     * The ordinal is read before and after the confirming statement: that statement cannot see what it assigns, and an
     * ordinal before it tells a repeat from a first confirmation.
     */
    private static final String REQUEST = ORDINAL
            + "; SELECT qbit_confirm_pool_block(?, ?, ?, ?, ?, ? * interval '1 millisecond'); " + ORDINAL + "; COMMIT";

    private ConfirmRequest() {}

    static ConfirmResult send(Connection connection, WriterFence fence, String hash, long height) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REQUEST)) {
            statement.setString(1, hash);
            statement.setString(2, hash);
            statement.setLong(3, height);
            int bound = Transactions.bindHeld(statement, 3, fence);
            statement.setLong(++bound, fence.ttl().toMillis());
            statement.setString(++bound, hash);
            fence.check();
            statement.execute();
            OptionalLong before = number(statement);
            statement.getMoreResults();
            OptionalLong code = number(statement);
            statement.getMoreResults();
            return result(before, code, number(statement));
        }
    }

    private static ConfirmResult result(OptionalLong before, OptionalLong code, OptionalLong after) {
        int told = (int) code.orElseThrow(() -> new IllegalStateException("a ledger function returned no value"));
        if (told == SUPERSEDED) {
            return new ConfirmResult(Outcome.SUPERSEDED, OptionalLong.empty());
        }
        if (told != 1 && told != 2) {
            return new ConfirmResult(Outcome.UNEXPLAINED, OptionalLong.empty());
        }
        return new ConfirmResult(before.isPresent() ? Outcome.ALREADY_CONFIRMED : Outcome.CONFIRMED, after);
    }

    private static OptionalLong number(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.getResultSet()) {
            if (!row.next()) {
                return OptionalLong.empty();
            }
            long value = row.getLong(1);
            return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
        }
    }
}
