package org.prismpool.app.devnode.state;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The chain state behind its lock. What runs under the lock must neither block nor call out; waiters are told after it is
 * released.
 */
public final class NodeCore {

    private final ReentrantLock lock = new ReentrantLock();
    private final Chainstate chain;
    private final TipWatch watch;
    private TipView latest; // guarded by lock

    /**
     * Creates the core.
     *
     * @param chain used through this object only from now on
     * @param timer runs the time-outs of waiting calls; not closed by this object
     */
    public NodeCore(Chainstate chain, ScheduledExecutorService timer) {
        this.chain = chain;
        this.latest = viewOf(0);
        this.watch = new TipWatch(latest, timer);
    }

    /**
     * Runs something that reads or changes the chain.
     *
     * @param <T> what it answers
     * @param action runs under the lock
     * @return its answer
     */
    public <T> T locked(Function<Chainstate, T> action) {
        lock.lock();
        try {
            return action.apply(chain);
        } finally {
            TipView view = refreshed();
            boolean outermost = lock.getHoldCount() == 1;
            lock.unlock();
            if (outermost) {
                watch.publish(view);
            }
        }
    }

    /**
     * Returns the calls that wait for a change.
     *
     * @return the watch
     */
    public TipWatch watch() {
        return watch;
    }

    /**
     * Returns what waiters see now.
     *
     * @return tip and mempool counter
     */
    public TipView view() {
        lock.lock();
        try {
            return refreshed();
        } finally {
            lock.unlock();
        }
    }

    private TipView refreshed() {
        TipView view = viewOf(latest.version() + 1);
        if (!view.showsTheSameAs(latest)) {
            latest = view;
        }
        return latest;
    }

    private TipView viewOf(long version) {
        return new TipView(
                chain.tree().tip().hash(),
                chain.tree().tip().height(),
                chain.mempool().changes(),
                version);
    }
}
