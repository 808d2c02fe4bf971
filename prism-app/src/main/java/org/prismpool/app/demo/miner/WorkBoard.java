package org.prismpool.app.demo.miner;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where the connection thread posts the current work and the hashing threads take it. {@code current} is written under
 * the lock and read without it.
 */
final class WorkBoard {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile Optional<MiningWork> current = Optional.empty();

    void post(MiningWork work) {
        set(Optional.of(work));
    }

    void withdraw() {
        set(Optional.empty());
    }

    boolean isCurrent(MiningWork work) {
        Optional<MiningWork> now = current;
        return now.isPresent() && now.get() == work;
    }

    /** Waits up to one second for work; an empty answer only means that none came in time. */
    Optional<MiningWork> awaitWork() throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(1);
            while (current.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    private void set(Optional<MiningWork> work) {
        lock.lock();
        try {
            current = work;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
