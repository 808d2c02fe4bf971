package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.BuiltWork;
import org.prismpool.refresh.FailureKind;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.RefreshHeartbeat;
import org.prismpool.refresh.TemplateSnapshot;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WorkBuilder;

/** Waits for builds on behalf of a pass, and stops waiting as soon as the result could not be used. Owner's thread. */
final class WorkBuild<T, W> {

    private static final Duration SLICE = Duration.ofMillis(50);
    private static final int MAX_REBUILDS = 8;

    private final RefreshCore<T, W> core;

    WorkBuild(RefreshCore<T, W> core) {
        this.core = core;
    }

    /** Builds the shared bundle; a payout publication alone makes the legacy mode rebuild in place. */
    BuiltWork<T, W> ready(Attempt attempt, TemplateSnapshot<T> snapshot) {
        long started = core.now();
        try (WorkBuilder.Reservation reservation = core.ports.builder().reserve(attempt.startedNanos())) {
            java.util.Objects.requireNonNull(reservation, "reservation");
            for (int rebuilds = 0; ; rebuilds++) {
                long generation = core.payout().generation();
                WorkBuilder.BuildAnswer<T, W> answer = await(attempt, snapshot, core.ports.builder()::ready);
                if (answer instanceof WorkBuilder.Built<T, W> built) {
                    return built.work();
                }
                WorkBuilder.NotBuilt<T, W> failed = (WorkBuilder.NotBuilt<T, W>) answer;
                if (rebuilds >= MAX_REBUILDS || !rebuildable(failed, generation, snapshot)) {
                    throw stopFor(failed, attempt.deadline());
                }
            }
        } finally {
            core.companions.metrics().bundleBuild(core.now() - started);
        }
    }

    /** Builds one worker's collection bundle; no lock is held and the build is given up like any other. */
    WorkBuilder.BuildAnswer<T, W> collection(Attempt attempt, TemplateSnapshot<T> snapshot, long connectionId) {
        return await(attempt, snapshot, call -> core.ports.builder().collection(call, connectionId));
    }

    RefreshStop stopFor(WorkBuilder.NotBuilt<T, W> failed, Deadline pass) {
        return switch (failed.kind()) {
            case SUPERSEDED -> RefreshStop.superseded(failed.reason());
            case PAYOUT_PENDING -> RefreshStop.payoutPending(failed.reason());
            case PHASE_TIMEOUT -> RefreshStop.timeout(pass.expired() ? TimeoutLabel.REFRESH : failed.label());
            case BLOCKED -> RefreshStop.blocked(failed.reason());
            case SHUTDOWN ->
                core.stop.raised()
                        ? RefreshStop.shutdown()
                        : RefreshStop.blocked("builder is closed: " + failed.reason());
        };
    }

    private boolean rebuildable(WorkBuilder.NotBuilt<T, W> failed, long builtFor, TemplateSnapshot<T> snapshot) {
        PayoutAuthority payout = core.payout();
        return failed.kind() == FailureKind.SUPERSEDED
                && !core.epochMode()
                && !payout.fenced()
                && payout.generation() != builtFor
                && !tipMoved(snapshot)
                && core.ports.templates().buildable(snapshot);
    }

    private boolean tipMoved(TemplateSnapshot<T> snapshot) {
        return core.authority
                .get()
                .newestKnownTip()
                .filter(tip -> !tip.equals(snapshot.parent()))
                .isPresent();
    }

    private WorkBuilder.BuildAnswer<T, W> await(
            Attempt attempt,
            TemplateSnapshot<T> snapshot,
            Function<WorkBuilder.BuildCall<T>, CompletableFuture<WorkBuilder.BuildAnswer<T, W>>> builder) {
        CancelSource cancel = new CancelSource();
        Deadline bound = attempt.deadline().within(core.config.bounds().build(), "bundle build");
        CompletableFuture<WorkBuilder.BuildAnswer<T, W>> build = builder.apply(new WorkBuilder.BuildCall<>(
                snapshot, core.payout().generation(), attempt.startedNanos(), bound, cancel));
        try {
            while (!core.waits.awaitDone(build, SLICE)) {
                core.companions.heartbeat().beat(RefreshHeartbeat.BLOCKPOLL);
                core.tell("refreshActive", () -> core.companions.listener().refreshActive());
                giveUpIfUseless(attempt, snapshot, cancel);
            }
            return build.join();
        } catch (CancellationException cancelled) {
            return new WorkBuilder.NotBuilt<>(FailureKind.SUPERSEDED, TimeoutLabel.REFRESH, "build cancelled");
        } catch (CompletionException failed) {
            throw RefreshStop.blocked("bundle build failed: " + failed.getCause(), failed);
        } catch (InterruptedException interrupted) {
            cancel.cancel("interrupted");
            Thread.currentThread().interrupt();
            throw RefreshStop.shutdown();
        }
    }

    private void giveUpIfUseless(Attempt attempt, TemplateSnapshot<T> snapshot, CancelSource cancel) {
        if (core.stop.raised()) {
            cancel.cancel("shutting down");
            throw RefreshStop.shutdown();
        }
        if (attempt.deadline().expired()) {
            cancel.cancel("timeout");
            throw RefreshStop.timeout(TimeoutLabel.BUNDLE_PREPARATION);
        }
        if (tipMoved(snapshot)) {
            cancel.cancel(TipObserver.TIP_SUPERSEDED);
            throw RefreshStop.superseded(TipObserver.TIP_SUPERSEDED);
        }
    }
}
