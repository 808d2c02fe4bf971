package org.prismpool.sharewriter.block;

import java.math.BigInteger;
import org.prismpool.sharewriter.P2mrProgram;

/**
 * One account of a block's payout policy manifest: the source of a payout entry and a carry row.
 *
 * @param minerId recipient
 * @param orderKey order key
 * @param program payout program
 * @param grossSats earned in this block, 0 or more
 * @param priorSats balance before the block, may be negative
 * @param candidateSats prior + gross
 * @param onchainSats paid in the block, settlement fee included, 0 or more
 * @param settlementFeeSats fee inside {@code onchainSats}, 0 or more; not part of the balance
 * @param carryForwardSats candidate − onchain
 * @param action how the account was settled
 */
public record PayoutAccount(
        String minerId,
        String orderKey,
        P2mrProgram program,
        long grossSats,
        BigInteger priorSats,
        BigInteger candidateSats,
        long onchainSats,
        long settlementFeeSats,
        BigInteger carryForwardSats,
        PayoutAction action) {

    /** Checks the signs of the amounts. */
    public PayoutAccount {
        if (grossSats < 0 || onchainSats < 0 || settlementFeeSats < 0) {
            throw new IllegalArgumentException("gross, on-chain amount and settlement fee must be non-negative");
        }
    }
}
