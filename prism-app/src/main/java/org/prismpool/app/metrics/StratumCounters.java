package org.prismpool.app.metrics;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.prismpool.lifecycle.metrics.BucketHistogram;
import org.prismpool.lifecycle.metrics.CounterSeries;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.RejectReason;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.vardiff.ResumeOutcome;

/** Counts what sessions report (spec 02 §9). Shares are counted here, their durability by {@link ShareCounters}. */
public final class StratumCounters implements StratumMetrics {

    private final MetricFamilies families;
    private final CounterSeries submitted;
    private final CounterSeries stale;
    private final ByLabel<RejectReason, CounterSeries> rejections;
    private final BucketHistogram ackAccepted;
    private final BucketHistogram ackRejected;
    private final ByLabel<EvictedJobOutcome, CounterSeries> evictedSubmits;
    private final ByLabel<IdleSkip, CounterSeries> idleSkips;
    private final ByLabel<ResumeOutcome, CounterSeries> resumes;
    private final LongAdder acceptedShares = new LongAdder();

    StratumCounters(MetricFamilies families) {
        this.families = families;
        this.submitted = families.counter("submitted_shares_total");
        this.stale = families.counter("stale_shares_total");
        this.rejections = ByLabel.of(RejectReason.class, r -> families.counter("rejections_total", r.id()));
        this.ackAccepted = families.histogram("share_ack_seconds", "accepted");
        this.ackRejected = families.histogram("share_ack_seconds", "rejected");
        this.evictedSubmits =
                ByLabel.of(EvictedJobOutcome.class, o -> families.counter("evicted_job_submits_total", o.label()));
        this.idleSkips =
                ByLabel.of(IdleSkip.class, s -> families.counter("vardiff_idle_skips_total", ByLabel.lower(s)));
        this.resumes = ByLabel.of(ResumeOutcome.class, o -> families.counter("vardiff_resume_total", o.label()));
    }

    /** Shares accepted since the start of this process, over all listeners. */
    public long acceptedShares() {
        return acceptedShares.sum();
    }

    /** Submissions refused since the start of this process by the id of their reason, without reasons that never occurred. */
    public Map<String, Long> refusedShares() {
        Map<String, Long> refused = new TreeMap<>();
        for (RejectReason reason : RejectReason.values()) {
            long count = (long) rejections.get(reason).value();
            if (count > 0) {
                refused.put(reason.id(), count);
            }
        }
        return refused;
    }

    @Override
    public void submitted(String worker) {
        submitted.increment();
        families.counter("worker_submitted_shares_total", worker).increment();
    }

    @Override
    public void accepted(String worker, String lane, boolean grace) {
        acceptedShares.increment();
        families.counter("worker_accepted_shares_total", worker).increment();
        families.counter("vardiff_lane_accepted_shares_total", lane).increment();
        if (grace) {
            families.counter("worker_grace_credited_shares_total", worker).increment();
        }
    }

    @Override
    public void rejected(RejectReason reason, Optional<String> worker) {
        rejections.get(reason).increment();
        if (reason.countsAsStale()) {
            stale.increment();
        }
        if (reason == RejectReason.DUPLICATE_SHARE) {
            families.counter("duplicate_shares_total").increment();
        }
        if (reason == RejectReason.LOW_DIFFICULTY) {
            families.counter("low_difficulty_shares_total").increment();
        }
        worker.ifPresent(label ->
                families.counter("worker_rejections_total", label, reason.id()).increment());
    }

    @Override
    public void shareAckNanos(boolean accepted, long nanos) {
        (accepted ? ackAccepted : ackRejected).observeNanos(nanos);
    }

    @Override
    public void solveDropped() {
        families.counter("block_solves_dropped_total", "stale_grace").increment();
    }

    @Override
    public void collectionSolve() {
        families.counter("collection_block_submissions_total").increment();
    }

    @Override
    public void evictedJobSubmit(EvictedJobOutcome outcome) {
        evictedSubmits.get(outcome).increment();
    }

    @Override
    public void connectionRefused(LimitScope scope) {
        switch (scope) {
            case GLOBAL, USERNAME ->
                families.counter("stratum_connection_limit_rejections_total", ByLabel.lower(scope))
                        .increment();
            case ADDRESS ->
                families.counter("stratum_ip_limit_rejections_total").increment();
            case EXTRANONCE -> {
                // no family: the space of extranonces is not a configured limit
            }
        }
    }

    @Override
    public void acceptExhausted() {
        families.counter("stratum_accept_resource_exhaustions_total").increment();
    }

    @Override
    public void connectionSetupFailed() {
        families.counter("stratum_connection_setup_failures_total").increment();
    }

    @Override
    public void disconnected(DisconnectReason reason) {
        switch (reason) {
            case HANDSHAKE_TIMEOUT ->
                families.counter("stratum_handshake_timeouts_total").increment();
            case LINE_TOO_LONG, ERROR_BUDGET, FOREIGN_PROTOCOL ->
                families.counter("stratum_protocol_error_disconnects_total", ByLabel.lower(reason))
                        .increment();
            default -> {
                // the other ends are counted by whoever decides them, or are no fault
            }
        }
    }

    @Override
    public void rejectThrottled() {
        families.counter("stratum_reject_throttles_total").increment();
    }

    @Override
    public void idleRetarget() {
        families.counter("vardiff_idle_retargets_total").increment();
    }

    @Override
    public void idleSweep(int inspected, long nanos) {
        families.counter("vardiff_idle_clients_inspected_total").add((long) inspected);
        families.histogram("vardiff_idle_sweep_seconds").observeNanos(nanos);
    }

    @Override
    public void idleSkipped(IdleSkip skip) {
        idleSkips.get(skip).increment();
    }

    @Override
    public void idleTask(long nanos, boolean failed) {
        families.histogram("vardiff_idle_retarget_task_seconds").observeNanos(nanos);
        if (failed) {
            families.counter("vardiff_idle_task_failures_total").increment();
        }
    }

    @Override
    public void resume(ResumeOutcome outcome) {
        resumes.get(outcome).increment();
    }

    @Override
    public void coinbaseBudgetExceeded(CoinbaseBudget budget) {
        families.counter("stratum_coinbase_budget_exceeded_total", ByLabel.lower(budget))
                .increment();
    }
}
