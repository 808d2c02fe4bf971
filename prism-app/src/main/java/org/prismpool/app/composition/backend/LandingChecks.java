package org.prismpool.app.composition.backend;

import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.finalization.LandingGuards;
import org.prismpool.payout.reorg.ReorgReconciler;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.NodeRpc;

/** What must hold before balances move: rows agree with the chain, and the lease is provably held. */
public final class LandingChecks implements LandingGuards {

    private final boolean reconciling;
    private final NodeRpc node;
    private final ReorgReconciler reconciler;
    private final LedgerParts ledger;

    public LandingChecks(boolean reconciling, NodeRpc node, ReorgReconciler reconciler, LedgerParts ledger) {
        this.reconciling = reconciling;
        this.node = node;
        this.reconciler = reconciler;
        this.ledger = ledger;
    }

    @Override
    public boolean reconciled(Hash256 block, Deadline deadline) {
        if (!reconciling) {
            return true;
        }
        try {
            Hash256 tip = node.getBestBlockHash(deadline);
            return reconciler.proveHoldingTurn(tip, block, deadline).trusted();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean leaseHeld(Deadline deadline) {
        return ledger.leaseHeld(deadline);
    }
}
