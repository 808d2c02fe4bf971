package org.prismpool.sharewriter.block;

import java.math.BigInteger;
import org.prismpool.sharewriter.P2mrProgram;

/**
 * A payout entry of a block.
 *
 * @param blockHash display hash
 * @param height height of the block
 * @param minerId recipient
 * @param orderKey order key
 * @param program payout program
 * @param onchainSats paid in the block
 * @param carryForwardSats balance after it
 * @param action how it was settled
 * @param maturity maturity of the entry
 */
public record PayoutRow(
        String blockHash,
        long height,
        String minerId,
        String orderKey,
        P2mrProgram program,
        long onchainSats,
        BigInteger carryForwardSats,
        PayoutAction action,
        MaturityState maturity) {}
