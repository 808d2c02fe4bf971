package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CTV_FANOUT_ARTIFACTS;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutRow;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.fanout.FanoutStatus;
import org.prismpool.sharewriter.internal.schema.tables.records.QbitCtvFanoutArtifactsRecord;
import org.prismpool.sharewriter.internal.schema.tables.records.QbitCtvFanoutSetsRecord;

/** Columns of the fanout tables. */
final class FanoutRecords {

    static final List<Field<?>> ARTIFACT = List.of(
            QBIT_CTV_FANOUT_ARTIFACTS.FANOUT_TXID,
            QBIT_CTV_FANOUT_ARTIFACTS.MANIFEST_SET_SHA256,
            QBIT_CTV_FANOUT_ARTIFACTS.MANIFEST_JSON,
            QBIT_CTV_FANOUT_ARTIFACTS.MANIFEST_SHA256,
            QBIT_CTV_FANOUT_ARTIFACTS.PRECOMMITMENT_SHA256,
            QBIT_CTV_FANOUT_ARTIFACTS.CTV_HASH,
            QBIT_CTV_FANOUT_ARTIFACTS.COMMITMENT_WITNESS_LEAF_HEX,
            QBIT_CTV_FANOUT_ARTIFACTS.CHUNK_INDEX,
            QBIT_CTV_FANOUT_ARTIFACTS.CHUNK_COUNT,
            QBIT_CTV_FANOUT_ARTIFACTS.PARENT_COINBASE_TXID,
            QBIT_CTV_FANOUT_ARTIFACTS.PARENT_COINBASE_VOUT,
            QBIT_CTV_FANOUT_ARTIFACTS.FANOUT_TX_TEMPLATE_HEX,
            QBIT_CTV_FANOUT_ARTIFACTS.FANOUT_TX_HEX,
            QBIT_CTV_FANOUT_ARTIFACTS.ANCHOR_VOUT,
            QBIT_CTV_FANOUT_ARTIFACTS.COVENANT_OUTPUT_VALUE_SATS,
            QBIT_CTV_FANOUT_ARTIFACTS.FANOUT_OUTPUT_SUM_SATS,
            QBIT_CTV_FANOUT_ARTIFACTS.SETTLEMENT_STATUS,
            QBIT_CTV_FANOUT_ARTIFACTS.BROADCAST_ATTEMPT_COUNT,
            QBIT_CTV_FANOUT_ARTIFACTS.NEXT_BROADCAST_ATTEMPT_AT);

    private FanoutRecords() {}

    static FanoutRow row(Record row) {
        var table = QBIT_CTV_FANOUT_ARTIFACTS;
        @Nullable OffsetDateTime next = row.get(table.NEXT_BROADCAST_ATTEMPT_AT);
        return new FanoutRow(
                Rows.block(row),
                artifact(row),
                row.get(table.MANIFEST_SET_SHA256),
                row.get(table.CHUNK_COUNT),
                row.get(table.PARENT_COINBASE_TXID),
                FanoutStatus.ofText(row.get(table.SETTLEMENT_STATUS)),
                row.get(table.BROADCAST_ATTEMPT_COUNT),
                next == null ? OptionalLong.empty() : OptionalLong.of(Rows.millis(next)));
    }

    static FanoutArtifact artifact(Record row) {
        var table = QBIT_CTV_FANOUT_ARTIFACTS;
        @Nullable Integer anchor = row.get(table.ANCHOR_VOUT);
        return new FanoutArtifact(
                row.get(table.FANOUT_TXID),
                row.get(table.MANIFEST_JSON),
                row.get(table.MANIFEST_SHA256),
                row.get(table.PRECOMMITMENT_SHA256),
                row.get(table.CTV_HASH),
                row.get(table.COMMITMENT_WITNESS_LEAF_HEX),
                row.get(table.CHUNK_INDEX),
                row.get(table.PARENT_COINBASE_VOUT),
                row.get(table.FANOUT_TX_TEMPLATE_HEX),
                row.get(table.FANOUT_TX_HEX),
                anchor == null ? OptionalInt.empty() : OptionalInt.of(anchor),
                row.get(table.COVENANT_OUTPUT_VALUE_SATS),
                row.get(table.FANOUT_OUTPUT_SUM_SATS));
    }

    static QbitCtvFanoutSetsRecord record(FanoutSet set, String blockHash) {
        QbitCtvFanoutSetsRecord row = new QbitCtvFanoutSetsRecord();
        row.setBlockHash(blockHash);
        row.setManifestSetJson(set.manifestSetJson());
        row.setManifestSet(JSONB.valueOf(set.manifestSetJson()));
        row.setManifestSetSha256(set.manifestSetSha256());
        row.setSettlementMode(set.settlementMode());
        row.setParentCoinbaseTxid(set.parentCoinbaseTxid());
        row.setParentCoinbaseTxHex(set.parentCoinbaseTxHex());
        row.setFanoutCount(set.artifacts().size());
        row.setFanoutOutputSumSats(set.fanoutOutputSumSats());
        row.setCovenantOutputValueSats(set.covenantOutputValueSats());
        return row;
    }

    static QbitCtvFanoutArtifactsRecord record(FanoutSet set, String blockHash, FanoutArtifact artifact) {
        QbitCtvFanoutArtifactsRecord row = new QbitCtvFanoutArtifactsRecord();
        row.setFanoutTxid(artifact.fanoutTxid());
        row.setBlockHash(blockHash);
        row.setManifestSetSha256(set.manifestSetSha256());
        row.setManifestJson(artifact.manifestJson());
        row.setManifest(JSONB.valueOf(artifact.manifestJson()));
        row.setManifestSha256(artifact.manifestSha256());
        row.setPrecommitmentSha256(artifact.precommitmentSha256());
        row.setCtvHash(artifact.ctvHash());
        row.setCommitmentWitnessLeafHex(artifact.commitmentWitnessLeafHex());
        row.setChunkIndex(artifact.chunkIndex());
        row.setChunkCount(set.artifacts().size());
        row.setParentCoinbaseTxid(set.parentCoinbaseTxid());
        row.setParentCoinbaseVout(artifact.parentCoinbaseVout());
        row.setFanoutTxTemplateHex(artifact.txTemplateHex());
        row.setFanoutTxHex(artifact.txHex());
        artifact.anchorVout().ifPresent(row::setAnchorVout);
        row.setCovenantOutputValueSats(artifact.covenantOutputValueSats());
        row.setFanoutOutputSumSats(artifact.fanoutOutputSumSats());
        return row;
    }
}
