package org.prismpool.app.composition;

import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.DeliveryVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.health.MiningHealth;
import org.prismpool.lifecycle.health.ProgressHealth;
import org.prismpool.lifecycle.metrics.LifecycleMetrics;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.lifecycle.service.ServiceObserver;
import org.prismpool.lifecycle.service.ServiceRegistry;
import org.prismpool.lifecycle.shutdown.LeaseSlot;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.startup.StartupPhases;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.lifecycle.watchdog.FatalShutdown;
import org.prismpool.lifecycle.watchdog.ProcessExit;
import org.prismpool.lifecycle.watchdog.RefreshBudgets;
import org.prismpool.lifecycle.watchdog.Watchdog;
import org.prismpool.lifecycle.watchdog.WatchdogConfig;

/**
 * The owners of starting, stopping and self-observation; they exist before the ledger is opened and outlive everything else.
 *
 * @param slot where the lease is put once it is held
 * @param controller shutdown and writer barrier
 * @param heartbeats of watched loops
 * @param registry background services
 * @param budgets of failing refreshes
 * @param fatal the one fatal path
 * @param watchdog liveness and publication
 * @param progress progress health
 * @param mining delivery health
 * @param phases startup milestones
 */
record HealthOwners(
        LeaseSlot slot,
        ShutdownController controller,
        Heartbeats heartbeats,
        ServiceRegistry registry,
        RefreshBudgets budgets,
        FatalShutdown fatal,
        Watchdog watchdog,
        ProgressHealth progress,
        MiningHealth mining,
        StartupPhases phases) {

    /**
     * Creates them; no thread is started.
     *
     * @param e valid environment
     * @param families where service failures are counted
     * @param exit ends the process on the fatal path
     * @param driver state of the refresh driver, for logs of a fatal exit
     */
    static HealthOwners create(
            Environment e,
            MetricFamilies families,
            ProcessExit exit,
            Supplier<? extends Map<String, ?>> driver,
            MonotonicClock clock) {
        LifecycleEvents events = LifecycleEvents.logged();
        LeaseSlot slot = new LeaseSlot();
        ShutdownController controller = new ShutdownController(OwnerSettings.shutdown(e), slot, clock, events);
        WatchdogConfig watched = OwnerSettings.watchdog(e);
        Heartbeats heartbeats = new Heartbeats(clock);
        ServiceObserver observer = new LifecycleMetrics(families).services(ServiceObserver.none());
        ServiceRegistry registry =
                new ServiceRegistry(controller.stopSignal(), heartbeats, observer, watched.waitSlice());
        RefreshBudgets budgets =
                new RefreshBudgets(clock, e.get(RefreshVariables.TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS));
        FatalShutdown fatal = new FatalShutdown(OwnerSettings.fatal(e), controller, exit, clock, events, driver);
        ProgressHealth progress = new ProgressHealth(clock, OwnerSettings.health(e));
        Watchdog watchdog = new Watchdog(
                watched, heartbeats, budgets, progress::divergenceSinceNanos, controller.stopSignal(), clock, fatal);
        Duration deadline = e.get(DeliveryVariables.STRATUM_INITIAL_JOB_TIMEOUT_SECONDS);
        MiningHealth mining =
                new MiningHealth(clock, e.get(LifecycleVariables.MINING_HEALTH_STARTUP_GRACE_SECONDS), deadline);
        return new HealthOwners(
                slot,
                controller,
                heartbeats,
                registry,
                budgets,
                fatal,
                watchdog,
                progress,
                mining,
                new StartupPhases(clock));
    }
}
