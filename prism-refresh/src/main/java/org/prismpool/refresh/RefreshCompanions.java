package org.prismpool.refresh;

import java.util.Objects;

/**
 * The ports that have a sensible absence; {@link #none()} leaves all of them out.
 *
 * @param candidates owner of found blocks
 * @param reconciliation reorg reconcile pass
 * @param readiness readiness latch
 * @param heartbeat liveness watchdog
 * @param listener followers of the refresh
 * @param metrics counts and durations
 */
public record RefreshCompanions(
        CandidateObserver candidates,
        ChainReconciliation reconciliation,
        PoolReadiness readiness,
        RefreshHeartbeat heartbeat,
        RefreshListener listener,
        RefreshMetrics metrics) {

    /** Checks the components. */
    public RefreshCompanions {
        Objects.requireNonNull(candidates, "candidates");
        Objects.requireNonNull(reconciliation, "reconciliation");
        Objects.requireNonNull(readiness, "readiness");
        Objects.requireNonNull(heartbeat, "heartbeat");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(metrics, "metrics");
    }

    /**
     * Returns companions that do nothing: no candidates, no reconciliation, always ready, unwatched, uncounted.
     *
     * @return the empty set
     */
    public static RefreshCompanions none() {
        return new RefreshCompanions(
                tip -> {},
                ChainReconciliation.disabled(),
                deadline -> true,
                RefreshHeartbeat.unwatched(),
                new RefreshListener() {},
                new RefreshMetrics() {});
    }

    /**
     * Returns a copy with another owner of found blocks.
     *
     * @param other the port
     * @return the copy
     */
    public RefreshCompanions withCandidates(CandidateObserver other) {
        return new RefreshCompanions(other, reconciliation, readiness, heartbeat, listener, metrics);
    }

    /**
     * Returns a copy with another reconcile pass.
     *
     * @param other the port
     * @return the copy
     */
    public RefreshCompanions withReconciliation(ChainReconciliation other) {
        return new RefreshCompanions(candidates, other, readiness, heartbeat, listener, metrics);
    }

    /**
     * Returns a copy with another readiness latch.
     *
     * @param other the port
     * @return the copy
     */
    public RefreshCompanions withReadiness(PoolReadiness other) {
        return new RefreshCompanions(candidates, reconciliation, other, heartbeat, listener, metrics);
    }

    /**
     * Returns a copy with another watchdog.
     *
     * @param other the port
     * @return the copy
     */
    public RefreshCompanions withHeartbeat(RefreshHeartbeat other) {
        return new RefreshCompanions(candidates, reconciliation, readiness, other, listener, metrics);
    }

    /**
     * Returns a copy with another follower.
     *
     * @param other the port
     * @return the copy
     */
    public RefreshCompanions withListener(RefreshListener other) {
        return new RefreshCompanions(candidates, reconciliation, readiness, heartbeat, other, metrics);
    }

    /**
     * Returns a copy with another metrics port.
     *
     * @param other the port
     * @return the copy
     */
    public RefreshCompanions withMetrics(RefreshMetrics other) {
        return new RefreshCompanions(candidates, reconciliation, readiness, heartbeat, listener, other);
    }
}
