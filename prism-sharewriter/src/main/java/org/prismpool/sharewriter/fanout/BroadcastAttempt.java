package org.prismpool.sharewriter.fanout;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One attempt to broadcast a fanout transaction.
 *
 * @param status outcome
 * @param packageTxHexes transactions sent together
 * @param packageTxids their ids
 * @param submitResultJson the node's answer as JSON, empty without one
 * @param error what went wrong, empty for nothing
 * @param backoff pause before the next attempt; counts for {@link AttemptStatus#PLANNED} only
 */
public record BroadcastAttempt(
        AttemptStatus status,
        List<String> packageTxHexes,
        List<String> packageTxids,
        Optional<String> submitResultJson,
        Optional<String> error,
        Duration backoff) {

    /** Copies the lists and checks the pause. */
    public BroadcastAttempt {
        packageTxHexes = List.copyOf(packageTxHexes);
        packageTxids = List.copyOf(packageTxids);
        if (backoff.isNegative()) {
            throw new IllegalArgumentException("backoff must be non-negative");
        }
    }
}
