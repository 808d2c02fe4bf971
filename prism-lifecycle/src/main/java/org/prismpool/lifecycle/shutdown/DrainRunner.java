package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs drain steps in order, each on a thread of its own, so that one that ignores its bound cannot hold the rest. */
final class DrainRunner {

    private static final Logger LOG = LoggerFactory.getLogger(DrainRunner.class);
    private static final Duration GRACE = Duration.ofMillis(250); // a step that keeps its bound is never abandoned

    private final String threadPrefix;
    private final MonotonicClock clock;
    private final ShutdownEvents events;

    DrainRunner(String threadPrefix, MonotonicClock clock, LifecycleEvents events) {
        this.threadPrefix = threadPrefix;
        this.clock = clock;
        this.events = new ShutdownEvents(events);
    }

    DrainReport run(List<DrainStep> steps, boolean released) {
        long start = clock.nanoTime();
        List<String> leftovers = new ArrayList<>();
        for (DrainStep step : steps) {
            if (!finishes(step)) {
                leftovers.add(step.name());
            }
        }
        Duration elapsed = Duration.ofNanos(clock.nanoTime() - start);
        if (!leftovers.isEmpty()) {
            LOG.atWarn().addKeyValue("leftovers", leftovers).log("drain left parts behind");
        }
        events.drained(elapsed, released);
        return new DrainReport(elapsed, leftovers);
    }

    private boolean finishes(DrainStep step) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread thread = new Thread(() -> stop(step, answer), threadPrefix + "-drain-" + step.name());
        thread.setDaemon(true);
        thread.start();
        try {
            boolean stopped = answer.get(step.bound().plus(GRACE).toNanos(), TimeUnit.NANOSECONDS);
            thread.join(GRACE.toMillis());
            return stopped;
        } catch (TimeoutException e) {
            thread.interrupt();
            return false;
        } catch (ExecutionException e) {
            LOG.atWarn().setCause(e.getCause()).addKeyValue("step", step.name()).log("drain step failed");
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void stop(DrainStep step, CompletableFuture<Boolean> answer) {
        try {
            answer.complete(step.stop().stop(step.bound()));
        } catch (Throwable e) { // the thread's only loop: whatever it is, the drain goes on
            answer.completeExceptionally(e);
        }
    }
}
