package org.prismpool.app.metrics;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.prismpool.lifecycle.metrics.MetricCatalogue;

/**
 * The families of the contract that nothing in this program feeds. They are in the document at 0, as the contract wants, and
 * their help says that the 0 is no measurement: an alert on them never fires.
 *
 * <p>A family leaves the list together with the change that feeds it. The same holds for the phases of job builds.
 */
public final class UnfedFamilies {

    private static final List<String> NEVER = List.of(
            // a part that this program does not have: a builder process that stays
            "serve_builder_events_total",
            "serve_builder_window_cache_total",
            // work that this program does not do while it serves
            "shares_recovered_to_disk_total",
            "ctv_fanouts_pending",
            "ctv_fanouts_broadcastable",
            "ctv_fanouts_failed",
            "ctv_fanout_broadcaster_processed_rows_total",
            "ctv_fanout_broadcaster_pass_seconds",
            "ctv_fanout_broadcaster_tip_refresh_yields_total",
            "ctv_fanout_broadcaster_chunk_seconds",
            "ctv_fanout_broadcaster_chunk_rows");

    private static final List<String> ONLY_IN_A_DATABASE = List.of(
            "prior_balances_reads_total", "prior_balances_read_last_seconds", "prior_balances_read_max_seconds");

    /** End of the help of an unfed family. */
    static final String REMARK = "This program does not measure it: always 0";

    private static final String BUILD_PHASES = "job_build_phase_seconds_total";
    // No time is measured for these phases.
    private static final Set<String> UNMEASURED = Set.of("merkle", "send");

    private UnfedFamilies() {}

    /**
     * Marks the unfed families.
     *
     * @param whole catalogue of the pool
     * @param durable whether the ledger is in a database; what only a database measures is unfed without one
     * @return all its families in the same order, with a remark in the help of those that are not fed
     */
    public static MetricCatalogue marked(MetricCatalogue whole, boolean durable) {
        MetricCatalogue marked = whole;
        for (String name : durable ? NEVER : names()) {
            marked = marked.withRemark(name, REMARK);
        }
        return marked.withRemark(
                BUILD_PHASES,
                "This program does not time the phases "
                        + UNMEASURED.stream().sorted().collect(Collectors.joining(", ")));
    }

    /**
     * Returns the names of all families that may be unfed.
     *
     * @return names without prefix
     */
    static List<String> names() {
        return Stream.concat(NEVER.stream(), ONLY_IN_A_DATABASE.stream()).toList();
    }
}
