package org.prismpool.payout.state;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;

/**
 * Lets one mutation of balances happen at a time: block accounting and the reorganisation pass. It is a turn, not a
 * lock: it is held across ledger calls, nobody who serves miners ever waits for it, and every wait has a deadline.
 *
 * <p>Thread-safe. Taken before the publication-order guard of the audit store, never after it.
 */
public final class BalanceSerializer {

    private final Semaphore turn = new Semaphore(1, true);

    /** Creates a serializer that nobody holds. */
    public BalanceSerializer() {}

    /** Holds the turn. */
    public interface Turn extends AutoCloseable {

        /** Passes the turn on; without effect the second time. */
        @Override
        void close();
    }

    /**
     * Waits for the turn.
     *
     * @param deadline longest wait
     * @return the turn, to be closed on every path
     * @throws DeadlineExceededException if it was not free in time
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public Turn enter(Deadline deadline) throws InterruptedException {
        if (!turn.tryAcquire(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
            throw new DeadlineExceededException(deadline.owner(), "payout_prepare_lock");
        }
        AtomicBoolean held = new AtomicBoolean(true);
        return () -> {
            if (held.compareAndSet(true, false)) {
                turn.release();
            }
        };
    }
}
