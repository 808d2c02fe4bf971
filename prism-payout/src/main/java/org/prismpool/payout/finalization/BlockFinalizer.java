package org.prismpool.payout.finalization;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.state.BalanceSerializer;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.templates.block.AccountingResult;
import org.prismpool.templates.block.CandidateAccounting;
import org.prismpool.templates.block.OfferedCandidate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accounts found blocks, one at a time and parents before children, on a thread of its own.
 *
 * <p>Thread-safe. {@link #account} returns at once and never refuses. Each hand-over ends in exactly one {@link
 * OfferLane#settle}; a fault of any port becomes a retry, which the lane paces. Created before the lane that hands
 * candidates over, started with it.
 */
public final class BlockFinalizer implements CandidateAccounting, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BlockFinalizer.class);

    private final FinalizerConfig config;
    private final FinalizerPorts ports;
    private final PayoutState payout;
    private final BalanceSerializer serializer;
    private final MonotonicClock clock;
    private final CancelSource stop = new CancelSource();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final AccountingQueue queue = new AccountingQueue(); // guarded by lock
    private @Nullable Thread thread; // guarded by lock
    private boolean closed; // guarded by lock

    /**
     * Creates a finalizer; candidates are queued but not accounted before {@link #start}.
     *
     * @param config settings
     * @param ports what it needs of others
     * @param payout payout state
     * @param serializer turn for balance mutations, shared with the reorganisation pass
     * @param clock monotonic clock
     */
    public BlockFinalizer(
            FinalizerConfig config,
            FinalizerPorts ports,
            PayoutState payout,
            BalanceSerializer serializer,
            MonotonicClock clock) {
        this.config = config;
        this.ports = ports;
        this.payout = payout;
        this.serializer = serializer;
        this.clock = clock;
    }

    /**
     * Starts accounting.
     *
     * @param lane lane that hands candidates over
     * @throws IllegalStateException if called twice or after {@link #close}
     */
    public void start(OfferLane lane) {
        lock.lock();
        try {
            if (thread != null || closed) {
                throw new IllegalStateException("the block finalizer starts once");
            }
            Thread worker = new Thread(() -> run(lane), "prism-payout-finalizer");
            worker.setDaemon(true);
            thread = worker;
            worker.start();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void account(OfferedCandidate candidate) {
        lock.lock();
        try {
            queue.add(candidate);
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts the candidates that wait for accounting.
     *
     * @return queued candidates, the one in progress not included
     */
    public int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    private void run(OfferLane lane) {
        FinalizationPass pass = new FinalizationPass(new PhaseContext(
                config, ports, payout, serializer, lane, new LedgerCalls(config, clock, ports.metrics()), stop, clock));
        try {
            while (true) {
                Optional<OfferedCandidate> next = next();
                if (next.isEmpty()) {
                    return;
                }
                lane.settle(next.get().candidate().hash(), accounted(pass, next.get()));
            }
        } catch (InterruptedException stopping) {
            LOG.atDebug().log("block finalizer interrupted");
        }
    }

    /** The loop that owns the thread: even an unforeseen fault only repeats the candidate. */
    private static AccountingResult accounted(FinalizationPass pass, OfferedCandidate candidate)
            throws InterruptedException {
        try {
            return pass.account(candidate);
        } catch (RuntimeException | Error fault) {
            LOG.atError()
                    .addKeyValue("hash", candidate.candidate().hash().displayHex())
                    .setCause(fault)
                    .log("block accounting failed");
            return new AccountingResult.Retry(
                    AccountingResult.RetryReason.INTERNAL_ERROR, String.valueOf(fault.getMessage()));
        }
    }

    private Optional<OfferedCandidate> next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                Optional<OfferedCandidate> candidate = queue.take();
                if (candidate.isPresent()) {
                    return candidate;
                }
                arrived.await();
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Stops after the step in progress; what is not accounted stays pending in the outbox. */
    @Override
    public void close() {
        Thread worker;
        lock.lock();
        try {
            closed = true;
            worker = thread;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        stop.cancel("shutdown");
        if (worker != null) {
            join(worker, config.stopTimeout());
        }
    }

    private static void join(Thread worker, Duration limit) {
        try {
            worker.join(Math.max(1, limit.toMillis()));
            if (worker.isAlive()) {
                worker.interrupt();
                worker.join(Math.max(1, limit.toMillis()));
            }
            if (worker.isAlive()) {
                LOG.atWarn().log("block finalizer did not stop in time");
            }
        } catch (InterruptedException e) {
            worker.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
