package org.prismpool.app.composition.block;

import java.util.List;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.reorg.BlockTransitions;
import org.prismpool.payout.reorg.ReconcileChain;
import org.prismpool.payout.reorg.WatchedBlock;
import org.prismpool.payout.reorg.WatchedRows;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.block.ConfirmResult;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.templates.chain.Hash256;

/** The ledger's block rows as the reorganisation pass reads and moves them. */
public final class ReorgBlockRows implements WatchedRows, BlockTransitions {

    private final Ledger ledger;
    private final BarrierWrites writes;
    private final ReconcileChain chain;
    private final AuditRepublication audit;

    /**
     * Creates the adapter.
     *
     * @param ledger whose rows move
     * @param writes keeps the lease while a transition runs
     * @param chain asked for the tip's height, which guards a transition
     * @param audit publishes the files of a reinstated block
     */
    public ReorgBlockRows(Ledger ledger, BarrierWrites writes, ReconcileChain chain, AuditRepublication audit) {
        this.ledger = ledger;
        this.writes = writes;
        this.chain = chain;
        this.audit = audit;
    }

    @Override
    public List<WatchedBlock> immature(Deadline deadline) {
        List<PoolBlock> rows = ledger.reorg().watched(deadline);
        audit.started(rows);
        return watched(rows);
    }

    @Override
    public List<WatchedBlock> rejected(long aboveHeight, Deadline deadline) {
        return watched(ledger.reorg().rejectedAbove(aboveHeight, deadline));
    }

    @Override
    public List<WatchedBlock> strandedPrepared(long maxHeight, int limit, Deadline deadline) {
        return watched(ledger.reorg().strandedPrepared(maxHeight, limit, deadline));
    }

    @Override
    public List<WatchedBlock> newestMature(int limit, Deadline deadline) {
        return watched(ledger.reorg().newestMature(limit, deadline));
    }

    private static List<WatchedBlock> watched(List<PoolBlock> rows) {
        return rows.stream()
                .map(row -> new WatchedBlock(
                        Hash256.ofDisplayHex(row.blockHash()),
                        row.height(),
                        WatchedBlock.State.valueOf(row.chainState().name())))
                .toList();
    }

    @Override
    public void markInactive(Hash256 hash, Deadline deadline) {
        long tip = chain.tipHeight(deadline);
        writes.run(() -> ledger.reorg().markInactive(hash.displayHex(), tip, deadline));
    }

    @Override
    public void reactivate(Hash256 hash, Deadline deadline) {
        long tip = chain.tipHeight(deadline);
        writes.run(() -> ledger.reorg().reactivate(hash.displayHex(), tip, deadline));
    }

    @Override
    public void reinstate(Hash256 hash, long height, Deadline deadline) {
        ConfirmResult result = writes.call(() -> {
            ledger.reorg().reinstate(hash.displayHex(), deadline);
            return ledger.blocks().confirm(hash.displayHex(), height, deadline);
        });
        if (!result.confirmed()) {
            throw new IllegalStateException(
                    "reinstated block " + hash.displayHex() + " is not confirmed: " + result.outcome());
        }
        audit.owe(hash, result.publicationSequence().orElseThrow());
        audit.publishOwed(deadline);
    }

    @Override
    public void rejectStranded(Hash256 hash, Deadline deadline) {
        long tip = chain.tipHeight(deadline);
        writes.run(() -> ledger.blocks().rejectPrepared(hash.displayHex(), tip, deadline));
    }

    @Override
    public int mature(long tipHeight, Deadline deadline) {
        audit.publishOwed(deadline); // the end of every pass: what failed before is tried again
        return writes.call(() -> ledger.reorg().matureUpTo(tipHeight, deadline));
    }
}
