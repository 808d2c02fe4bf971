package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.NullUnmarked;
import org.prismpool.lifecycle.testing.ManualClock;

/** Waits that move a manual clock from event to event: a whole pipeline runs on one thread, deterministically. */
@NullUnmarked // test state is filled as it goes
final class SimulatedTime implements Waits {

    /** Ends a drive: the instant up to which a test lets the driver wait has come. */
    static final class HorizonReached extends RuntimeException {
        HorizonReached() {
            super("horizon reached");
        }
    }

    final ManualClock clock = new ManualClock();
    Optional<Duration> horizon = Optional.empty();
    private final TreeMap<Long, List<Runnable>> events = new TreeMap<>();

    /** Schedules something at an instant after the start. */
    void at(Duration instant, Runnable event) {
        events.computeIfAbsent(instant.toNanos(), key -> new ArrayList<>()).add(event);
    }

    void in(Duration delay, Runnable event) {
        at(now().plus(delay), event);
    }

    Duration now() {
        return Duration.ofNanos(clock.nanoTime());
    }

    /** Lets time pass, running the events on the way. */
    void pass(Duration time) {
        passUntil(time, () -> false);
    }

    private boolean passUntil(Duration atMost, BooleanSupplier done) {
        long end = clock.nanoTime() + atMost.toNanos();
        while (!done.getAsBoolean()) {
            Map.Entry<Long, List<Runnable>> next = events.firstEntry();
            if (next == null || next.getKey() > end) {
                clock.advance(Duration.ofNanos(Math.max(0, end - clock.nanoTime())));
                return done.getAsBoolean();
            }
            events.remove(next.getKey());
            clock.advance(Duration.ofNanos(Math.max(0, next.getKey() - clock.nanoTime())));
            next.getValue().forEach(Runnable::run);
        }
        return true;
    }

    private boolean driverWait(Duration atMost, BooleanSupplier done) {
        if (horizon.isEmpty()) {
            return passUntil(atMost, done);
        }
        Duration left = horizon.get().minus(now());
        boolean ended = passUntil(left.compareTo(atMost) < 0 ? left : atMost, done);
        if (!ended && now().compareTo(horizon.get()) >= 0) {
            throw new HorizonReached();
        }
        return ended;
    }

    @Override
    public boolean pause(Duration atMost, StopFlag stop) {
        return driverWait(atMost, stop::raised);
    }

    @Override
    public void awaitRetry(RetrySignal signal, Duration atMost) {
        driverWait(atMost, signal::isArmed);
    }

    @Override
    public boolean awaitDone(CompletableFuture<?> future, Duration atMost) {
        return passUntil(atMost, future::isDone);
    }

    @Override
    public boolean acquire(Semaphore permit, Duration atMost) {
        return permit.tryAcquire() || (passUntil(atMost, () -> permit.availablePermits() > 0) && permit.tryAcquire());
    }
}
