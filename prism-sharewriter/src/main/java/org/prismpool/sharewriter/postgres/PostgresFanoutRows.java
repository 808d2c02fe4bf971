package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CTV_FANOUT_ARTIFACTS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CTV_FANOUT_SETS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.OrderField;
import org.jooq.Record;
import org.jooq.SelectConditionStep;
import org.jooq.impl.DSL;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.LedgerMetrics.CallClass;
import org.prismpool.sharewriter.fanout.BroadcastAttempt;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutRow;
import org.prismpool.sharewriter.fanout.FanoutRows;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.fanout.FanoutStatus;
import org.prismpool.sharewriter.internal.schema.Routines;
import org.prismpool.sharewriter.internal.schema.tables.records.QbitCtvFanoutArtifactsRecord;
import org.prismpool.sharewriter.lease.WriterFence;

/** Settlement artifacts. */
final class PostgresFanoutRows implements FanoutRows {

    private static final int MOST_DUE = 1000;

    static final Condition NOT_TERMINAL = QBIT_CTV_FANOUT_ARTIFACTS.SETTLEMENT_STATUS.notIn(
            DSL.inline(FanoutStatus.CONFIRMED.text()),
            DSL.inline(FanoutStatus.REORGED.text()),
            DSL.inline(FanoutStatus.FAILED.text()));

    static final List<OrderField<?>> BY_HEIGHT = List.of(
            QBIT_POOL_BLOCKS.BLOCK_HEIGHT,
            QBIT_CTV_FANOUT_ARTIFACTS.CHUNK_INDEX,
            QBIT_CTV_FANOUT_ARTIFACTS.FANOUT_TXID);

    private final Optional<WriterFence> fence;
    private final Transactions transactions;

    PostgresFanoutRows(Optional<WriterFence> fence, Transactions transactions) {
        this.fence = fence;
        this.transactions = transactions;
    }

    @Override
    public int persist(FanoutSet set, Deadline deadline) {
        WriterFence open = Transactions.open(fence);
        String hash = lower(set.blockHash());
        boolean stored = transactions.selfFenced(
                fence,
                deadline,
                sql -> sql.connectionResult(connection -> FanoutRequest.send(connection, open, set, hash)));
        return stored
                ? set.artifacts().size()
                : transactions.fenced(CallClass.LANDING, fence, deadline, sql -> complete(sql, set, hash));
    }

    /**
     * Compares with the set that the ledger holds, and adds the transactions that it lacks. It holds none if the block was
     * committed while the request waited for the lease.
     */
    private static int complete(DSLContext sql, FanoutSet set, String hash) {
        if (!sql.fetchExists(QBIT_POOL_BLOCKS, QBIT_POOL_BLOCKS.BLOCK_HASH.eq(hash))) {
            throw new IllegalArgumentException("unknown PRISM block");
        }
        sql.insertInto(QBIT_CTV_FANOUT_SETS)
                .set(FanoutRecords.record(set, hash))
                .onConflictDoNothing()
                .execute();
        if (!recorded(sql, set, hash)) {
            throw new BlockMismatchException("existing CTV fanout manifest set does not match payload");
        }
        Map<String, FanoutArtifact> existing = new HashMap<>();
        sql.select(FanoutRecords.ARTIFACT)
                .from(QBIT_CTV_FANOUT_ARTIFACTS)
                .where(QBIT_CTV_FANOUT_ARTIFACTS.BLOCK_HASH.eq(hash))
                .forEach(row -> {
                    FanoutArtifact artifact = FanoutRecords.artifact(row);
                    existing.put(artifact.fanoutTxid(), artifact);
                });
        List<QbitCtvFanoutArtifactsRecord> missing = new ArrayList<>();
        for (FanoutArtifact artifact : set.artifacts()) {
            FanoutArtifact stored = existing.remove(artifact.fanoutTxid());
            if (stored == null) {
                missing.add(FanoutRecords.record(set, hash, artifact));
            } else if (!stored.equals(artifact)) {
                throw new BlockMismatchException("existing CTV fanout artifacts do not match payload");
            }
        }
        if (!existing.isEmpty()) {
            throw new BlockMismatchException("existing CTV fanout artifacts do not match payload");
        }
        missing.forEach(
                row -> sql.insertInto(QBIT_CTV_FANOUT_ARTIFACTS).set(row).execute());
        return set.artifacts().size();
    }

    /** Compares every stored column, the text and the document. */
    private static boolean recorded(DSLContext sql, FanoutSet set, String hash) {
        var table = QBIT_CTV_FANOUT_SETS;
        return sql.fetchExists(
                table,
                table.BLOCK_HASH.eq(hash),
                table.MANIFEST_SET_JSON.eq(set.manifestSetJson()),
                table.MANIFEST_SET.eq(JSONB.valueOf(set.manifestSetJson())),
                table.MANIFEST_SET_SHA256.eq(set.manifestSetSha256()),
                table.SETTLEMENT_MODE.eq(set.settlementMode()),
                table.PARENT_COINBASE_TXID.eq(set.parentCoinbaseTxid()),
                table.PARENT_COINBASE_TX_HEX.eq(set.parentCoinbaseTxHex()),
                table.FANOUT_COUNT.eq(set.artifacts().size()),
                table.FANOUT_OUTPUT_SUM_SATS.eq(set.fanoutOutputSumSats()),
                table.COVENANT_OUTPUT_VALUE_SATS.eq(set.covenantOutputValueSats()));
    }

    @Override
    public boolean updateStatus(String fanoutTxid, FanoutStatus expected, FanoutStatus next, Deadline deadline) {
        if (expected.terminal()) {
            return false;
        }
        var table = QBIT_CTV_FANOUT_ARTIFACTS;
        return transactions.fenced(
                CallClass.LANDING,
                fence,
                deadline,
                sql -> sql.update(table)
                                .set(table.SETTLEMENT_STATUS, next.text())
                                .set(table.UPDATED_AT, DbTime.now())
                                .where(table.FANOUT_TXID.eq(lower(fanoutTxid)))
                                .and(table.SETTLEMENT_STATUS.eq(expected.text()))
                                .execute()
                        == 1);
    }

    @Override
    public FanoutStatus recordAttempt(String fanoutTxid, BroadcastAttempt attempt, int detailLimit, Deadline deadline) {
        return transactions.fenced(
                CallClass.LANDING,
                fence,
                deadline,
                sql -> FanoutAttempts.record(sql, lower(fanoutTxid), attempt, detailLimit));
    }

    @Override
    public List<FanoutRow> due(int limit, Deadline deadline) {
        return transactions.read(
                deadline,
                sql -> rows(sql, NOT_TERMINAL.and(mayBeTried()))
                        .orderBy(BY_HEIGHT)
                        .limit(clamped(limit))
                        .fetch(FanoutRecords::row));
    }

    @Override
    public List<String> dueDocuments(int limit, Deadline deadline) {
        var table = QBIT_CTV_FANOUT_ARTIFACTS;
        return transactions.read(
                deadline,
                sql -> sql.select(Routines.qbitFanoutStatus(table.FANOUT_TXID))
                        .from(table)
                        .join(QBIT_POOL_BLOCKS)
                        .on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(table.BLOCK_HASH))
                        .where(NOT_TERMINAL.and(mayBeTried()))
                        .orderBy(BY_HEIGHT)
                        .limit(clamped(limit))
                        .fetch(row -> row.value1().data()));
    }

    private static Condition mayBeTried() {
        var next = QBIT_CTV_FANOUT_ARTIFACTS.NEXT_BROADCAST_ATTEMPT_AT;
        return next.isNull().or(next.le(DbTime.now()));
    }

    private static int clamped(int limit) {
        return Math.max(1, Math.min(MOST_DUE, limit));
    }

    @Override
    public Optional<FanoutRow> find(String fanoutTxid, Deadline deadline) {
        return transactions.read(
                deadline,
                sql -> rows(sql, QBIT_CTV_FANOUT_ARTIFACTS.FANOUT_TXID.eq(lower(fanoutTxid)))
                        .fetchOptional(FanoutRecords::row));
    }

    @Override
    public List<FanoutRow> ofBlock(String blockHash, Deadline deadline) {
        return transactions.read(
                deadline,
                sql -> rows(sql, QBIT_CTV_FANOUT_ARTIFACTS.BLOCK_HASH.eq(lower(blockHash)))
                        .orderBy(QBIT_CTV_FANOUT_ARTIFACTS.CHUNK_INDEX)
                        .fetch(FanoutRecords::row));
    }

    private static SelectConditionStep<Record> rows(DSLContext sql, Condition condition) {
        return sql.select(Rows.BLOCK)
                .select(FanoutRecords.ARTIFACT)
                .from(QBIT_CTV_FANOUT_ARTIFACTS)
                .join(QBIT_POOL_BLOCKS)
                .on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(QBIT_CTV_FANOUT_ARTIFACTS.BLOCK_HASH))
                .where(condition);
    }

    @Override
    public Optional<String> statusDocument(String fanoutTxid, Deadline deadline) {
        return transactions.read(
                deadline,
                sql -> document(sql.select(Routines.qbitFanoutStatus(DSL.val(lower(fanoutTxid))))
                        .fetchSingle()
                        .value1()));
    }

    @Override
    public Optional<String> recoveryDocument(String blockHash, Deadline deadline) {
        return transactions.read(
                deadline,
                sql -> document(sql.select(Routines.qbitAuditBlockFanouts(DSL.val(lower(blockHash))))
                        .fetchSingle()
                        .value1()));
    }

    private static Optional<String> document(@org.jspecify.annotations.Nullable JSONB json) {
        return Optional.ofNullable(json).map(JSONB::data);
    }

    private static String lower(String hash) {
        return hash.toLowerCase(Locale.ROOT);
    }
}
