package org.prismpool.app.metrics;

import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.prismpool.bundle.BundleService;
import org.prismpool.bundle.BundleStatus;
import org.prismpool.delivery.CoverageView;
import org.prismpool.delivery.DeliveryStats;
import org.prismpool.delivery.JobDelivery;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.metrics.MetricSource;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.sharewriter.AcceptedStats;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.stratum.StratumServer;
import org.prismpool.stratum.StratumStats;
import org.prismpool.templates.block.CandidateLane;
import org.prismpool.templates.block.LaneSnapshot;

/** Shows the owners' snapshots as gauges, one consistent snapshot of each per document. Reads memory only. */
public final class PoolGauges {

    private static final double UNREADABLE = -1;

    private final MetricFamilies families;
    private final MonotonicClock clock;
    private final long startNanos;

    /**
     * Creates the binding; the uptime is counted from here.
     *
     * @param families series of the catalogue of {@link UnfedFamilies#marked}
     * @param clock monotonic clock
     */
    public PoolGauges(MetricFamilies families, MonotonicClock clock) {
        this.families = families;
        this.clock = clock;
        this.startNanos = clock.nanoTime();
    }

    /**
     * Binds what the configuration alone decides.
     *
     * @param vardiff whether difficulties vary
     * @param pendingFirstJobs bound of the clients that wait for a first job
     */
    public void configured(boolean vardiff, int pendingFirstJobs) {
        set("vardiff_enabled", vardiff ? 1 : 0);
        set("stratum_pending_initial_job_limit", pendingFirstJobs);
    }

    /**
     * Binds the sessions.
     *
     * @param server whose connections are shown
     * @return source for the document
     */
    public MetricSource stratum(StratumServer server) {
        return Reading.of("stratum", () -> show(server.stats()));
    }

    void show(StratumStats now) {
        set("stratum_active_connections", now.activeConnections());
        set("connected_clients", now.activeConnections());
        set("stratum_connection_limit", now.connectionLimit());
        set("stratum_peak_active_connections", now.peakConnections());
        set("stratum_subscribed_connections", now.subscribed());
        set("stratum_subscribed_clients", now.subscribed());
        set("stratum_authorized_connections", now.authorized());
        set("stratum_authorized_clients", now.authorized());
        set("stratum_handler_threads", now.ioThreads());
        set("vardiff_sessions_at_max_difficulty", now.atMaxDifficulty());
        set("vardiff_resume_retained_sessions", now.rememberedDifficulties());
        set("vardiff_idle_queue_depth", now.idleQueued());
        set("vardiff_idle_inflight", now.idleRunning());
        set("stratum_coinbase_bytes", now.coinbaseBytes());
        set("stratum_notify_bytes", now.notifyBytes());
        now.acceptedPerSecond()
                .forEach((lane, rate) -> families.gauge("vardiff_lane_accepted_shares_per_second", lane)
                        .set(rate));
    }

    /**
     * Binds job delivery.
     *
     * @param delivery whose queues and coverage are shown
     * @return source for the document
     */
    public MetricSource delivery(JobDelivery<?, ?> delivery) {
        return Reading.of("delivery", () -> {
            show(delivery.stats());
            show(delivery.coverage());
        });
    }

    void show(DeliveryStats now) {
        set("stratum_pending_initial_jobs", now.firstJobsPending());
        set("initial_job_deliveries_pending", now.firstJobsPending());
        set("stratum_oldest_pending_initial_job_seconds", seconds(now.oldestFirstJobNanos()));
        set("initial_job_delivery_queue_depth", now.firstJobsQueued());
        set("initial_job_delivery_tasks_inflight", now.firstJobsRunning());
        set("initial_job_delivery_active_workers", now.firstJobsRunning());
        set("initial_job_delivery_configured_workers", now.firstJobWorkers());
        set("stratum_oldest_genuinely_pending_initial_job_seconds", seconds(now.oldestUnservedNanos()));
        set("tip_refresh_inflight", now.fanoutInFlight());
        set("job_delivery_active_workers", now.fanoutInFlight());
        set("job_delivery_queue_depth", now.fanoutQueued());
        set("tip_refresh_executor_workers", now.fanoutWidth());
        set("active_job_contexts", now.activeJobs());
        families.gauge("evicted_job_contexts", "same_tip").set(now.retainedSameTip());
        families.gauge("evicted_job_contexts", "stale_grace").set(now.retainedStaleGrace());
    }

    void show(CoverageView now) {
        set("stratum_clients_with_current_tip_jobs", now.current());
        set("clients_with_current_tip_job", now.current());
        set("clients_with_no_active_job", now.withoutJob());
        set("clients_without_current_tip_job", Math.max(0, now.eligible() - now.current()));
        set("stratum_current_tip_job_coverage", ratio(now.current(), now.eligible()));
        set("current_tip_job_coverage_ratio", ratio(now.current(), now.eligible()));
        set("stratum_semantic_current_work_ratio", ratio(now.semantic(), now.eligible()));
    }

    /** Full coverage is what a pool without clients has. */
    private static double ratio(int part, int whole) {
        return whole == 0 ? 1 : (double) part / whole;
    }

    /**
     * Binds found blocks.
     *
     * @param lane whose backlog is shown
     * @param accounted blocks accounted by this process; must not block
     * @return source for the document
     */
    public MetricSource candidates(CandidateLane lane, LongSupplier accounted) {
        families.counter("blocks_accepted_total").readFrom(accounted::getAsLong);
        return Reading.of("candidates", () -> show(lane.snapshot()));
    }

    void show(LaneSnapshot now) {
        // The durable backlog is not known before the outbox was read to its end.
        set("block_candidates_pending", now.enumerated() ? now.pending() : UNREADABLE);
        set("block_candidate_oldest_pending_seconds", backlogAge(now, now.oldestPendingNanos()));
        set("block_candidate_oldest_unattempted_seconds", backlogAge(now, now.oldestUnattemptedNanos()));
        set("block_candidates_parked", now.enumerated() ? now.parked() : UNREADABLE);
        set("block_submitter_retry_backoff_active", now.backoffNanos().isPresent() ? 1 : 0);
        set("block_submitter_retry_backoff_seconds", seconds(now.backoffNanos()));
        set("block_submitter_retry_backoff_remaining_seconds", seconds(now.backoffRemainingNanos()));
    }

    private static double backlogAge(LaneSnapshot now, OptionalLong nanos) {
        return now.enumerated() || nanos.isPresent() ? seconds(nanos) : UNREADABLE;
    }

    /**
     * Binds the accepted shares and the writer's queue.
     *
     * @param writer whose queue is shown
     * @param stats maintained totals of the ledger
     * @return source for the document
     */
    public MetricSource shares(ShareWriter writer, AcceptedStats stats) {
        families.counter("accepted_shares_total").readFrom(() -> stats.totals().acceptedShares());
        return Reading.of("shares", () -> {
            set("share_append_queue_depth", writer.depth());
            stats.confirmedAge().ifPresent(age -> set("accepted_stats_reconcile_age_seconds", Seconds.of(age)));
            showRates();
        });
    }

    void showRates() {
        double uptime = Seconds.of(clock.nanoTime() - startNanos);
        double accepted = families.counter("accepted_shares_total").value();
        double submitted = families.counter("submitted_shares_total").value();
        double stale = families.counter("stale_shares_total").value();
        set("shares_per_second", uptime > 0 ? accepted / uptime : 0);
        set("stale_share_percent", submitted > 0 ? 100 * stale / submitted : 0);
    }

    /**
     * Binds the accepted parents.
     *
     * @param payout whose barrier is shown
     * @return source for the document
     */
    public MetricSource payout(PayoutState payout) {
        return Reading.of("payout", () -> {
            int unresolved = payout.parents().unresolved();
            set("accepted_parent_unresolved_transitions", unresolved);
            set(
                    "accepted_parent_unresolved_oldest_seconds",
                    unresolved == 0 ? UNREADABLE : Seconds.of(payout.parents().oldestUnresolvedAge()));
        });
    }

    /**
     * Binds the builds.
     *
     * @param bundles whose scheduler is shown
     * @return source for the document
     */
    public MetricSource bundles(BundleService bundles) {
        return Reading.of("bundles", () -> show(bundles.status()));
    }

    void show(BundleStatus now) {
        set("job_build_active", now.active());
        set("tip_refresh_bundle_inflight", now.active());
        set("job_build_pending", now.pending());
        set("tip_refresh_bundle_queue_depth", now.waiting());
        set("shared_bundle_preparation_waiters", now.waiting());
        set("job_build_priority_active", now.priorityActive() > 0 ? 1 : 0);
        set("job_build_priority_age_seconds", Seconds.of(now.priorityAgeNanos()));
        set("job_build_configured_workers", now.configuredWorkers());
        set("bundle_compiler_wedged", now.wedged());
    }

    private void set(String family, double value) {
        families.gauge(family).set(value);
    }

    private static double seconds(OptionalLong nanos) {
        return Seconds.of(nanos.orElse(0));
    }
}
