package org.prismpool.lifecycle.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;

/** Holds the declared and the rendered families against the contract's list. */
class MetricContractTest {

    /** The families that the contract does not have; the list is that of spec 08 section 6.5. */
    private static final Set<String> ADDED = Set.of(
            "vardiff_sessions_at_max_difficulty",
            "vardiff_resume_retained_sessions",
            "vardiff_lane_accepted_shares_total",
            "vardiff_lane_accepted_shares_per_second",
            "vardiff_resume_total",
            "stratum_handshake_timeouts_total",
            "stratum_ip_limit_rejections_total",
            "stratum_protocol_error_disconnects_total",
            "node_rpc_calls_total",
            "node_rpc_seconds",
            "node_rpc_retries_total",
            "node_rpc_inflight",
            "bundle_compiler_shadow_total",
            "bundle_compiler_wedged",
            "pool_block_reinstatements_total",
            "pool_blocks_mature_off_chain",
            "block_candidates_parked",
            "block_candidate_spool_files",
            "stratum_reject_throttles_total",
            "job_keepalives_total",
            "stratum_coinbase_bytes",
            "stratum_notify_bytes",
            "stratum_coinbase_budget_exceeded_total",
            "service_restarts_total",
            "log_events_dropped_total",
            "config_warnings",
            "public_http_rejections_total");

    private static final Set<String> ABSENT_BEFORE_THE_FIRST_VALUE =
            Set.of("qbit_prism_accepted_stats_reconcile_age_seconds", "qbit_prism_startup_phase_seconds");

    private final MetricFamilies families = new MetricFamilies(MetricCatalogue.ofThePool());

    @Test
    void theDocumentHasTheContractsFamiliesAndTheAddedOnes() throws Exception {
        families.gauge("accepted_stats_reconcile_age_seconds").set(1);
        families.gauge("startup_phase_seconds", "node_rpc_ready").set(1);
        ParsedExposition document = document();

        Map<String, String> expected = new LinkedHashMap<>();
        contract()
                .get("families")
                .forEach(family -> expected.put(
                        family.get("name").asText(), family.get("type").asText()));
        assertThat(expected).hasSize(218);
        Map<String, String> rendered = new LinkedHashMap<>(document.types());
        Map<String, String> added = new LinkedHashMap<>(rendered);
        added.keySet().removeAll(expected.keySet());
        rendered.keySet().retainAll(expected.keySet());

        assertThat(rendered).isEqualTo(expected);
        assertThat(added.keySet().stream().map(name -> name.replaceFirst("qbit_prism_", "")))
                .containsExactlyInAnyOrderElementsOf(ADDED);
    }

    @Test
    void twoFamiliesAreAbsentBeforeTheirFirstValue() throws Exception {
        Set<String> missing = new LinkedHashSet<>();
        contract()
                .get("families")
                .forEach(family -> missing.add(family.get("name").asText()));
        missing.removeAll(document().types().keySet());

        assertThat(missing).isEqualTo(ABSENT_BEFORE_THE_FIRST_VALUE);
    }

    @Test
    void everySeriesOfAClosedFamilyIsThereFromZero() throws Exception {
        ParsedExposition document = document();
        for (JsonNode family : contract().get("families")) {
            String name = family.get("name").asText();
            if (!closed(family) || ABSENT_BEFORE_THE_FIRST_VALUE.contains(name)) {
                continue;
            }
            List<Map<String, String>> expected = combinations(family.get("labels"));
            List<Map<String, String>> rendered = new ArrayList<>();
            for (ParsedExposition.Sample sample : document.samples(name)) {
                Map<String, String> labels = new LinkedHashMap<>(sample.labels());
                labels.remove("le");
                if (!rendered.contains(labels)) {
                    rendered.add(labels);
                }
                String zero = sample.value().equals("0.000000") ? "0" : sample.value();
                boolean unavailable = name.equals("qbit_prism_metrics_snapshot_age_seconds")
                        || name.equals("qbit_prism_metrics_snapshot_stale");
                assertThat(unavailable || zero.equals("0")).as(sample.series()).isTrue();
            }
            assertThat(rendered).as(name).isEqualTo(expected);
        }
    }

    @Test
    void histogramsHaveTheContractsBuckets() throws Exception {
        ParsedExposition document = document();
        int histograms = 0;
        for (JsonNode family : contract().get("families")) {
            if (!family.has("buckets")) {
                continue;
            }
            histograms++;
            List<String> expected = new ArrayList<>();
            family.get("buckets").forEach(bound -> expected.add(bound.asText()));
            String name = family.get("name").asText();
            Set<String> bounds = new LinkedHashSet<>();
            document.samples(name).stream()
                    .filter(sample -> sample.name().equals(name + "_bucket"))
                    .forEach(sample -> bounds.add(sample.labels().get("le")));
            assertThat(bounds).as(name).containsExactlyElementsOf(expected);
        }
        assertThat(histograms).isEqualTo(20);
    }

    @Test
    void summariesHaveSumAndCountAndTheirExtreme() throws Exception {
        ParsedExposition document = document();
        int summaries = 0;
        for (JsonNode family : contract().get("families")) {
            if (!family.get("type").asText().equals("summary")) {
                continue;
            }
            summaries++;
            String name = family.get("name").asText();
            Set<String> expected = new LinkedHashSet<>(List.of(name + "_sum", name + "_count"));
            family.path("extra_series").forEach(extra -> expected.add(extra.asText()));
            Set<String> rendered = new LinkedHashSet<>();
            document.samples(name).forEach(sample -> rendered.add(sample.name()));
            assertThat(rendered).as(name).isEqualTo(expected);
        }
        assertThat(summaries).isEqualTo(8);
    }

    @Test
    void everyRejectionReasonIsExportedFromZero() {
        assertThat(document().samples("qbit_prism_rejections_total"))
                .hasSize(16)
                .allMatch(sample -> sample.value().equals("0"));
        assertThat(document().value("qbit_prism_rejections_total{reason_id=\"pool-closed\"}"))
                .contains("0");
    }

    @Test
    void theDocumentFollowsTheOrderOfTheContract() throws Exception {
        List<String> expected = new ArrayList<>();
        contract().get("families").forEach(family -> {
            if (!family.get("origin").asText().equals("scrape")) {
                expected.add(family.get("name").asText());
            }
        });
        expected.removeAll(ABSENT_BEFORE_THE_FIRST_VALUE);
        List<String> rendered = new ArrayList<>(document().types().keySet());
        rendered.removeIf(name -> !expected.contains(name));

        assertThat(rendered).containsExactlyElementsOf(expected);
    }

    private ParsedExposition document() {
        MetricsDocument document = new MetricsDocument(families, List.of(), Duration.ofSeconds(5), new ManualClock());
        String text =
                new Exposition(families).render(FamilyOrigin.COLLECTOR, FamilyOrigin.RECOVERY, FamilyOrigin.ADDED);
        return new ParsedExposition(text + document.latest().body());
    }

    private static boolean closed(JsonNode family) {
        for (JsonNode label : family.get("labels")) {
            if (label.get("values").isNull()) {
                return false;
            }
        }
        return true;
    }

    private static List<Map<String, String>> combinations(JsonNode labels) {
        List<Map<String, String>> combinations = List.of(Map.of());
        for (JsonNode label : labels) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> start : combinations) {
                label.get("values").forEach(value -> {
                    Map<String, String> next = new LinkedHashMap<>(start);
                    next.put(label.get("name").asText(), value.asText());
                    longer.add(next);
                });
            }
            combinations = longer;
        }
        return combinations;
    }

    private static JsonNode contract() throws IOException {
        return new ObjectMapper().readTree(MetricContractTest.class.getResourceAsStream("/vectors/metric-names.json"));
    }
}
