package org.prismpool.stratum;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * One miner's connection as the owner of its jobs sees it.
 *
 * <p>{@link #id}, {@link #listener}, {@link #view}, {@link #execute} and {@link #close} may be called from any thread;
 * {@link #stamp} and {@link #deliver} only on the connection's event loop. Nothing here blocks.
 */
public interface StratumConnection {

    /**
     * Returns the connection's number.
     *
     * @return 1 or more, counted over all listeners, never reused in this process
     */
    long id();

    /**
     * Returns the name of the listener that accepted it.
     *
     * @return name from its {@link ListenerConfig}
     */
    String listener();

    /**
     * Returns the session's newest picture.
     *
     * @return an immutable snapshot
     */
    SessionView view();

    /**
     * Runs a task on the connection's event loop: at once if called there, otherwise soon.
     *
     * @param task short task that does not block
     * @return false if the loop is gone; the task will not run
     */
    boolean execute(Runnable task);

    /**
     * Freezes a job for this session: number, extranonce1, share target, mask, identity and generations.
     *
     * <p>The caller makes the job findable in its {@link JobDirectory} before it delivers it.
     *
     * @param work work to stamp
     * @param request why the job is made
     * @return the job, or empty if the session is not eligible or has outgrown the request
     */
    Optional<JobContext> stamp(SharedWork work, JobRequest request);

    /**
     * Freezes a job for this session as it is now, under an id that the caller chose.
     *
     * @param work work to stamp
     * @param jobId id that no other job of this process has; ASCII letters, digits and hyphens
     * @return the job, or empty if the session is not eligible
     */
    Optional<JobContext> stamp(SharedWork work, String jobId);

    /**
     * Queues one update, the {@code mining.set_difficulty} and {@code mining.notify} lines as one write.
     *
     * <p>An older pair that is not yet on its way is replaced; the newer one is then clean if either was.
     *
     * @param job job made by {@link #stamp} on this connection
     * @param clean the clean-jobs flag
     * @param stillWanted asked when the update had to wait for a slow reader and its turn comes: false drops it
     * @return stage that completes on the event loop
     */
    CompletionStage<DeliveryResult> deliver(JobContext job, boolean clean, BooleanSupplier stillWanted);

    /**
     * Queues one update that stays wanted.
     *
     * @param job job made by {@link #stamp} on this connection
     * @param clean the clean-jobs flag
     * @return stage that completes on the event loop
     */
    default CompletionStage<DeliveryResult> deliver(JobContext job, boolean clean) {
        return deliver(job, clean, () -> true);
    }

    /**
     * Closes the connection without waiting for anything under way.
     *
     * @param reason why
     * @return true if this call closed it, false if it was closing before
     */
    boolean close(DisconnectReason reason);
}
