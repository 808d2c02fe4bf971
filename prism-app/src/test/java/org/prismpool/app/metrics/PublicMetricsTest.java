package org.prismpool.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.metrics.MetricsDocument;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.templates.rpc.RpcMethod;
import org.prismpool.templates.rpc.RpcMetrics;

class PublicMetricsTest {

    private final PublicMetrics metrics = new PublicMetrics();
    private final MetricsDocument document = metrics.document(() -> 7, new ManualClock());

    private List<String> lines() throws InterruptedException {
        assertThat(document.collect()).isTrue();
        return document.latest().body().lines().toList();
    }

    @Test
    void showsTheFamiliesThatThisProcessFeedsAndNoneOfACoordinator() throws Exception {
        assertThat(lines().stream()
                        .filter(line -> line.startsWith("# TYPE qbit_prism_"))
                        .map(line -> line.split(" ")[2].substring("qbit_prism_".length())))
                .containsExactlyInAnyOrder(
                        "node_rpc_calls_total",
                        "node_rpc_seconds",
                        "node_rpc_retries_total",
                        "node_rpc_inflight",
                        "process_resident_memory_bytes",
                        "process_open_file_descriptors",
                        "log_events_dropped_total",
                        "public_http_rejections_total",
                        "metrics_snapshot_available",
                        "metrics_snapshot_stale",
                        "metrics_snapshot_age_seconds",
                        "metrics_collector_running",
                        "metrics_collection_successes_total",
                        "metrics_collection_failures_total",
                        "metrics_snapshot_generation");
    }

    @Test
    void countsRefusalsNodeCallsAndDroppedEvents() throws Exception {
        metrics.rateLimited();
        metrics.rateLimited();
        metrics.busy();
        metrics.node().started(RpcMethod.GET_BLOCKCHAIN_INFO);
        metrics.node().ended(RpcMethod.GET_BLOCKCHAIN_INFO, RpcMetrics.Outcome.TIMEOUT, 20_000_000);

        assertThat(lines())
                .contains(
                        "qbit_prism_public_http_rejections_total{reason=\"rate_limited\"} 2",
                        "qbit_prism_public_http_rejections_total{reason=\"busy\"} 1",
                        "qbit_prism_node_rpc_calls_total{method=\"getblockchaininfo\",outcome=\"timeout\"} 1",
                        "qbit_prism_node_rpc_seconds_bucket{method=\"getblockchaininfo\",le=\"0.025\"} 1",
                        "qbit_prism_log_events_dropped_total 7");
    }
}
