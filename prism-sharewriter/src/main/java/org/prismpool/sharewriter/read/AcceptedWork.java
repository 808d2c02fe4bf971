package org.prismpool.sharewriter.read;

import java.math.BigInteger;

/**
 * Accepted shares and what they add up to.
 *
 * @param shares accepted shares, 0 or more
 * @param difficulty sum of their ledger weights, 0 or more
 */
public record AcceptedWork(long shares, BigInteger difficulty) {

    /** No share. */
    public static final AcceptedWork NONE = new AcceptedWork(0, BigInteger.ZERO);
}
