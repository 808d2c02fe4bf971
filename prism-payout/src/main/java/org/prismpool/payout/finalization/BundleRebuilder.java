package org.prismpool.payout.finalization;

import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/** Port to the rebuild of a found block's audit bundle. Called on the finalizer's thread; blocks until the deadline. */
@FunctionalInterface
public interface BundleRebuilder {

    /**
     * Rebuilds the bundle from the frozen inputs with the real extranonces, and verifies it against the submitted
     * coinbase, the coinbase value, the height and the trusted ledger key.
     *
     * @param intent intent of the block
     * @param deadline latest end
     * @param cancel raised when the process stops
     * @return the verified bundle
     * @throws AuditMismatchException if the rebuilt coinbase differs from the submitted one, or does not verify
     */
    AuditDocument rebuild(CandidateIntent intent, Deadline deadline, CancelSignal cancel);
}
