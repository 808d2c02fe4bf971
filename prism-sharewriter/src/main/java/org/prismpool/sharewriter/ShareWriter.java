package org.prismpool.sharewriter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendResult.FailureReason;
import org.prismpool.sharewriter.internal.CommitLoop;
import org.prismpool.sharewriter.internal.CommitPorts;
import org.prismpool.sharewriter.internal.CommitQueue;
import org.prismpool.sharewriter.internal.QueuedEntry;

/**
 * Commits accepted shares in groups, in order, and tells each submitter only when its share is durable.
 *
 * <p>Thread-safe; {@link #submit} never blocks. One thread owns all appends. Answers are completed on that thread (or,
 * for refusals, on the submitter's or the admission thread), so a dependent action must only hand over, never block.
 */
public final class ShareWriter implements AutoCloseable {

    /** Text for a miner whose share found no slot (contract). */
    public static final String QUEUE_FULL = CommitLoop.QUEUE_FULL;

    private static final String CLOSED = "share writer is closed";

    private final ShareWriterConfig config;
    private final MonotonicClock clock;
    private final ShareWriterMetrics metrics;
    private final CommitQueue queue;
    private final CommitLoop loop;

    /**
     * Creates a writer that is not started.
     *
     * @param ledger where shares become durable; appends go through this writer only
     * @param config settings
     * @param ports everything the writer tells or asks others
     * @param clock clock of admission and drain
     */
    public ShareWriter(ShareLedger ledger, ShareWriterConfig config, Ports ports, MonotonicClock clock) {
        this.config = config;
        this.clock = clock;
        this.metrics = ports.metrics();
        this.queue = new CommitQueue(config.queueCapacity(), config.waitingCapacity());
        this.loop = new CommitLoop(
                ledger,
                queue,
                config,
                new CommitPorts(ports.gate(), ports.stats(), ports.events(), ports.metrics()),
                clock);
    }

    /**
     * Everything a writer tells or asks others.
     *
     * @param gate passed by each batch
     * @param stats counts new shares
     * @param events liveness and loss
     * @param metrics numbers
     */
    public record Ports(CommitGate gate, AcceptedStats stats, ShareWriterEvents events, ShareWriterMetrics metrics) {

        /**
         * Creates ports that nobody listens to.
         *
         * @param clock clock of the statistics
         * @return ports
         */
        public static Ports none(MonotonicClock clock) {
            return new Ports(
                    CommitGate.OPEN, new AcceptedStats(clock), ShareWriterEvents.NONE, ShareWriterMetrics.NONE);
        }
    }

    /** Starts the threads; once. */
    public void start() {
        loop.start();
    }

    /**
     * Submits an entry; returns at once. After admission the answer is definite: there is no timeout on a commit.
     *
     * @param entry share with its block candidate, if any
     * @return completed with the outcome, never exceptionally
     */
    public CompletableFuture<AppendResult> submit(AppendEntry entry) {
        CompletableFuture<AppendResult> promise = new CompletableFuture<>();
        long until = clock.nanoTime() + config.admissionTimeout().toNanos();
        switch (queue.offer(new QueuedEntry(entry, until, promise))) {
            case QUEUED -> metrics.queueDepth(queue.depth());
            case WAITING -> {}
            case REFUSED -> {
                metrics.admissionRefused();
                promise.complete(new AppendResult.Failed(FailureReason.QUEUE_FULL, QUEUE_FULL));
            }
            case CLOSED -> promise.complete(loop.refusal(CLOSED));
        }
        return promise;
    }

    /**
     * Submits an entry and releases its hold on the anchor floor before the answer.
     *
     * @param entry share with its block candidate, if any
     * @param hold hold made when the share was stamped
     * @return completed with the outcome, never exceptionally
     */
    public CompletableFuture<AppendResult> submit(AppendEntry entry, AnchorFloor.Hold hold) {
        return submit(entry).whenComplete((result, failure) -> hold.release());
    }

    /**
     * Counts entries that are admitted and not answered.
     *
     * @return entries now
     */
    public int depth() {
        return queue.depth();
    }

    /** Closes admission: later submits fail at once, admitted ones are still committed. */
    public void closeAdmission() {
        refuse(queue.close());
    }

    /** Closes admission, commits what is admitted within the close timeout, fails the rest, and ends the threads. */
    @Override
    public void close() {
        closeAdmission();
        loop.close(config.closeTimeout());
    }

    /**
     * Closes with another bound.
     *
     * @param timeout longest drain
     * @return true if everything admitted got a definite outcome
     */
    public boolean close(Duration timeout) {
        closeAdmission();
        return loop.close(timeout);
    }

    private void refuse(List<QueuedEntry> waiting) {
        for (QueuedEntry entry : new ArrayList<>(waiting)) {
            entry.promise().complete(loop.refusal(CLOSED));
        }
    }
}
