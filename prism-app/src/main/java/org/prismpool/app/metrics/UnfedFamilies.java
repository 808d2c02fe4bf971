package org.prismpool.app.metrics;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.prismpool.lifecycle.metrics.MetricCatalogue;

/**
 * The families of the contract that nothing in this program feeds. They are left out of the document: a reader takes a zero
 * for a measurement, and an alert on a series that can only be zero never fires. An absent series says what is true.
 *
 * <p>A family leaves the list together with the change that feeds it. The same holds for the phases of job builds.
 */
public final class UnfedFamilies {

    private static final List<String> NEVER = List.of(
            // parts that this program does not have: a control-plane lock, a separate builder process, a fan-out pool
            "coordinator_lock_contentions_total",
            "coordinator_lock_wait_seconds",
            "coordinator_lock_wait_seconds_max",
            "job_build_worker_events_total",
            "tip_refresh_builder_worker_failures_total",
            "tip_refresh_builder_worker_restarts_total",
            "tip_refresh_builder_ipc_bytes_total",
            "serve_builder_events_total",
            "serve_builder_window_cache_total",
            "bundle_compiler_shadow_total",
            "job_delivery_queue_depth",
            "job_delivery_active_workers",
            "tip_refresh_executor_workers",
            // work that this program does not do while it serves
            "shares_recovered_to_disk_total",
            "shares_replayed_total",
            "share_replay_conflicts_total",
            "ctv_fanouts_pending",
            "ctv_fanouts_broadcastable",
            "ctv_fanouts_failed",
            "ctv_fanout_broadcaster_processed_rows_total",
            "ctv_fanout_broadcaster_pass_seconds",
            "ctv_fanout_broadcaster_tip_refresh_yields_total",
            "ctv_fanout_broadcaster_chunk_seconds",
            "ctv_fanout_broadcaster_chunk_rows",
            "public_http_rejections_total",
            // numbers that their owners do not report
            "stratum_oldest_genuinely_pending_initial_job_seconds",
            "active_job_contexts",
            "clients_with_no_active_job",
            "tip_refresh_bundle_queue_depth",
            "tip_refresh_bundle_singleflight_hits_total",
            "shared_bundle_preparation_waiters",
            "job_keepalives_total",
            "node_rpc_calls_total",
            "node_rpc_seconds",
            "node_rpc_retries_total",
            "node_rpc_inflight",
            "audit_artifact_bytes",
            "audit_artifact_files",
            "audit_artifact_scan_error",
            "log_events_dropped_total",
            "config_warnings");

    private static final List<String> ONLY_IN_A_DATABASE = List.of(
            "prior_balances_reads_total", "prior_balances_read_last_seconds", "prior_balances_read_max_seconds");

    private static final String BUILD_PHASES = "job_build_phase_seconds_total";
    // No time is measured for these phases.
    private static final Set<String> UNMEASURED =
            Set.of("merkle", "input_serialization", "worker", "executor_queue", "send");

    private UnfedFamilies() {}

    /**
     * Leaves the unfed families out.
     *
     * @param whole catalogue of the pool
     * @param durable whether the ledger is in a database; what only a database measures is unfed without one
     * @return the families that are fed, in the same order
     */
    public static MetricCatalogue left(MetricCatalogue whole, boolean durable) {
        MetricCatalogue fed = MetricCatalogue.of(
                whole.prefix(),
                whole.families().stream()
                        .filter(family -> !NEVER.contains(family.name()))
                        .filter(family -> durable || !ONLY_IN_A_DATABASE.contains(family.name()))
                        .toList());
        List<String> measured = fed.family(BUILD_PHASES).orElseThrow().labels().get(0).values().stream()
                .filter(phase -> !UNMEASURED.contains(phase))
                .toList();
        return fed.withValues(BUILD_PHASES, "phase", measured);
    }

    /**
     * Returns the names of all families that may be left out.
     *
     * @return names without prefix
     */
    static List<String> names() {
        return Stream.concat(NEVER.stream(), ONLY_IN_A_DATABASE.stream()).toList();
    }
}
