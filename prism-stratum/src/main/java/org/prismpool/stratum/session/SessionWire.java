package org.prismpool.stratum.session;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.prismpool.stratum.DeliveryResult;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.JobContext;

/**
 * What a session does to its connection. All methods but {@link #execute} and {@link #close} are called on the event loop;
 * none blocks.
 */
public interface SessionWire {

    /**
     * Queues a response line.
     *
     * @param line the line
     * @param written runs on the event loop once the line was handed to the kernel; not at all if the connection closes
     *     first
     */
    void respond(byte[] line, Runnable written);

    /**
     * Queues a job's update; it replaces an older one that is not yet on its way.
     *
     * @param job the job
     * @param clean the clean-jobs flag
     * @param stillWanted asked if the update had to wait and its turn comes: false drops it
     * @return stage that completes on the event loop
     */
    CompletionStage<DeliveryResult> update(JobContext job, boolean clean, BooleanSupplier stillWanted);

    /** Says that the session takes lines again. */
    void resume();

    /**
     * Runs a task on the event loop: at once if called there.
     *
     * @param task short task
     * @return false if the loop is gone
     */
    boolean execute(Runnable task);

    /**
     * Runs a task on the event loop later, also if the connection is closed by then.
     *
     * @param task short task
     * @param delay time from now
     */
    void schedule(Runnable task, Duration delay);

    /**
     * Closes the connection at once.
     *
     * @param reason why
     */
    void close(DisconnectReason reason);

    /**
     * Closes the connection after everything queued was written, or the send timeout has passed.
     *
     * @param reason why
     */
    void closeAfterWrites(DisconnectReason reason);
}
