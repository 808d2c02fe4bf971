package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.RefreshHeartbeat;
import org.prismpool.refresh.RefreshMetrics.ReconcileSource;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.templates.chain.Hash256;

/**
 * One pass's use of the reconcile pass: begun beside the template fetch, joined with a bound (spec 07 §3.5). Confined to
 * the refresh owner's thread.
 */
final class ReconcileJoin<T, W> implements AutoCloseable {

    private static final Duration SLICE = Duration.ofMillis(50);

    private final RefreshCore<T, W> core;
    private final NodeCalls<T, W> calls;
    private final Hash256 probed;
    private final long detectionEpoch;
    private Optional<CompletableFuture<Boolean>> prefetch = Optional.empty();

    ReconcileJoin(RefreshCore<T, W> core, NodeCalls<T, W> calls, Hash256 probed) {
        this.core = core;
        this.calls = calls;
        this.probed = probed;
        this.detectionEpoch = core.authority.get().detectionEpoch();
        if (core.config.wave().overlapReconcile()
                && !core.companions.reconciliation().fresh(probed)) {
            prefetch = Optional.of(core.companions.reconciliation().prove(probed, false));
        }
    }

    /** Requires the ledger to agree with the chain at a tip; a failed or late pass ends the refresh pass. */
    void require(Hash256 tip, Deadline pass) {
        boolean overlap = core.config.wave().overlapReconcile();
        if (overlap && !moved() && core.companions.reconciliation().fresh(tip)) {
            core.companions.metrics().reconcileLookup(ReconcileSource.MEMO_HIT);
            return;
        }
        if (prefetch.isPresent() && tip.equals(probed)) {
            core.companions.metrics().reconcileLookup(ReconcileSource.OVERLAP);
            requireProven(join(prefetch.get(), pass));
            if (moved()) {
                requireProven(join(core.companions.reconciliation().prove(tip, true), pass));
            }
            return;
        }
        close();
        core.companions.metrics().reconcileLookup(ReconcileSource.SERIAL);
        requireProven(join(core.companions.reconciliation().prove(tip, moved()), pass));
    }

    /** Detaches from a pass that is under way; it goes on for whoever joins it next. */
    @Override
    public void close() {
        prefetch.ifPresent(future -> future.cancel(false));
        prefetch = Optional.empty();
    }

    private boolean moved() {
        return core.authority.get().detectionEpoch() != detectionEpoch;
    }

    private boolean join(CompletableFuture<Boolean> proof, Deadline pass) {
        long started = core.now();
        Deadline bound = pass.within(core.config.bounds().reconcileJoin(), "reconcile join");
        try {
            while (!core.waits.awaitDone(proof, SLICE)) {
                core.companions.heartbeat().beat(RefreshHeartbeat.BLOCKPOLL);
                calls.checkpoint(pass);
                if (bound.expired()) {
                    throw RefreshStop.blocked("reconcile pass still running after its join bound");
                }
            }
            return Boolean.TRUE.equals(proof.join());
        } catch (CompletionException | java.util.concurrent.CancellationException failed) {
            throw pass.expired()
                    ? RefreshStop.timeout(TimeoutLabel.REFRESH)
                    : RefreshStop.untrustedBecause("reconcile pass failed", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw RefreshStop.shutdown();
        } finally {
            core.companions.metrics().reconcile(core.now() - started);
        }
    }

    private static void requireProven(boolean proven) {
        if (!proven) {
            throw RefreshStop.untrusted("the ledger does not agree with the chain");
        }
    }
}
