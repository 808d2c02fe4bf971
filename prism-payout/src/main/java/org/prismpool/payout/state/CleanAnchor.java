package org.prismpool.payout.state;

import java.util.OptionalLong;

/** The instant that a reward window may be anchored at without a later commit appearing below it (spec 07 §6.5). */
public final class CleanAnchor {

    private CleanAnchor() {}

    /**
     * Computes the anchor: one millisecond before the earlier of now and the oldest share that is not durable yet.
     *
     * @param nowMs wall clock, milliseconds since the epoch
     * @param oldestPendingAcceptedMs acceptance stamp of the oldest share still on its way to the ledger
     * @return anchor in milliseconds since the epoch, both of whose bounds are inclusive
     */
    public static long at(long nowMs, OptionalLong oldestPendingAcceptedMs) {
        long bound = oldestPendingAcceptedMs.isPresent() ? Math.min(nowMs, oldestPendingAcceptedMs.getAsLong()) : nowMs;
        return Math.subtractExact(bound, 1L);
    }
}
