package org.prismpool.sharewriter.block;

/**
 * Audit bundle row with its block.
 *
 * @param block the block
 * @param bundle the bundle
 * @param createdAtMs Unix milliseconds of the row's creation
 */
public record AuditRow(PoolBlock block, AuditBundleRow bundle, long createdAtMs) {}
