package org.prismpool.app.composition.settings;

import java.time.Duration;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.BundleVariables;
import org.prismpool.config.variable.DeliveryVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.config.variable.NodeVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.refresh.RefreshConfig;

/** Maps the environment to the refresher's configuration. */
public final class RefreshSettings {

    /** Far beyond any wait: with the watchdog off the block wait is not clamped (rule W5). */
    private static final Duration NO_WATCHDOG = Duration.ofDays(365);

    /** A build that took too long is told so by its owner, before its waiter gives up by itself (spec 07 §4.5). */
    private static final Duration BUILD_REPORTS = Duration.ofSeconds(1);

    private RefreshSettings() {}

    public static RefreshConfig of(Environment e) {
        Duration lane = e.get(RefreshVariables.TIP_REFRESH_LOCK_TIMEOUT_SECONDS);
        RefreshConfig.Bounds defaults = RefreshConfig.Bounds.defaults();
        Duration watchdog = e.get(LifecycleVariables.WATCHDOG_ENABLED)
                ? e.get(LifecycleVariables.WATCHDOG_TIMEOUT_SECONDS)
                : NO_WATCHDOG;
        boolean reconcileMemory = e.get(RefreshVariables.REORG_RECONCILER_ENABLED)
                && !e.get(RefreshVariables.REORG_RECONCILE_CACHE_SECONDS).isZero();
        return new RefreshConfig(
                new RefreshConfig.Observation(
                        e.get(RefreshVariables.BLOCKPOLL_SECONDS),
                        e.get(RefreshVariables.BLOCKWAIT_ENABLED),
                        e.get(RefreshVariables.BLOCKWAIT_TIMEOUT_SECONDS),
                        watchdog),
                new RefreshConfig.Bounds(
                        e.get(RefreshVariables.TIP_REFRESH_TIMEOUT_SECONDS),
                        lane,
                        lane,
                        e.get(NodeVariables.QBIT_RPC_TIMEOUT_SECONDS),
                        e.get(BundleVariables.JOB_BUILD_TIMEOUT_SECONDS)
                                .plus(e.get(BundleVariables.JOB_BUILD_CANCEL_GRACE_SECONDS))
                                .plus(BUILD_REPORTS),
                        defaults.reconcileJoin()),
                new RefreshConfig.Pacing(
                        e.get(RefreshVariables.TIP_REFRESH_FAILURE_HOLDOFF_SECONDS),
                        e.get(RefreshVariables.TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS),
                        e.get(DeliveryVariables.SUBMIT_TIP_MAX_AGE_SECONDS)),
                new RefreshConfig.Wave(
                        e.get(RefreshVariables.TIP_REFRESH_EPOCH_FANOUT),
                        e.get(RefreshVariables.TIP_REFRESH_MAX_WORKERS),
                        reconcileMemory));
    }
}
