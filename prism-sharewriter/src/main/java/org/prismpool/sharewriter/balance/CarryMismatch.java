package org.prismpool.sharewriter.balance;

import java.math.BigInteger;

/**
 * A journal row whose recorded chain of balances differs from the recomputed one; legitimate after a quarantine.
 *
 * @param row the recorded row
 * @param expectedPrior prior balance by recomputation
 * @param expectedCandidate candidate balance by recomputation
 * @param expectedCarryForward carried balance by recomputation
 * @param reason comma-separated names of the differing columns
 */
public record CarryMismatch(
        CarryRow row,
        BigInteger expectedPrior,
        BigInteger expectedCandidate,
        BigInteger expectedCarryForward,
        String reason) {}
