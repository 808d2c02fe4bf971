package org.prismpool.refresh;

import java.util.Objects;
import java.util.Optional;

/**
 * The payout state that work must agree with, as one consistent copy.
 *
 * @param generation published payout generation
 * @param digest digest of the published prior balances; empty before the first publication
 * @param appendEpoch append-invalidation epoch
 * @param fenced true while the payout publication fence is closed: nothing may be published or delivered
 */
public record PayoutAuthority(long generation, Optional<String> digest, long appendEpoch, boolean fenced) {

    /** Checks the components. */
    public PayoutAuthority {
        Objects.requireNonNull(digest, "digest");
    }

    /**
     * Tells whether work agrees with this state.
     *
     * @param work identity of the work
     * @return true iff generation and digest are equal and, for ready work, the append epoch too
     */
    public boolean agreesWith(WorkIdentity work) {
        return work.payoutGeneration() == generation
                && digest.filter(work.payoutDigest()::equals).isPresent()
                && (work.mode() == WorkMode.COLLECTION || work.appendEpoch() == appendEpoch);
    }

    /**
     * Tells whether two copies mean the same published balances.
     *
     * @param other another copy
     * @return true iff generation and digest are equal
     */
    public boolean agrees(PayoutAuthority other) {
        return generation == other.generation && digest.equals(other.digest);
    }
}
