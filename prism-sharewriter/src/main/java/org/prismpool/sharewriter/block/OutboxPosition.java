package org.prismpool.sharewriter.block;

/**
 * Place of a candidate in the outbox's order, for pages that continue where the last one ended.
 *
 * @param createdAtMicros creation time in Unix microseconds, the database's full resolution
 * @param blockHash row key, second key of the order
 */
public record OutboxPosition(long createdAtMicros, String blockHash) {

    /** Place before every candidate. */
    public static final OutboxPosition START = new OutboxPosition(Long.MIN_VALUE, "");
}
