package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_BLOCK_CANDIDATE_OUTBOX;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CTV_FANOUT_ARTIFACTS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_PAYOUT_CARRY_FORWARD;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_PAYOUT_ENTRIES;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.LedgerMetrics.CallClass;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.block.ReorgRows;
import org.prismpool.sharewriter.fanout.FanoutStatus;
import org.prismpool.sharewriter.internal.schema.Routines;
import org.prismpool.sharewriter.lease.WriterFence;

/** Rows that follow the chain. */
final class PostgresReorgRows implements ReorgRows {

    private static final Condition IMMATURE = QBIT_POOL_BLOCKS.MATURITY_STATE.eq(MaturityState.IMMATURE.text());

    private final Optional<WriterFence> fence;
    private final Transactions transactions;
    private final FencedRoutines routines;

    PostgresReorgRows(Optional<WriterFence> fence, Transactions transactions) {
        this.fence = fence;
        this.transactions = transactions;
        this.routines = new FencedRoutines(fence, transactions);
    }

    @Override
    public List<PoolBlock> watched(Deadline deadline) {
        Condition states = QBIT_POOL_BLOCKS.CHAIN_STATE.in(ChainState.CONFIRMED.text(), ChainState.INACTIVE.text());
        return blocks(states.and(IMMATURE), deadline);
    }

    @Override
    public List<PoolBlock> rejectedAbove(long height, Deadline deadline) {
        return blocks(
                QBIT_POOL_BLOCKS
                        .CHAIN_STATE
                        .eq(ChainState.REJECTED.text())
                        .and(QBIT_POOL_BLOCKS.BLOCK_HEIGHT.gt(height)),
                deadline);
    }

    private List<PoolBlock> blocks(Condition condition, Deadline deadline) {
        return transactions.blockRead(
                CallClass.LANDING,
                deadline,
                sql -> sql.select(Rows.BLOCK)
                        .from(QBIT_POOL_BLOCKS)
                        .where(condition)
                        .orderBy(QBIT_POOL_BLOCKS.BLOCK_HEIGHT, QBIT_POOL_BLOCKS.BLOCK_HASH)
                        .fetch(Rows::block));
    }

    @Override
    public List<PoolBlock> strandedPrepared(long height, int limit, Deadline deadline) {
        return transactions.blockRead(
                CallClass.LANDING,
                deadline,
                sql -> sql.select(Rows.BLOCK)
                        .from(QBIT_POOL_BLOCKS)
                        .where(QBIT_POOL_BLOCKS
                                .CHAIN_STATE
                                .eq(ChainState.PREPARED.text())
                                .and(IMMATURE))
                        .and(QBIT_POOL_BLOCKS.BLOCK_HEIGHT.le(height))
                        .andNotExists(DSL.selectOne()
                                .from(QBIT_BLOCK_CANDIDATE_OUTBOX)
                                .where(QBIT_BLOCK_CANDIDATE_OUTBOX.BLOCK_HASH.eq(QBIT_POOL_BLOCKS.BLOCK_HASH))
                                .and(QBIT_BLOCK_CANDIDATE_OUTBOX.STATE.eq(CandidateState.PENDING.text())))
                        .orderBy(QBIT_POOL_BLOCKS.BLOCK_HEIGHT, QBIT_POOL_BLOCKS.BLOCK_HASH)
                        .limit(limit)
                        .fetch(Rows::block));
    }

    @Override
    public List<PoolBlock> newestMature(int limit, Deadline deadline) {
        return transactions.blockRead(
                CallClass.LANDING,
                deadline,
                sql -> sql.select(Rows.BLOCK)
                        .from(QBIT_POOL_BLOCKS)
                        .where(QBIT_POOL_BLOCKS.MATURITY_STATE.eq(MaturityState.MATURE.text()))
                        .orderBy(QBIT_POOL_BLOCKS.BLOCK_HEIGHT.desc(), QBIT_POOL_BLOCKS.BLOCK_HASH)
                        .limit(limit)
                        .fetch(Rows::block));
    }

    @Override
    public boolean markInactive(String blockHash, long tipHeight, Deadline deadline) {
        return routines.call(Routines::qbitMarkPoolBlockInactive, blockHash, tipHeight, deadline) == 1;
    }

    @Override
    public boolean reactivate(String blockHash, long tipHeight, Deadline deadline) {
        return routines.call(Routines::qbitReactivatePoolBlock, blockHash, tipHeight, deadline) == 1;
    }

    @Override
    public int reverseImmature(String blockHash, long tipHeight, Deadline deadline) {
        return routines.call(Routines::qbitReverseImmaturePoolBlock, blockHash, tipHeight, deadline);
    }

    @Override
    public int matureUpTo(long tipHeight, Deadline deadline) {
        return transactions.fenced(
                CallClass.LANDING,
                fence,
                deadline,
                sql -> Routines.qbitMarkMaturePoolPayouts(sql.configuration(), tipHeight));
    }

    @Override
    public int reinstate(String blockHash, Deadline deadline) {
        return transactions.fenced(CallClass.LANDING, fence, deadline, sql -> reinstate(sql, lower(blockHash)));
    }

    private static int reinstate(DSLContext sql, String blockHash) {
        int blocks = sql.update(QBIT_POOL_BLOCKS)
                .set(QBIT_POOL_BLOCKS.CHAIN_STATE, ChainState.PREPARED.text())
                .set(QBIT_POOL_BLOCKS.MATURITY_STATE, MaturityState.IMMATURE.text())
                .setNull(QBIT_POOL_BLOCKS.DISCONNECTED_AT)
                .where(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(blockHash))
                .and(QBIT_POOL_BLOCKS.CHAIN_STATE.eq(ChainState.REJECTED.text()))
                .execute();
        if (blocks == 0) {
            return 0;
        }
        int entries = sql.update(QBIT_POOL_PAYOUT_ENTRIES)
                .set(QBIT_POOL_PAYOUT_ENTRIES.MATURITY_STATE, MaturityState.IMMATURE.text())
                .where(QBIT_POOL_PAYOUT_ENTRIES.BLOCK_HASH.eq(blockHash))
                .and(QBIT_POOL_PAYOUT_ENTRIES.MATURITY_STATE.eq(MaturityState.REVERSED.text()))
                .execute();
        int carries = sql.update(QBIT_PAYOUT_CARRY_FORWARD)
                .set(QBIT_PAYOUT_CARRY_FORWARD.MATURITY_STATE, MaturityState.IMMATURE.text())
                .where(QBIT_PAYOUT_CARRY_FORWARD.BLOCK_HASH.eq(blockHash))
                .and(QBIT_PAYOUT_CARRY_FORWARD.MATURITY_STATE.eq(MaturityState.REVERSED.text()))
                .execute();
        int artifacts = sql.update(QBIT_CTV_FANOUT_ARTIFACTS)
                .set(QBIT_CTV_FANOUT_ARTIFACTS.SETTLEMENT_STATUS, FanoutStatus.AWAITING_MATURITY.text())
                .set(QBIT_CTV_FANOUT_ARTIFACTS.UPDATED_AT, DbTime.now())
                .where(QBIT_CTV_FANOUT_ARTIFACTS.BLOCK_HASH.eq(blockHash))
                .and(QBIT_CTV_FANOUT_ARTIFACTS.SETTLEMENT_STATUS.eq(FanoutStatus.REORGED.text()))
                .execute();
        return blocks + entries + carries + artifacts;
    }

    private static String lower(String hash) {
        return hash.toLowerCase(Locale.ROOT);
    }
}
