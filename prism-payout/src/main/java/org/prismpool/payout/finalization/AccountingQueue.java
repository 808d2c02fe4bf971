package org.prismpool.payout.finalization;

import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import org.prismpool.templates.block.OfferOutcome;
import org.prismpool.templates.block.OfferedCandidate;

/**
 * Order of accounting: parents before children, then arrival; blocks that the node has accepted before all others, but at
 * most four of them before one that waits (spec 03 §6.5).
 *
 * <p>Not thread-safe. It holds every candidate that the lane hands over, at most one entry per hash, since an offered block
 * is never turned back: the lane bounds their number.
 */
final class AccountingQueue {

    static final int ACCEPTED_IN_A_ROW = 4;

    private static final Comparator<OfferedCandidate> ORDER = Comparator.comparingLong(
                    (OfferedCandidate c) -> c.candidate().height())
            .thenComparingLong(OfferedCandidate::arrival);

    private final PriorityQueue<OfferedCandidate> accepted = new PriorityQueue<>(ORDER);
    private final PriorityQueue<OfferedCandidate> others = new PriorityQueue<>(ORDER);
    private int acceptedInARow;

    void add(OfferedCandidate candidate) {
        (candidate.outcome() instanceof OfferOutcome.Accepted ? accepted : others).add(candidate);
    }

    Optional<OfferedCandidate> take() {
        boolean turnOfOthers = acceptedInARow >= ACCEPTED_IN_A_ROW && !others.isEmpty();
        if (accepted.isEmpty() || turnOfOthers) {
            acceptedInARow = 0;
            return Optional.ofNullable(others.poll());
        }
        acceptedInARow++;
        return Optional.ofNullable(accepted.poll());
    }

    int size() {
        return accepted.size() + others.size();
    }
}
