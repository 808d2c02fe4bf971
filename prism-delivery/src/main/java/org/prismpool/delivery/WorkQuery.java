package org.prismpool.delivery;

import java.util.Objects;
import java.util.Optional;

/**
 * The work that connections should have, for a selection (spec 07 §3.6).
 *
 * @param tip tip of the snapshot
 * @param fingerprint fingerprint of the snapshot
 * @param payout payout state
 * @param ready true iff the pool hands out ready work
 * @param epoch refresh epoch; empty outside the epoch mode
 */
public record WorkQuery(
        String tip, String fingerprint, CurrentState.Payout payout, boolean ready, Optional<CurrentState.Epoch> epoch) {

    /** Checks the components. */
    public WorkQuery {
        Objects.requireNonNull(tip, "tip");
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(payout, "payout");
        Objects.requireNonNull(epoch, "epoch");
    }
}
