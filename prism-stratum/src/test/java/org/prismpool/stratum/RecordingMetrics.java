package org.prismpool.stratum;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.prismpool.stratum.vardiff.ResumeOutcome;

/** Counts what a server reports, by a readable key. Thread-safe. */
public final class RecordingMetrics implements StratumMetrics {

    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    public int count(String key) {
        return counts.getOrDefault(key, 0);
    }

    private void add(String key) {
        counts.merge(key, 1, Integer::sum);
    }

    @Override
    public void submitted(String worker) {
        add("submitted");
        add("submitted:" + worker);
    }

    @Override
    public void accepted(String worker, String lane, boolean grace) {
        add("accepted");
        add("accepted:" + worker);
        add("lane:" + lane);
        if (grace) {
            add("grace");
        }
    }

    @Override
    public void rejected(RejectReason reason, Optional<String> worker) {
        add(reason.id());
        add(reason.id() + ":" + worker.orElse("-"));
    }

    @Override
    public void shareAckNanos(boolean accepted, long nanos) {
        add(accepted ? "ack:accepted" : "ack:rejected");
    }

    @Override
    public void solveDropped() {
        add("solve-dropped");
    }

    @Override
    public void collectionSolve() {
        add("collection-solve");
    }

    @Override
    public void evictedJobSubmit(EvictedJobOutcome outcome) {
        add(outcome.label());
    }

    @Override
    public void connectionRefused(LimitScope scope) {
        add("refused:" + scope);
    }

    @Override
    public void acceptExhausted() {
        add("exhausted");
    }

    @Override
    public void connectionSetupFailed() {
        add("setup-failed");
    }

    @Override
    public void disconnected(DisconnectReason reason) {
        add("disconnected:" + reason);
    }

    @Override
    public void rejectThrottled() {
        add("throttled");
    }

    @Override
    public void jobBuildFailed() {
        add("build-failed");
    }

    @Override
    public void idleRetarget() {
        add("idle-retarget");
    }

    @Override
    public void idleSkipped(IdleSkip skip) {
        add("idle-skip:" + skip);
    }

    @Override
    public void resume(ResumeOutcome outcome) {
        add("resume:" + outcome.label());
    }

    @Override
    public void coinbaseBudgetExceeded(CoinbaseBudget budget) {
        add("budget:" + budget);
    }
}
