package org.prismpool.bundle.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.prismpool.bundle.BuildKey;
import org.prismpool.bundle.BundleConfig;
import org.prismpool.bundle.BundleIdentity;
import org.prismpool.bundle.BundlePorts;
import org.prismpool.bundle.BundleRequest;
import org.prismpool.bundle.BundleStatus;
import org.prismpool.bundle.CollectionIdentity;
import org.prismpool.bundle.PriorityReservation;
import org.prismpool.bundle.WorkBundle;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.TemplateObservation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires the parts of the bundle service and owns their threads. Thread-safe. */
public final class ServiceParts {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceParts.class);
    private static final long TICK_MILLIS = 50;

    private final BundleConfig config;
    private final MonotonicClock clock;
    private final ThreadPoolExecutor builders;
    private final ThreadPoolExecutor routine;
    private final ThreadPoolExecutor critical;
    private final ScheduledExecutorService timer;
    private final BundleScheduler<BundleBuild.Built> scheduler;
    private final BundleShelf shelf;
    private final BundleDesk desk;
    private volatile @Nullable Future<?> ticks; // set by start

    /**
     * Creates the parts; no thread runs before the first request or {@link #start}.
     *
     * @param config settings
     * @param identity what names the pool
     * @param ports ports of the service
     * @param clock monotonic clock
     */
    public ServiceParts(BundleConfig config, BundleIdentity identity, BundlePorts ports, MonotonicClock clock) {
        this.config = config;
        this.clock = clock;
        this.builders = pool("build", config.workers(), 4);
        this.routine = pool("prepare", config.preparationThreads(), config.preparationQueue());
        this.critical = pool("critical", 1, 64);
        this.timer = timer();
        PlanMaker plans = new PlanMaker(config, identity, ports);
        this.shelf = new BundleShelf(config, ports, plans, clock);
        ArtifactCheck check = new ArtifactCheck(identity.manifestPublicKeyHex(), config.extranonce2Size());
        this.scheduler = new BundleScheduler<>(
                builders, config.cancelGrace(), new SchedulerMetrics(ports.metrics(), ports.watch()), clock);
        this.desk = new BundleDesk(
                config,
                ports,
                plans,
                shelf,
                new BundleBuild(ports, check, clock),
                scheduler,
                new BundleDesk.Preparation(critical, routine),
                clock);
    }

    /** Starts the timer thread. */
    public void start() {
        ticks = timer.scheduleWithFixedDelay(this::guardedTick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void guardedTick() {
        try {
            desk.tick();
        } catch (RuntimeException fault) {
            LOG.atError().setCause(fault).log("bundle timer failed once");
        }
    }

    /** One turn of the timer, for tests that move the clock by hand. */
    void tick() {
        desk.tick();
    }

    /** See {@code BundleService.request}. */
    public CompletableFuture<WorkBundle> request(BundleRequest request, Deadline deadline, CancelSignal cancel) {
        return desk.request(request, deadline, cancel);
    }

    /** See {@code BundleService.probe}. */
    public Optional<WorkBundle> probe(TemplateObservation template, Optional<CollectionIdentity> worker) {
        return shelf.find(template, worker);
    }

    /** See {@code BundleService.reserve}. */
    public PriorityReservation reserve() {
        return desk.reserve();
    }

    /** See {@code BundleService.cancelObsolete}. */
    public void cancelObsolete(Predicate<BuildKey> keep, String reason) {
        scheduler.cancel(key -> key.equivalenceKey() instanceof BuildKey build && !keep.test(build), reason);
    }

    /** Empties the cache. */
    public void clearCache() {
        shelf.clear();
    }

    /** Keeps only bundles of one template fingerprint. */
    public void keepFingerprint(String fingerprint) {
        shelf.keepFingerprint(fingerprint);
    }

    /** Gauges of the service. */
    public BundleStatus status() {
        SchedulerState state = scheduler.state();
        long now = clock.nanoTime();
        return new BundleStatus(
                (int) state.running().count(),
                (int) state.pending().stream().count(),
                (int) state.flights().filter(Flight::liveCritical).count(),
                state.flights()
                        .filter(Flight::liveCritical)
                        .mapToLong(f -> now - f.requestedAtNanos())
                        .max()
                        .orElse(0),
                scheduler.oldestRunningAgeNanos(),
                config.workers(),
                scheduler.wedged(),
                desk.open(),
                desk.parked(),
                shelf.size());
    }

    /** Refuses new work, cancels what runs, joins the threads within the build grace and settles every promise. */
    public void close() {
        desk.close();
        scheduler.close();
        Future<?> running = ticks;
        if (running != null) {
            running.cancel(false);
        }
        timer.shutdownNow();
        critical.shutdownNow();
        routine.shutdownNow();
        builders.shutdown();
        Duration grace = config.cancelGrace().plus(Duration.ofSeconds(2));
        if (!joined(builders, grace)) {
            LOG.atWarn().log("bundle builds did not stop in time");
            builders.shutdownNow();
        }
        scheduler.settle();
    }

    private static boolean joined(ExecutorService executor, Duration grace) {
        try {
            return executor.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static ThreadPoolExecutor pool(String role, int width, int queue) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                width, width, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(queue), threads(role));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ScheduledExecutorService timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads("timer"));
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return timer;
    }

    private static ThreadFactory threads(String role) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "prism-bundle-" + role + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
