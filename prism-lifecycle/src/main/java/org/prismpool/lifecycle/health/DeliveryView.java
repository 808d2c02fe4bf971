package org.prismpool.lifecycle.health;

import java.time.Duration;
import java.util.Objects;

/**
 * One consistent copy of what mining-delivery health is judged by.
 *
 * @param authorized authorized clients
 * @param withCurrentTipJobs those of them that hold a job of the current tip, strictly
 * @param pendingInitialJobs clients that wait for a first job
 * @param pendingInitialJobCapacity bound of that waiting set
 * @param activeConnections open connections
 * @param connectionCapacity connection limit; 0 means none
 * @param oldestGenuinelyPending age of the oldest client that never had any work; zero when there is none
 * @param submittedShares shares submitted
 * @param staleOrUnknownRejections those of them rejected as stale or of an unknown job
 * @param matureBlockOffChain whether a mature pool block was seen off the active chain
 * @param blockCandidateSpooled whether a found block waits outside the database
 */
public record DeliveryView(
        int authorized,
        int withCurrentTipJobs,
        int pendingInitialJobs,
        int pendingInitialJobCapacity,
        int activeConnections,
        int connectionCapacity,
        Duration oldestGenuinelyPending,
        long submittedShares,
        long staleOrUnknownRejections,
        boolean matureBlockOffChain,
        boolean blockCandidateSpooled) {

    private static final int PERCENT = 100;
    private static final int COVERED_PERCENT = 95;

    /** Checks that there is an age. */
    public DeliveryView {
        Objects.requireNonNull(oldestGenuinelyPending, "oldestGenuinelyPending");
    }

    boolean poor() {
        return authorized > 0 && (long) withCurrentTipJobs * PERCENT < (long) authorized * COVERED_PERCENT;
    }

    boolean pendingFull() {
        return pendingInitialJobs >= pendingInitialJobCapacity;
    }

    boolean connectionsFull() {
        return connectionCapacity > 0 && activeConnections >= connectionCapacity;
    }

    boolean rejectionStorm() {
        return poor() && submittedShares > 0 && staleOrUnknownRejections * PERCENT >= submittedShares * COVERED_PERCENT;
    }

    double coverage() {
        return authorized == 0 ? 1.0 : (double) withCurrentTipJobs / authorized;
    }
}
