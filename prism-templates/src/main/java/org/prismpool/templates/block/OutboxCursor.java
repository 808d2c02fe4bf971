package org.prismpool.templates.block;

import java.time.Instant;

/**
 * Place in the pending rows of the outbox, which are ordered by creation and hash.
 *
 * @param createdAt creation time of the last row seen
 * @param hashHex display hash of that row
 */
public record OutboxCursor(Instant createdAt, String hashHex) {}
