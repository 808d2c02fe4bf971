package org.prismpool.templates.chain;

import java.math.BigInteger;

/**
 * The integer difficulty that the ledger and the audit bundle store, for network difficulty and for share weight.
 *
 * <p>{@code max(1, floor(target(207fffff) * 1 000 000 / target))} on every network (spec 03 §1.2). It does not fit a
 * {@code long} on the public chains.
 */
public final class ScaledDifficulty {

    private static final BigInteger NUMERATOR =
            CompactTarget.ofBits(0x207fffff).target().value().multiply(BigInteger.valueOf(1_000_000));

    private ScaledDifficulty() {}

    /**
     * Returns the scaled difficulty of a target.
     *
     * @param target network or share target
     * @return 1 or more
     */
    public static BigInteger of(Target target) {
        return NUMERATOR.divide(target.value()).max(BigInteger.ONE);
    }
}
