package org.prismpool.sharewriter.postgres;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Appends shares the way the reference implementation does: one statement per batch that carries the rows as one JSON
 * literal, unpacks them with JSON operators and probes row by row for existing ids and known miners.
 *
 * <p>A baseline for benchmarks, written from its description (ledger contract §8.2); not for use. Single-threaded.
 */
public final class ReferenceStatement implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Connection connection;
    private final WriterFence fence;

    private ReferenceStatement(Connection connection, WriterFence fence) {
        this.connection = connection;
        this.fence = fence;
    }

    /**
     * Opens a connection.
     *
     * @param config where the database is
     * @param fence fence of the lease
     * @return the statement
     */
    public static ReferenceStatement open(PostgresConfig config, WriterFence fence) {
        try {
            Connection connection = new Sessions(config)
                    .open(
                            "qbit-prism-bench",
                            config.connectTimeout(),
                            config.operationTimeout(),
                            config.operationTimeout());
            connection.setAutoCommit(false);
            return new ReferenceStatement(connection, fence);
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    /**
     * Reads what makes a commit durable on this server.
     *
     * @return values of {@code fsync}, {@code full_page_writes} and {@code synchronous_commit}
     */
    public List<String> durability() {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            for (String name : List.of("fsync", "full_page_writes", "synchronous_commit")) {
                try (ResultSet row = statement.executeQuery("SHOW " + name)) {
                    row.next();
                    values.add(row.getString(1));
                }
            }
            connection.commit();
            return values;
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    /**
     * Appends a batch and commits it.
     *
     * @param shares shares with ids that do not exist
     */
    public void append(List<PendingShare> shares) {
        String sql = "WITH fence AS (UPDATE qbit_ledger_writer_lease SET lease_expires_at = clock_timestamp()"
                + " + interval '60 seconds', updated_at = clock_timestamp() WHERE singleton AND writer_id = '"
                + fence.identity().writerId() + "' AND writer_epoch = "
                + fence.identity().epoch()
                + " AND writer_session_token = '" + fence.identity().sessionToken() + "' RETURNING 1),"
                + " input AS (SELECT e.value AS share, e.ordinality AS position FROM jsonb_array_elements('"
                + json(shares).replace("'", "''") + "'::jsonb) WITH ORDINALITY AS e),"
                + " known AS (SELECT i.position, l.share_seq FROM input i"
                + " JOIN LATERAL (SELECT share_seq FROM qbit_share_ledger l WHERE l.share_id = i.share ->> 'share_id'"
                + " LIMIT 1) l ON true),"
                + " added AS (INSERT INTO qbit_share_ledger (share_id, miner_id, payout_order_key, p2mr_program,"
                + " share_difficulty, network_difficulty, template_height, job_id, job_issued_at, ntime, accepted_at,"
                + " credit_policy, writer_id, writer_epoch) SELECT share ->> 'share_id', share ->> 'miner_id',"
                + " share ->> 'order_key', decode(share ->> 'p2mr_program_hex', 'hex'),"
                + " (share ->> 'share_difficulty')::numeric, (share ->> 'network_difficulty')::numeric,"
                + " (share ->> 'template_height')::bigint, share ->> 'job_id',"
                + " to_timestamp((share ->> 'job_issued_at_ms')::double precision / 1000.0),"
                + " (share ->> 'ntime')::bigint,"
                + " to_timestamp((share ->> 'accepted_at_ms')::double precision / 1000.0),"
                + " share ->> 'credit_policy', '" + fence.identity().writerId() + "', "
                + fence.identity().epoch()
                + " FROM input WHERE EXISTS (SELECT FROM fence) AND NOT EXISTS (SELECT FROM known k"
                + " WHERE k.position = input.position) ORDER BY position ON CONFLICT (share_id) DO NOTHING"
                + " RETURNING share_seq, share_id, miner_id)"
                + " SELECT a.share_seq, a.share_id, NOT EXISTS (SELECT FROM qbit_share_ledger l"
                + " WHERE l.accepted AND l.miner_id = a.miner_id) FROM added a";
        try (Statement statement = connection.createStatement()) {
            int rows = 0;
            try (ResultSet row = statement.executeQuery(sql)) {
                while (row.next()) {
                    rows++;
                }
            }
            connection.commit();
            if (rows != shares.size()) {
                throw new IllegalStateException("appended " + rows + " of " + shares.size() + " shares");
            }
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    private static String json(List<PendingShare> shares) {
        ArrayNode array = JSON.createArrayNode();
        for (PendingShare share : shares) {
            ObjectNode row = array.addObject();
            row.put("share_id", share.shareId());
            row.put("miner_id", share.minerId());
            row.put("order_key", share.orderKey());
            row.put("p2mr_program_hex", share.program().hex());
            row.put("share_difficulty", share.shareDifficulty());
            row.put("network_difficulty", share.networkDifficulty());
            row.put("template_height", share.templateHeight());
            row.put("job_id", share.jobId());
            row.put("job_issued_at_ms", share.jobIssuedAtMs());
            row.put("accepted_at_ms", share.acceptedAtMs());
            row.put("ntime", share.ntime());
            row.put("credit_policy", share.creditPolicy().text().orElse(null));
        }
        return array.toString();
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }
}
