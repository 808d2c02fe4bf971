package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Stores a block's first manifest set with its transactions in one request: fence, all rows and commit, as
 * {@link LandingRequest} does and for the same reason. A set of a thousand recipients is megabytes of text, which the server
 * reads before it locks anything.
 */
final class FanoutRequest {

    /** All rows hang on the block's, and that on the fence, so the lease row is the first that is locked. */
    private static final String ROWS =
            "WITH fence AS (" + Transactions.FENCE_SQL + "), block AS (SELECT block_hash FROM"
                    + " qbit_pool_blocks WHERE block_hash = ?::text AND EXISTS (SELECT FROM fence)),"
                    + " manifests AS (INSERT INTO qbit_ctv_fanout_sets (block_hash, manifest_set_json, manifest_set,"
                    + " manifest_set_sha256, settlement_mode, parent_coinbase_txid, parent_coinbase_tx_hex, fanout_count,"
                    + " fanout_output_sum_sats, covenant_output_value_sats)"
                    + " SELECT block_hash, ?::text, ?::jsonb, ?::text, ?::text, ?::text, ?::text, ?::int8, ?::int8, ?::int8"
                    + " FROM block ON CONFLICT (block_hash) DO NOTHING"
                    + " RETURNING block_hash, manifest_set_sha256, fanout_count, parent_coinbase_txid),"
                    + " artifacts AS (INSERT INTO qbit_ctv_fanout_artifacts (block_hash, manifest_set_sha256, chunk_count,"
                    + " parent_coinbase_txid, fanout_txid, manifest_json, manifest, manifest_sha256, precommitment_sha256,"
                    + " ctv_hash, commitment_witness_leaf_hex, chunk_index, parent_coinbase_vout, fanout_tx_template_hex,"
                    + " fanout_tx_hex, anchor_vout, covenant_output_value_sats, fanout_output_sum_sats)"
                    + " SELECT block_hash, manifest_set_sha256, fanout_count, parent_coinbase_txid, unnest(?::text[]),"
                    + " unnest(?::text[]), unnest(?::jsonb[]), unnest(?::text[]), unnest(?::text[]), unnest(?::text[]),"
                    + " unnest(?::text[]), unnest(?::int4[]), unnest(?::int4[]), unnest(?::text[]), unnest(?::text[]),"
                    + " unnest(?::int4[]), unnest(?::int8[]), unnest(?::int8[]) FROM manifests)"
                    + " SELECT EXISTS (SELECT FROM fence), EXISTS (SELECT FROM manifests)";

    private static final String REQUEST = ROWS + "; COMMIT";

    private FanoutRequest() {}

    /**
     * Writes and commits if the ledger has the block and no set of it.
     *
     * @return false if nothing was written, and what the ledger holds is still to be compared
     * @throws WriterFencedException without the lease
     */
    static boolean send(Connection connection, WriterFence fence, FanoutSet set, String blockHash) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REQUEST)) {
            Parameters parameters = new Parameters(connection, statement, fence);
            manifests(parameters, set, blockHash);
            artifacts(parameters, set.artifacts());
            fence.check();
            statement.execute();
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                if (!row.getBoolean(1)) {
                    throw new WriterFencedException(SqlFailures.FENCED);
                }
                return row.getBoolean(2);
            }
        }
    }

    private static void manifests(Parameters to, FanoutSet set, String blockHash) throws SQLException {
        to.text(blockHash);
        to.text(set.manifestSetJson());
        to.document(set.manifestSetJson());
        to.text(set.manifestSetSha256());
        to.text(set.settlementMode());
        to.text(set.parentCoinbaseTxid());
        to.text(set.parentCoinbaseTxHex());
        to.number((long) set.artifacts().size());
        to.number(set.fanoutOutputSumSats());
        to.number(set.covenantOutputValueSats());
    }

    private static void artifacts(Parameters to, List<FanoutArtifact> rows) throws SQLException {
        to.texts(rows, FanoutArtifact::fanoutTxid);
        to.texts(rows, FanoutArtifact::manifestJson);
        to.documents(rows, FanoutArtifact::manifestJson);
        to.texts(rows, FanoutArtifact::manifestSha256);
        to.texts(rows, FanoutArtifact::precommitmentSha256);
        to.texts(rows, FanoutArtifact::ctvHash);
        to.texts(rows, FanoutArtifact::commitmentWitnessLeafHex);
        to.integers(rows, FanoutArtifact::chunkIndex);
        to.integers(rows, FanoutArtifact::parentCoinbaseVout);
        to.texts(rows, FanoutArtifact::txTemplateHex);
        to.texts(rows, FanoutArtifact::txHex);
        to.integersOrNull(rows, FanoutRequest::anchor);
        to.amounts(rows, FanoutArtifact::covenantOutputValueSats);
        to.amounts(rows, FanoutArtifact::fanoutOutputSumSats);
    }

    private static @Nullable Integer anchor(FanoutArtifact artifact) {
        return artifact.anchorVout().isPresent() ? artifact.anchorVout().getAsInt() : null;
    }
}
