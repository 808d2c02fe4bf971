package org.prismpool.sharewriter.internal;

import java.util.concurrent.CompletableFuture;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;

/**
 * An entry with the promise made to its submitter.
 *
 * @param entry what to append
 * @param admitUntilNanos monotonic time at which the wait for a slot ends
 * @param promise completed exactly once
 */
public record QueuedEntry(AppendEntry entry, long admitUntilNanos, CompletableFuture<AppendResult> promise) {

    /**
     * Tells whether the entry carries a block candidate.
     *
     * @return true for a solve
     */
    public boolean urgent() {
        return entry.candidate().isPresent();
    }
}
