package org.prismpool.bundle;

import java.util.Objects;
import org.prismpool.bundle.compile.BundleCompiler;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.payout.state.PreparedWindows;
import org.prismpool.payout.state.WindowClock;

/**
 * What {@link BundleService} works with.
 *
 * @param compiler computes signed coinbase manifests
 * @param payout current payout state
 * @param windows reward windows
 * @param wall wall time and clean anchors
 * @param policies payout policy and settlement input
 * @param conditions readiness of the pool and standing of templates
 * @param metrics counters
 * @param watch told of running builds
 */
public record BundlePorts(
        BundleCompiler compiler,
        PayoutState payout,
        PreparedWindows windows,
        WindowClock wall,
        PolicySource policies,
        WorkConditions conditions,
        BundleMetrics metrics,
        BuildWatch watch) {

    /** Checks the components. */
    public BundlePorts {
        Objects.requireNonNull(compiler, "compiler");
        Objects.requireNonNull(payout, "payout");
        Objects.requireNonNull(windows, "windows");
        Objects.requireNonNull(wall, "wall");
        Objects.requireNonNull(policies, "policies");
        Objects.requireNonNull(conditions, "conditions");
        Objects.requireNonNull(metrics, "metrics");
        Objects.requireNonNull(watch, "watch");
    }

    /**
     * Collects the ports of a service whose running builds nobody watches.
     *
     * @param compiler computes signed coinbase manifests
     * @param payout current payout state
     * @param windows reward windows
     * @param wall wall time and clean anchors
     * @param policies payout policy and settlement input
     * @param conditions readiness of the pool and standing of templates
     * @param metrics counters
     */
    public BundlePorts(
            BundleCompiler compiler,
            PayoutState payout,
            PreparedWindows windows,
            WindowClock wall,
            PolicySource policies,
            WorkConditions conditions,
            BundleMetrics metrics) {
        this(compiler, payout, windows, wall, policies, conditions, metrics, BuildWatch.NONE);
    }
}
