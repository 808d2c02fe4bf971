package org.prismpool.refresh;

import org.prismpool.lifecycle.time.Deadline;

/** Port to the readiness latch: one-way, set once enough distinct miners had accepted shares. */
@FunctionalInterface
public interface PoolReadiness {

    /**
     * Evaluates the latch. May do one ledger read within the deadline while it is not set.
     *
     * @param deadline end of the pass
     * @return true iff the pool hands out ready work; once true, always true
     * @throws java.io.IOException if the ledger did not answer
     * @throws InterruptedException if the caller is interrupted
     */
    boolean ready(Deadline deadline) throws java.io.IOException, InterruptedException;
}
