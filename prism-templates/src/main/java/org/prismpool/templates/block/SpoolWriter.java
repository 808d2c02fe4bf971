package org.prismpool.templates.block;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes candidates to the spool on a thread that waits for nothing but the disk. Thread-safe.
 *
 * <p>Owns one thread {@code prism-templates-spool}, which ends when it has been idle for ten seconds.
 */
final class SpoolWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SpoolWriter.class);
    private static final int QUEUE = 256;
    private static final int CLOSE_SECONDS = 3;

    private final OutboxReader outbox;
    private final ThreadPoolExecutor thread;

    SpoolWriter(OutboxReader outbox) {
        this.outbox = outbox;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE),
                task -> new Thread(task, "prism-templates-spool"));
        this.thread.allowCoreThreadTimeOut(true);
    }

    void write(BlockCandidate candidate) {
        try {
            thread.execute(() -> outbox.spool(candidate));
        } catch (RejectedExecutionException e) {
            LOG.atError()
                    .addKeyValue("block", candidate.hash().displayHex())
                    .log("found block can't be spooled: the queue is full or the lane is closed");
        }
    }

    /** Writes what is queued and ends the thread, within three seconds. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("spool thread did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
