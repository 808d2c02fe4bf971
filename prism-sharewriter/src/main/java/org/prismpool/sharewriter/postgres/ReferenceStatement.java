package org.prismpool.sharewriter.postgres;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Appends shares the way the reference implementation does: one statement is one transaction and carries its batch as
 * one JSON literal, which the server unpacks with JSON operators. The statement renews the lease, looks for rows and
 * candidates that contradict, inserts what is missing with a probe per row, and returns every stored row as JSON with a
 * probe for known miners.
 *
 * <p>A baseline for benchmarks, written anew from the statement's observable shape (ledger contract §2.2 to §2.4, §8.2);
 * not for use. Single-threaded.
 */
public final class ReferenceStatement implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String FENCE = ", fence AS (UPDATE qbit_ledger_writer_lease AS w"
            + " SET lease_expires_at = clock_timestamp() + interval '60 seconds', updated_at = clock_timestamp()"
            + " FROM document WHERE w.singleton AND w.writer_id = body ->> 'writer_id'"
            + " AND w.writer_epoch = (body ->> 'writer_epoch')::bigint"
            + " AND w.writer_session_token = body ->> 'writer_session_token' RETURNING 1)";

    private static final String ENTRIES = ", entry AS (SELECT e.value -> 'share' AS s,"
            + " NULLIF(e.value -> 'candidate', 'null'::jsonb) AS c, e.value ->> 'candidate_sha256' AS digest,"
            + " e.ordinality AS place FROM document, jsonb_array_elements(body -> 'entries') WITH ORDINALITY AS e)";

    private static final String CONTRADICTIONS = ", wrong_share AS (SELECT l.share_id FROM entry"
            + " JOIN qbit_share_ledger AS l ON l.share_id = s ->> 'share_id'"
            + " WHERE l.miner_id IS DISTINCT FROM s ->> 'miner_id'"
            + " OR l.payout_order_key IS DISTINCT FROM s ->> 'order_key'"
            + " OR l.p2mr_program IS DISTINCT FROM decode(s ->> 'p2mr_program_hex', 'hex')"
            + " OR l.share_difficulty IS DISTINCT FROM (s ->> 'share_difficulty')::numeric"
            + " OR l.network_difficulty IS DISTINCT FROM (s ->> 'network_difficulty')::numeric"
            + " OR l.template_height IS DISTINCT FROM (s ->> 'template_height')::bigint"
            + " OR l.job_id IS DISTINCT FROM s ->> 'job_id'"
            + " OR l.job_issued_at IS DISTINCT FROM to_timestamp((s ->> 'job_issued_at_ms')::double precision / 1000)"
            + " OR l.ntime IS DISTINCT FROM (s ->> 'ntime')::bigint"
            + " OR l.credit_policy IS DISTINCT FROM s ->> 'credit_policy'),"
            + " wrong_candidate AS (SELECT o.block_hash FROM entry"
            + " JOIN qbit_block_candidate_outbox AS o ON o.block_hash = c ->> 'block_hash_hex'"
            + " WHERE o.share_id IS DISTINCT FROM s ->> 'share_id' OR o.candidate_sha256 IS DISTINCT FROM digest),"
            + " permitted AS (SELECT 1 WHERE EXISTS (SELECT FROM fence)"
            + " AND NOT EXISTS (SELECT FROM wrong_share) AND NOT EXISTS (SELECT FROM wrong_candidate))";

    private static final String INSERTS = ", added AS (INSERT INTO qbit_share_ledger (share_id, miner_id,"
            + " payout_order_key, p2mr_program, share_difficulty, network_difficulty, template_height, job_id,"
            + " job_issued_at, ntime, accepted_at, credit_policy, accepted, writer_id, writer_epoch)"
            + " SELECT s ->> 'share_id', s ->> 'miner_id', s ->> 'order_key', decode(s ->> 'p2mr_program_hex', 'hex'),"
            + " (s ->> 'share_difficulty')::numeric, (s ->> 'network_difficulty')::numeric,"
            + " (s ->> 'template_height')::bigint, s ->> 'job_id',"
            + " to_timestamp((s ->> 'job_issued_at_ms')::double precision / 1000), (s ->> 'ntime')::bigint,"
            + " to_timestamp((s ->> 'accepted_at_ms')::double precision / 1000), s ->> 'credit_policy', true,"
            + " body ->> 'writer_id', (body ->> 'writer_epoch')::bigint FROM entry, document, permitted"
            + " WHERE NOT EXISTS (SELECT FROM qbit_share_ledger AS l WHERE l.share_id = entry.s ->> 'share_id')"
            + " ORDER BY place ON CONFLICT (share_id) DO NOTHING RETURNING qbit_share_ledger.*),"
            + " added_candidate AS (INSERT INTO qbit_block_candidate_outbox"
            + " (block_hash, share_id, candidate, candidate_sha256) SELECT c ->> 'block_hash_hex', s ->> 'share_id', c,"
            + " digest FROM entry, permitted WHERE c IS NOT NULL ON CONFLICT (block_hash) DO NOTHING RETURNING 1)";

    private static final String ANSWER = ", stored AS (SELECT l.*, place FROM entry"
            + " JOIN qbit_share_ledger AS l ON l.share_id = s ->> 'share_id'"
            + " UNION ALL SELECT added.*, place FROM added JOIN entry ON s ->> 'share_id' = added.share_id)"
            + " SELECT json_array_length(COALESCE((SELECT json_agg(json_build_object('share_seq', share_seq,"
            + " 'share_id', share_id, 'miner_id', miner_id, 'order_key', payout_order_key,"
            + " 'p2mr_program_hex', encode(p2mr_program, 'hex'), 'share_difficulty', share_difficulty::text,"
            + " 'network_difficulty', network_difficulty::text, 'template_height', template_height, 'job_id', job_id,"
            + " 'job_issued_at_ms', round(extract(epoch FROM job_issued_at) * 1000)::bigint,"
            + " 'accepted_at_ms', round(extract(epoch FROM accepted_at) * 1000)::bigint, 'ntime', ntime,"
            + " 'credit_policy', credit_policy, 'new_miner', NOT EXISTS (SELECT FROM qbit_share_ledger AS k"
            + " WHERE k.accepted AND k.miner_id = stored.miner_id)) ORDER BY place) FROM stored), '[]'))";

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
        return new ReferenceStatement(
                new Sessions(config)
                        .open(
                                "qbit-prism-bench",
                                config.connectTimeout(),
                                config.operationTimeout(),
                                config.operationTimeout()),
                fence);
    }

    /**
     * Appends a batch and commits it.
     *
     * @param shares shares with ids that do not exist
     */
    public void append(List<PendingShare> shares) {
        String sql = "WITH document AS (SELECT '" + json(shares).replace("'", "''") + "'::jsonb AS body,"
                + " set_config('synchronous_commit', 'on', true))" + ENTRIES + FENCE + CONTRADICTIONS + INSERTS
                + ANSWER;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            if (row.getInt(1) != shares.size()) {
                throw new IllegalStateException("appended " + row.getInt(1) + " of " + shares.size() + " shares");
            }
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    private String json(List<PendingShare> shares) {
        ObjectNode root = JSON.createObjectNode();
        ArrayNode entries = root.putArray("entries");
        for (PendingShare share : shares) {
            ObjectNode entry = entries.addObject();
            ObjectNode row = entry.putObject("share");
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
            entry.putNull("candidate");
            entry.putNull("candidate_sha256");
        }
        root.put("writer_id", fence.identity().writerId());
        root.put("writer_epoch", fence.identity().epoch());
        root.put("writer_session_token", fence.identity().sessionToken());
        return root.toString();
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
