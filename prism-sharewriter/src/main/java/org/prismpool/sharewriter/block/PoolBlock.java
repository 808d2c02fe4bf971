package org.prismpool.sharewriter.block;

import java.util.OptionalLong;

/**
 * A block that the pool landed or tried to, as the ledger holds it.
 *
 * @param blockHash display hash, lower case
 * @param height height
 * @param parentHash display hash of the parent
 * @param coinbaseTxid id of the coinbase transaction
 * @param payoutManifestSha256 digest of the payout manifest
 * @param foundAtMs Unix milliseconds of the row's creation
 * @param chainState standing towards the chain
 * @param maturityState maturity
 * @param publicationSequence durable publication ordinal, empty until first confirmed
 */
public record PoolBlock(
        String blockHash,
        long height,
        String parentHash,
        String coinbaseTxid,
        String payoutManifestSha256,
        long foundAtMs,
        ChainState chainState,
        MaturityState maturityState,
        OptionalLong publicationSequence) {

    /** Depth in blocks from which a block is mature and can no longer be taken back. */
    public static final long MATURITY = 1000;
}
