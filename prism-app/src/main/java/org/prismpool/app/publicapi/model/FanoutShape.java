package org.prismpool.app.publicapi.model;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutRow;
import org.prismpool.sharewriter.fanout.FanoutStatus;
import org.prismpool.sharewriter.read.PublicFanout;

/** The fanout object. Source: spec 08 §7.7. */
final class FanoutShape {

    // A node names its unit in refusals; public bodies have one word for it (spec 08 §7.4).
    private static final Pattern UNIT = Pattern.compile("satoshis?|sats", Pattern.CASE_INSENSITIVE);
    private static final Pattern OLD_NAME = Pattern.compile("tides", Pattern.CASE_INSENSITIVE);

    private FanoutShape() {}

    static Map<String, @Nullable Object> of(PublicFanout fanout, ExplorerLinks explorer) {
        FanoutRow row = fanout.row();
        FanoutArtifact artifact = row.artifact();
        long height = row.block().height();
        long fee = Math.max(0, artifact.covenantOutputValueSats() - artifact.fanoutOutputSumSats());
        boolean spendable = row.status() == FanoutStatus.BROADCASTABLE
                && artifact.anchorVout().isPresent()
                && fee == 0;
        return new Members()
                .with("fanout_txid", artifact.fanoutTxid())
                .with("block_hash", row.block().blockHash())
                .with("block_height", height)
                .with("status", row.status().text())
                .orNull(
                        "broadcastable_at_height",
                        height > 0 ? Optional.of(height + PoolBlock.MATURITY) : Optional.empty())
                .with("manifest_set_sha256", row.manifestSetSha256())
                .with("manifest_sha256", artifact.manifestSha256())
                .with("manifest_url", ArtifactLinks.url(artifact.manifestSha256()))
                .orNull("audit_bundle_sha256", fanout.auditBundleSha256())
                .with("parent_coinbase_txid", row.parentCoinbaseTxid())
                .with("parent_coinbase_vout", artifact.parentCoinbaseVout())
                .orNull("anchor_vout", boxed(artifact.anchorVout()))
                .with("covenant_output_value_bits", artifact.covenantOutputValueSats())
                .with("fanout_output_sum_bits", artifact.fanoutOutputSumSats())
                .with("fanout_fee_bits", fee)
                .with("fanout_tx_hex", artifact.txHex())
                .with("fanout_tx_sha256", artifact.fanoutTxid())
                .with("cpfp_anchor_spendable", spendable)
                .timeOrNull("last_broadcast_attempt_at", fanout.lastAttemptAt())
                .orNull("last_broadcast_error", fanout.lastError().map(FanoutShape::publicWords))
                .orNull("explorer_url", explorer.transaction(artifact.fanoutTxid()))
                .map();
    }

    private static Optional<Integer> boxed(OptionalInt value) {
        return value.isPresent() ? Optional.of(value.getAsInt()) : Optional.empty();
    }

    private static String publicWords(String error) {
        return OLD_NAME.matcher(UNIT.matcher(error).replaceAll("bits")).replaceAll("prism");
    }
}
