package org.prismpool.sharewriter.block;

/**
 * A payout entry with the block it belongs to.
 *
 * @param block the block
 * @param payout the entry
 * @param createdAtMs Unix milliseconds of the entry's creation
 */
public record PaidRow(PoolBlock block, PayoutRow payout, long createdAtMs) {}
