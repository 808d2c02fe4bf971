package org.prismpool.templates.block;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread beside the offer threads that may wait for database, disk and probes: enumeration, spool, parked blocks.
 */
final class OutboxKeeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxKeeper.class);
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(10);
    private static final Duration ENUMERATION_LIMIT = Duration.ofSeconds(30);

    private final OutboxReader outbox;
    private final ParkedBlocks parked;
    private final CandidateBook book;
    private final LaneConfig config;
    private final MonotonicClock clock;
    private final Runnable stuckCheck;
    private final ReentrantLock turn = new ReentrantLock(); // one reader of the outbox at a time; held during its I/O
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<BlockCandidate> toSpool =
            new ArrayDeque<>(); // guarded by lock; bounded by the solves under way
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

    void enumerate(Deadline deadline) {
        turn.lock();
        try {
            outbox.enumerate(deadline);
        } finally {
            turn.unlock();
        }
    }

    void requestReread() {
        change(() -> rereadWanted = true);
    }

    void probeParked(long tipHeight) {
        change(() -> tipToProbe = OptionalLong.of(tipHeight));
    }

    void spool(BlockCandidate candidate) {
        change(() -> toSpool.add(candidate));
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

    /** What is to be done in one round. */
    private record Round(List<BlockCandidate> toSpool, OptionalLong tipToProbe, boolean reread, boolean closed) {}

    private void run() {
        try {
            Round round = await();
            while (!round.closed()) {
                perform(round);
                round = await();
            }
            round.toSpool().forEach(outbox::spool);
        } catch (InterruptedException e) {
            LOG.atDebug().log("outbox thread interrupted; it ends");
        }
    }

    private Round await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!closed && toSpool.isEmpty() && tipToProbe.isEmpty()) {
                long unused = changed.awaitNanos(config.rereadInterval().toNanos());
            }
            Round round = new Round(new ArrayList<>(toSpool), tipToProbe, rereadWanted, closed);
            toSpool.clear();
            tipToProbe = OptionalLong.empty();
            return round;
        } finally {
            lock.unlock();
        }
    }

    private void perform(Round round) {
        stuckCheck.run();
        round.toSpool().forEach(outbox::spool);
        try {
            round.tipToProbe().ifPresent(height -> parked.probe(height, deadline(PROBE_LIMIT)));
            readOutbox(round.reread());
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("outbox round failed; it is repeated");
        }
    }

    private void readOutbox(boolean reread) {
        turn.lock();
        try {
            if (!outbox.enumerated()) {
                outbox.enumerate(deadline(ENUMERATION_LIMIT));
                return;
            }
            outbox.flushSpool(deadline(ENUMERATION_LIMIT));
            if (reread || nothingWaits()) {
                outbox.reread(deadline(config.outboxTimeout()));
                change(() -> rereadWanted = false);
            }
        } finally {
            turn.unlock();
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
