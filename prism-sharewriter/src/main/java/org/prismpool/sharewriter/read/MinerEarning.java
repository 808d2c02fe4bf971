package org.prismpool.sharewriter.read;

import java.math.BigInteger;
import java.time.Instant;
import org.prismpool.sharewriter.block.MaturityState;

/**
 * What a miner earned in a block, in base units.
 *
 * @param blockHeight height of the block
 * @param blockHash display hash of the block
 * @param foundAt creation of the block's row
 * @param grossSats earned, 0 or more
 * @param blockGrossSats earned by all accounts of the block
 * @param settlementFeeSats fee of the payment, 0 or more
 * @param maturity maturity of the row, never reversed
 */
public record MinerEarning(
        long blockHeight,
        String blockHash,
        Instant foundAt,
        long grossSats,
        BigInteger blockGrossSats,
        long settlementFeeSats,
        MaturityState maturity) {}
