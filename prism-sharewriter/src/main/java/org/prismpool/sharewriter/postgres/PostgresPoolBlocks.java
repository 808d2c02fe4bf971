package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;

import java.util.Locale;
import java.util.Optional;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.LedgerMetrics.CallClass;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.ConfirmResult;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.block.PersistResult;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.block.PoolBlocks;
import org.prismpool.sharewriter.internal.schema.Routines;
import org.prismpool.sharewriter.lease.WriterFence;

/** Landing, confirmation and disposal of blocks. */
final class PostgresPoolBlocks implements PoolBlocks {

    private final Optional<WriterFence> fence;
    private final Transactions transactions;
    private final FencedRoutines routines;

    PostgresPoolBlocks(Optional<WriterFence> fence, Transactions transactions) {
        this.fence = fence;
        this.transactions = transactions;
        this.routines = new FencedRoutines(fence, transactions);
    }

    @Override
    public PersistResult persist(AcceptedBlock block, Deadline deadline) {
        WriterFence open = Transactions.open(fence);
        boolean written = transactions.selfFenced(
                fence,
                deadline,
                sql -> sql.connectionResult(connection -> LandingRequest.send(connection, open, block)));
        if (!written) {
            transactions.fenced(CallClass.LANDING, fence, deadline, sql -> {
                LandedBlock.compare(sql, block);
                return true;
            });
        }
        int paid = (int) block.accounts().stream()
                .filter(account -> account.action() == PayoutAction.ONCHAIN)
                .count();
        int rows = block.accounts().size();
        return new PersistResult(written, rows, rows, paid);
    }

    @Override
    public Optional<AuditBundleRow.External> checkBeforeBody(AcceptedBlock block, Deadline deadline) {
        return transactions.fenced(CallClass.LANDING, fence, deadline, sql -> LandedBlock.recordedBody(sql, block));
    }

    @Override
    public ConfirmResult confirm(String blockHash, long height, Deadline deadline) {
        WriterFence open = Transactions.open(fence);
        String hash = blockHash.toLowerCase(Locale.ROOT);
        return transactions.selfFenced(
                fence,
                deadline,
                sql -> sql.connectionResult(connection -> ConfirmRequest.send(connection, open, hash, height)));
    }

    @Override
    public int rejectPrepared(String blockHash, long tipHeight, Deadline deadline) {
        return routines.call(Routines::qbitRejectPreparedPoolBlock, blockHash, tipHeight, deadline);
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
