package org.prismpool.app.command;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.prismpool.app.composition.PoolView;
import org.prismpool.lifecycle.time.MonotonicClock;

/** Repaints a pool's numbers twice a second on a thread of its own, from {@link #start} to {@link #close()}. */
final class LivePool implements AutoCloseable {

    private static final long PERIOD_MILLIS = 500;
    private static final long JOIN_MILLIS = 2000;

    private final LiveScreen screen;
    private final Supplier<Optional<PoolView>> view;
    private final MonotonicClock clock;
    private final long startNanos;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread = new Thread(this::paint, "prism-live-view");

    private LivePool(LiveScreen screen, Supplier<Optional<PoolView>> view, MonotonicClock clock) {
        this.screen = screen;
        this.view = view;
        this.clock = clock;
        this.startNanos = clock.nanoTime();
        thread.setDaemon(true);
    }

    /**
     * Starts to paint.
     *
     * @param screen where to
     * @param view the numbers; empty before there are any
     * @param clock monotonic clock of the uptime
     */
    static LivePool start(LiveScreen screen, Supplier<Optional<PoolView>> view, MonotonicClock clock) {
        LivePool pool = new LivePool(screen, view, clock);
        pool.thread.start();
        return pool;
    }

    private void paint() {
        try {
            do {
                Duration up = Duration.ofNanos(clock.nanoTime() - startNanos);
                view.get().ifPresent(now -> screen.paint(PoolScreen.lines(now, up)));
            } while (!over.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the painting and erases what was painted. */
    @Override
    public void close() {
        over.countDown();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        screen.close();
    }
}
