package org.prismpool.sharewriter.read;

import java.math.BigInteger;
import java.util.Optional;

/**
 * The pool as a whole, all values of one snapshot of the ledger.
 *
 * @param work accepted work of all miners, with the moment of the snapshot
 * @param participants3h miners with an accepted share within {@link RateWindow#H3}
 * @param blocksFound landed blocks that were not reversed
 * @param totalMinedSats sum of the gross amounts of confirmed, non-reversed blocks, in base units
 * @param latestBlock the highest block that was not reversed, empty before the first one
 */
public record PoolTotals(
        WorkByWindow work,
        long participants3h,
        long blocksFound,
        BigInteger totalMinedSats,
        Optional<FoundBlock> latestBlock) {}
