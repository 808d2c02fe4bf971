package org.prismpool.app.composition.health;

import java.time.Duration;
import org.prismpool.app.composition.settings.OwnerSettings;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.DeliveryVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.lifecycle.health.MiningHealth;
import org.prismpool.lifecycle.health.ProgressHealth;
import org.prismpool.lifecycle.metrics.LifecycleMetrics;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.lifecycle.service.ServiceObserver;
import org.prismpool.lifecycle.service.ServiceRegistry;
import org.prismpool.lifecycle.service.ServiceSpec;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.startup.StartupPhases;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.lifecycle.watchdog.FatalShutdown;
import org.prismpool.lifecycle.watchdog.RefreshBudgets;
import org.prismpool.lifecycle.watchdog.Watchdog;
import org.prismpool.lifecycle.watchdog.WatchdogConfig;

/**
 * The owners of services and self-observation. Their clocks start when they are created, which is when the lease is held: every
 * grace and every budget of a start counts from there, and waiting for the lease consumes none (spec 08 §2.1 C6).
 *
 * @param stopping shutdown, barrier and fatal path
 * @param heartbeats of watched loops
 * @param registry background services
 * @param budgets of failing refreshes
 * @param watchdog liveness and publication
 * @param progress progress health
 * @param mining delivery health
 * @param phases startup milestones
 */
public record HealthOwners(
        StopOwners stopping,
        Heartbeats heartbeats,
        ServiceRegistry registry,
        RefreshBudgets budgets,
        Watchdog watchdog,
        ProgressHealth progress,
        MiningHealth mining,
        StartupPhases phases) {

    /**
     * Creates them; no thread is started.
     *
     * @param e valid environment
     * @param stopping shutdown, barrier and fatal path
     * @param families where service failures are counted
     */
    public static HealthOwners create(
            Environment e, StopOwners stopping, MetricFamilies families, MonotonicClock clock) {
        WatchdogConfig watched = OwnerSettings.watchdog(e);
        Heartbeats heartbeats = new Heartbeats(clock);
        ServiceObserver observer = new LifecycleMetrics(families).services(ServiceObserver.none());
        ServiceRegistry registry =
                new ServiceRegistry(stopping.controller().stopSignal(), heartbeats, observer, watched.waitSlice());
        RefreshBudgets budgets =
                new RefreshBudgets(clock, e.get(RefreshVariables.TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS));
        ProgressHealth progress = new ProgressHealth(clock, OwnerSettings.health(e));
        Watchdog watchdog = new Watchdog(
                watched,
                heartbeats,
                budgets,
                progress::divergenceSinceNanos,
                stopping.controller().stopSignal(),
                clock,
                stopping.fatal());
        Duration deadline = e.get(DeliveryVariables.STRATUM_INITIAL_JOB_TIMEOUT_SECONDS);
        MiningHealth mining =
                new MiningHealth(clock, e.get(LifecycleVariables.MINING_HEALTH_STARTUP_GRACE_SECONDS), deadline);
        return new HealthOwners(
                stopping, heartbeats, registry, budgets, watchdog, progress, mining, new StartupPhases(clock));
    }

    /** Registers a service and starts it. */
    public void start(ServiceSpec spec) {
        registry.register(spec);
        registry.start(spec.name());
    }

    public ShutdownController controller() {
        return stopping.controller();
    }

    public FatalShutdown fatal() {
        return stopping.fatal();
    }
}
