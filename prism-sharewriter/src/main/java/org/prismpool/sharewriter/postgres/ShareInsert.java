package org.prismpool.sharewriter.postgres;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Writes new shares as one statement over arrays, planned once per connection whatever the size of a batch.
 *
 * <p>Not the server's bulk load: that waits for rows inside a statement, where no timeout of the server reaches it. A writer
 * that is stopped at that moment would hold the lease row for as long as it sleeps, and no successor could take over. A
 * statement that travels as one message leaves a transaction that is idle at most, which the server ends.
 */
final class ShareInsert {

    private static final String INSERT = "INSERT INTO qbit_share_ledger (writer_id, writer_epoch, share_seq, share_id,"
            + " miner_id, payout_order_key, p2mr_program, share_difficulty, network_difficulty, template_height, job_id,"
            + " job_issued_at, accepted_at, ntime, credit_policy)"
            + " SELECT ?, ?, i.share_seq, i.share_id, i.miner_id, i.order_key, i.program, i.share_difficulty,"
            + " i.network_difficulty, i.template_height, i.job_id,"
            + " to_timestamp(i.job_issued_at_ms::double precision / 1000.0),"
            + " to_timestamp(i.accepted_at_ms::double precision / 1000.0), i.ntime, i.credit_policy"
            + " FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS i (share_seq, share_id, miner_id, order_key, program,"
            + " share_difficulty, network_difficulty, template_height, job_id, job_issued_at_ms, accepted_at_ms, ntime,"
            + " credit_policy)";
    private static final int FIRST_ARRAY = 3;

    private ShareInsert() {}

    /**
     * Writes rows whose ids do not exist.
     *
     * @param rows shares in the order of their sequences
     * @param sequences sequence of each id
     */
    static void write(Connection connection, WriterFence fence, List<PendingShare> rows, Map<String, Long> sequences)
            throws SQLException {
        Columns columns = new Columns(rows, sequences);
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setString(1, fence.identity().writerId());
            statement.setLong(2, fence.identity().epoch());
            columns.bind(connection, statement);
            statement.executeUpdate();
        }
    }

    /** The rows turned by ninety degrees. */
    private static final class Columns {

        private final long[] sequences;
        private final String[] ids;
        private final String[] miners;
        private final String[] orderKeys;
        private final byte[][] programs;
        private final BigDecimal[] shareDifficulties;
        private final BigDecimal[] networkDifficulties;
        private final long[] heights;
        private final String[] jobs;
        private final long[] issued;
        private final long[] accepted;
        private final long[] times;
        private final @Nullable String[] policies;

        Columns(List<PendingShare> rows, Map<String, Long> sequenceOfId) {
            int n = rows.size();
            sequences = new long[n];
            ids = new String[n];
            miners = new String[n];
            orderKeys = new String[n];
            programs = new byte[n][];
            shareDifficulties = new BigDecimal[n];
            networkDifficulties = new BigDecimal[n];
            heights = new long[n];
            jobs = new String[n];
            issued = new long[n];
            accepted = new long[n];
            times = new long[n];
            policies = new String[n];
            for (int i = 0; i < n; i++) {
                PendingShare row = rows.get(i);
                sequences[i] = Objects.requireNonNull(sequenceOfId.get(row.shareId()), "a new share has a sequence");
                ids[i] = row.shareId();
                miners[i] = row.minerId();
                orderKeys[i] = row.orderKey();
                programs[i] = row.program().bytes();
                shareDifficulties[i] = new BigDecimal(row.shareDifficulty());
                networkDifficulties[i] = new BigDecimal(row.networkDifficulty());
                heights[i] = row.templateHeight();
                jobs[i] = row.jobId();
                issued[i] = row.jobIssuedAtMs();
                accepted[i] = row.acceptedAtMs();
                times[i] = row.ntime();
                policies[i] = row.creditPolicy().text().orElse(null);
            }
        }

        void bind(Connection connection, PreparedStatement statement) throws SQLException {
            Object[] columns = {
                sequences,
                ids,
                miners,
                orderKeys,
                programs,
                shareDifficulties,
                networkDifficulties,
                heights,
                jobs,
                issued,
                accepted,
                times,
                policies
            };
            String[] types = {
                "int8", "text", "text", "text", "bytea", "numeric", "numeric", "int8", "text", "int8", "int8", "int8",
                "text"
            };
            PGConnection driver = connection.unwrap(PGConnection.class);
            for (int i = 0; i < columns.length; i++) {
                statement.setArray(FIRST_ARRAY + i, driver.createArrayOf(types[i], columns[i]));
            }
        }
    }
}
