package org.prismpool.payout.ctv;

/**
 * What every chunk of one block commits to.
 *
 * @param blockHeight height, unsigned 64 bits; becomes the lock time
 * @param chunkCount number of chunks, unsigned 32 bits
 * @param coinbaseValueSats value of the block, unsigned 64 bits
 * @param settlementMode mode of the block
 * @param rewardManifestSha256Hex hash of the reward manifest
 * @param payoutPolicyManifestSha256Hex hash of the payout-policy manifest, settlement fees included
 */
public record FanoutContext(
        long blockHeight,
        long chunkCount,
        long coinbaseValueSats,
        SettlementMode settlementMode,
        String rewardManifestSha256Hex,
        String payoutPolicyManifestSha256Hex) {}
