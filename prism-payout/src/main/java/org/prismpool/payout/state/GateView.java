package org.prismpool.payout.state;

/**
 * What the admission table of the payout gate looks at, and the table itself as a pure function.
 *
 * @param fenced whether the publication fence is closed
 * @param publishedGeneration current payout generation
 * @param reservedGeneration generation whose first priority delivery is outstanding, or -1
 * @param publisherWaiting whether a publisher drains or swaps
 */
public record GateView(boolean fenced, long publishedGeneration, long reservedGeneration, boolean publisherWaiting) {

    /** Value of {@link #reservedGeneration()} when nothing is reserved. */
    public static final long NOTHING_RESERVED = -1L;

    /**
     * Applies the table; the first matching row decides.
     *
     * @param generation payout generation of the work to deliver
     * @param priority whether the caller may pass a reservation
     * @param cancelled whether the caller's cancellation is raised
     * @return the verdict
     */
    public GateVerdict verdict(long generation, boolean priority, boolean cancelled) {
        if (cancelled) {
            return GateVerdict.CANCELLED;
        }
        if (fenced) {
            return GateVerdict.FENCED;
        }
        if (generation < publishedGeneration) {
            return GateVerdict.STALE;
        }
        if (generation == reservedGeneration && !priority) {
            return GateVerdict.RESERVED;
        }
        if (publisherWaiting) {
            return GateVerdict.WAIT_PUBLISHER;
        }
        return generation > publishedGeneration ? GateVerdict.WAIT_FUTURE : GateVerdict.ADMITTED;
    }
}
