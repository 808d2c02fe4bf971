package org.prismpool.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.prismpool.bundle.BuildPhase;
import org.prismpool.bundle.BundleMetrics;
import org.prismpool.delivery.CoverageView;
import org.prismpool.delivery.DeliveryMetrics;
import org.prismpool.delivery.DeliveryStats;
import org.prismpool.lifecycle.metrics.Exposition;
import org.prismpool.lifecycle.metrics.FamilyOrigin;
import org.prismpool.lifecycle.metrics.MetricCatalogue;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.metrics.MetricFamily;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.payout.finalization.FinalizationPhase;
import org.prismpool.payout.finalization.FinalizerMetrics;
import org.prismpool.payout.state.PayoutStateMetrics;
import org.prismpool.refresh.FanoutReport;
import org.prismpool.refresh.RefreshMetrics;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WaveOutcome;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.read.BlockCounts;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.RejectReason;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.StratumStats;
import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.LaneSnapshot;

class OwnerMetricsTest {

    private final ManualClock clock = new ManualClock();
    private final MetricFamilies families = families(true);
    private final OwnerMetrics owners = OwnerMetrics.of(families, true, clock);
    private final PoolGauges gauges = new PoolGauges(families, clock);

    private static MetricFamilies families(boolean durable) {
        return new MetricFamilies(UnfedFamilies.marked(MetricCatalogue.ofThePool(), durable)
                .withValues("vardiff_lane_accepted_shares_total", "lane", List.of("default"))
                .withValues("vardiff_lane_accepted_shares_per_second", "lane", List.of("default")));
    }

    private static List<String> lines(MetricFamilies families) {
        return new Exposition(families)
                .render(FamilyOrigin.COLLECTOR, FamilyOrigin.RECOVERY, FamilyOrigin.ADDED)
                .lines()
                .toList();
    }

    private void shows(String... series) {
        assertThat(lines(families))
                .contains(List.of(series).stream()
                        .map(line -> "qbit_prism_" + line)
                        .toArray(String[]::new));
    }

    @Test
    void submitsCountInTotalByReasonAndByWorker() {
        StratumMetrics port = owners.stratum();
        port.submitted("alice");
        port.submitted("alice");
        port.accepted("alice", "default", true);
        port.rejected(RejectReason.STALE_JOB, Optional.of("alice"));
        port.rejected(RejectReason.DUPLICATE_SHARE, Optional.empty());
        port.shareAckNanos(false, 1_500_000_000L);
        gauges.showRates();

        shows(
                "submitted_shares_total 2",
                "stale_shares_total 1",
                "duplicate_shares_total 1",
                "low_difficulty_shares_total 0",
                "rejections_total{reason_id=\"stale-job\"} 1",
                "rejections_total{reason_id=\"duplicate-share\"} 1",
                "worker_submitted_shares_total{worker=\"alice\"} 2",
                "worker_accepted_shares_total{worker=\"alice\"} 1",
                "worker_grace_credited_shares_total{worker=\"alice\"} 1",
                "worker_rejections_total{worker=\"alice\",reason_id=\"stale-job\"} 1",
                "vardiff_lane_accepted_shares_total{lane=\"default\"} 1",
                "share_ack_seconds_sum{result=\"rejected\"} 1.500000",
                "stale_share_percent 50");
    }

    @Test
    void refusedAndLostConnectionsCountByCause() {
        StratumMetrics port = owners.stratum();
        port.connectionRefused(StratumMetrics.LimitScope.GLOBAL);
        port.connectionRefused(StratumMetrics.LimitScope.ADDRESS);
        port.connectionRefused(StratumMetrics.LimitScope.EXTRANONCE);
        port.disconnected(DisconnectReason.HANDSHAKE_TIMEOUT);
        port.disconnected(DisconnectReason.ERROR_BUDGET);
        port.disconnected(DisconnectReason.PEER);

        shows(
                "stratum_connection_limit_rejections_total{scope=\"global\"} 1",
                "stratum_connection_limit_rejections_total{scope=\"username\"} 0",
                "stratum_ip_limit_rejections_total 1",
                "stratum_handshake_timeouts_total 1",
                "stratum_protocol_error_disconnects_total{class=\"error_budget\"} 1");
    }

    @Test
    void sessionsDeliveryAndBuildsAreReadFromTheirSnapshots() {
        gauges.show(new StratumStats(7, 100, 9, 6, 5, 2, 1, 3, 0, 0, 243, 689, Map.of("default", 0.5)));
        gauges.show(new DeliveryStats(
                5, 2, 1, 1, 4, OptionalLong.of(3_000_000_000L), OptionalLong.of(2_000_000_000L), 8, 9, 16, 10, 11, 12));
        gauges.show(new CoverageView(4, 3, 4, 0, 1));

        shows(
                "stratum_active_connections 7",
                "stratum_oldest_genuinely_pending_initial_job_seconds 2",
                "job_delivery_queue_depth 9",
                "job_delivery_active_workers 8",
                "tip_refresh_executor_workers 16",
                "active_job_contexts 10",
                "clients_with_no_active_job 1",
                "connected_clients 7",
                "stratum_connection_limit 100",
                "stratum_authorized_clients 5",
                "vardiff_lane_accepted_shares_per_second{lane=\"default\"} 0.5",
                "stratum_pending_initial_jobs 2",
                "stratum_oldest_pending_initial_job_seconds 3",
                "tip_refresh_inflight 8",
                "evicted_job_contexts{class=\"stale_grace\"} 12",
                "stratum_current_tip_job_coverage 0.75",
                "stratum_semantic_current_work_ratio 1",
                "clients_without_current_tip_job 1");
    }

    @Test
    void aPoolWithoutClientsIsFullyCovered() {
        gauges.show(new CoverageView(0, 0, 0, 0, 0));

        shows("stratum_current_tip_job_coverage 1", "stratum_semantic_current_work_ratio 1");
    }

    @Test
    void theBacklogOfFoundBlocksIsUnknownBeforeTheOutboxWasRead() {
        OptionalLong none = OptionalLong.empty();
        gauges.show(new LaneSnapshot(0, 0, none, none, none, none, false, true));
        shows("block_candidates_pending -1", "block_candidate_oldest_unattempted_seconds -1");

        OptionalLong second = OptionalLong.of(1_000_000_000L);
        gauges.show(new LaneSnapshot(2, 1, second, none, second, none, true, true));
        shows(
                "block_candidates_pending 2",
                "block_candidates_parked 1",
                "block_candidate_oldest_pending_seconds 1",
                "block_candidate_oldest_unattempted_seconds 0",
                "block_submitter_retry_backoff_active 1",
                "block_submitter_retry_backoff_seconds 1");
    }

    @Test
    void anAbandonedBlockIsNoShareRejection() {
        owners.candidates().offerAnswered(20_000_000L);
        owners.candidates().abandoned(AbandonReason.TIP_MOVED);
        owners.candidates().abandoned(AbandonReason.SUBMITBLOCK_REJECTED);

        shows(
                "block_submit_seconds_bucket{le=\"0.025\"} 1",
                "block_candidates_abandoned_total{reason_id=\"stale-job\"} 1",
                "block_candidates_abandoned_total{reason_id=\"submitblock-rejected\"} 1",
                "stale_job_abandons_total{class=\"tip_moved\"} 1",
                "rejections_total{reason_id=\"submitblock-rejected\"} 0");
    }

    @Test
    void aLedgerThatMeasuresItsCallsIsNotCountedTwice() {
        owners.ledger().blockCall(LedgerMetrics.CallClass.LANDING, Duration.ofSeconds(30), Duration.ofSeconds(2), true);
        owners.ledger()
                .blockCall(LedgerMetrics.CallClass.LANDING, Duration.ofSeconds(60), Duration.ofSeconds(1), false);
        owners.finalizer().ledgerCall(FinalizerMetrics.CallClass.LANDING, 1L, 1L, true);
        owners.ledger().priorBalancesRead(Duration.ofMillis(500));

        shows(
                "block_ledger_calls_total{call_class=\"landing\"} 2",
                "block_ledger_call_timeouts_total{call_class=\"landing\"} 1",
                "block_ledger_call_budget_seconds{call_class=\"landing\"} 60",
                "block_ledger_call_last_duration_seconds{call_class=\"landing\"} 1",
                "block_ledger_call_max_duration_seconds{call_class=\"landing\"} 2",
                "prior_balances_reads_total 1",
                "prior_balances_read_max_seconds 0.5");
    }

    @Test
    void aLedgerInMemoryLeavesTheCallsToTheFinalizerAndShowsNoBalanceReads() {
        MetricFamilies memory = families(false);
        OwnerMetrics.of(memory, false, clock)
                .finalizer()
                .ledgerCall(FinalizerMetrics.CallClass.FAST, 1_000_000_000L, 250_000_000L, false);

        assertThat(lines(memory))
                .contains("qbit_prism_block_ledger_calls_total{call_class=\"fast\"} 1")
                .contains("qbit_prism_prior_balances_reads_total 0");
    }

    @Test
    void finalizationsAreTimedByPhaseAndFromStartToStart() {
        owners.finalizer().phase(FinalizationPhase.ADMISSION, 0);
        clock.advance(Duration.ofSeconds(4));
        owners.finalizer().phase(FinalizationPhase.ADMISSION, 1_000_000_000L);
        owners.finalizer().accounted("00".repeat(205));

        shows(
                "block_finalization_phase_seconds_max{phase=\"admission\"} 1.000000",
                "block_candidate_interarrival_seconds_min 3.000000",
                "block_candidate_interarrival_seconds_count 1",
                "coinbase_weight_headroom_bytes 1999795");
    }

    @Test
    void refreshesCountTheirClientsAndTimes() {
        FanoutReport.Times times =
                new FanoutReport.Times(OptionalLong.of(10), OptionalLong.of(20), OptionalLong.of(1_000_000_010L));
        owners.refresh().fanout(new FanoutReport(5, 2, 1, 0, 0, 0, FanoutReport.End.COMPLETE, times), 10);
        owners.refresh().wave(WaveOutcome.COMPLETED, 1);
        owners.refresh().timeout(TimeoutLabel.JOB_FANOUT);
        owners.refresh().reconcileLookup(RefreshMetrics.ReconcileSource.OVERLAP);

        shows(
                "tip_refresh_jobs_total 5",
                "tip_refresh_clients_total{result=\"skipped\"} 2",
                "tip_refresh_fanout_wave_seconds_sum 1.000000",
                "tip_refresh_last_delivery_seconds_sum 1.000000",
                "tip_refresh_wave_outcomes_total{outcome=\"completed\"} 1",
                "tip_refresh_seconds_count 1",
                "blockpoll_timeouts_total{phase=\"job_fanout\"} 1",
                "reorg_reconcile_lookups_total{path=\"tip_refresh\",source=\"overlap\"} 1");
    }

    @Test
    void buildsAndDeliveriesShareTheTimeByPhase() {
        owners.bundles().build(BundleMetrics.Build.STARTS);
        owners.bundles().phase(BuildPhase.LEDGER_SNAPSHOT, 2_000_000_000L);
        owners.bundles().cache(true);
        owners.delivery().stage(DeliveryMetrics.Stage.STAMP, 500_000_000L);
        owners.delivery().stage(DeliveryMetrics.Stage.EXECUTOR_QUEUE, 500_000_000L);
        owners.delivery().firstJob(DeliveryMetrics.FirstJobResult.COALESCED);
        owners.delivery().coverage(95, 1);
        owners.templates().templateStored(1_000_000_000L, 3, false);

        shows(
                "job_build_starts_total 1",
                "shared_bundle_builds_total{result=\"started\"} 1",
                "tip_refresh_bundle_phase_seconds_sum{phase=\"ledger_snapshot\"} 2.000000",
                "job_build_phase_seconds_total{phase=\"ledger\"} 2",
                "job_build_phase_seconds_total{phase=\"stamp\"} 0.5",
                "job_build_phase_seconds_total{phase=\"template\"} 1",
                "job_cache_hits_total{cache=\"bundle\"} 1",
                "job_cache_misses_total{cache=\"template\"} 1",
                "initial_job_requests_total{result=\"coalesced\"} 1",
                "stratum_initial_job_tasks_total{result=\"coalesced\"} 1",
                "tip_refresh_hashrate_coverage_seconds_count{coverage=\"95\"} 1");
    }

    @Test
    void payoutAndReorgEventsCount() {
        owners.payout().artifact(PayoutStateMetrics.ArtifactEvent.BORN_EXPIRED);
        owners.payout().gateWait(PayoutStateMetrics.Relation.STALE, 1);
        shows(
                "payout_artifact_events_total{event=\"born_expired\"} 1",
                "payout_gate_wait_seconds_count{generation=\"stale\"} 1",
                "pool_blocks_mature_off_chain -1");

        owners.reorg().matureOffChain(2);
        owners.reorg().failed();
        new BackendGauges(families, Duration.ofSeconds(1), clock)
                .show(new BlockCounts(Map.of(ChainState.CONFIRMED, 3L, ChainState.INACTIVE, 1L), 4));
        shows(
                "pool_blocks_mature_off_chain 2",
                "reorg_reconcile_errors_total 1",
                "persisted_blocks 4",
                "inactive_pool_blocks 1",
                "owed_accounts 4");
    }

    @Test
    void everyFamilyIsRenderedAndTheUnfedOnesSaySo() {
        MetricCatalogue whole = MetricCatalogue.ofThePool();
        List<String> unfed = UnfedFamilies.names();
        List<MetricFamily> marked = UnfedFamilies.marked(whole, false).families();

        assertThat(marked)
                .extracting(MetricFamily::name)
                .containsExactlyElementsOf(
                        whole.families().stream().map(MetricFamily::name).toList())
                .containsAll(unfed);
        assertThat(marked.stream()
                        .filter(family -> family.help().endsWith(UnfedFamilies.REMARK))
                        .map(MetricFamily::name))
                .containsExactlyInAnyOrderElementsOf(unfed);
        shows("serve_builder_events_total{event=\"spawns\"} 0", "job_build_phase_seconds_total{phase=\"merkle\"} 0");
    }
}
