package org.prismpool.delivery;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * Port to one client connection.
 *
 * <p>{@link #state()}, {@link #execute(Runnable)} and {@link #disconnect(DisconnectReason)} are called from any thread and
 * never block. {@link #stamp} and {@link #send} are called on the connection's own event loop only.
 *
 * @param <W> the work's type
 * @param <J> the job context's type
 */
public interface JobTarget<W, J> {

    /**
     * Returns the connection's state.
     *
     * @return one consistent copy
     */
    TargetState state();

    /**
     * Runs a short task on the connection's event loop, after those posted before it.
     *
     * @param task never blocks
     * @throws java.util.concurrent.RejectedExecutionException if the connection's loop no longer takes tasks
     */
    void execute(Runnable task);

    /**
     * Makes the job context for this connection from work: its share target, extranonce1, version mask and worker.
     *
     * @param work the work
     * @param jobId id of the job
     * @param clean the notify's clean flag
     * @return the frozen context
     */
    J stamp(PreparedWork<W> work, String jobId, boolean clean);

    /**
     * Writes {@code set_difficulty} and {@code notify} as one update.
     *
     * @param job the job, registered already
     * @param stillWanted asked right before bytes leave an outbound buffer: false drops the pair unwritten
     * @return completes with true when the last byte was handed to the kernel, with false when the pair was dropped or
     *     replaced by a newer one, exceptionally when the connection failed; on any thread
     */
    CompletionStage<Boolean> send(IssuedJob<J> job, BooleanSupplier stillWanted);

    /**
     * Closes the connection without waiting for writes under way. Idempotent.
     *
     * @param reason why
     */
    void disconnect(DisconnectReason reason);

    /** Why delivery gives a connection up. */
    enum DisconnectReason {
        /** A new first-job request found the pending set full. */
        FIRST_JOB_QUEUE_FULL,
        /** Its first job was not deliverable in time. */
        FIRST_JOB_TIMEOUT,
        /** Its first job failed for good. */
        FIRST_JOB_FAILED,
        /** Its delivery slot was held longer than a send may take. */
        DELIVERY_STUCK,
        /** A pair could not be written. */
        SEND_FAILED
    }

    /**
     * A connection's state.
     *
     * @param connectionId process-wide number
     * @param generations current generations
     * @param eligible true iff it may receive jobs: subscribed and authorized
     * @param closing true once it is being closed
     * @param hashrate estimate for the order of a fan-out and for coverage, hashes per second or any fixed multiple
     */
    record TargetState(long connectionId, Generations generations, boolean eligible, boolean closing, long hashrate) {

        /** Checks the components. */
        public TargetState {
            Objects.requireNonNull(generations, "generations");
        }

        /**
         * Tells whether a job may be sent.
         *
         * @return true iff eligible and not closing
         */
        public boolean open() {
            return eligible && !closing;
        }
    }
}
