package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.FailureKind;
import org.prismpool.refresh.PrewarmOutcome;
import org.prismpool.refresh.RefreshHeartbeat;
import org.prismpool.refresh.RefreshMetrics.GenerationOutcome;
import org.prismpool.refresh.RefreshPhase;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The refresh owner: waits for a trigger, makes one attempt, accounts for how it went (spec 07 §2.3). */
final class BlockPoll<T, W> {

    private static final Logger LOG = LoggerFactory.getLogger("org.prismpool.refresh.TipRefresher");
    private static final Duration RETRY_SLICE = Duration.ofMillis(250);
    private static final Duration HOLDOFF_SLICE = Duration.ofMillis(50);

    private final RefreshCore<T, W> core;
    private final TipObserver<T, W> observer;
    private final NodeCalls<T, W> calls;
    private final RefreshWave<T, W> wave;
    private final Semaphore flight = new Semaphore(1);

    BlockPoll(RefreshCore<T, W> core, TipObserver<T, W> observer) {
        this.core = core;
        this.observer = observer;
        this.calls = new NodeCalls<>(core);
        this.wave = new RefreshWave<>(core, observer, calls);
    }

    /** The owner's thread: attempts until stopped. */
    void loop() {
        try {
            while (awaitTrigger()) {
                attempt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for the next attempt.
     *
     * @return false once stopped
     */
    boolean awaitTrigger() throws InterruptedException {
        long interval = core.config.observation().pollInterval().toNanos();
        long started = core.now();
        while (!core.stop.raised()) {
            core.companions.heartbeat().beat(RefreshHeartbeat.BLOCKPOLL);
            Duration left = Duration.ofNanos(Math.max(0L, interval - (core.now() - started)));
            Duration holdoff =
                    core.pacing.remaining(core.now(), core.authority.get().newestKnownTip());
            if (!holdoff.isZero()) {
                // The retry signal may be set already: only the stop flag may cut this short.
                core.waits.pause(shortest(left.isZero() ? holdoff : left, holdoff, HOLDOFF_SLICE), core.stop);
            } else if (left.isZero() || core.retry.isArmed()) {
                core.retry.consume();
                return true;
            } else {
                core.waits.awaitRetry(core.retry, shortest(left, RETRY_SLICE, RETRY_SLICE));
            }
        }
        return false;
    }

    /** Makes one attempt; its outcome is in the clocks, budgets and signals, never in an exception. */
    void attempt() {
        core.companions.heartbeat().beat(RefreshHeartbeat.BLOCKPOLL);
        if (!flight.tryAcquire()) {
            lostFlight();
            return;
        }
        try {
            core.phases.begin();
            refresh(false);
        } finally {
            core.phases.end();
            flight.release();
        }
    }

    /** Builds and publishes the first work before miners are admitted; any failure leaves a latched retry. */
    PrewarmOutcome prewarm() {
        boolean mine = false;
        try {
            mine = core.waits.acquire(flight, core.config.bounds().lane());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!mine) {
            core.companions.metrics().timeout(TimeoutLabel.REFRESH_LOCK);
            core.companions.metrics().generation(GenerationOutcome.CANCELLED);
            core.retry.arm();
            return new PrewarmOutcome(false, "another refresh is under way");
        }
        try {
            core.phases.begin();
            return refresh(true)
                    .map(failure -> new PrewarmOutcome(false, failure))
                    .orElseGet(() -> new PrewarmOutcome(true, ""));
        } finally {
            core.phases.end();
            flight.release();
        }
    }

    /** Runs probe and wave; returns the reason of a failure. */
    private Optional<String> refresh(boolean prewarm) {
        Optional<Hash256> tip = Optional.empty();
        try {
            long started = core.now();
            Deadline deadline = Deadline.after(core.config.bounds().pass(), core.clocks.monotonic(), "refresh pass");
            core.phases.enter(RefreshPhase.TIP_RPC);
            long sequence = core.reserveSequence();
            Hash256 best = calls.bestHash(deadline);
            tip = Optional.of(best);
            if (!observer.observe(best, sequence, false)) {
                throw RefreshStop.superseded("a newer tip was detected during the probe");
            }
            wave.run(new Attempt(started, sequence, best, deadline), prewarm);
            completed();
            return Optional.empty();
        } catch (RefreshStop stop) {
            failed(stop, tip);
            return Optional.of(stop.reason());
        } catch (RuntimeException fault) {
            RefreshStop stop = RefreshStop.blocked("unexpected failure: " + fault, fault);
            failed(stop, tip);
            return Optional.of(stop.reason());
        }
    }

    /** Somebody else refreshes: record what is seen, and make sure that an attempt follows. */
    private void lostFlight() {
        Deadline deadline = Deadline.after(core.config.bounds().rpc(), core.clocks.monotonic(), "lost flight");
        try {
            long sequence = core.reserveSequence();
            observer.observe(calls.bestHash(deadline), sequence, true);
        } catch (RefreshStop unanswered) {
            LOG.atDebug().addKeyValue("reason", unanswered.reason()).log("probe beside a refresh failed");
        }
        core.retry.arm();
    }

    private void completed() {
        core.pacing.completed();
        core.budget.completed();
        core.phases.refreshed();
        core.phases.polled();
        core.tell("attemptCompleted", () -> core.companions.listener().attemptCompleted());
    }

    private void failed(RefreshStop stop, Optional<Hash256> tip) {
        if (stop.kind() == FailureKind.SHUTDOWN) {
            return;
        }
        long now = core.now();
        core.retry.arm();
        if (stop.kind().armsHoldoff(core.epochMode())) {
            core.pacing.failed(now, tip.or(() -> core.authority.get().newestKnownTip()));
        }
        if (stop.kind() == FailureKind.PHASE_TIMEOUT) {
            core.companions.metrics().timeout(stop.label());
        }
        log(stop);
        core.tell("attemptFailed", () -> core.companions.listener().attemptFailed(stop.kind()));
        core.budget
                .failed(stop.kind(), now)
                .ifPresent(age -> core.tell(
                        "failureBudgetExpired",
                        () -> core.companions.listener().failureBudgetExpired(age.toSeconds())));
    }

    private static void log(RefreshStop stop) {
        boolean genuine = stop.kind().armsFailureBudget();
        (genuine ? LOG.atWarn() : LOG.atInfo())
                .setCause(stop.getCause() instanceof RuntimeException fault ? fault : null)
                .addKeyValue("kind", stop.kind())
                .addKeyValue("reason", stop.reason())
                .log("refresh attempt ended without success");
    }

    private static Duration shortest(Duration a, Duration b, Duration c) {
        Duration ab = a.compareTo(b) <= 0 ? a : b;
        return ab.compareTo(c) <= 0 ? ab : c;
    }
}
