package org.prismpool.bundle.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.bundle.BuildPhase;
import org.prismpool.bundle.BuildSource;
import org.prismpool.bundle.BundleConfig;
import org.prismpool.bundle.BundleException;
import org.prismpool.bundle.BundleFailure;
import org.prismpool.bundle.BundleMetrics;
import org.prismpool.bundle.BundlePorts;
import org.prismpool.bundle.BundleRequest;
import org.prismpool.bundle.PriorityReservation;
import org.prismpool.bundle.WorkBundle;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes requests through their life: cache, parking behind publication work, preparation, scheduler, binding, retry.
 *
 * <p>Thread-safe. Preparation runs on the given executors; everything else on whatever thread brings the news.
 */
final class BundleDesk {

    private static final Logger LOG = LoggerFactory.getLogger(BundleDesk.class);
    private static final Duration GIVE_UP_SLACK = Duration.ofSeconds(1);
    private static final long DEADLINE_LOG_NANOS = Duration.ofSeconds(5).toNanos();

    private final BundleConfig config;
    private final BundlePorts ports;
    private final MonotonicClock clock;
    private final PlanMaker plans;
    private final BundleShelf shelf;
    private final BundleBuild builds;
    private final BundleScheduler<BundleBuild.Built> scheduler;
    private final PriorityDesk priority = new PriorityDesk();
    private final Set<RequestFlow> open = ConcurrentHashMap.newKeySet();
    private final Executor criticalPreparation;
    private final Executor routinePreparation;
    private final AtomicLong lastDeadlineLog;

    BundleDesk(
            BundleConfig config,
            BundlePorts ports,
            PlanMaker plans,
            BundleShelf shelf,
            BundleBuild builds,
            BundleScheduler<BundleBuild.Built> scheduler,
            Preparation preparation,
            MonotonicClock clock) {
        this.config = config;
        this.ports = ports;
        this.plans = plans;
        this.shelf = shelf;
        this.builds = builds;
        this.scheduler = scheduler;
        this.criticalPreparation = preparation.critical();
        this.routinePreparation = preparation.routine();
        this.clock = clock;
        this.lastDeadlineLog = new AtomicLong(clock.nanoTime() - DEADLINE_LOG_NANOS);
    }

    /** Where requests are prepared: publication work never queues behind routine work. */
    record Preparation(Executor critical, Executor routine) {}

    CompletableFuture<WorkBundle> request(BundleRequest request, Deadline deadline, CancelSignal cancel) {
        Duration longest = config.buildTimeout().plus(config.cancelGrace()).plus(GIVE_UP_SLACK);
        RequestFlow flow = new RequestFlow(
                request, deadline, Deadline.after(longest, clock, "job_build"), cancel, clock.nanoTime());
        open.add(flow);
        CancelSignal.Registration registration = cancel.onCancel(flow::expire);
        CompletableFuture<WorkBundle> unused = flow.answer.whenComplete((bundle, failure) -> {
            open.remove(flow);
            priority.unpark(flow);
            registration.close();
        });
        if (request.critical()) {
            priority(flow);
        } else {
            routine(flow);
        }
        return flow.answer;
    }

    PriorityReservation reserve() {
        return priority.reserve(this::reconsiderParked);
    }

    private void priority(RequestFlow flow) {
        prepareOn(criticalPreparation, flow);
    }

    private void routine(RequestFlow flow) {
        if (priority.reserved() || scheduler.priorityLive()) {
            park(flow);
        } else {
            prepareOn(routinePreparation, flow);
        }
    }

    private void prepareOn(Executor executor, RequestFlow flow) {
        try {
            executor.execute(() -> prepare(flow));
        } catch (RejectedExecutionException full) {
            flow.fail(new BundleException(
                    BundleFailure.BLOCKED, "bundle_preparation", "too many bundle requests are being prepared", full));
        }
    }

    private void prepare(RequestFlow flow) {
        if (flow.expire()) {
            return;
        }
        Optional<WorkBundle> cached = shelf.find(flow.request.template(), flow.request.worker());
        if (cached.isPresent()) {
            countInitial(flow, BundleMetrics.Initial.CACHE_HIT);
            flow.fulfil(cached.get());
            return;
        }
        BuildControl control = new BuildControl(flow.deadline.within(config.buildTimeout(), "job_build"), clock);
        boolean routine = !flow.request.critical();
        flow.preparing = Optional.of(control);
        if (routine) {
            priority.prepares(flow);
        }
        try {
            if (routine && priority.reserved()) {
                control.cancel(Scheduler.PUBLICATION_PRIORITY); // announced between the first look and registering
            }
            BuildPlan plan = plans.plan(flow.request, control);
            Optional<WorkBundle> meanwhile = shelf.peek(flow.request.template(), flow.request.worker());
            if (meanwhile.isPresent()) {
                flow.fulfil(meanwhile.get());
            } else {
                admit(flow, plan, control);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            flow.fail(FlightFailures.shutdown());
        } catch (RuntimeException failed) {
            preparationFailed(flow, control, failed);
        } finally {
            priority.prepared(flow);
            flow.preparing = Optional.empty();
        }
    }

    private void preparationFailed(RequestFlow flow, BuildControl control, RuntimeException failed) {
        boolean gaveWay = control.cancelled()
                .filter(Scheduler.PUBLICATION_PRIORITY::equals)
                .isPresent();
        if (gaveWay && !flow.done()) {
            park(flow);
        } else {
            flow.fail(RequestFlow.named(failed));
        }
    }

    private void admit(RequestFlow flow, BuildPlan plan, BuildControl control) {
        BundleRequest request = flow.request;
        BundleScheduler.Admission<BundleBuild.Built> admission = scheduler.submit(
                new BundleScheduler.Entry(
                        plan.flightKey(), request.critical(), request.source(), request.idleRetarget()),
                ports.conditions().tipUnpublished(),
                control,
                running -> finish(plan, running));
        if (request.critical()) {
            ports.metrics().priorityAdmission(clock.nanoTime() - request.requestedAtNanos());
        }
        flow.waitsFor(admission.leave());
        long waited = clock.nanoTime();
        CompletableFuture<BundleBuild.Built> unused = admission.future().whenComplete((built, failure) -> {
            ports.metrics().phase(BuildPhase.SINGLEFLIGHT_WAIT, clock.nanoTime() - waited);
            if (failure == null) {
                deliver(flow, built.bundle());
            } else {
                promiseFailed(flow, RequestFlow.named(failure));
            }
            if (request.critical()) {
                reconsiderParked();
            }
        });
    }

    /** Builds and stores on the build thread, so that the bundle is on the shelf before anyone is told. */
    private BundleBuild.Built finish(BuildPlan plan, BuildControl control) {
        // The same work may have been finished between the caller's look at the shelf and its admission.
        Optional<WorkBundle> meanwhile =
                shelf.peek(plan.request().template(), plan.key().identity());
        if (meanwhile.isPresent()) {
            return new BundleBuild.Built(meanwhile.get(), plan, Optional.empty());
        }
        BundleBuild.Built built = builds.build(plan, control);
        shelf.store(built);
        return built;
    }

    private void deliver(RequestFlow flow, WorkBundle bundle) {
        Optional<WorkBundle> bound = shelf.bind(bundle, flow.request.template());
        if (bound.isPresent()) {
            flow.fulfil(bound.get());
        } else {
            promiseFailed(flow, FlightFailures.superseded("the shared build has another template"));
        }
    }

    private void promiseFailed(RequestFlow flow, BundleException failure) {
        boolean retry = failure.failure() == BundleFailure.SUPERSEDED
                && flow.request.source() != BuildSource.TIP_REFRESH
                && !flow.request.idleRetarget()
                && !flow.expire()
                && ports.conditions().buildable(flow.request.template());
        if (retry) {
            flow.waitsFor(() -> {});
            routine(flow);
        } else {
            flow.fail(failure);
        }
    }

    private void park(RequestFlow flow) {
        if (!flow.deferredCounted) {
            flow.deferredCounted = true;
            ports.metrics().priority(BundleMetrics.Priority.ROUTINE_DEFERRED);
            countInitial(flow, BundleMetrics.Initial.DEFERRED);
        }
        if (flow.parkedUntil.isEmpty()) {
            flow.parkedUntil =
                    Optional.of(Deadline.after(config.routineAdmissionDeadline(), clock, "routine_admission"));
        }
        if (serveWhileParked(flow)) {
            return;
        }
        priority.park(flow);
        if (flow.done()) {
            priority.unpark(flow);
            return;
        }
        subscribe(flow);
    }

    /** A first job does not wait for a build that it doesn't need. */
    private boolean serveWhileParked(RequestFlow flow) {
        if (flow.request.source() != BuildSource.INITIAL) {
            return false;
        }
        Optional<WorkBundle> cached = shelf.find(flow.request.template(), flow.request.worker());
        if (cached.isEmpty()) {
            return false;
        }
        countInitial(flow, BundleMetrics.Initial.CACHE_HIT);
        flow.fulfil(cached.get());
        return true;
    }

    /** A first job takes the result of publication work as soon as it is there, even if it was not cached. */
    private void subscribe(RequestFlow flow) {
        if (flow.request.source() != BuildSource.INITIAL) {
            return;
        }
        for (CompletableFuture<BundleBuild.Built> promise : scheduler.priorityPromises()) {
            if (!flow.subscribedCounted) {
                flow.subscribedCounted = true;
                countInitial(flow, BundleMetrics.Initial.SUBSCRIBED);
            }
            CompletableFuture<BundleBuild.Built> unused = promise.whenComplete((built, failure) -> {
                if (failure == null && !flow.done() && shelf.servable(built.bundle(), flow.request.template())) {
                    shelf.bind(built.bundle(), flow.request.template()).ifPresent(flow::fulfil);
                }
            });
        }
    }

    private void reconsiderParked() {
        for (RequestFlow flow : priority.parked()) {
            if (flow.expire()) {
                continue;
            }
            if (!priority.reserved() && !scheduler.priorityLive()) {
                if (priority.unpark(flow)) {
                    prepareOn(routinePreparation, flow);
                }
            } else if (!flow.subscribedCounted) {
                subscribe(flow);
            }
        }
    }

    /** Called every 50 ms: ends what is over, wakes what may go on. */
    void tick() {
        scheduler.tick();
        open.forEach(RequestFlow::expire);
        for (RequestFlow flow : priority.parked()) {
            boolean late = flow.parkedUntil.filter(Deadline::expired).isPresent();
            if (late && priority.unpark(flow)) {
                admissionDeadline(flow);
            }
        }
        reconsiderParked();
    }

    private void admissionDeadline(RequestFlow flow) {
        countInitial(flow, BundleMetrics.Initial.ADMISSION_DEADLINE);
        long now = clock.nanoTime();
        long last = lastDeadlineLog.get();
        if (now - last >= DEADLINE_LOG_NANOS && lastDeadlineLog.compareAndSet(last, now)) {
            LOG.atWarn()
                    .addKeyValue("source", flow.request.source())
                    .addKeyValue("parked", priority.parkedCount())
                    .log("routine bundle request parked too long");
        }
        flow.fail(new BundleException(
                BundleFailure.ADMISSION_DEADLINE,
                "scheduler admission",
                "publication work kept the request waiting for too long"));
    }

    private void countInitial(RequestFlow flow, BundleMetrics.Initial event) {
        if (flow.request.source() == BuildSource.INITIAL) {
            ports.metrics().initial(event);
        }
    }

    /** Requests without an answer. */
    int open() {
        return open.size();
    }

    int parked() {
        return priority.parkedCount();
    }

    void close() {
        open.forEach(flow -> flow.fail(FlightFailures.shutdown()));
    }
}
