package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CTV_FANOUT_ARTIFACTS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CTV_FANOUT_BROADCAST_ATTEMPTS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CTV_FANOUT_SETS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_AUDIT_BUNDLES;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;

import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SelectConditionStep;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.read.BlockSettlement;
import org.prismpool.sharewriter.read.BlockSettlement.ManifestSet;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.PublicArtifact;
import org.prismpool.sharewriter.read.PublicFanout;
import org.prismpool.sharewriter.read.SettlementReads;

/** Settlements and their documents. */
final class PostgresSettlementReads implements SettlementReads {

    // Rows of older releases have their attempts in the table of details only.
    private static final Field<OffsetDateTime> LAST_ATTEMPT_AT = DSL.coalesce(
                    QBIT_CTV_FANOUT_ARTIFACTS.LAST_BROADCAST_ATTEMPT_AT,
                    newest(QBIT_CTV_FANOUT_BROADCAST_ATTEMPTS.ATTEMPTED_AT))
            .as("last_attempt_at");
    private static final Field<String> LAST_ERROR = DSL.when(
                    QBIT_CTV_FANOUT_ARTIFACTS.LAST_BROADCAST_ATTEMPT_AT.isNull(),
                    newest(QBIT_CTV_FANOUT_BROADCAST_ATTEMPTS.ERROR))
            .otherwise(QBIT_CTV_FANOUT_ARTIFACTS.LAST_BROADCAST_ERROR)
            .as("last_error");

    private final Transactions transactions;

    PostgresSettlementReads(Transactions transactions) {
        this.transactions = transactions;
    }

    private static <T> Field<T> newest(TableField<?, T> column) {
        var attempts = QBIT_CTV_FANOUT_BROADCAST_ATTEMPTS;
        return DSL.field(DSL.select(column)
                .from(attempts)
                .where(attempts.FANOUT_TXID.eq(QBIT_CTV_FANOUT_ARTIFACTS.FANOUT_TXID))
                .orderBy(attempts.ATTEMPT_SEQ.desc())
                .limit(DSL.inline(1)));
    }

    @Override
    public Optional<BlockSettlement> ofBlock(String blockHash, Deadline deadline) {
        String hash = lower(blockHash);
        return transactions.read(
                deadline,
                sql -> sql.select(Rows.BLOCK)
                        .from(QBIT_POOL_BLOCKS)
                        .where(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(hash))
                        .fetchOptional(Rows::block)
                        .map(block -> settlement(sql, block)));
    }

    private static BlockSettlement settlement(DSLContext sql, PoolBlock block) {
        var artifacts = QBIT_CTV_FANOUT_ARTIFACTS;
        Optional<AuditBundleRow> bundle = sql.select(AuditBundles.FIELDS)
                .from(QBIT_POOL_AUDIT_BUNDLES)
                .where(QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH.eq(block.blockHash()))
                .fetchOptional(AuditBundles::read);
        return new BlockSettlement(
                block,
                bundle,
                manifestSet(sql, block.blockHash()),
                fanouts(sql, artifacts.BLOCK_HASH.eq(block.blockHash()))
                        .orderBy(artifacts.CHUNK_INDEX)
                        .fetch(PostgresSettlementReads::fanout));
    }

    private static Optional<ManifestSet> manifestSet(DSLContext sql, String blockHash) {
        var sets = QBIT_CTV_FANOUT_SETS;
        Field<Long> bytes =
                DSL.field("octet_length(convert_to({0}, 'UTF8'))::bigint", SQLDataType.BIGINT, sets.MANIFEST_SET_JSON);
        return sql.select(sets.MANIFEST_SET_SHA256, sets.SETTLEMENT_MODE, bytes)
                .from(sets)
                .where(sets.BLOCK_HASH.eq(blockHash))
                .fetchOptional(row -> new ManifestSet(row.value1(), row.value2(), row.value3()));
    }

    @Override
    public Optional<PublicFanout> fanout(String fanoutTxid, Deadline deadline) {
        Condition wanted = QBIT_CTV_FANOUT_ARTIFACTS.FANOUT_TXID.eq(lower(fanoutTxid));
        return transactions.read(deadline, sql -> fanouts(sql, wanted).fetchOptional(PostgresSettlementReads::fanout));
    }

    @Override
    public Paged<PublicFanout> pendingFanouts(PageRequest page, Deadline deadline) {
        Condition pending = PostgresFanoutRows.NOT_TERMINAL;
        return transactions.read(
                deadline,
                sql -> new Paged<>(
                        sql.fetchCount(QBIT_CTV_FANOUT_ARTIFACTS, pending),
                        fanouts(sql, pending)
                                .orderBy(PostgresFanoutRows.BY_HEIGHT)
                                .limit(DSL.inline(page.limit()))
                                .offset(page.offset())
                                .fetch(PostgresSettlementReads::fanout)));
    }

    private static SelectConditionStep<Record> fanouts(DSLContext sql, Condition condition) {
        var artifacts = QBIT_CTV_FANOUT_ARTIFACTS;
        return sql.select(Rows.BLOCK)
                .select(FanoutRecords.ARTIFACT)
                .select(QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE_SHA256, LAST_ATTEMPT_AT, LAST_ERROR)
                .from(artifacts)
                .join(QBIT_POOL_BLOCKS)
                .on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(artifacts.BLOCK_HASH))
                .leftJoin(QBIT_POOL_AUDIT_BUNDLES)
                .on(QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH.eq(artifacts.BLOCK_HASH))
                .where(condition);
    }

    private static PublicFanout fanout(Record row) {
        return new PublicFanout(
                FanoutRecords.row(row),
                Optional.ofNullable(row.get(QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE_SHA256)),
                Optional.ofNullable(row.get(LAST_ATTEMPT_AT)).map(OffsetDateTime::toInstant),
                Optional.ofNullable(row.get(LAST_ERROR)));
    }

    @Override
    public Optional<PublicArtifact> artifact(String digest, Deadline deadline) {
        String wanted = lower(digest);
        return transactions.read(
                deadline,
                sql -> bundle(sql, wanted)
                        .or(() -> manifestSetText(sql, wanted))
                        .or(() -> manifest(sql, wanted))
                        .or(() -> transaction(sql, wanted)));
    }

    private static Optional<PublicArtifact> bundle(DSLContext sql, String digest) {
        return sql.select(QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH)
                .select(AuditBundles.FIELDS)
                .from(QBIT_POOL_AUDIT_BUNDLES)
                .where(QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE_SHA256.eq(digest))
                .limit(1)
                .fetchOptional(row ->
                        new PublicArtifact.Bundle(row.get(QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH), AuditBundles.read(row)));
    }

    private static Optional<PublicArtifact> manifestSetText(DSLContext sql, String digest) {
        return sql.select(QBIT_CTV_FANOUT_SETS.MANIFEST_SET_JSON)
                .from(QBIT_CTV_FANOUT_SETS)
                .where(QBIT_CTV_FANOUT_SETS.MANIFEST_SET_SHA256.eq(digest))
                .limit(1)
                .fetchOptional(row -> new PublicArtifact.ManifestSet(row.value1()));
    }

    private static Optional<PublicArtifact> manifest(DSLContext sql, String digest) {
        return sql.select(QBIT_CTV_FANOUT_ARTIFACTS.MANIFEST_JSON)
                .from(QBIT_CTV_FANOUT_ARTIFACTS)
                .where(QBIT_CTV_FANOUT_ARTIFACTS.MANIFEST_SHA256.eq(digest))
                .limit(1)
                .fetchOptional(row -> new PublicArtifact.Manifest(row.value1()));
    }

    private static Optional<PublicArtifact> transaction(DSLContext sql, String txid) {
        return sql.select(QBIT_CTV_FANOUT_ARTIFACTS.FANOUT_TX_HEX)
                .from(QBIT_CTV_FANOUT_ARTIFACTS)
                .where(QBIT_CTV_FANOUT_ARTIFACTS.FANOUT_TXID.eq(txid))
                .fetchOptional(row -> new PublicArtifact.FanoutTransaction(row.value1()));
    }

    private static String lower(String hash) {
        return hash.toLowerCase(Locale.ROOT);
    }
}
