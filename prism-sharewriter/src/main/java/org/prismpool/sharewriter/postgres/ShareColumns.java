package org.prismpool.sharewriter.postgres;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.lease.WriterFence;

/** New rows turned by ninety degrees: one array a column, so that one planned statement takes batches of any size. */
final class ShareColumns {

    /**
     * Insert of all rows; a condition may follow. The arrays are unfolded side by side in the list of results: as tables of
     * a {@code FROM} each would be stored first.
     */
    static final String INSERT =
            "INSERT INTO qbit_share_ledger (writer_id, writer_epoch, share_seq, share_id, miner_id,"
                    + " payout_order_key, p2mr_program, share_difficulty, network_difficulty, template_height, job_id,"
                    + " job_issued_at, accepted_at, ntime, credit_policy)"
                    + " SELECT ?, ?, unnest(?::int8[]), unnest(?::text[]), unnest(?::text[]), unnest(?::text[]),"
                    + " unnest(?::bytea[]), unnest(?::numeric[]), unnest(?::numeric[]), unnest(?::int8[]), unnest(?::text[]),"
                    + " to_timestamp(unnest(?::int8[])::double precision / 1000.0),"
                    + " to_timestamp(unnest(?::int8[])::double precision / 1000.0), unnest(?::int8[]), unnest(?::text[])";

    private static final String[] TYPES = {
        "int8", "text", "text", "text", "bytea", "numeric", "numeric", "int8", "text", "int8", "int8", "int8", "text"
    };

    private final Object[] columns;

    private ShareColumns(Object[] columns) {
        this.columns = columns;
    }

    /**
     * Turns rows.
     *
     * @param rows shares
     * @param sequences sequence of each
     */
    static ShareColumns of(List<PendingShare> rows, long[] sequences) {
        int n = rows.size();
        String[] ids = new String[n];
        String[] miners = new String[n];
        String[] orderKeys = new String[n];
        byte[][] programs = new byte[n][];
        BigDecimal[] shareDifficulties = new BigDecimal[n];
        BigDecimal[] networkDifficulties = new BigDecimal[n];
        long[] heights = new long[n];
        String[] jobs = new String[n];
        long[] issued = new long[n];
        long[] accepted = new long[n];
        long[] times = new long[n];
        @Nullable String[] policies = new String[n];
        for (int i = 0; i < n; i++) {
            PendingShare row = rows.get(i);
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
        return new ShareColumns(new Object[] {
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
        });
    }

    /** Binds the parameters of {@link #INSERT} behind others; returns the number of all that are bound. */
    int bind(Connection connection, PreparedStatement statement, int bound, WriterFence fence) throws SQLException {
        PGConnection driver = connection.unwrap(PGConnection.class);
        int at = bound;
        statement.setString(++at, fence.identity().writerId());
        statement.setLong(++at, fence.identity().epoch());
        for (int i = 0; i < columns.length; i++) {
            statement.setArray(++at, driver.createArrayOf(TYPES[i], columns[i]));
        }
        return at;
    }
}
