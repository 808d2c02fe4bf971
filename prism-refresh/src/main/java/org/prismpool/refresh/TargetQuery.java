package org.prismpool.refresh;

import java.util.Objects;
import java.util.Optional;

/**
 * The work that every connection should have.
 *
 * @param snapshot the template observation
 * @param payout the payout state
 * @param ready true iff the pool hands out ready work
 * @param epoch the refresh epoch; empty outside the epoch mode
 */
public record TargetQuery(
        TemplateSnapshot<?> snapshot, PayoutAuthority payout, boolean ready, Optional<RefreshEpoch> epoch) {

    /** Checks the components. */
    public TargetQuery {
        Objects.requireNonNull(snapshot, "snapshot");
        Objects.requireNonNull(payout, "payout");
        Objects.requireNonNull(epoch, "epoch");
    }
}
