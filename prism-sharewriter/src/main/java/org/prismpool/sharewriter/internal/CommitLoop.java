package org.prismpool.sharewriter.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.AppendResult.FailureReason;
import org.prismpool.sharewriter.CommitGate;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owns the writer thread and the admission thread. */
public final class CommitLoop {

    /** Answer to an entry that found no slot in time (contract). */
    public static final String QUEUE_FULL = "share ledger commit queue is full";

    private static final Logger LOG = LoggerFactory.getLogger(CommitLoop.class);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LAST_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final CommitQueue queue;
    private final BatchPolicy policy;
    private final CommitPorts ports;
    private final MonotonicClock clock;
    private final BatchCommit commit;
    private final Thread writer;
    private final Thread admission;
    private final ReentrantLock stopLock = new ReentrantLock();
    private final Condition stopped = stopLock.newCondition();

    private volatile boolean givenUp; // close: unresolved commits end as failed
    private volatile boolean fenced;
    private volatile boolean abandoned; // close: something was failed without a definite outcome

    /**
     * Creates a loop that is not started.
     *
     * @param ledger where shares become durable
     * @param queue where they wait
     * @param config settings
     * @param ports others
     * @param clock clock of admission
     */
    public CommitLoop(
            ShareLedger ledger, CommitQueue queue, ShareWriterConfig config, CommitPorts ports, MonotonicClock clock) {
        this.queue = queue;
        this.policy = new BatchPolicy(config);
        this.ports = ports;
        this.clock = clock;
        this.commit = new BatchCommit(ledger, ports.events(), ports.metrics(), this::backOff, () -> givenUp);
        this.writer = new Thread(this::write, "prism-sharewriter-commit");
        this.admission = new Thread(this::admit, "prism-sharewriter-admission");
        admission.setDaemon(true);
    }

    /** Starts both threads. */
    public void start() {
        writer.start();
        admission.start();
    }

    /**
     * Returns the answer to a submit that came too late.
     *
     * @param closed text for a closed writer
     * @return the refusal
     */
    public AppendResult refusal(String closed) {
        return fenced
                ? new AppendResult.Failed(FailureReason.FENCED, BatchCommit.FAILED + "writer lease is not active")
                : new AppendResult.Failed(FailureReason.CLOSED, closed);
    }

    /**
     * Waits for the writer to empty the closed queue, then makes it give up.
     *
     * @param timeout longest drain
     * @return true if every admitted entry got a definite outcome
     */
    public boolean close(Duration timeout) {
        if (writer.getState() == Thread.State.NEW) {
            failRest();
            return true;
        }
        boolean interrupted = !joins(writer, timeout);
        if (writer.isAlive()) {
            stopLock.lock();
            try {
                givenUp = true;
                stopped.signalAll();
            } finally {
                stopLock.unlock();
            }
            joins(writer, Duration.ofSeconds(1));
        }
        joins(admission, Duration.ofSeconds(1));
        if (writer.isAlive()) {
            LOG.atWarn()
                    .addKeyValue("entries", queue.depth())
                    .addKeyValue("interrupted", interrupted)
                    .log("share writer is still inside a commit; its entries stay unanswered");
            return false;
        }
        return !abandoned;
    }

    private void write() {
        int previousBatch = 0;
        long previousCommit = 0;
        try {
            while (true) {
                ports.events().beat();
                boolean idle = queue.queued() == 0;
                if (!queue.awaitEntry(IDLE_NANOS)) {
                    return;
                }
                int waiting = queue.queued();
                if (waiting == 0) {
                    continue;
                }
                long gather = policy.gatherNanos(waiting, idle ? 0 : previousBatch, previousCommit);
                if (gather > 0) {
                    queue.awaitGrowth(previousBatch, gather);
                }
                List<QueuedEntry> batch = queue.take(policy.limit(queue.queued()));
                long start = clock.nanoTime();
                commit(batch, start);
                previousBatch = batch.size();
                previousCommit = clock.nanoTime() - start;
                if (fenced || givenUp) {
                    return;
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            LOG.atError().log("share writer was interrupted and ends");
        } catch (RuntimeException | Error bug) {
            LOG.atError().setCause(bug).log("share writer failed and ends");
            ports.events().fenced();
            throw bug;
        } finally {
            failRest();
        }
    }

    private void commit(List<QueuedEntry> batch, long startNanos) {
        List<AppendEntry> entries = new ArrayList<>(batch.size());
        List<PendingShare> shares = new ArrayList<>(batch.size());
        for (QueuedEntry queued : batch) {
            entries.add(queued.entry());
            shares.add(queued.entry().share());
        }
        BatchCommit.Outcome outcome = null;
        List<PendingShare> fresh = new ArrayList<>(batch.size());
        try (CommitGate.Passage passage = ports.gate().enter(shares)) {
            outcome = commit.run(entries);
            collectFresh(entries, outcome.results(), fresh);
            if (!fresh.isEmpty()) {
                passage.committed(fresh);
            }
        } catch (RuntimeException bug) {
            answerAfterBug(batch, outcome);
            throw bug;
        }
        report(batch.size(), outcome, fresh, startNanos);
        if (outcome.fenced()) {
            fenced = true;
        }
        queue.answered(batch.size());
        ports.metrics().queueDepth(queue.depth());
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).promise().complete(outcome.results().get(i));
        }
        if (outcome.fenced()) {
            ports.events().fenced();
        }
    }

    /** What the ledger said still holds if a port failed after the commit; without an answer nothing is claimed. */
    private void answerAfterBug(List<QueuedEntry> batch, BatchCommit.@Nullable Outcome outcome) {
        AppendResult failed =
                new AppendResult.Failed(FailureReason.COMMIT_FAILED, BatchCommit.FAILED + "share writer failed");
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i)
                    .promise()
                    .complete(outcome == null ? failed : outcome.results().get(i));
        }
    }

    private void collectFresh(List<AppendEntry> entries, List<AppendResult> results, List<PendingShare> fresh) {
        for (int i = 0; i < entries.size(); i++) {
            PendingShare share = entries.get(i).share();
            results.get(i)
                    .fold(
                            added -> {
                                ports.stats().added(added.shareSeq(), share.minerId());
                                return fresh.add(share);
                            },
                            replayed -> false,
                            conflict -> false,
                            failed -> false);
        }
    }

    private void report(int entries, BatchCommit.Outcome outcome, List<PendingShare> fresh, long startNanos) {
        int durable = 0;
        for (AppendResult result : outcome.results()) {
            durable += result.durable() ? 1 : 0;
        }
        if (durable < entries) {
            ports.metrics().appendFailures(entries - durable);
            if (givenUp) {
                abandoned = true;
            }
        }
        if (durable > 0) {
            int grace = 0;
            for (PendingShare share : fresh) {
                grace += share.creditPolicy() == CreditPolicy.STALE_GRACE ? 1 : 0;
            }
            ports.metrics().committed(durable, fresh.size(), grace, clock.nanoTime() - startNanos);
        }
    }

    /** Ends the writer's life: whatever still waits gets its refusal. */
    private void failRest() {
        List<QueuedEntry> rest = new ArrayList<>(queue.close());
        rest.addAll(queue.drain());
        if (rest.isEmpty()) {
            return;
        }
        abandoned = true;
        ports.metrics().appendFailures(rest.size());
        AppendResult answer = fenced
                ? refusal("")
                : new AppendResult.Failed(FailureReason.CLOSED, BatchCommit.FAILED + "share writer stopped");
        for (QueuedEntry entry : rest) {
            entry.promise().complete(answer);
        }
    }

    private void admit() {
        try {
            while (queue.awaitDue(clock.nanoTime(), FIRST_BACKOFF_NANOS)) {
                refuseExpired();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void refuseExpired() {
        for (QueuedEntry late : queue.expired(clock.nanoTime())) {
            ports.metrics().admissionRefused();
            late.promise().complete(new AppendResult.Failed(FailureReason.QUEUE_FULL, QUEUE_FULL));
        }
    }

    private void backOff(int attempt) {
        long pause = Math.min(LAST_BACKOFF_NANOS, FIRST_BACKOFF_NANOS << Math.min(attempt - 1, 10));
        stopLock.lock();
        try {
            while (!givenUp && pause > 0) {
                pause = stopped.awaitNanos(pause);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            givenUp = true;
        } finally {
            stopLock.unlock();
        }
    }

    private static boolean joins(Thread thread, Duration bound) {
        try {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, bound.toNanos()));
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
