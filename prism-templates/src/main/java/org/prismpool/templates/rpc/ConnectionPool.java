package org.prismpool.templates.rpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/**
 * The connections for one kind of call: so many calls at a time, and connections kept open between them for a while.
 *
 * <p>Thread-safe; one lock, under which nothing touches the network.
 */
final class ConnectionPool {

    // Below the 30 s after which a node closes an idle connection.
    static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final int limit;
    private final ReentrantLock lock = new ReentrantLock(true); // first come, first served
    private final Condition left = lock.newCondition();
    private final Deque<NodeConnection> kept = new ArrayDeque<>(); // the newest first
    private int inside;
    private boolean closed;

    ConnectionPool(int limit) {
        this.limit = limit;
    }

    /**
     * Waits for a place.
     *
     * @return true with a place, to be given back by {@link #leave}; false at the deadline or when cancelled
     */
    boolean enter(Deadline deadline, CancelSignal cancel) throws InterruptedException {
        CancelSignal.Registration registration = cancel.onCancel(this::wakeAll);
        try {
            lock.lockInterruptibly();
            try {
                return await(deadline, cancel);
            } finally {
                lock.unlock();
            }
        } finally {
            registration.close();
        }
    }

    private boolean await(Deadline deadline, CancelSignal cancel) throws InterruptedException {
        while (inside >= limit) {
            long wait = deadline.remainingNanos();
            if (wait == 0 || cancel.cancelled() || left.awaitNanos(wait) <= 0) {
                return false;
            }
        }
        inside++;
        return true;
    }

    private void wakeAll() {
        lock.lock();
        try {
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        lock.lock();
        try {
            inside--;
            left.signalAll(); // one that has given up must not swallow the only signal
        } finally {
            lock.unlock();
        }
    }

    /** Takes the connection that was used last and is still good; closes those that are not. */
    Optional<NodeConnection> take() {
        while (true) {
            Optional<NodeConnection> newest = poll();
            if (newest.isEmpty() || newest.get().usable()) {
                return newest;
            }
            Quietly.close(newest.get());
        }
    }

    private Optional<NodeConnection> poll() {
        lock.lock();
        try {
            return Optional.ofNullable(kept.pollFirst());
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a connection for the next call. */
    void keep(NodeConnection connection) {
        connection.keptSince(System.nanoTime());
        lock.lock();
        try {
            if (!closed) {
                kept.addFirst(connection);
                return;
            }
        } finally {
            lock.unlock();
        }
        Quietly.close(connection);
    }

    /** Closes the connections that nobody has used for a while. */
    void evict() {
        long now = System.nanoTime();
        List<NodeConnection> old = new ArrayList<>();
        lock.lock();
        try {
            while (!kept.isEmpty() && now - kept.getLast().keptSinceNanos() >= IDLE_NANOS) {
                old.add(kept.removeLast());
            }
        } finally {
            lock.unlock();
        }
        old.forEach(Quietly::close);
    }

    /** Closes what is kept; a connection that is given back later is closed too. */
    void close() {
        List<NodeConnection> all;
        lock.lock();
        try {
            closed = true;
            all = List.copyOf(kept);
            kept.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(Quietly::close);
    }
}
