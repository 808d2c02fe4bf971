package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_AUDIT_BLOCK_PAYOUTS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_AUDIT_BUNDLES;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_PAYOUT_ENTRIES;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.SelectConditionStep;
import org.jooq.impl.DSL;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.LedgerMetrics.CallClass;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.AuditRow;
import org.prismpool.sharewriter.block.AuditRows;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PaidRow;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.block.PayoutRow;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.lease.WriterFence;

/** Audit bundle rows and payout rows. */
final class PostgresAuditRows implements AuditRows {

    private final Optional<WriterFence> fence;
    private final Transactions transactions;

    PostgresAuditRows(Optional<WriterFence> fence, Transactions transactions) {
        this.fence = fence;
        this.transactions = transactions;
    }

    @Override
    public Optional<AuditRow> find(String blockHash, Deadline deadline) {
        return transactions.read(
                deadline,
                sql -> rows(sql, QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH.eq(blockHash.toLowerCase(Locale.ROOT)))
                        .fetchOptional(PostgresAuditRows::row));
    }

    @Override
    public List<AuditRow> committing(String leafHex, int limit, Deadline deadline) {
        JSONB leaf = AuditBundles.array(List.of(leafHex.toLowerCase(Locale.ROOT)));
        Condition columns = DSL.condition("audit_commitment_leaves_hex @> {0}", DSL.val(leaf))
                .or(DSL.condition("witness_merkle_leaves_hex @> {0}", DSL.val(leaf)));
        Condition legacy = DSL.condition(
                "audit_bundle IS NOT NULL AND (audit_bundle -> 'audit_commitment_leaves_hex' @> {0}"
                        + " OR audit_bundle -> 'witness_merkle_leaves_hex' @> {0})",
                DSL.val(leaf));
        return transactions.read(
                deadline,
                sql -> rows(sql, columns.or(legacy))
                        .orderBy(QBIT_POOL_BLOCKS.BLOCK_HEIGHT.desc(), QBIT_POOL_BLOCKS.FOUND_AT.desc())
                        .limit(limit)
                        .fetch(PostgresAuditRows::row));
    }

    private static SelectConditionStep<Record> rows(DSLContext sql, Condition condition) {
        return sql.select(Rows.BLOCK)
                .select(AuditBundles.FIELDS)
                .from(QBIT_POOL_AUDIT_BUNDLES)
                .join(QBIT_POOL_BLOCKS)
                .on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH))
                .where(condition);
    }

    private static AuditRow row(Record row) {
        return new AuditRow(
                Rows.block(row), AuditBundles.read(row), Rows.millis(row.get(QBIT_POOL_AUDIT_BUNDLES.CREATED_AT)));
    }

    @Override
    public List<String> inlineBodies(int limit, Deadline deadline) {
        return transactions.read(
                deadline,
                sql -> sql.select(QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH)
                        .from(QBIT_POOL_AUDIT_BUNDLES)
                        .where(QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE.isNotNull())
                        .orderBy(QBIT_POOL_AUDIT_BUNDLES.CREATED_AT, QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH)
                        .limit(limit)
                        .fetch(QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH));
    }

    @Override
    public boolean externalise(String blockHash, String sha256, AuditBundleRow.External file, Deadline deadline) {
        return transactions.fenced(
                CallClass.LANDING,
                fence,
                deadline,
                sql -> sql.update(QBIT_POOL_AUDIT_BUNDLES)
                                .setNull(QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE)
                                .set(QBIT_POOL_AUDIT_BUNDLES.BODY_URI, file.uri())
                                .set(QBIT_POOL_AUDIT_BUNDLES.AUDIT_BODY_BYTE_LEN, file.byteLength())
                                .where(QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH.eq(blockHash.toLowerCase(Locale.ROOT)))
                                .and(QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE_SHA256.eq(sha256))
                                .and(QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE.isNotNull())
                                .execute()
                        == 1);
    }

    @Override
    public List<PayoutRow> payouts(String blockHash, Deadline deadline) {
        var rows = QBIT_AUDIT_BLOCK_PAYOUTS.call(blockHash.toLowerCase(Locale.ROOT));
        return transactions.read(
                deadline,
                sql -> sql.selectFrom(rows)
                        .fetch(row -> new PayoutRow(
                                row.getBlockHash(),
                                row.getBlockHeight(),
                                row.getMinerId(),
                                row.getPayoutOrderKey(),
                                P2mrProgram.of(row.getP2mrProgram()),
                                row.getOnchainAmountSats(),
                                Rows.whole(row.getCarryForwardBalanceSats()),
                                PayoutAction.ofText(row.getAction()),
                                MaturityState.ofText(row.getMaturityState()))));
    }

    @Override
    public List<PaidRow> paidTo(String minerId, int limit, Deadline deadline) {
        var entries = QBIT_POOL_PAYOUT_ENTRIES;
        return transactions.read(
                deadline,
                sql -> sql.select(Rows.BLOCK)
                        .select(entries.fields())
                        .from(entries)
                        .join(QBIT_POOL_BLOCKS)
                        .on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(entries.BLOCK_HASH))
                        .where(entries.MINER_ID.eq(minerId))
                        .orderBy(entries.BLOCK_HEIGHT.desc(), entries.PAYOUT_ENTRY_SEQ.desc())
                        .limit(limit)
                        .fetch(PostgresAuditRows::paid));
    }

    private static PaidRow paid(Record row) {
        var entries = QBIT_POOL_PAYOUT_ENTRIES;
        PoolBlock block = Rows.block(row);
        PayoutRow payout = new PayoutRow(
                block.blockHash(),
                block.height(),
                row.get(entries.MINER_ID),
                row.get(entries.PAYOUT_ORDER_KEY),
                P2mrProgram.of(row.get(entries.P2MR_PROGRAM)),
                row.get(entries.ONCHAIN_AMOUNT_SATS),
                row.get(entries.CARRY_FORWARD_BALANCE_SATS),
                PayoutAction.ofText(row.get(entries.ACTION)),
                MaturityState.ofText(row.get(entries.MATURITY_STATE)));
        return new PaidRow(block, payout, Rows.millis(row.get(entries.CREATED_AT)));
    }
}
