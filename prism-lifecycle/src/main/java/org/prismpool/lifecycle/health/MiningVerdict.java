package org.prismpool.lifecycle.health;

import java.time.Duration;
import java.util.List;

/**
 * Judgement of mining delivery.
 *
 * @param reasons what is wrong; empty if nothing is
 * @param inStartupGrace whether the time-based reasons are still held back
 * @param coverageGapAge how long coverage has been poor; zero when it is not
 * @param overloadAge how long the pool has been overloaded; zero when it is not
 * @param overload whether it is overloaded now, or refuses nearly all shares
 */
public record MiningVerdict(
        List<MiningReason> reasons,
        boolean inStartupGrace,
        Duration coverageGapAge,
        Duration overloadAge,
        boolean overload) {

    /** Copies the list. */
    public MiningVerdict {
        reasons = List.copyOf(reasons);
    }

    /**
     * Tells whether miners get work as they should.
     *
     * @return true without a reason against it
     */
    public boolean ok() {
        return reasons.isEmpty();
    }
}
