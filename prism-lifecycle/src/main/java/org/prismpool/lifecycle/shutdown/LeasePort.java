package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.Set;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Port to the lease that makes this process the only writer.
 *
 * <p>Called by the one owner of the shutdown, with no lock held. Each method returns within the bound it is given; the
 * release is called at most once per process, after the heartbeat was stopped.
 */
public interface LeasePort {

    /** What became of a release. */
    enum Outcome {
        /** The lease row of this session is expired. */
        SUCCESS("success"),
        /** This exact session no longer held the lease; safe. */
        NOT_HELD("not_held"),
        /** There is no lease to release. */
        UNSUPPORTED("unsupported"),
        /** The release failed; it is not repeated, the lifetime of the lease fences the successor. */
        FAILURE("failure"),
        /** The release did not answer in time; its effect is unknown. */
        TIMEOUT("timeout");

        private final String label;

        Outcome(String label) {
            this.label = label;
        }

        /**
         * Returns the outcome's name in logs and metrics.
         *
         * @return the label
         */
        public String label() {
            return label;
        }

        /**
         * Tells whether a successor may take over at once.
         *
         * @return true except for a failure or a timeout
         */
        public boolean released() {
            return this != FAILURE && this != TIMEOUT;
        }
    }

    /**
     * Tells whether there is a lease at all.
     *
     * @return false if a release has nothing to do
     */
    boolean supported();

    /**
     * Stops the threads that keep the lease alive and waits for them.
     *
     * @param bound longest wait
     * @param waitingForRelease threads that wait for this very release and so cannot end before it; each counts as
     *     stopped
     * @return true if they have stopped
     */
    boolean stopHeartbeat(Duration bound, Set<Thread> waitingForRelease);

    /**
     * Releases the lease of exactly this session over the ordinary connections, and drops the session guard.
     *
     * @param deadline latest return
     * @return what became of it; an exception counts as a failure
     */
    Outcome release(Deadline deadline);

    /**
     * Releases the lease of exactly this session over a new connection that shares no lock and no pool with the rest of
     * the process, and logs nothing.
     *
     * @param deadline latest return
     * @return what became of it; an exception counts as a failure
     */
    Outcome releaseFreshConnection(Deadline deadline);

    /**
     * Returns the port of a process without a lease.
     *
     * @return a port whose release is unsupported
     */
    static LeasePort none() {
        return new LeasePort() {
            @Override
            public boolean supported() {
                return false;
            }

            @Override
            public boolean stopHeartbeat(Duration bound, Set<Thread> waitingForRelease) {
                return true;
            }

            @Override
            public Outcome release(Deadline deadline) {
                return Outcome.UNSUPPORTED;
            }

            @Override
            public Outcome releaseFreshConnection(Deadline deadline) {
                return Outcome.UNSUPPORTED;
            }
        };
    }
}
