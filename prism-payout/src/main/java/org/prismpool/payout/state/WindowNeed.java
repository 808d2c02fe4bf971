package org.prismpool.payout.state;

import java.util.Objects;
import org.prismpool.payout.json.U128;

/**
 * What a build needs of a reward window; a prepared window serves it only if all of it matches.
 *
 * @param networkDifficulty scaled network difficulty of the template
 * @param payout payout state that the build is for
 * @param appendEpoch current append epoch
 */
public record WindowNeed(U128 networkDifficulty, PublishedPayout payout, long appendEpoch) {

    /** Checks the components. */
    public WindowNeed {
        Objects.requireNonNull(networkDifficulty, "networkDifficulty");
        Objects.requireNonNull(payout, "payout");
    }

    boolean metBy(PreparedWindow window) {
        return window.payoutGeneration() == payout.generation()
                && window.networkDifficulty().equals(networkDifficulty)
                && window.appendEpoch() == appendEpoch
                && window.balances().digest().equals(payout.artifact().digest());
    }
}
