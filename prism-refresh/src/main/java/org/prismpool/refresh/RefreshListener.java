package org.prismpool.refresh;

import org.prismpool.templates.chain.Hash256;

/**
 * Port for those who follow the refresh: progress health, retention of old jobs, the payout owner.
 *
 * <p>Called on the thread that caused the event, after the authority was swapped and with no lock held. Must not block;
 * exceptions are logged and otherwise ignored. All methods do nothing by default.
 */
public interface RefreshListener {

    /**
     * A coherent template was observed: the chain was polled successfully.
     *
     * @param snapshot the observation
     * @param payoutGeneration the payout generation at that instant
     */
    default void polled(TemplateSnapshot<?> snapshot, long payoutGeneration) {}

    /** A change is unresolved: a refresh is pending. Repeated while it stays unresolved. */
    default void refreshPending() {}

    /**
     * A live tip departed from the one detected before.
     *
     * @param tip the newly detected tip
     */
    default void tipDetected(Hash256 tip) {}

    /**
     * A refresh epoch was minted; only in epoch mode.
     *
     * @param epoch the new epoch
     */
    default void epochMinted(RefreshEpoch epoch) {}

    /**
     * Work was published.
     *
     * @param tip the published tip
     * @param work identity facts of the publication
     * @param tipChanged true if the tip replaced another one or is the first
     */
    default void published(PublishedTip tip, PublishedWork<?, ?> work, boolean tipChanged) {}

    /**
     * A publication counts for health: its work is shared, or nobody could receive it.
     *
     * @param snapshot the published snapshot
     * @param payoutGeneration its payout generation
     * @param matchesLatestTip true if no other tip was detected meanwhile
     */
    default void publicationCounted(TemplateSnapshot<?> snapshot, long payoutGeneration, boolean matchesLatestTip) {}

    /** A refresh is under way. */
    default void refreshStarted() {}

    /** The refresh under way makes progress. */
    default void refreshActive() {}

    /** No refresh is under way any more. */
    default void refreshFinished() {}

    /** An attempt completed, with or without work to do: every budget is clear again. */
    default void attemptCompleted() {}

    /**
     * An attempt ended without success.
     *
     * @param kind why; {@link FailureKind} tells what it arms
     */
    default void attemptFailed(FailureKind kind) {}

    /**
     * The failure budget is used up: the process should end with a failure.
     *
     * @param failingSeconds age of the first failure in whole seconds
     */
    default void failureBudgetExpired(long failingSeconds) {}
}
