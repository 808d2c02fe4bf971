package org.prismpool.app.composition.settings;

import java.time.Duration;
import org.prismpool.bundle.BundleConfig;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.BlockVariables;
import org.prismpool.config.variable.BundleVariables;
import org.prismpool.config.variable.DeliveryVariables;
import org.prismpool.config.variable.DifficultyVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.config.variable.PayoutVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.config.variable.ShareWriterVariables;
import org.prismpool.config.variable.StratumVariables;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.lifecycle.health.HealthDeadlines;
import org.prismpool.lifecycle.shutdown.ShutdownConfig;
import org.prismpool.lifecycle.watchdog.FatalConfig;
import org.prismpool.lifecycle.watchdog.WatchdogConfig;
import org.prismpool.payout.finalization.FinalizerConfig;
import org.prismpool.payout.reorg.ReconcileConfig;
import org.prismpool.payout.state.PayoutStateConfig;
import org.prismpool.payout.state.PreparedWindowConfig;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.templates.block.LaneConfig;

/** Maps the environment to the owners' configuration records, one method an owner. Stateless. */
public final class OwnerSettings {

    private static final Duration UNBOUNDED_SEND = Duration.ofDays(365); // a send timeout of zero means none

    private OwnerSettings() {}

    public static PayoutStateConfig payoutState(Environment e) {
        PayoutStateConfig defaults = PayoutStateConfig.DEFAULT;
        return new PayoutStateConfig(
                defaults.gateTimeout(),
                defaults.publishRetries(),
                e.get(PayoutVariables.ACCEPTED_PARENT_UNRESOLVED_DEPTH_MAX),
                defaults.previewWait(),
                preparedWindows(e));
    }

    public static PreparedWindowConfig preparedWindows(Environment e) {
        return new PreparedWindowConfig(
                e.get(PayoutVariables.PAYOUT_ARTIFACT_REUSE),
                e.get(PayoutVariables.PAYOUT_ARTIFACT_REANCHOR_SECONDS),
                e.get(PayoutVariables.PAYOUT_ARTIFACT_REARM_MIN_SECONDS),
                e.get(PayoutVariables.PAYOUT_ARTIFACT_MIN_BUILD_INTERVAL_SECONDS),
                e.get(PayoutVariables.PAYOUT_ARTIFACT_MAX_ANCHOR_AGE_SECONDS),
                e.get(PayoutVariables.PAYOUT_ARTIFACT_FULL_RESCAN_SECONDS));
    }

    public static ReconcileConfig reconciler(Environment e) {
        ReconcileConfig defaults = ReconcileConfig.DEFAULT;
        return new ReconcileConfig(
                e.get(RefreshVariables.REORG_RECONCILE_CACHE_SECONDS),
                defaults.passTimeout(),
                defaults.matureInterval(),
                defaults.publishRetries());
    }

    public static BundleConfig bundles(Environment e) {
        BundleConfig defaults = BundleConfig.DEFAULT;
        return new BundleConfig(
                e.get(BundleVariables.JOB_BUILD_TIMEOUT_SECONDS),
                e.get(BundleVariables.JOB_BUILD_CANCEL_GRACE_SECONDS),
                e.get(BundleVariables.JOB_BUILD_EXECUTOR_WORKERS),
                e.get(BundleVariables.JOB_BUNDLE_CACHE_SECONDS),
                defaults.cacheEntries(),
                e.get(BundleVariables.ROUTINE_ADMISSION_DEADLINE_SECONDS),
                defaults.preparationThreads(),
                defaults.preparationQueue(),
                e.get(DifficultyVariables.STRATUM_EXTRANONCE2_SIZE),
                e.get(PayoutVariables.PAYOUT_ARTIFACT_REANCHOR_SECONDS),
                e.get(PayoutVariables.PAYOUT_ARTIFACT_MAX_ANCHOR_AGE_SECONDS));
    }

    public static DeliveryConfig delivery(Environment e, String bootId) {
        Duration send = e.get(StratumVariables.STRATUM_SEND_TIMEOUT_SECONDS);
        DeliveryConfig.Bounds bounds = DeliveryConfig.Bounds.defaults();
        return new DeliveryConfig(
                new DeliveryConfig.FirstJobs(
                        e.get(DeliveryVariables.INITIAL_JOB_MAX_WORKERS),
                        e.get(DeliveryVariables.STRATUM_MAX_PENDING_INITIAL_JOBS),
                        e.get(DeliveryVariables.STRATUM_INITIAL_JOB_TIMEOUT_SECONDS)),
                new DeliveryConfig.Bounds(
                        e.get(RefreshVariables.CLIENT_JOB_LOCK_TIMEOUT_SECONDS),
                        bounds.gate(),
                        send.isZero() ? UNBOUNDED_SEND : send,
                        bounds.direct()),
                new DeliveryConfig.Retention(
                        e.get(DeliveryVariables.STRATUM_SAME_TIP_JOB_RETENTION_SECONDS),
                        e.get(DeliveryVariables.STRATUM_SAME_TIP_JOB_RETENTION_PER_CONNECTION),
                        e.get(DeliveryVariables.STRATUM_DISCONNECTED_JOB_RETENTION),
                        e.get(DeliveryVariables.STRATUM_STALE_GRACE_SECONDS)),
                new DeliveryConfig.Jobs(bootId, e.get(DeliveryVariables.STRATUM_JOB_KEEPALIVE_SECONDS)));
    }

    public static ShareWriterConfig shareWriter(Environment e) {
        return ShareWriterConfig.DEFAULTS.with(
                e.get(ShareWriterVariables.SHARE_COMMIT_BATCH_SIZE),
                e.get(ShareWriterVariables.SHARE_COMMIT_LINGER_MILLISECONDS),
                e.get(ShareWriterVariables.SHARE_COMMIT_TIMEOUT_SECONDS));
    }

    public static LaneConfig lane(Environment e) {
        LaneConfig defaults = LaneConfig.DEFAULTS;
        return new LaneConfig(
                e.get(BlockVariables.BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS),
                e.get(BlockVariables.BLOCK_SUBMIT_DB_TIMEOUT_SECONDS),
                e.get(BlockVariables.OBSERVED_TIP_ACCEPT_WINDOW_SECONDS),
                e.get(LifecycleVariables.MAX_BLOCKS),
                e.get(LifecycleVariables.STOP_AFTER_BLOCK),
                e.get(BlockVariables.BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS),
                defaults.retryFirst(),
                defaults.retryLongest(),
                defaults.rereadInterval());
    }

    public static FinalizerConfig finalizer(Environment e) {
        FinalizerConfig defaults = FinalizerConfig.DEFAULT;
        return new FinalizerConfig(
                e.get(BlockVariables.BLOCK_SUBMIT_DB_TIMEOUT_SECONDS),
                landing(e, e.get(BlockVariables.BLOCK_LANDING_DB_TIMEOUT_SECONDS)),
                landing(e, e.get(BlockVariables.BLOCK_LANDING_DB_TIMEOUT_MAX_SECONDS)),
                defaults.nodeTimeout(),
                e.get(BundleVariables.BUNDLE_BUILD_TIMEOUT_SECONDS),
                defaults.stopTimeout());
    }

    /** A landing is granted at most half of the watchdog's patience (spec 01 W4). */
    private static Duration landing(Environment e, Duration configured) {
        if (!e.get(LifecycleVariables.WATCHDOG_ENABLED)) {
            return configured;
        }
        Duration half = e.get(LifecycleVariables.WATCHDOG_TIMEOUT_SECONDS).dividedBy(2);
        return configured.compareTo(half) > 0 ? half : configured;
    }

    public static ShutdownConfig shutdown(Environment e) {
        return ShutdownConfig.defaults()
                .withWriterQuiescenceTimeout(e.get(LifecycleVariables.WRITER_QUIESCENCE_TIMEOUT_SECONDS));
    }

    public static WatchdogConfig watchdog(Environment e) {
        return new WatchdogConfig(
                e.get(LifecycleVariables.WATCHDOG_ENABLED),
                e.get(LifecycleVariables.WATCHDOG_TIMEOUT_SECONDS),
                e.get(LifecycleVariables.WATCHDOG_INTERVAL_SECONDS),
                e.get(RefreshVariables.TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS),
                e.get(LifecycleVariables.COORDINATION_BLOCKED_EXIT_SECONDS));
    }

    public static FatalConfig fatal(Environment e) {
        return FatalConfig.defaults()
                .withReleaseBudget(e.get(LifecycleVariables.WATCHDOG_LEASE_RELEASE_TIMEOUT_SECONDS));
    }

    public static HealthDeadlines health(Environment e) {
        return new HealthDeadlines(
                e.get(LifecycleVariables.HEALTH_TIP_POLL_MAX_AGE_SECONDS),
                e.get(LifecycleVariables.HEALTH_PENDING_REFRESH_MAX_AGE_SECONDS),
                e.get(BundleVariables.BUNDLE_BUILD_TIMEOUT_SECONDS));
    }
}
