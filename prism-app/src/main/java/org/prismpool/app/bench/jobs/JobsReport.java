package org.prismpool.app.bench.jobs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Renders {@code qbit.prism.job-build-benchmark.v1}. Stateless. */
final class JobsReport {

    private static final String SCHEMA = "qbit.prism.job-build-benchmark.v1";

    private JobsReport() {}

    static ObjectNode json(JobsPlan plan, JobsResult result) {
        ObjectNode report = JsonNodeFactory.instance.objectNode();
        report.put("schema", SCHEMA);
        report.put("mode", plan.cached() ? "cached" : "uncached");
        report.put("clients", plan.clients());
        report.put("tip_flips", plan.flips());
        report.put("warm_up_flips", plan.warmUp());
        report.put("share_window", plan.shares());
        report.put("miners", plan.miners());
        report.put("ctv_settlement", plan.ctvSettlement());
        report.put("precomputed_payout_artifact", plan.precomputed());
        report.put("real_builder", plan.realBuilder());
        report.set("injected_latencies", latencies(plan.latencies()));
        List<Flip> flips = result.flips();
        report.set("first_job_seconds", new Spread(result.joined().nanos()).json());
        report.set(
                "sent_job_elapsed_seconds",
                new Spread(flips.stream().flatMap(f -> f.deliveries().stream()).toList()).json());
        report.set("full_refresh_wall_seconds", spread(flips, Flip::wall));
        report.set("injected_floor_seconds", spread(flips, Flip::floor));
        report.set("wall_over_floor_seconds", spread(flips, Flip::overhead));
        report.set("last_delivery_over_floor_seconds", spread(flips, Flip::lastOverhead));
        report.set("tip_to_first_delivery_seconds", spread(flips, Flip::first));
        report.set("tip_to_last_delivery_seconds", spread(flips, Flip::last));
        report.set("fanout_span_seconds", spread(flips, Flip::span));
        Map<String, Map<String, Double>> totals = result.totals();
        report.set("phase_totals_seconds", values(totals.getOrDefault("job_build_phase_seconds_total", Map.of())));
        report.set(
                "refresh_phase_totals_seconds", values(totals.getOrDefault("blockpoll_phase_seconds_sum", Map.of())));
        report.set("cache_hits", values(totals.getOrDefault("job_cache_hits_total", Map.of())));
        report.set("cache_misses", values(totals.getOrDefault("job_cache_misses_total", Map.of())));
        report.set("ipc_bytes", values(totals.getOrDefault("tip_refresh_builder_ipc_bytes_total", Map.of())));
        report.set("wave_outcomes", values(totals.getOrDefault("tip_refresh_wave_outcomes_total", Map.of())));
        report.put("getblocktemplate_calls", result.templateCalls());
        result.storm().ifPresent(storm -> report.set("storm", storm(plan, storm)));
        result.herd().ifPresent(herd -> report.set("herd", herd(plan, herd)));
        return report;
    }

    private static ObjectNode latencies(Latencies injected) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("gbt_seconds", Spread.seconds(injected.template().toNanos()));
        node.put("snapshot_seconds", Spread.seconds(injected.snapshot().toNanos()));
        node.put("stats_seconds", Spread.seconds(injected.stats().toNanos()));
        node.put("balances_seconds", Spread.seconds(injected.balances().toNanos()));
        node.put("reorg_watch_seconds", Spread.seconds(injected.reorgWatch().toNanos()));
        node.put("mark_mature_seconds", Spread.seconds(injected.markMature().toNanos()));
        node.put("rpc_small_seconds", Spread.seconds(injected.smallRpc().toNanos()));
        node.put("builder_seconds", Spread.seconds(injected.builder().toNanos()));
        return node;
    }

    private static ObjectNode spread(List<Flip> flips, ToLongFunction<Flip> part) {
        return new Spread(flips.stream().map(part::applyAsLong).toList()).json();
    }

    private static ObjectNode values(Map<String, Double> series) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        series.forEach(node::put);
        return node;
    }

    private static ObjectNode storm(JobsPlan plan, JobsResult.Storm storm) {
        ObjectNode node = joined(storm.joined());
        node.put("connections", plan.storm());
        node.put("pending_bound", plan.pendingFirstJobs());
        node.put("publication_admission_seconds", Spread.seconds(storm.admissionNanos()));
        node.put("calm_publication_admission_seconds", Spread.seconds(storm.calmAdmissionNanos()));
        node.put("tip_to_last_delivery_seconds", Spread.seconds(storm.flip().last()));
        return node;
    }

    private static ObjectNode herd(JobsPlan plan, JobsResult.Herd herd) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("connections", plan.herd());
        node.put("pending_bound", plan.pendingFirstJobs());
        node.set("arrival", joined(herd.arrival()));
        ArrayNode comebacks = node.putArray("comebacks");
        herd.comebacks().forEach(comeback -> comebacks.add(joined(comeback)));
        return node;
    }

    private static ObjectNode joined(WireClients.Joined joined) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("lost", joined.lost());
        node.put("retries", joined.retries());
        node.set("first_job_seconds", new Spread(joined.nanos()).json());
        return node;
    }
}
