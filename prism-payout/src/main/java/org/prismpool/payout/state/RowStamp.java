package org.prismpool.payout.state;

/**
 * The two stamps of a share row that decide whether a reward window at an anchor contains it.
 *
 * @param jobIssuedAtMs issue time of the share's job, milliseconds since the epoch
 * @param acceptedAtMs acceptance time of the share, milliseconds since the epoch
 */
public record RowStamp(long jobIssuedAtMs, long acceptedAtMs) {

    /**
     * Tells whether a window at the anchor contains the row; both bounds are inclusive.
     *
     * @param anchorMs anchor of the window, milliseconds since the epoch
     * @return true if neither stamp lies after the anchor
     */
    public boolean predates(long anchorMs) {
        return visibleFromMs() <= anchorMs;
    }

    /**
     * Returns the smallest anchor whose window contains the row.
     *
     * @return the later of both stamps
     */
    public long visibleFromMs() {
        return Math.max(jobIssuedAtMs, acceptedAtMs);
    }
}
