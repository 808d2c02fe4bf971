package org.prismpool.sharewriter;

/**
 * Aggregate over all accepted shares of one snapshot.
 *
 * @param acceptedShares number of accepted shares
 * @param distinctMiners number of different miner ids among them
 * @param highestSeq highest share sequence of the snapshot, 0 when empty
 */
public record ShareTotals(long acceptedShares, long distinctMiners, long highestSeq) {}
