package org.prismpool.stratum;

import java.util.concurrent.CompletionStage;

/**
 * Port to whoever decides which job a session gets and when (spec 02 §1.8, §8.3).
 *
 * <p>All methods are called on the connection's event loop and return at once. An issuer delivers by calling
 * {@link StratumConnection#stamp} and {@link StratumConnection#deliver} on that loop, at once or later.
 */
public interface JobIssuer {

    /**
     * Hears of a connection that was admitted.
     *
     * @param connection the connection, not yet subscribed
     */
    default void connected(StratumConnection connection) {}

    /**
     * Hears of a connection that is gone; pending requests of it are to be cancelled and its jobs retired.
     *
     * @param connection the connection, closing
     */
    default void disconnected(StratumConnection connection) {}

    /**
     * Tells whether a session could queue a first-job request now; asked before a re-authorize changes anything.
     *
     * @param connection the connection
     * @return false if the pending bound is reached and the connection has no entry of its own
     */
    default boolean hasInitialCapacity(StratumConnection connection) {
        return true;
    }

    /**
     * Tells whether a job for a session could be sent without building work first; asked before an idle session is
     * stepped down, for the counter only.
     *
     * @param connection a session that holds work
     * @return false if work would have to be built
     */
    default boolean hasWorkAtHand(StratumConnection connection) {
        return true;
    }

    /**
     * Requests the first current job of a session, replacing an older request of the same connection.
     *
     * @param connection a session that is subscribed and authorized
     * @param request the request, purpose {@link JobPurpose#INITIAL}
     * @return what became of it
     */
    InitialRequest requestInitial(StratumConnection connection, JobRequest request);

    /**
     * Requests a job with the session's desired difficulty.
     *
     * @param connection a session that holds work
     * @param request the request; purpose explicit or one of the steps
     * @return stage that completes exactly once, on any thread, with the outcome
     */
    CompletionStage<JobOutcome> requestRetarget(StratumConnection connection, JobRequest request);
}
