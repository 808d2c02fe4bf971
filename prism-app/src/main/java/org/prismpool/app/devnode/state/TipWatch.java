package org.prismpool.app.devnode.state;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Calls that wait for the tip or the mempool to change. A waiting call occupies no thread: it is a future that the change,
 * its time-out or the end of the node completes. Thread-safe; futures are completed outside the lock.
 */
public final class TipWatch {

    private static final int LARGEST_WAITER_SET = 4_096;

    private record Waiter(Predicate<TipView> wanted, CompletableFuture<TipView> answer) {}

    private final ScheduledExecutorService timer;
    private final Object lock = new Object();
    private final List<Waiter> waiters = new ArrayList<>();
    private TipView current;
    private boolean closed;

    /**
     * Creates a watch.
     *
     * @param start what the chain looks like now
     * @param timer runs the time-outs; not closed by this object
     */
    public TipWatch(TipView start, ScheduledExecutorService timer) {
        this.current = start;
        this.timer = timer;
    }

    /**
     * Waits for a view.
     *
     * @param wanted what to wait for; called under this object's lock, must be quick and call nothing
     * @param timeoutMillis longest wait; 0 means as long as the node lives
     * @return completed at once when the present view is wanted, else by the change, or with the view of that moment by the
     *     time-out and by the end of the node
     */
    public CompletableFuture<TipView> await(Predicate<TipView> wanted, long timeoutMillis) {
        CompletableFuture<TipView> answer = new CompletableFuture<>();
        synchronized (lock) {
            boolean full = waiters.size() >= LARGEST_WAITER_SET;
            if (closed || full || wanted.test(current)) {
                return CompletableFuture.completedFuture(current);
            }
            waiters.add(new Waiter(wanted, answer));
        }
        if (timeoutMillis == 0) {
            return answer;
        }
        ScheduledFuture<?> timeout = timer.schedule(() -> giveUp(answer), timeoutMillis, TimeUnit.MILLISECONDS);
        return answer.whenComplete((view, failure) -> timeout.cancel(false));
    }

    /**
     * Tells waiters what the chain looks like now.
     *
     * @param view the present view; an older one than was published before is ignored
     */
    public void publish(TipView view) {
        List<CompletableFuture<TipView>> done = new ArrayList<>();
        synchronized (lock) {
            if (view.version() <= current.version()) {
                return;
            }
            current = view;
            for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
                Waiter waiter = all.next();
                if (waiter.wanted().test(view)) {
                    all.remove();
                    done.add(waiter.answer());
                }
            }
        }
        done.forEach(answer -> answer.complete(view));
    }

    /** Completes every waiter with the present view and lets no new one wait. */
    public void close() {
        List<CompletableFuture<TipView>> done = new ArrayList<>();
        TipView last;
        synchronized (lock) {
            closed = true;
            last = current;
            waiters.forEach(waiter -> done.add(waiter.answer()));
            waiters.clear();
        }
        done.forEach(answer -> answer.complete(last));
    }

    private void giveUp(CompletableFuture<TipView> answer) {
        TipView last;
        synchronized (lock) {
            waiters.removeIf(waiter -> waiter.answer() == answer);
            last = current;
        }
        answer.complete(last);
    }
}
