package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.prismpool.lifecycle.testing.ManualClock;

/** Waits that move a manual clock from event to event: a whole pipeline runs on one thread, deterministically. */
final class SimulatedTime implements Waits {

    final ManualClock clock = new ManualClock();
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

    @Override
    public boolean pause(Duration atMost, StopFlag stop) {
        return passUntil(atMost, stop::raised);
    }

    @Override
    public void awaitRetry(RetrySignal signal, Duration atMost) {
        passUntil(atMost, signal::isArmed);
    }

    @Override
    public boolean awaitDone(CompletableFuture<?> future, Duration atMost) {
        return passUntil(atMost, future::isDone);
    }
}
