package org.prismpool.lifecycle.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.health.ClientCounts;
import org.prismpool.lifecycle.health.HealthDeadlines;
import org.prismpool.lifecycle.health.ProgressHealth;
import org.prismpool.lifecycle.health.WorkGeneration;
import org.prismpool.lifecycle.service.ServiceObserver;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.shutdown.ShutdownConfig;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.shutdown.WriterTicket;
import org.prismpool.lifecycle.startup.StartupPhase;
import org.prismpool.lifecycle.startup.StartupPhases;
import org.prismpool.lifecycle.testing.FakeLease;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.watchdog.FatalConfig;
import org.prismpool.lifecycle.watchdog.FatalReason;
import org.prismpool.lifecycle.watchdog.FatalShutdown;
import org.prismpool.lifecycle.watchdog.RefreshBudgets;

class LifecycleMetricsTest {

    private final ManualClock clock = new ManualClock();
    private final MetricFamilies families = new MetricFamilies(MetricCatalogue.ofThePool());
    private final LifecycleMetrics metrics = new LifecycleMetrics(families);
    private final FakeLease lease = new FakeLease();
    private final ShutdownController controller =
            new ShutdownController(ShutdownConfig.defaults(), lease, clock, LifecycleEvents.none());

    @Test
    void aGracefulShutdownIsCounted() throws Exception {
        MetricSource source = metrics.shutdown(controller);
        WriterTicket ticket = controller.reserve(WriterComponent.SHARE_PERSISTENCE);
        source.collect();
        assertThat(value("shutdown_writer_operations{component=\"share_persistence\"}"))
                .contains("1");
        assertThat(value("shutdowns_total")).contains("0");
        assertThat(value("shutdown_sigterm_to_lease_release_seconds")).contains("-1");
        ticket.close();

        controller.request(OptionalInt.of(15));
        clock.advance(Duration.ofMillis(250));
        controller.shutdown("serve_exit");
        controller.drain(List.of());
        source.collect();

        assertThat(value("shutdown_writer_operations{component=\"share_persistence\"}"))
                .isEmpty();
        assertThat(value("shutdowns_total")).contains("1");
        assertThat(value("shutdown_writer_quiescence_total{outcome=\"success\"}"))
                .contains("1");
        assertThat(value("shutdown_writer_quiescence_total{outcome=\"timeout\"}"))
                .contains("0");
        assertThat(value("shutdown_lease_release_attempts_total")).contains("1");
        assertThat(value("shutdown_lease_release_total{outcome=\"success\"}")).contains("1");
        assertThat(value("shutdown_lease_release_total{outcome=\"timeout\"}")).contains("0");
        assertThat(value("shutdown_sigterm_to_lease_release_seconds")).contains("0.25");
        assertThat(value("shutdown_release_withheld_total")).contains("0");
        assertThat(value("coordinator_lock_contentions_total")).contains("0");
        assertThat(value("coordinator_lock_wait_seconds_count")).contains("0");
        assertThat(value("coordinator_lock_wait_seconds_max")).contains("0");
    }

    @Test
    void aReleaseThatDoesNotAnswerAlsoCountsAsATimeoutOfItsPhase() {
        metrics.shutdown(controller);
        lease.answering(deadline -> LeasePort.Outcome.TIMEOUT);

        controller.shutdown("serve_exit");

        assertThat(value("shutdown_lease_release_total{outcome=\"timeout\"}")).contains("1");
        assertThat(value("blockpoll_timeouts_total{phase=\"lease_release\"}")).contains("1");
    }

    @Test
    void aWithheldLeaseIsCounted() {
        ShutdownController impatient = new ShutdownController(
                ShutdownConfig.defaults().withWriterQuiescenceTimeout(Duration.ofNanos(1)),
                lease,
                System::nanoTime,
                LifecycleEvents.none());
        metrics.shutdown(impatient);
        WriterTicket ticket = impatient.reserve(WriterComponent.SHARE_PERSISTENCE);

        impatient.shutdown("serve_exit");

        assertThat(value("shutdown_release_withheld_total")).contains("1");
        assertThat(value("shutdown_writer_quiescence_total{outcome=\"timeout\"}"))
                .contains("1");
        assertThat(value("shutdown_lease_release_attempts_total")).contains("0");
        ticket.close();
    }

    @Test
    void aFatalReleaseIsCounted() {
        RefreshBudgets budgets = new RefreshBudgets(clock, Duration.ofMinutes(2));
        FatalShutdown fatal = new FatalShutdown(
                FatalConfig.defaults(), controller, code -> {}, clock, LifecycleEvents.none(), Map::of);
        metrics.watchdog(fatal, budgets);
        budgets.coordinationBlocked();
        clock.advance(Duration.ofSeconds(42));
        assertThat(value("template_refresh_coordination_blocked_age_seconds")).contains("42");
        assertThat(value("watchdog_lease_release_attempts_total")).contains("0");

        fatal.fire(new FatalReason.Publication(Duration.ofMinutes(2)));

        assertThat(value("watchdog_lease_release_attempts_total")).contains("1");
        assertThat(value("watchdog_lease_release_total{outcome=\"success\"}")).contains("1");
        assertThat(value("watchdog_lease_release_total{outcome=\"timeout\"}")).contains("0");
    }

    @Test
    void progressIsShownByReason() throws Exception {
        ProgressHealth progress = new ProgressHealth(clock, HealthDeadlines.defaults());
        MetricSource source = metrics.progress(progress, (fingerprint, payout) -> ClientCounts.NONE);
        clock.advance(Duration.ofSeconds(16));
        source.collect();
        assertThat(value("health_state{reason=\"healthy\"}")).contains("0");
        assertThat(value("health_state{reason=\"tip_poll_stale\"}")).contains("1");
        assertThat(value("health_state{reason=\"current_generation_not_published\"}"))
                .contains("1");
        assertThat(value("refresh_pending_age_seconds")).contains("16");
        assertThat(value("current_generation_delivery_age_seconds")).contains("-1");

        progress.tipObserved(new WorkGeneration(1, "aa", 0), clock.nanoTime());
        progress.published(new WorkGeneration(1, "aa", 0), true);
        source.collect();

        assertThat(value("health_state{reason=\"healthy\"}")).contains("1");
        assertThat(value("health_state{reason=\"tip_poll_stale\"}")).contains("0");
        assertThat(value("refresh_pending")).contains("0");
    }

    @Test
    void milestonesAppearOneByOne() throws Exception {
        StartupPhases phases = new StartupPhases(clock);
        MetricSource source = metrics.startup(phases);
        source.collect();
        assertThat(value("startup_phase_seconds{phase=\"node_rpc_ready\"}")).isEmpty();
        clock.advance(Duration.ofMillis(1_500));
        phases.reached(StartupPhase.NODE_RPC_READY);

        source.collect();

        assertThat(value("startup_phase_seconds{phase=\"node_rpc_ready\"}")).contains("1.5");
        assertThat(value("startup_phase_seconds{phase=\"first_job_delivered\"}"))
                .isEmpty();
    }

    @Test
    void everyMilestoneIsALabelOfTheFamily() {
        List<String> labels = families.catalogue()
                .require("startup_phase_seconds")
                .labels()
                .get(0)
                .values();

        assertThat(labels)
                .containsExactlyInAnyOrderElementsOf(List.of(StartupPhase.values()).stream()
                        .map(StartupPhase::label)
                        .toList());
    }

    @Test
    void restartsAreCountedByService() {
        ServiceObserver observer = metrics.services(ServiceObserver.none());

        observer.restarted("share_writer");
        observer.restarted("a service of another program");

        assertThat(value("service_restarts_total{service=\"share_writer\"}")).contains("1");
    }

    @Test
    void theProcessKnowsItsMemoryAndDescriptors() {
        metrics.process();

        assertThat(families.gauge("process_resident_memory_bytes").value())
                .satisfiesAnyOf(
                        value -> assertThat(value).isGreaterThan(1_000_000),
                        value -> assertThat(value).isEqualTo(-1));
        assertThat(families.gauge("process_open_file_descriptors").value())
                .satisfiesAnyOf(
                        value -> assertThat(value).isGreaterThan(3),
                        value -> assertThat(value).isEqualTo(-1));
    }

    private Optional<String> value(String series) {
        String text =
                new Exposition(families).render(FamilyOrigin.COLLECTOR, FamilyOrigin.RECOVERY, FamilyOrigin.ADDED);
        return new ParsedExposition(text).value("qbit_prism_" + series);
    }
}
