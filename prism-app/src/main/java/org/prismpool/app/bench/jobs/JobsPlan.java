package org.prismpool.app.bench.jobs;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What a measurement does.
 *
 * @param cached whether templates, bundles and proofs may be reused
 * @param clients connected miners, 1 or more
 * @param flips tip changes that are measured, 0 or more
 * @param warmUp tip changes before them at full speed, without injected time and not measured, 0 or more
 * @param shares of the reward window, 1 or more
 * @param miners among whom the shares are dealt out, 1 or more
 * @param ctvSettlement whether payouts beyond the coinbase's outputs are settled by covenants
 * @param precomputed whether the reward window is reused over tip changes instead of read for each
 * @param realBuilder whether bundles are built by a helper process, without injected time
 * @param latencies injected time
 * @param lifetimes how long results are reused
 * @param herd connections that come, drop and come back at once; 0 for none
 * @param storm connections that come in the moment of a tip change; 0 for none
 * @param pendingFirstJobs admitted first jobs that wait
 */
record JobsPlan(
        boolean cached,
        int clients,
        int flips,
        int warmUp,
        int shares,
        int miners,
        boolean ctvSettlement,
        boolean precomputed,
        boolean realBuilder,
        Latencies latencies,
        Lifetimes lifetimes,
        int herd,
        int storm,
        int pendingFirstJobs) {

    private static final int SPARE_CONNECTIONS = 64;

    /**
     * How long results are reused in cached mode.
     *
     * @param bundle finished bundles
     * @param template templates
     * @param reconcile proofs of the reconcile pass
     */
    record Lifetimes(Duration bundle, Duration template, Duration reconcile) {}

    /** Checks the ranges. */
    JobsPlan {
        if (clients < 1 || shares < 1 || miners < 1 || pendingFirstJobs < 1) {
            throw new IllegalArgumentException("clients, shares, miners and pending first jobs must be 1 or more");
        }
        if (flips < 0 || warmUp < 0 || herd < 0 || storm < 0) {
            throw new IllegalArgumentException("tip flips, warm-up, herd and storm must not be negative");
        }
    }

    int connections() {
        return Math.max(clients + storm, herd);
    }

    /** The settings of the measured pool. */
    Map<String, String> environment() {
        Map<String, String> e = new HashMap<>();
        e.put(
                "PRISM_STRATUM_MAX_CONNECTIONS",
                Integer.toString(Math.max(pendingFirstJobs, clients + storm + herd) + SPARE_CONNECTIONS));
        e.put("PRISM_STRATUM_LISTEN_BACKLOG", "4096");
        e.put("PRISM_STRATUM_MAX_PENDING_INITIAL_JOBS", Integer.toString(pendingFirstJobs));
        e.put("PRISM_STRATUM_VARDIFF", "0");
        e.put("PRISM_JOB_BUNDLE_CACHE_SECONDS", seconds(lifetimes.bundle()));
        e.put("PRISM_TEMPLATE_CACHE_SECONDS", seconds(lifetimes.template()));
        e.put("PRISM_REORG_RECONCILE_CACHE_SECONDS", seconds(lifetimes.reconcile()));
        e.put("PRISM_PAYOUT_ARTIFACT_REUSE", precomputed ? "1" : "0");
        e.put("PRISM_CTV_SETTLEMENT_ENABLED", ctvSettlement ? "1" : "0");
        e.put("PRISM_BUNDLE_COMPILER", realBuilder ? "subprocess" : "in-process");
        return e;
    }

    private String seconds(Duration lifetime) {
        Duration used = cached ? lifetime : Duration.ZERO;
        return Double.toString(used.toMillis() / 1000.0);
    }
}
