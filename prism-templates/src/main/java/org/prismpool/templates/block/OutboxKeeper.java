package org.prismpool.templates.block;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.prismpool.lifecycle.event.OutageLog;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The thread beside the offer threads that may wait for database, disk and probes: it enumerates the
 * outbox, moves the spool into it and looks at parked blocks.
 */
final class OutboxKeeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxKeeper.class);
    private static final String OUTBOX = "candidate_outbox";
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(10);
    private static final Duration ENUMERATION_LIMIT = Duration.ofSeconds(30);

    private final OutageLog outages = new OutageLog(LOG, "reader");
    private final OutboxReader outbox;
    private final ParkedBlocks parked;
    private final CandidateBook book;
    private final LaneConfig config;
    private final MonotonicClock clock;
    private final Runnable stuckCheck;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Optional<Enumeration> enumeration = Optional.empty(); // guarded by lock
    private OptionalLong tipToProbe = OptionalLong.empty(); // guarded by lock
    private boolean rereadWanted; // guarded by lock
    private boolean closed; // guarded by lock
    private final Thread thread = new Thread(this::run, "prism-templates-outbox");

    OutboxKeeper(
            OutboxReader outbox,
            ParkedBlocks parked,
            CandidateBook book,
            LaneConfig config,
            MonotonicClock clock,
            Runnable stuckCheck) {
        this.outbox = outbox;
        this.parked = parked;
        this.book = book;
        this.config = config;
        this.clock = clock;
        this.stuckCheck = stuckCheck;
    }

    void start() {
        thread.start();
    }

    /**
     * Lets the thread enumerate the outbox now and waits for it.
     *
     * @throws DeadlineExceededException if it takes longer; the thread goes on
     */
    void enumerate(Deadline deadline) {
        Enumeration request = new Enumeration(deadline, new CompletableFuture<>());
        change(() -> enumeration = Optional.of(request));
        try {
            request.done().get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new DeadlineExceededException(deadline.owner(), "outbox enumeration");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeadlineExceededException(deadline.owner(), "outbox enumeration, interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("outbox enumeration failed", e);
        }
    }

    void requestReread() {
        change(() -> rereadWanted = true);
    }

    void probeParked(long tipHeight) {
        change(() -> tipToProbe = OptionalLong.of(tipHeight));
    }

    void wake() {
        change(() -> {});
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A wish to enumerate within a deadline. */
    private record Enumeration(Deadline deadline, CompletableFuture<Void> done) {}

    /** What is to be done in one round. */
    private record Round(Optional<Enumeration> enumeration, OptionalLong tipToProbe, boolean reread, boolean closed) {}

    private void run() {
        try {
            Round round = await();
            while (!round.closed()) {
                perform(round);
                round = await();
            }
        } catch (InterruptedException e) {
            LOG.atDebug().log("outbox thread interrupted; it ends");
        }
    }

    /** Waits at most one interval; a round without work is harmless, so the caller is the loop. */
    @SuppressWarnings("WaitNotInLoop")
    private Round await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!closed && tipToProbe.isEmpty() && enumeration.isEmpty()) {
                long unused = changed.awaitNanos(config.rereadInterval().toNanos());
            }
            Round round = new Round(enumeration, tipToProbe, rereadWanted, closed);
            enumeration = Optional.empty();
            tipToProbe = OptionalLong.empty();
            return round;
        } finally {
            lock.unlock();
        }
    }

    private void perform(Round round) {
        stuckCheck.run();
        round.enumeration().ifPresent(this::enumerateFor);
        try {
            round.tipToProbe().ifPresent(height -> parked.probe(height, deadline(PROBE_LIMIT)));
            readOutbox(round.reread());
            outages.answered(OUTBOX, "outbox rounds succeed again");
        } catch (RuntimeException e) {
            outages.failed(Level.WARN, OUTBOX, "outbox round failed; it is repeated", e);
        }
    }

    private void enumerateFor(Enumeration request) {
        try {
            outbox.enumerate(request.deadline());
            request.done().complete(null);
        } catch (RuntimeException e) {
            // The one who asked decides whether the process can go on.
            request.done().completeExceptionally(e);
        }
    }

    private void readOutbox(boolean reread) {
        if (!outbox.enumerated()) {
            outbox.enumerate(deadline(ENUMERATION_LIMIT));
            return;
        }
        outbox.flushSpool(deadline(ENUMERATION_LIMIT));
        if (reread || nothingWaits()) {
            outbox.reread(deadline(config.outboxTimeout()));
            change(() -> rereadWanted = false);
        }
    }

    private boolean nothingWaits() {
        Optional<CandidateState> waiting = book.states().stream()
                .filter(state -> state.phase() != CandidateState.Phase.PARKED)
                .findAny();
        return waiting.isEmpty();
    }

    private Deadline deadline(Duration limit) {
        return Deadline.after(limit, clock, "block outbox");
    }

    @Override
    public void close() {
        change(() -> closed = true);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(3));
            if (thread.isAlive()) {
                LOG.atWarn().log("outbox thread did not end in time");
                thread.interrupt();
                thread.join(TimeUnit.SECONDS.toMillis(1));
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
