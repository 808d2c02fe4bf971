package org.prismpool.lifecycle.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.lifecycle.service.LoopBody;
import org.prismpool.lifecycle.service.LoopControl;
import org.prismpool.lifecycle.service.ServiceObserver;
import org.prismpool.lifecycle.service.ServiceRegistry;
import org.prismpool.lifecycle.service.ServiceSpec;
import org.prismpool.lifecycle.shutdown.LeaseSlot;
import org.prismpool.lifecycle.shutdown.ProcessSignals;
import org.prismpool.lifecycle.shutdown.ShutdownConfig;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.shutdown.WriterTicket;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.lifecycle.watchdog.FatalConfig;
import org.prismpool.lifecycle.watchdog.FatalShutdown;
import org.prismpool.lifecycle.watchdog.ProcessExit;
import org.prismpool.lifecycle.watchdog.RefreshBudgets;
import org.prismpool.lifecycle.watchdog.Watchdog;
import org.prismpool.lifecycle.watchdog.WatchdogConfig;

/** A real program on this library alone: two services, a lease, a watchdog, signals; told what to do wrong. */
public final class DemoProcess {

    private static final Duration WATCHDOG_TIMEOUT = Duration.ofMillis(400);

    private final FileLease lease;
    private final String scenario;
    private final MonotonicClock clock = MonotonicClock.system();
    private final LeaseSlot slot = new LeaseSlot();
    private final ShutdownController shutdown;
    private long rows; // writer thread only

    private DemoProcess(Path folder, String scenario) {
        this.scenario = scenario;
        this.lease = new FileLease(folder, scenario.equals("database-hangs-for-all"));
        this.shutdown = new ShutdownController(
                ShutdownConfig.defaults().withWriterQuiescenceTimeout(Duration.ofMillis(700)),
                slot,
                clock,
                LifecycleEvents.logged());
    }

    public static void main(String[] args) throws Exception {
        new DemoProcess(Path.of(args[0]), args[1]).run();
    }

    private void run() throws InterruptedException {
        ProcessSignals.requestStop(shutdown);
        System.out.println("waiting for the lease");
        while (!lease.tryAcquire()) {
            if (shutdown.stopSignal().await(Duration.ofMillis(20))) {
                shutdown.shutdown("serve_startup_exit");
                return;
            }
        }
        slot.acquired(lease);
        ServiceRegistry services = services();
        services.start("watchdog");
        services.start("row_writer");
        services.start("idle");
        System.out.println("ready");
        if (scenario.equals("log-is-blocked")) {
            fillTheLog();
        }
        shutdown.stopSignal().await(Duration.ofMinutes(1));
        shutdown.shutdown("serve_exit");
        shutdown.drain(services.drainOrder());
    }

    private ServiceRegistry services() {
        boolean liveness = !scenario.equals("load") && !scenario.equals("writer-hangs");
        WatchdogConfig limits = new WatchdogConfig(
                liveness, WATCHDOG_TIMEOUT, Duration.ofMillis(50), Duration.ZERO, Duration.ofMinutes(15));
        Heartbeats heartbeats = new Heartbeats(clock);
        FatalShutdown fatal = new FatalShutdown(
                FatalConfig.defaults().withReleaseBudget(Duration.ofSeconds(scenario.equals("database-hangs") ? 5 : 1)),
                shutdown,
                ProcessExit.ofThisProcess(),
                clock,
                LifecycleEvents.logged(),
                Map::of);
        Watchdog watchdog = new Watchdog(
                limits,
                heartbeats,
                new RefreshBudgets(clock, Duration.ZERO),
                OptionalLong::empty,
                shutdown.stopSignal(),
                clock,
                fatal);
        ServiceRegistry services =
                new ServiceRegistry(shutdown.stopSignal(), heartbeats, ServiceObserver.none(), limits.waitSlice());
        services.register(watchdog.service("demo-watchdog"));
        services.register(ServiceSpec.of("row_writer", "demo-row-writer", this::writeRows));
        services.register(ServiceSpec.of("idle", "demo-idle", LoopBody.every(Duration.ofMillis(10), () -> {})));
        return services;
    }

    private void writeRows(LoopControl control) throws InterruptedException {
        while (!control.stopping()) {
            control.beat();
            try (WriterTicket ticket = shutdown.enter(WriterComponent.SHARE_PERSISTENCE)) {
                lease.write(ticket.component().name() + " " + rows++);
                if (scenario.equals("writer-hangs")) {
                    FileLease.hang();
                }
            }
            if (rows == 5) {
                misbehave();
            }
        }
    }

    /** Between two writes, so that no writer is open. */
    private void misbehave() {
        if (scenario.startsWith("database-hangs") || scenario.equals("log-is-blocked")) {
            lease.pool().lock();
            FileLease.hang();
        }
    }

    /** Nobody reads it: the pipe fills, and whoever logs from then on blocks. */
    private static void fillTheLog() {
        String line = "x".repeat(1_000);
        while (true) {
            System.err.println(line);
        }
    }
}
