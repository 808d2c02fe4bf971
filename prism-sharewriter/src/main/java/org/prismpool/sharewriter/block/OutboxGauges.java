package org.prismpool.sharewriter.block;

import java.time.Duration;
import java.util.Optional;

/**
 * Backlog of the outbox.
 *
 * @param pending pending rows
 * @param oldestPending age of the oldest, empty without one
 * @param oldestUnattempted age of the oldest never accounted, empty without one
 */
public record OutboxGauges(long pending, Optional<Duration> oldestPending, Optional<Duration> oldestUnattempted) {}
