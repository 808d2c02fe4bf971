package org.prismpool.sharewriter.lease;

import java.time.Duration;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Port to the lease row and the session guard in the database.
 *
 * <p>Called by the thread that acquires or releases, with no lock held. Blocking, bounded by the given times. Failures
 * of the database are {@link org.prismpool.sharewriter.LedgerException}.
 */
public interface LeaseStore {

    /**
     * Tries to take the session guard on a connection of its own.
     *
     * @param identity whose guard
     * @return the guard, empty while another session of the same id and epoch lives
     */
    Optional<LeaseGuard> tryGuard(LeaseIdentity identity);

    /**
     * Claims the lease if it is free, expired, or already this very session's.
     *
     * @param identity who claims
     * @param ttl life of the lease
     * @param bound lock and statement timeout
     * @return empty if this session now holds the lease, else the holder
     */
    Optional<LeaseHolder> claim(LeaseIdentity identity, Duration ttl, Duration bound);

    /**
     * Takes an unexpired lease over if its row is exactly as observed.
     *
     * @param identity who takes over
     * @param observed the silent predecessor
     * @param ttl life of the lease
     * @param bound lock and statement timeout
     * @return true if this session now holds the lease
     */
    boolean adopt(LeaseIdentity identity, LeaseHolder observed, Duration ttl, Duration bound);

    /**
     * Lets the lease of exactly this session expire, on a connection that shares nothing with the rest of the process.
     *
     * @param identity who releases
     * @param deadline latest return
     * @return false if the row names somebody else or does not exist
     */
    boolean release(LeaseIdentity identity, Deadline deadline);

    /**
     * The session guard: one connection, never pooled and never replaced. Used by one thread at a time.
     */
    interface LeaseGuard extends AutoCloseable {

        /**
         * Verifies and, unless the row is locked, renews; never waits for the row.
         *
         * @param ttl life of the lease
         * @param margin authority margin
         * @return what was seen
         */
        HeartbeatReport verify(Duration ttl, Duration margin);

        /** Drops the guard; idempotent, never throws. */
        @Override
        void close();
    }
}
