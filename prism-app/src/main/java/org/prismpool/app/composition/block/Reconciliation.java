package org.prismpool.app.composition.block;

import java.util.concurrent.CompletableFuture;
import org.prismpool.payout.reorg.ReconcileOutcome;
import org.prismpool.payout.reorg.ReorgReconciler;
import org.prismpool.refresh.ChainReconciliation;
import org.prismpool.templates.chain.Hash256;

/** Lets the refresher prove a tip with the reorganisation pass of the ledger. */
public final class Reconciliation implements ChainReconciliation {

    private final ReorgReconciler reconciler;

    public Reconciliation(ReorgReconciler reconciler) {
        this.reconciler = reconciler;
    }

    @Override
    public boolean fresh(Hash256 tip) {
        return reconciler.fresh(tip);
    }

    @Override
    public CompletableFuture<Boolean> prove(Hash256 tip, boolean bypassMemory) {
        return reconciler.prove(tip, bypassMemory).thenApply(ReconcileOutcome::trusted);
    }

    @Override
    public void keepOnly(Hash256 tip) {
        reconciler.keepOnly(tip);
    }
}
