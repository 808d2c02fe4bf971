package org.prismpool.sharewriter.block;

/**
 * Rows of a landed block, whether written now or found equal.
 *
 * @param inserted true if written by this call, false for an exact replay
 * @param payoutEntries payout rows of the block
 * @param carryRows journal rows of the block
 * @param onchainOutputs accounts paid on chain
 */
public record PersistResult(boolean inserted, int payoutEntries, int carryRows, int onchainOutputs) {}
