package org.prismpool.templates.block;

/** Port for counting what happens to candidates. Called on any thread of the lane; must not block. */
public interface CandidateMetrics {

    /** Counts nothing. */
    CandidateMetrics NONE = new CandidateMetrics() {};

    /**
     * The node has answered an offer.
     *
     * @param nanos from the moment at which the candidate could be offered
     */
    default void offerAnswered(long nanos) {}

    /** A candidate is tried again. */
    default void retried() {}

    /** A wake-up found the candidate already known, or no room: the outbox is read again later. */
    default void wakeupCoalesced() {}

    /** An abandonment was put off because of evidence of acceptance. */
    default void acceptPendingDeferred() {}

    /** A durable intent could not be decoded. */
    default void poisoned() {}

    /**
     * A candidate was given up; counted once per hash.
     *
     * @param reason why
     */
    default void abandoned(AbandonReason reason) {}

    /** A new candidate arrived. */
    default void candidateArrived() {}

    /**
     * A further node has answered an offer.
     *
     * @param mayHaveLanded whether its answer speaks for the block
     */
    default void furtherNodeAnswered(boolean mayHaveLanded) {}
}
