package org.prismpool.bundle;

import java.util.Objects;

/**
 * The one payout identity that a collection bundle pays.
 *
 * @param payoutAddress address without worker suffix; also miner id and order key
 * @param p2mrProgramHex its 32-byte program, lower-case hex
 */
public record CollectionIdentity(String payoutAddress, String p2mrProgramHex) {

    /** Checks the components. */
    public CollectionIdentity {
        Objects.requireNonNull(payoutAddress, "payoutAddress");
        if (p2mrProgramHex.length() != 64) {
            throw new IllegalArgumentException("a P2MR program has 64 hex digits");
        }
    }
}
