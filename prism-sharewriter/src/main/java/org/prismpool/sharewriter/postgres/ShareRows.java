package org.prismpool.sharewriter.postgres;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;

/**
 * Looks single shares up by id.
 *
 * <p>Times travel as Unix milliseconds; {@code to_timestamp(ms / 1000.0)} restores them exactly.
 */
final class ShareRows {

    /** Columns in the order that {@link #read} expects. */
    private static final String COLUMNS =
            "share_seq, share_id, miner_id, payout_order_key, p2mr_program, share_difficulty,"
                    + " network_difficulty, template_height, job_id,"
                    + " round(date_part('epoch', job_issued_at) * 1000)::bigint,"
                    + " round(date_part('epoch', accepted_at) * 1000)::bigint, ntime, credit_policy";

    private static final String EXISTING = "SELECT " + COLUMNS + " FROM qbit_share_ledger WHERE share_id = ANY (?)";

    private ShareRows() {}

    static Map<String, StoredShare> existing(Connection connection, String[] ids) throws SQLException {
        Map<String, StoredShare> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(EXISTING)) {
            Array array = connection.createArrayOf("text", ids);
            statement.setArray(1, array);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    StoredShare row = read(rows);
                    found.put(row.share().shareId(), row);
                }
            }
            array.free();
        }
        return found;
    }

    private static StoredShare read(ResultSet row) throws SQLException {
        return new StoredShare(
                row.getLong(1),
                new PendingShare(
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        P2mrProgram.of(row.getBytes(5)),
                        row.getBigDecimal(6).toBigIntegerExact(),
                        row.getBigDecimal(7).toBigIntegerExact(),
                        row.getLong(8),
                        row.getString(9),
                        row.getLong(10),
                        row.getLong(11),
                        row.getLong(12),
                        CreditPolicy.ofText(Optional.ofNullable(row.getString(13)))));
    }
}
