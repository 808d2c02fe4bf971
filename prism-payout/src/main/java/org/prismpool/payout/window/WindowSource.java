package org.prismpool.payout.window;

import java.util.List;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.json.U128;

/**
 * Port to the accepted shares of the ledger.
 *
 * <p>Thread-safe. Both methods block on the store until they answer or the deadline passes; neither changes anything, so a
 * retry is always safe. A failed read is an unchecked exception of the implementation, a passed deadline a {@code
 * DeadlineExceededException}; a partial answer is never given.
 */
public interface WindowSource {

    /**
     * Reads the newest eligible shares until their difficulties reach a weight.
     *
     * @param anchorMs the anchor: only shares issued and accepted at or before it
     * @param weight the sum of difficulties to reach; whole shares, so the oldest one may exceed it
     * @param deadline when to give up
     * @return ascending by sequence; all eligible shares if they weigh less
     */
    List<WindowShare> newest(long anchorMs, U128 weight, Deadline deadline);

    /**
     * Reads the shares that became eligible between two anchors.
     *
     * @param afterMs the older anchor, exclusive
     * @param anchorMs the newer anchor, inclusive
     * @param deadline when to give up
     * @return ascending by sequence
     */
    List<WindowShare> becameEligible(long afterMs, long anchorMs, Deadline deadline);
}
