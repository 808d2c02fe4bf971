package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.LedgerMetrics.CallClass;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.ConfirmResult;
import org.prismpool.sharewriter.block.ConfirmResult.Outcome;
import org.prismpool.sharewriter.block.PersistResult;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.block.PoolBlocks;
import org.prismpool.sharewriter.internal.schema.Routines;
import org.prismpool.sharewriter.lease.WriterFence;

/** Landing, confirmation and disposal of blocks. */
final class PostgresPoolBlocks implements PoolBlocks {

    private static final int SUPERSEDED = -1;

    private final Optional<WriterFence> fence;
    private final Transactions transactions;

    PostgresPoolBlocks(Optional<WriterFence> fence, Transactions transactions) {
        this.fence = fence;
        this.transactions = transactions;
    }

    @Override
    public PersistResult persist(AcceptedBlock block, Deadline deadline) {
        return transactions.fenced(CallClass.LANDING, fence, deadline, sql -> LandedBlock.persist(sql, block));
    }

    @Override
    public Optional<AuditBundleRow.External> checkBeforeBody(AcceptedBlock block, Deadline deadline) {
        return transactions.fenced(CallClass.LANDING, fence, deadline, sql -> LandedBlock.recordedBody(sql, block));
    }

    @Override
    public ConfirmResult confirm(String blockHash, long height, Deadline deadline) {
        String hash = blockHash.toLowerCase(Locale.ROOT);
        // The ordinal is read before and after the confirming statement: that statement cannot see what it assigns,
        // and an equal ordinal before it tells a repeat from a first confirmation.
        return FencedRoutines.call(transactions, fence, deadline, (sql, ours) -> {
            OptionalLong before = confirmedSequence(sql, hash);
            @Nullable Integer code = Routines.qbitConfirmPoolBlock(
                    sql.configuration(),
                    hash,
                    height,
                    ours.writerId(),
                    ours.epoch(),
                    ours.sessionToken(),
                    FencedRoutines.ttl(fence));
            if (code == null) {
                throw new IllegalStateException("a ledger function returned no value");
            }
            if (code == SUPERSEDED) {
                return new ConfirmResult(Outcome.SUPERSEDED, OptionalLong.empty());
            }
            if (code != 1 && code != 2) {
                return new ConfirmResult(Outcome.UNEXPLAINED, OptionalLong.empty());
            }
            Outcome outcome = before.isPresent() ? Outcome.ALREADY_CONFIRMED : Outcome.CONFIRMED;
            return new ConfirmResult(outcome, confirmedSequence(sql, hash));
        });
    }

    private static OptionalLong confirmedSequence(DSLContext sql, String hash) {
        @Nullable Long sequence = sql.select(QBIT_POOL_BLOCKS.AUDIT_PUBLICATION_SEQUENCE)
                .from(QBIT_POOL_BLOCKS)
                .where(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(hash))
                .and(QBIT_POOL_BLOCKS.CHAIN_STATE.eq("confirmed"))
                .fetchOne(QBIT_POOL_BLOCKS.AUDIT_PUBLICATION_SEQUENCE);
        return sequence == null ? OptionalLong.empty() : OptionalLong.of(sequence);
    }

    @Override
    public int rejectPrepared(String blockHash, long tipHeight, Deadline deadline) {
        return FencedRoutines.call(transactions, fence, deadline, (sql, ours) -> {
            @Nullable Integer touched = Routines.qbitRejectPreparedPoolBlock(
                    sql.configuration(),
                    blockHash.toLowerCase(Locale.ROOT),
                    tipHeight,
                    ours.writerId(),
                    ours.epoch(),
                    ours.sessionToken(),
                    FencedRoutines.ttl(fence));
            return touched == null ? 0 : touched;
        });
    }

    @Override
    public Optional<PoolBlock> find(String blockHash, Deadline deadline) {
        return transactions.blockRead(
                CallClass.LANDING,
                deadline,
                sql -> sql.select(Rows.BLOCK)
                        .from(QBIT_POOL_BLOCKS)
                        .where(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(blockHash.toLowerCase(Locale.ROOT)))
                        .fetchOptional(Rows::block));
    }

    @Override
    public long publicationFloor(Deadline deadline) {
        @Nullable Long floor = transactions.blockRead(
                CallClass.LANDING,
                deadline,
                sql -> sql.select(DSL.coalesce(DSL.max(QBIT_POOL_BLOCKS.AUDIT_PUBLICATION_SEQUENCE), 0L))
                        .from(QBIT_POOL_BLOCKS)
                        .fetchSingle()
                        .value1());
        return floor == null ? 0 : floor;
    }
}
