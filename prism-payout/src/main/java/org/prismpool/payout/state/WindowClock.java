package org.prismpool.payout.state;

/** Port to wall time as the share ledger stamps it. Thread-safe; never blocks. */
public interface WindowClock {

    /**
     * Returns the wall clock.
     *
     * @return milliseconds since the epoch
     */
    long nowMs();

    /**
     * Returns the newest anchor that no share still on its way to the ledger can fall below, see {@link CleanAnchor}.
     *
     * @return milliseconds since the epoch
     */
    long cleanAnchorMs();
}
