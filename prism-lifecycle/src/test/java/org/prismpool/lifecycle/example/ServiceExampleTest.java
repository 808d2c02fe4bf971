package org.prismpool.lifecycle.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.lifecycle.service.LoopBody;
import org.prismpool.lifecycle.service.ServiceObserver;
import org.prismpool.lifecycle.service.ServiceRegistry;
import org.prismpool.lifecycle.service.ServiceSpec;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.shutdown.ProcessSignals;
import org.prismpool.lifecycle.shutdown.ShutdownConfig;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.shutdown.ShutdownReport;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.shutdown.WriterTicket;
import org.prismpool.lifecycle.testing.FakeLease;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.lifecycle.watchdog.FatalConfig;
import org.prismpool.lifecycle.watchdog.FatalShutdown;
import org.prismpool.lifecycle.watchdog.ProcessExit;
import org.prismpool.lifecycle.watchdog.RefreshBudgets;
import org.prismpool.lifecycle.watchdog.Watchdog;
import org.prismpool.lifecycle.watchdog.WatchdogConfig;

/** The service example of the README. */
class ServiceExampleTest {

    private final List<String> rows = new CopyOnWriteArrayList<>();

    @Test
    void itWritesUntilItIsToldToStopAndThenReleasesItsLease() throws Exception {
        FakeLease lease = new FakeLease();

        assertThat(serve(lease).released()).isTrue();

        assertThat(rows).containsExactly("row 1", "row 2", "row 3");
        assertThat(lease.calls()).containsExactly("stopHeartbeat", "release");
    }

    // example: service
    ShutdownReport serve(LeasePort lease) throws InterruptedException {
        MonotonicClock clock = MonotonicClock.system();
        LifecycleEvents events = LifecycleEvents.logged();
        ShutdownController shutdown = new ShutdownController(ShutdownConfig.defaults(), lease, clock, events);
        ProcessSignals.requestStop(shutdown); // SIGTERM only closes admission and raises the stop signal

        WatchdogConfig limits = WatchdogConfig.defaults();
        Heartbeats heartbeats = new Heartbeats(clock);
        FatalShutdown fatal = new FatalShutdown(
                FatalConfig.defaults(), shutdown, ProcessExit.ofThisProcess(), clock, events, Map::of);
        RefreshBudgets budgets = new RefreshBudgets(clock, limits.publicationBudget());
        Watchdog watchdog =
                new Watchdog(limits, heartbeats, budgets, OptionalLong::empty, shutdown.stopSignal(), clock, fatal);

        ServiceRegistry services =
                new ServiceRegistry(shutdown.stopSignal(), heartbeats, ServiceObserver.none(), limits.waitSlice());
        services.register(ServiceSpec.of(
                "row_writer", "demo-row-writer", LoopBody.every(Duration.ofMillis(1), () -> writeRow(shutdown))));
        services.register(watchdog.service("demo-watchdog"));
        services.start("watchdog");
        services.start("row_writer");

        shutdown.stopSignal().await(Duration.ofDays(365));
        ShutdownReport report = shutdown.shutdown("serve_exit"); // barrier, then the one release of the lease
        shutdown.drain(services.drainOrder()); // only then the threads
        return report;
    }

    private void writeRow(ShutdownController shutdown) {
        try (WriterTicket ticket = shutdown.enter(new WriterComponent("row_writer"))) {
            rows.add("row " + (rows.size() + 1)); // the release waits until the ticket is closed
            if (rows.size() == 3 && ticket.open()) {
                shutdown.request(OptionalInt.empty()); // a stop may also come from within
            }
        }
    }
    // end
}
