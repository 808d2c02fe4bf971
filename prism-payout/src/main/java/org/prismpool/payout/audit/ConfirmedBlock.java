package org.prismpool.payout.audit;

/**
 * A confirmed row of the ledger that old evidence is compared with.
 *
 * @param sequence publication ordinal, 1 or more
 * @param blockHeight height, unsigned 64 bits
 * @param blockHash the block, display order, lower-case hexadecimal text
 * @param auditBundleSha256 public identity of its bundle, lower-case hexadecimal text
 * @param bodyUri where its body is
 */
public record ConfirmedBlock(
        long sequence, long blockHeight, String blockHash, String auditBundleSha256, String bodyUri) {}
