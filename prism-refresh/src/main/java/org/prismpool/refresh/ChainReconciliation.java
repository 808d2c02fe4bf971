package org.prismpool.refresh;

import java.util.concurrent.CompletableFuture;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the reorg reconcile pass (spec 07 §3.5). Thread-safe; runs at most one pass at a time on its own thread.
 */
public interface ChainReconciliation {

    /**
     * Tells whether a proof for a tip is remembered and young enough. Never blocks.
     *
     * @param tip the tip
     * @return true iff no pass is needed
     */
    boolean fresh(Hash256 tip);

    /**
     * Proves a tip, or joins the pass that is under way for it.
     *
     * @param tip the tip
     * @param bypassMemory true to prove again even if a proof is remembered
     * @return whether the ledger agrees with the chain at that tip; exceptional completion is a failed pass. Cancelling
     *     the future only detaches from it
     */
    CompletableFuture<Boolean> prove(Hash256 tip, boolean bypassMemory);

    /**
     * Forgets the proofs of every other tip. Never blocks.
     *
     * @param tip the only tip whose proof may be kept
     */
    void keepOnly(Hash256 tip);

    /**
     * Returns the instance for a pool that does not reconcile.
     *
     * @return every tip is proven
     */
    static ChainReconciliation disabled() {
        return new ChainReconciliation() {
            @Override
            public boolean fresh(Hash256 tip) {
                return true;
            }

            @Override
            public CompletableFuture<Boolean> prove(Hash256 tip, boolean bypassMemory) {
                return CompletableFuture.completedFuture(true);
            }

            @Override
            public void keepOnly(Hash256 tip) {
                // nothing is remembered
            }
        };
    }
}
