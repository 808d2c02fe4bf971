package org.prismpool.sharewriter.memory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.fanout.BroadcastAttempt;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutRow;
import org.prismpool.sharewriter.fanout.FanoutSet;

/** The documents that the database's functions build from rows. */
final class FanoutDocuments {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSx").withZone(ZoneOffset.UTC);

    private FanoutDocuments() {}

    static ObjectNode recovery(PoolBlock block, FanoutSet set, String bundleSha256) {
        ObjectNode document = JSON.createObjectNode();
        document.put("schema", "qbit.prism.ctv-fanout-recovery.v1");
        putBlock(document, block, bundleSha256);
        document.put("manifest_set_sha256", set.manifestSetSha256());
        document.put("manifest_set_json", set.manifestSetJson());
        document.put("settlement_mode", set.settlementMode());
        document.put("parent_coinbase_txid", set.parentCoinbaseTxid());
        document.put("parent_coinbase_tx_hex", set.parentCoinbaseTxHex());
        document.put("fanout_count", set.artifacts().size());
        document.put("fanout_output_sum_sats", set.fanoutOutputSumSats());
        document.put("covenant_output_value_sats", set.covenantOutputValueSats());
        document.set("manifest_set", parse(set.manifestSetJson()));
        return document;
    }

    static ObjectNode status(MemoryState.Fanout state, FanoutRow row, String bundleSha256) {
        ObjectNode document = artifact(state, row);
        document.put("schema", "qbit.prism.ctv-fanout-status.v1");
        putBlock(document, row.block(), bundleSha256);
        ArrayNode attempts = JSON.createArrayNode();
        for (MemoryState.Attempt dated : state.details) {
            ObjectNode attempt = JSON.createObjectNode();
            attempt.put("attempt_seq", dated.sequence());
            attempt.put("attempted_at", time(OptionalLong.of(dated.atMs())));
            attempt.put("attempt_status", dated.attempt().status().text());
            attempt.set("package_tx_hexes", array(dated.attempt().packageTxHexes()));
            attempt.set("package_txids", array(dated.attempt().packageTxids()));
            attempt.set("submit_result", result(Optional.of(dated)));
            attempt.put("error", dated.attempt().error().orElse(null));
            attempts.add(attempt);
        }
        document.set("broadcast_attempts", attempts);
        return document;
    }

    private static void putBlock(ObjectNode document, PoolBlock block, String bundleSha256) {
        document.put("block_hash", block.blockHash());
        document.put("block_height", block.height());
        document.put("parent_hash", block.parentHash());
        document.put("chain_state", block.chainState().text());
        document.put("maturity_state", block.maturityState().text());
        document.put("coinbase_txid", block.coinbaseTxid());
        document.put("payout_manifest_sha256", block.payoutManifestSha256());
        document.put("audit_bundle_sha256", bundleSha256);
    }

    /** Row of one transaction, without its block and without attempts. */
    static ObjectNode artifact(MemoryState.Fanout state, FanoutRow row) {
        FanoutArtifact artifact = row.artifact();
        ObjectNode document = JSON.createObjectNode();
        document.put("fanout_txid", artifact.fanoutTxid());
        document.put("manifest_set_sha256", row.manifestSetSha256());
        document.put("manifest_json", artifact.manifestJson());
        document.set("manifest", parse(artifact.manifestJson()));
        document.put("manifest_sha256", artifact.manifestSha256());
        document.put("precommitment_sha256", artifact.precommitmentSha256());
        document.put("ctv_hash", artifact.ctvHash());
        document.put("commitment_witness_leaf_hex", artifact.commitmentWitnessLeafHex());
        document.put("chunk_index", artifact.chunkIndex());
        document.put("chunk_count", row.chunkCount());
        document.put("parent_coinbase_txid", row.parentCoinbaseTxid());
        document.put("parent_coinbase_vout", artifact.parentCoinbaseVout());
        document.put("fanout_tx_template_hex", artifact.txTemplateHex());
        document.put("fanout_tx_hex", artifact.txHex());
        document.put(
                "anchor_vout",
                artifact.anchorVout().isPresent() ? artifact.anchorVout().getAsInt() : null);
        document.put("covenant_output_value_sats", artifact.covenantOutputValueSats());
        document.put("fanout_output_sum_sats", artifact.fanoutOutputSumSats());
        document.put("settlement_status", row.status().text());
        document.put("updated_at", time(OptionalLong.of(state.updatedAtMs)));
        putSummary(document, state, Names.COLUMNS);
        ObjectNode summary = JSON.createObjectNode();
        putSummary(summary, state, Names.SUMMARY);
        document.set("broadcast_attempt_summary", summary);
        return document;
    }

    /** Names of the twelve broadcast values, as columns and inside the summary. */
    private enum Names {
        COLUMNS(
                "broadcast_attempt_count",
                "broadcast_attempt_detail_count",
                "first_broadcast_attempt_at",
                "last_broadcast_attempt_at",
                "last_broadcast_attempt_status",
                "last_broadcast_package_tx_hexes",
                "last_broadcast_package_txids",
                "last_broadcast_submit_result",
                "last_broadcast_error",
                "broadcast_attempt_status_counts",
                "next_broadcast_attempt_at",
                "broadcast_retry_backoff_seconds"),
        SUMMARY(
                "attempt_count",
                "detail_count",
                "first_attempt_at",
                "last_attempt_at",
                "last_attempt_status",
                "last_package_tx_hexes",
                "last_package_txids",
                "last_submit_result",
                "last_error",
                "status_counts",
                "next_attempt_at",
                "retry_backoff_seconds");

        private final ImmutableList<String> names;

        Names(String... names) {
            this.names = ImmutableList.copyOf(names);
        }

        private String at(int index) {
            return names.get(index);
        }
    }

    private static void putSummary(ObjectNode into, MemoryState.Fanout state, Names names) {
        Optional<BroadcastAttempt> last = state.last.map(MemoryState.Attempt::attempt);
        into.put(names.at(0), state.attempts);
        into.put(names.at(1), state.details.size());
        into.put(names.at(2), time(state.firstAttemptMs));
        into.put(
                names.at(3),
                time(state.last.map(dated -> OptionalLong.of(dated.atMs())).orElse(OptionalLong.empty())));
        into.put(names.at(4), last.map(attempt -> attempt.status().text()).orElse(null));
        into.set(names.at(5), array(last.map(BroadcastAttempt::packageTxHexes).orElse(List.of())));
        into.set(names.at(6), array(last.map(BroadcastAttempt::packageTxids).orElse(List.of())));
        into.set(names.at(7), result(state.last));
        into.put(names.at(8), last.flatMap(BroadcastAttempt::error).orElse(null));
        ObjectNode counts = JSON.createObjectNode();
        state.counts.forEach(counts::put);
        into.set(names.at(9), counts);
        into.put(names.at(10), time(state.nextAttemptMs));
        into.put(names.at(11), state.backoffSeconds);
    }

    private static JsonNode result(Optional<MemoryState.Attempt> dated) {
        return dated.flatMap(attempt -> attempt.attempt().submitResultJson())
                .map(FanoutDocuments::parse)
                .orElse(JSON.nullNode());
    }

    private static ArrayNode array(List<String> values) {
        ArrayNode array = JSON.createArrayNode();
        values.forEach(array::add);
        return array;
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException("stored document is not JSON", broken);
        }
    }

    private static @org.jspecify.annotations.Nullable String time(OptionalLong epochMs) {
        return epochMs.isPresent() ? TIME.format(Instant.ofEpochMilli(epochMs.getAsLong())) : null;
    }
}
