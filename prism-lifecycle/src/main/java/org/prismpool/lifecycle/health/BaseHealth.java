package org.prismpool.lifecycle.health;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The part of health that may need the ledger, collected in the background.
 *
 * @param ledger totals of the ledger
 * @param blocks block counters of this process
 * @param sessions connections
 * @param firstJobs clients that wait for a first job, and what became of such waits
 * @param coverage who has current work
 * @param shares share counters of this process
 * @param prepared the work that is ready for delivery
 * @param flags conditions that make the pool unhealthy by themselves
 */
public record BaseHealth(
        Ledger ledger,
        Blocks blocks,
        Sessions sessions,
        FirstJobs firstJobs,
        Coverage coverage,
        Shares shares,
        Prepared prepared,
        Flags flags) {

    /**
     * Totals of the ledger.
     *
     * @param backend {@code postgres-psql} or {@code memory}
     * @param acceptedShares all shares accepted
     * @param readyMiners distinct miners
     */
    public record Ledger(String backend, long acceptedShares, long readyMiners) {}

    /**
     * Block counters of this process.
     *
     * @param accepted blocks accepted
     * @param limit blocks after which the process stops
     */
    public record Blocks(long accepted, long limit) {}

    /**
     * Connections.
     *
     * @param active open now
     * @param capacity limit; 0 means none
     * @param peak most that were ever open
     * @param subscribed subscribed ones
     * @param authorized subscribed and authorized ones
     * @param handlerThreads live per-connection handlers
     */
    public record Sessions(int active, int capacity, int peak, int subscribed, int authorized, int handlerThreads) {}

    /**
     * Clients that wait for a first job.
     *
     * @param pending waiting now
     * @param capacity bound of the waiting set
     * @param oldestPending age of the oldest request, also of clients queued again after a tip change
     * @param oldestGenuinelyPending age of the oldest client that never had any work
     * @param queueRejections sessions closed because the set was full
     * @param timeoutDisconnects sessions closed because the first job came too late
     * @param cancelledTasks tasks cancelled
     * @param coalescedTasks tasks merged with another
     * @param reclaimedCapacity slots given back at once by a cancellation
     * @param executorQueueDepth tasks queued in the delivery executor
     * @param executorActiveWorkers delivery workers busy
     */
    public record FirstJobs(
            int pending,
            int capacity,
            Duration oldestPending,
            Duration oldestGenuinelyPending,
            long queueRejections,
            long timeoutDisconnects,
            long cancelledTasks,
            long coalescedTasks,
            long reclaimedCapacity,
            int executorQueueDepth,
            int executorActiveWorkers) {}

    /**
     * Who has current work.
     *
     * @param withCurrentTipJobs clients with a job of the current tip, strictly
     * @param withSemanticallyCurrentWork clients whose work has the current content
     * @param withNoActiveJob authorized clients without any job
     */
    public record Coverage(int withCurrentTipJobs, int withSemanticallyCurrentWork, int withNoActiveJob) {}

    /**
     * Share counters of this process.
     *
     * @param submitted shares submitted
     * @param staleOrUnknownRejections shares refused as stale or of an unknown job
     */
    public record Shares(long submitted, long staleOrUnknownRejections) {}

    /**
     * The work that is ready for delivery.
     *
     * @param preparationPending whether a preparation is owed
     * @param observedTip displayed hash of the published tip, if there is one
     * @param bundleCurrent whether the prepared work is for that tip
     * @param bundleTip displayed hash of the tip of the prepared work, if there is some
     * @param bundleTemplateGeneration its template generation
     * @param bundlePayoutGeneration its payout generation
     */
    public record Prepared(
            boolean preparationPending,
            Optional<String> observedTip,
            boolean bundleCurrent,
            Optional<String> bundleTip,
            OptionalLong bundleTemplateGeneration,
            OptionalLong bundlePayoutGeneration) {}

    /**
     * Conditions that make the pool unhealthy by themselves.
     *
     * @param matureBlockOffChain whether a mature pool block is off the active chain
     * @param blockCandidateSpooled whether a found block waits outside the database
     */
    public record Flags(boolean matureBlockOffChain, boolean blockCandidateSpooled) {}

    /** Checks that every part is there. */
    public BaseHealth {
        Objects.requireNonNull(ledger, "ledger");
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(sessions, "sessions");
        Objects.requireNonNull(firstJobs, "firstJobs");
        Objects.requireNonNull(coverage, "coverage");
        Objects.requireNonNull(shares, "shares");
        Objects.requireNonNull(prepared, "prepared");
        Objects.requireNonNull(flags, "flags");
    }

    DeliveryView deliveryView() {
        return new DeliveryView(
                sessions.authorized(),
                coverage.withCurrentTipJobs(),
                firstJobs.pending(),
                firstJobs.capacity(),
                sessions.active(),
                sessions.capacity(),
                firstJobs.oldestGenuinelyPending(),
                shares.submitted(),
                shares.staleOrUnknownRejections(),
                flags.matureBlockOffChain(),
                flags.blockCandidateSpooled());
    }
}
