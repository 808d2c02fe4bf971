package org.prismpool.sharewriter.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * First-in-first-out queue in front of the writer, with a bounded waiting room for entries without a slot.
 *
 * <p>Thread-safe; one lock, no foreign code inside: callers complete promises after it. Entries being committed still
 * occupy their slots, so that the bound covers everything that is admitted and not answered.
 */
public final class CommitQueue {

    /** What became of an offer. */
    public enum Admission {
        /** In the queue. */
        QUEUED,
        /** In the waiting room. */
        WAITING,
        /** No room at all. */
        REFUSED,
        /** Closed. */
        CLOSED
    }

    private final int capacity;
    private final int waitingCapacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition(); // entry queued, or closed
    private final Condition roomChanged = lock.newCondition(); // waiting room gained its first entry, or closed

    // All guarded by lock.
    private final ArrayDeque<QueuedEntry> queue = new ArrayDeque<>();
    private final ArrayDeque<QueuedEntry> waiting = new ArrayDeque<>();
    private int inFlight;
    private boolean closed;

    /**
     * Creates an open queue.
     *
     * @param capacity slots, entries in flight included
     * @param waitingCapacity places in the waiting room
     */
    public CommitQueue(int capacity, int waitingCapacity) {
        this.capacity = capacity;
        this.waitingCapacity = waitingCapacity;
    }

    /**
     * Offers an entry; never blocks.
     *
     * @param entry entry
     * @return where it went
     */
    public Admission offer(QueuedEntry entry) {
        lock.lock();
        try {
            if (closed) {
                return Admission.CLOSED;
            }
            if (waiting.isEmpty() && queue.size() + inFlight < capacity) {
                queue.add(entry);
                arrived.signal();
                return Admission.QUEUED;
            }
            if (waiting.size() >= waitingCapacity) {
                return Admission.REFUSED;
            }
            waiting.add(entry);
            if (waiting.size() == 1) {
                roomChanged.signalAll();
            }
            return Admission.WAITING;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for an entry.
     *
     * @param nanos longest wait
     * @return false if the queue is closed and empty
     * @throws InterruptedException if interrupted
     */
    public boolean awaitEntry(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (queue.isEmpty() && !closed && left > 0) {
                left = arrived.awaitNanos(left);
            }
            return !(closed && queue.isEmpty());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for more entries to join a small batch.
     *
     * @param enough entries at which the wait ends
     * @param nanos longest wait
     * @throws InterruptedException if interrupted
     */
    public void awaitGrowth(int enough, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (queue.size() < enough && !closed && left > 0 && !headOfBatchIsUrgent()) {
                left = arrived.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a batch: up to the limit, ending with the first solve.
     *
     * @param limit most entries
     * @return entries in order, empty if there are none; they stay in flight until {@link #answered}
     */
    public List<QueuedEntry> take(int limit) {
        lock.lock();
        try {
            List<QueuedEntry> batch = new ArrayList<>(Math.min(limit, queue.size()));
            while (batch.size() < limit && !queue.isEmpty()) {
                QueuedEntry next = queue.poll();
                batch.add(next);
                if (next.urgent()) {
                    break;
                }
            }
            inFlight += batch.size();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Frees the slots of answered entries and lets waiting ones in.
     *
     * @param entries number of entries taken before
     */
    public void answered(int entries) {
        lock.lock();
        try {
            inFlight -= entries;
            while (!waiting.isEmpty() && queue.size() + inFlight < capacity) {
                queue.add(waiting.poll());
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes waiting entries whose time is over.
     *
     * @param nowNanos now
     * @return entries to refuse
     */
    public List<QueuedEntry> expired(long nowNanos) {
        lock.lock();
        try {
            List<QueuedEntry> late = new ArrayList<>();
            waiting.removeIf(entry -> entry.admitUntilNanos() - nowNanos <= 0 && late.add(entry));
            return late;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the earliest entry in the waiting room is due, at most for a slice, or until the first one comes.
     *
     * @param nowNanos now
     * @param sliceNanos longest wait
     * @return false once closed
     * @throws InterruptedException if interrupted
     */
    public boolean awaitDue(long nowNanos, long sliceNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean empty = waiting.isEmpty();
            long left = empty ? TimeUnit.SECONDS.toNanos(1) : sliceNanos;
            for (QueuedEntry entry : waiting) {
                left = Math.min(left, Math.max(1, entry.admitUntilNanos() - nowNanos));
            }
            while (!closed && left > 0 && !(empty && !waiting.isEmpty())) {
                left = roomChanged.awaitNanos(left);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes admission.
     *
     * @return entries in the waiting room, to refuse
     */
    public List<QueuedEntry> close() {
        lock.lock();
        try {
            closed = true;
            List<QueuedEntry> refused = List.copyOf(waiting);
            waiting.clear();
            arrived.signalAll();
            roomChanged.signalAll();
            return refused;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Empties a closed queue.
     *
     * @return entries to fail
     */
    public List<QueuedEntry> drain() {
        lock.lock();
        try {
            List<QueuedEntry> rest = List.copyOf(queue);
            queue.clear();
            return rest;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts entries that are admitted and not answered.
     *
     * @return entries queued and in flight
     */
    public int depth() {
        lock.lock();
        try {
            return queue.size() + inFlight;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts entries in the queue.
     *
     * @return entries not yet taken
     */
    public int queued() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    private boolean headOfBatchIsUrgent() {
        for (QueuedEntry entry : queue) {
            if (entry.urgent()) {
                return true;
            }
        }
        return false;
    }
}
