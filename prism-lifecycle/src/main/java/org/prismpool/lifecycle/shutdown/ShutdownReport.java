package org.prismpool.lifecycle.shutdown;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a shutdown did up to and including the lease; every caller of one shutdown gets the same.
 *
 * @param reason why the owner began it, for example {@code serve_exit}
 * @param signal number of the first signal that asked for it, if one did
 * @param quiescence outcome of the writer barrier
 * @param lease outcome of the lease release; empty if it was withheld
 */
public record ShutdownReport(
        String reason, OptionalInt signal, QuiescenceResult quiescence, Optional<LeasePort.Outcome> lease) {

    /**
     * Tells whether the lease was kept because a writer did not finish.
     *
     * @return true if no release was attempted
     */
    public boolean withheld() {
        return lease.isEmpty();
    }

    /**
     * Tells whether a successor may take over at once.
     *
     * @return true if the lease is released, was not held, or there is none
     */
    public boolean released() {
        return lease.map(LeasePort.Outcome::released).orElse(false);
    }
}
