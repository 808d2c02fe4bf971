package org.prismpool.sharewriter.lease;

/**
 * What one verification of the session saw, in one statement on the guard connection.
 *
 * @param guardHeld the advisory lock is still held by this backend
 * @param current the committed lease row still names exactly this session
 * @param renewed the lease was renewed by this statement
 * @param expired the committed row has expired
 * @param withinMargin the committed row expires within the authority margin
 * @param lockedByUs the row is locked by a session of this process
 */
public record HeartbeatReport(
        boolean guardHeld,
        boolean current,
        boolean renewed,
        boolean expired,
        boolean withinMargin,
        boolean lockedByUs) {}
