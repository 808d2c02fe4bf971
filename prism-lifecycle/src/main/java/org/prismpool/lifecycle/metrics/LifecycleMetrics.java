package org.prismpool.lifecycle.metrics;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.prismpool.lifecycle.health.ClientCountPort;
import org.prismpool.lifecycle.health.HealthSnapshot;
import org.prismpool.lifecycle.health.MiningVerdict;
import org.prismpool.lifecycle.health.ProgressHealth;
import org.prismpool.lifecycle.health.ProgressReason;
import org.prismpool.lifecycle.health.ProgressSnapshot;
import org.prismpool.lifecycle.service.ServiceObserver;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.shutdown.LockWaits;
import org.prismpool.lifecycle.shutdown.QuiescenceResult;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.shutdown.ShutdownSnapshot;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.startup.StartupPhases;
import org.prismpool.lifecycle.watchdog.FatalOutcome;
import org.prismpool.lifecycle.watchdog.FatalShutdown;
import org.prismpool.lifecycle.watchdog.FatalSnapshot;
import org.prismpool.lifecycle.watchdog.RefreshBudgets;

/** Binds what this module itself knows to the families of the pool; one method per owner. */
public final class LifecycleMetrics {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double UNKNOWN = -1;

    private final MetricFamilies families;

    /**
     * Creates a binder.
     *
     * @param families series of the pool's catalogue
     */
    public LifecycleMetrics(MetricFamilies families) {
        this.families = families;
    }

    /**
     * Binds the shutdown families, and those of the lock that every writer takes.
     *
     * @param controller whose state is shown
     * @return source for the document
     */
    public MetricSource shutdown(ShutdownController controller) {
        families.counter("shutdowns_total").readFrom(() -> controller.snapshot().shutdowns());
        families.counter("shutdown_lease_release_attempts_total")
                .readFrom(() -> controller.snapshot().releaseAttempts());
        families.counter("shutdown_release_withheld_total")
                .readFrom(() -> controller.snapshot().withheld() ? 1 : 0);
        for (LeasePort.Outcome outcome : LeasePort.Outcome.values()) {
            families.counter("shutdown_lease_release_total", outcome.label())
                    .readFrom(() -> holds(controller.snapshot().leaseOutcome(), outcome));
        }
        families.counter("blockpoll_timeouts_total", "lease_release")
                .readFrom(() -> holds(controller.snapshot().leaseOutcome(), LeasePort.Outcome.TIMEOUT));
        families.counter("shutdown_writer_quiescence_total", "success")
                .readFrom(() -> quiesced(controller.snapshot(), true));
        families.counter("shutdown_writer_quiescence_total", "timeout")
                .readFrom(() -> quiesced(controller.snapshot(), false));
        families.counter("coordinator_lock_contentions_total")
                .readFrom(() -> controller.lockWaits().contentions());
        families.summary("coordinator_lock_wait_seconds").readFrom(() -> {
            LockWaits waits = controller.lockWaits();
            return new SummarySeries.Reading(seconds(waits.total()), waits.contentions(), seconds(waits.longest()), 0);
        });
        families.gauge("coordinator_lock_wait_seconds_max")
                .readFrom(() -> seconds(controller.lockWaits().longest()));
        return source("shutdown", () -> showShutdown(controller.snapshot()));
    }

    /**
     * Binds the watchdog families.
     *
     * @param fatal whose releases are shown
     * @param budgets whose streak is shown
     */
    public void watchdog(FatalShutdown fatal, RefreshBudgets budgets) {
        families.counter("watchdog_lease_release_attempts_total")
                .readFrom(() -> fatal.snapshot().releaseAttempts());
        for (FatalOutcome outcome : FatalOutcome.values()) {
            families.counter("watchdog_lease_release_total", outcome.label()).readFrom(() -> {
                FatalSnapshot now = fatal.snapshot();
                return now.releaseAttempts() == 0 ? 0 : holds(now.outcome(), outcome);
            });
        }
        families.gauge("template_refresh_coordination_blocked_age_seconds")
                .readFrom(() -> seconds(budgets.streakAge().orElse(Duration.ZERO)));
    }

    /**
     * Binds the progress-health families.
     *
     * @param progress whose judgement is shown
     * @param clients counts clients for it
     * @return source for the document
     */
    public MetricSource progress(ProgressHealth progress, ClientCountPort clients) {
        return source("progress", () -> showProgress(progress.snapshot(clients)));
    }

    /**
     * Binds the families of the health answer.
     *
     * @param health whose failures and coverage are shown
     */
    public void health(HealthSnapshot health) {
        families.counter("health_snapshot_refresh_failures_total").readFrom(health::refreshFailures);
        families.gauge("stratum_current_tip_coverage_gap_seconds")
                .readFrom(() -> seconds(
                        health.lastVerdict().map(MiningVerdict::coverageGapAge).orElse(Duration.ZERO)));
    }

    /**
     * Binds the milestones of the start.
     *
     * @param phases which milestones were reached
     * @return source for the document
     */
    public MetricSource startup(StartupPhases phases) {
        return source(
                "startup",
                () -> phases.all()
                        .forEach((phase, after) -> families.gauge("startup_phase_seconds", phase.label())
                                .set(seconds(after))));
    }

    /** Binds memory and descriptors of this process; -1 where the system does not tell. */
    public void process() {
        families.gauge("process_resident_memory_bytes").readFrom(ProcessUsage::residentBytes);
        families.gauge("process_open_file_descriptors").readFrom(ProcessUsage::openFileDescriptors);
    }

    /**
     * Returns an observer that counts restarts of services; names that the catalogue does not declare are not counted.
     *
     * @param next told of everything as well
     * @return the observer
     */
    public ServiceObserver services(ServiceObserver next) {
        Set<String> declared = new HashSet<>(families.catalogue()
                .require("service_restarts_total")
                .labels()
                .get(0)
                .values());
        return new ServiceObserver() {
            @Override
            public void failed(String service, Throwable cause) {
                next.failed(service, cause);
            }

            @Override
            public void restarted(String service) {
                if (declared.contains(service)) {
                    families.counter("service_restarts_total", service).increment();
                }
                next.restarted(service);
            }

            @Override
            public void fatal(String service, Throwable cause) {
                next.fatal(service, cause);
            }
        };
    }

    private void showShutdown(ShutdownSnapshot now) {
        Map<WriterComponent, Integer> open = now.openWriters();
        families.seriesOf(families.catalogue().require("shutdown_writer_operations"))
                .keySet()
                .forEach(values -> families.gauge("shutdown_writer_operations", values.get(0))
                        .set(0));
        open.forEach((component, count) ->
                families.gauge("shutdown_writer_operations", component.name()).set(count));
        gauge("shutdown_writer_quiescence_seconds", now.quiescence().map(QuiescenceResult::elapsed), 0);
        gauge("shutdown_lease_release_seconds", now.leaseReleaseTime(), 0);
        gauge("shutdown_sigterm_to_lease_release_seconds", now.signalToRelease(), UNKNOWN);
        gauge("shutdown_non_writer_drain_seconds", now.drainTime(), 0);
    }

    private void showProgress(ProgressSnapshot now) {
        families.gauge("refresh_pending").set(now.pendingRefresh());
        gauge("refresh_pending_age_seconds", now.pendingRefreshAge(), 0);
        families.gauge("tip_poll_age_seconds").set(seconds(now.tipPollAge()));
        gauge("current_generation_delivery_age_seconds", now.lastValidDeliveryAge(), UNKNOWN);
        families.gauge("bundle_build_oldest_age_seconds").set(seconds(now.oldestBuildAge()));
        Map<ProgressReason, Boolean> active = new EnumMap<>(ProgressReason.class);
        now.reasons().forEach(reason -> active.put(reason, true));
        families.gauge("health_state", "healthy").set(now.ok());
        Arrays.stream(ProgressReason.values())
                .forEach(reason -> families.gauge("health_state", reason.id()).set(active.containsKey(reason)));
    }

    private void gauge(String name, Optional<Duration> value, double otherwise) {
        families.gauge(name).set(value.map(LifecycleMetrics::seconds).orElse(otherwise));
    }

    private static double quiesced(ShutdownSnapshot now, boolean wanted) {
        return now.quiescence().filter(result -> result.quiesced() == wanted).isPresent() ? 1 : 0;
    }

    private static <T> double holds(Optional<T> value, T wanted) {
        return value.filter(wanted::equals).isPresent() ? 1 : 0;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }

    private static MetricSource source(String owner, Runnable collect) {
        return new MetricSource() {
            @Override
            public String owner() {
                return owner;
            }

            @Override
            public void collect() {
                collect.run();
            }
        };
    }
}
