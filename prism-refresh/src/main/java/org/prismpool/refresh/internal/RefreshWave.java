package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.FailureKind;
import org.prismpool.refresh.PublishedWork;
import org.prismpool.refresh.RefreshConfig;
import org.prismpool.refresh.RefreshEpoch;
import org.prismpool.refresh.RefreshMetrics.GenerationOutcome;
import org.prismpool.refresh.RefreshPhase;
import org.prismpool.refresh.TargetQuery;
import org.prismpool.refresh.WaveOutcome;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the passes of one wave and gives it exactly one outcome (spec 07 §3.1). Owner's thread.
 *
 * <p>Legacy mode: one pass. Epoch mode: passes until every connection's last delivered job is the newest, at most 64.
 */
final class RefreshWave<T, W> {

    private static final Logger LOG = LoggerFactory.getLogger("org.prismpool.refresh.TipRefresher");
    private static final Duration REENTRY_PAUSE = Duration.ofMillis(50);
    private static final Duration SLOW = Duration.ofSeconds(1);

    private final RefreshCore<T, W> core;
    private final RefreshPass<T, W> pass;
    private final NodeCalls<T, W> calls;
    private final TipObserver<T, W> observer;

    RefreshWave(RefreshCore<T, W> core, TipObserver<T, W> observer, NodeCalls<T, W> calls) {
        this.core = core;
        this.observer = observer;
        this.calls = calls;
        this.pass = new RefreshPass<>(core, observer, calls);
    }

    /** Runs the wave; ends with a {@link RefreshStop} unless the newest work reached everyone. */
    void run(Attempt first, boolean prewarm) {
        Progress progress = new Progress(first.startedNanos());
        try {
            if (core.epochMode() && !prewarm) {
                untilFixpoint(first, progress);
            } else {
                onePass(first, progress, prewarm);
            }
            progress.end(progress.superseded.orElse(WaveOutcome.COMPLETED));
        } catch (RefreshStop stop) {
            progress.end(outcome(stop, progress));
            throw stop;
        } catch (RuntimeException fault) {
            progress.end(WaveOutcome.ERROR);
            throw fault;
        }
    }

    private void onePass(Attempt attempt, Progress progress, boolean prewarm) {
        PassState state = new PassState();
        progress.passes++;
        try {
            pass.run(attempt, state, prewarm);
        } catch (RefreshStop stop) {
            if (stop.kind() == FailureKind.SUPERSEDED) {
                progress.superseded = Optional.of(state.supersededOutcome());
                if (!state.published()) {
                    core.companions.metrics().generation(GenerationOutcome.SUPERSEDED);
                }
            }
            throw stop;
        } finally {
            progress.sent += state.sent();
            progress.ready = state.ready();
        }
    }

    private void untilFixpoint(Attempt first, Progress progress) {
        Attempt attempt = first;
        while (true) {
            long armedBefore = core.retry.mark();
            boolean superseded = false;
            try {
                onePass(attempt, progress, false);
            } catch (RefreshStop stop) {
                if (stop.kind() != FailureKind.SUPERSEDED) {
                    throw stop;
                }
                superseded = true;
            }
            if (!superseded && fixpoint(progress.ready)) {
                core.retry.consumeUpTo(armedBefore);
                return;
            }
            if (progress.passes >= RefreshConfig.Wave.MAX_PASSES) {
                core.retry.arm();
                throw RefreshStop.superseded("no fixpoint within the pass budget");
            }
            pauseBeforeReentry();
            attempt = reprobed();
        }
    }

    private void pauseBeforeReentry() {
        try {
            core.companions.heartbeat().beat(org.prismpool.refresh.RefreshHeartbeat.BLOCKPOLL);
            if (core.waits.pause(REENTRY_PAUSE, core.stop)) {
                throw RefreshStop.shutdown();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw RefreshStop.shutdown();
        }
    }

    /** A new pass works for a newer generation and gets a deadline of its own. */
    private Attempt reprobed() {
        long started = core.now();
        Deadline deadline = Deadline.after(core.config.bounds().pass(), core.clocks.monotonic(), "refresh pass");
        core.phases.enter(RefreshPhase.TIP_RPC);
        while (true) {
            long sequence = core.reserveSequence();
            Hash256 best = calls.bestHash(deadline);
            if (observer.observe(best, sequence, false)) {
                return new Attempt(started, sequence, best, deadline);
            }
        }
    }

    /** Every eligible connection's last delivered job is the newest epoch's work. */
    private boolean fixpoint(boolean ready) {
        WorkAuthority<T, W> seen = core.authority.get();
        if (seen.epoch().isEmpty() || seen.work().isEmpty()) {
            return false;
        }
        RefreshEpoch epoch = seen.epoch().get();
        PublishedWork<T, W> work = seen.work().get();
        if (work.epoch() != epoch.sequence() || !work.snapshot().parent().equals(epoch.tip())) {
            return false;
        }
        return core.ports.fanout().select(new TargetQuery(work.snapshot(), core.payout(), ready, seen.epoch())).stream()
                .noneMatch(org.prismpool.refresh.FanoutTarget::needsWork);
    }

    private WaveOutcome outcome(RefreshStop stop, Progress progress) {
        return switch (stop.kind()) {
            case SUPERSEDED -> progress.superseded.orElse(WaveOutcome.FANOUT_SUPERSEDED);
            case PAYOUT_PENDING -> WaveOutcome.PAYOUT_BLOCKED;
            case BLOCKED -> stop.trust() ? WaveOutcome.TRUST_BLOCKED : WaveOutcome.ERROR;
            case PHASE_TIMEOUT -> WaveOutcome.ERROR;
            case SHUTDOWN -> WaveOutcome.SHUTDOWN;
        };
    }

    /** Counts of the wave under way. */
    private final class Progress {

        private final long startedNanos;
        private int passes;
        private int sent;
        private boolean ready;
        private Optional<WaveOutcome> superseded = Optional.empty();

        private Progress(long startedNanos) {
            this.startedNanos = startedNanos;
        }

        private void end(WaveOutcome outcome) {
            long took = core.now() - startedNanos;
            core.companions.metrics().wave(outcome, took);
            if (took > SLOW.toNanos()) {
                LOG.atInfo()
                        .addKeyValue("outcome", outcome.wireName())
                        .addKeyValue("refreshed", sent)
                        .addKeyValue("passes", passes)
                        .addKeyValue("elapsed_ms", took / 1_000_000)
                        .log("refresh wave was slow");
            }
        }
    }
}
