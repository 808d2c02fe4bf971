package org.prismpool.sharewriter.postgres;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * The share table in plain JDBC: the append path and the long window reads, where a row costs microseconds.
 *
 * <p>Times travel as Unix milliseconds; {@code to_timestamp(ms / 1000.0)} restores them exactly.
 */
final class ShareRows {

    /** Columns in the order that {@link #read} expects. */
    static final String COLUMNS = "share_seq, share_id, miner_id, payout_order_key, p2mr_program, share_difficulty,"
            + " network_difficulty, template_height, job_id,"
            + " round(date_part('epoch', job_issued_at) * 1000)::bigint,"
            + " round(date_part('epoch', accepted_at) * 1000)::bigint, ntime, credit_policy";

    private static final String EXISTING = "SELECT " + COLUMNS + " FROM qbit_share_ledger WHERE share_id = ANY (?)";

    private static final String INSERT = "INSERT INTO qbit_share_ledger (share_id, miner_id, payout_order_key,"
            + " p2mr_program, share_difficulty, network_difficulty, template_height, job_id, job_issued_at, accepted_at,"
            + " ntime, credit_policy, writer_id, writer_epoch)"
            + " SELECT i.share_id, i.miner_id, i.order_key, i.program, i.share_difficulty, i.network_difficulty,"
            + " i.template_height, i.job_id, to_timestamp(i.job_issued_at_ms::double precision / 1000.0),"
            + " to_timestamp(i.accepted_at_ms::double precision / 1000.0), i.ntime, i.credit_policy, ?, ?"
            + " FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WITH ORDINALITY AS i (share_id, miner_id, order_key,"
            + " program, share_difficulty, network_difficulty, template_height, job_id, job_issued_at_ms,"
            + " accepted_at_ms, ntime, credit_policy, position)"
            + " ORDER BY i.position RETURNING share_seq, share_id";

    private ShareRows() {}

    static Map<String, StoredShare> existing(Connection connection, List<PendingShare> shares) throws SQLException {
        return existingIds(
                connection,
                shares.stream().map(PendingShare::shareId).distinct().toArray(String[]::new));
    }

    static Map<String, StoredShare> existingIds(Connection connection, String[] ids) throws SQLException {
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

    /** Inserts rows that do not exist, in order; sequences by id. */
    static Map<String, Long> insert(Connection connection, WriterFence fence, List<PendingShare> shares)
            throws SQLException {
        Map<String, Long> sequences = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setString(1, fence.identity().writerId());
            statement.setLong(2, fence.identity().epoch());
            bind(connection, statement, shares);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sequences.put(rows.getString(2), rows.getLong(1));
                }
            }
        }
        return sequences;
    }

    private static void bind(Connection connection, PreparedStatement statement, List<PendingShare> shares)
            throws SQLException {
        int n = shares.size();
        String[] shareIds = new String[n];
        String[] miners = new String[n];
        String[] orderKeys = new String[n];
        byte[][] programs = new byte[n][];
        BigDecimal[] shareDifficulties = new BigDecimal[n];
        BigDecimal[] networkDifficulties = new BigDecimal[n];
        Long[] heights = new Long[n];
        String[] jobs = new String[n];
        Long[] issued = new Long[n];
        Long[] accepted = new Long[n];
        Long[] ntimes = new Long[n];
        String[] policies = new String[n];
        for (int i = 0; i < n; i++) {
            PendingShare share = shares.get(i);
            shareIds[i] = share.shareId();
            miners[i] = share.minerId();
            orderKeys[i] = share.orderKey();
            programs[i] = share.program().bytes();
            shareDifficulties[i] = new BigDecimal(share.shareDifficulty());
            networkDifficulties[i] = new BigDecimal(share.networkDifficulty());
            heights[i] = share.templateHeight();
            jobs[i] = share.jobId();
            issued[i] = share.jobIssuedAtMs();
            accepted[i] = share.acceptedAtMs();
            ntimes[i] = share.ntime();
            policies[i] = share.creditPolicy().text().orElse(null);
        }
        Object[][] columns = {
            shareIds,
            miners,
            orderKeys,
            programs,
            shareDifficulties,
            networkDifficulties,
            heights,
            jobs,
            issued,
            accepted,
            ntimes,
            policies
        };
        String[] types = {
            "text", "text", "text", "bytea", "numeric", "numeric", "int8", "text", "int8", "int8", "int8", "text"
        };
        for (int i = 0; i < columns.length; i++) {
            statement.setArray(3 + i, connection.createArrayOf(types[i], columns[i]));
        }
    }

    static StoredShare read(ResultSet row) throws SQLException {
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
