package org.prismpool.delivery.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.prismpool.delivery.CurrentState;
import org.prismpool.delivery.CurrentWork;
import org.prismpool.delivery.DeliveryOutcome;
import org.prismpool.delivery.DirectCause;
import org.prismpool.delivery.Generations;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.JobTarget;
import org.prismpool.delivery.PreparedWork;
import org.prismpool.lifecycle.executor.ExecutorConfig;
import org.prismpool.lifecycle.executor.Ticket;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Jobs for one working connection: difficulty changes, re-authorize, idle vardiff and keep-alive. Preparation may block
 * and runs on a small pool; the commit runs on the connection's event loop like every other.
 */
final class DirectLane<W, J> {

    private static final int WORKERS = 4;
    private static final int QUEUE = 1024;
    private static final int DIRECT_PRIORITY = 0;
    private static final int KEEP_ALIVE_PRIORITY = 2;
    private static final int IDLE_PRIORITY = 3;
    private static final int IDLE_BOUND = 8;
    private static final Duration AGING = Duration.ofSeconds(5);

    private final DeliveryContext<W, J> context;
    private final LazyExecutor pool;
    private final Set<Long> idle = ConcurrentHashMap.newKeySet(); // one maintenance job for each connection
    private final Set<Long> alive = ConcurrentHashMap.newKeySet();

    DirectLane(DeliveryContext<W, J> context) {
        this.context = context;
        this.pool = new LazyExecutor(
                ExecutorConfig.of("prism-delivery-direct", WORKERS, QUEUE).withAgingStep(AGING));
    }

    CompletableFuture<DeliveryOutcome> deliver(ConnectionJobs<W, J> connection, DirectCause cause) {
        if (!cause.idle()) {
            return submit(DIRECT_PRIORITY, () -> direct(connection, cause));
        }
        if (idle.size() >= IDLE_BOUND || !idle.add(connection.id)) {
            return CompletableFuture.completedFuture(DeliveryOutcome.QUEUE_FULL);
        }
        CompletableFuture<DeliveryOutcome> outcome = submit(IDLE_PRIORITY, () -> direct(connection, cause));
        DeliveryContext.whenDone(outcome, (done, failure) -> idle.remove(connection.id));
        return outcome;
    }

    /** Gives silent connections their work again; skipped while a detected tip is unpublished. */
    void keepAlive() {
        Duration silence = context.config.jobs().keepAlive();
        if (silence.isZero() || context.ports.work().state().diverged()) {
            return;
        }
        long now = context.now();
        for (ConnectionJobs<W, J> connection : context.connections.values()) {
            boolean silent = now - connection.lastNotifyNanos() >= silence.toNanos();
            Optional<IssuedJob<J>> job = connection.current();
            if (silent && job.isPresent() && alive.add(connection.id)) {
                DeliveryContext.whenDone(
                        submit(KEEP_ALIVE_PRIORITY, () -> again(connection, job.get())),
                        (done, failure) -> alive.remove(connection.id));
            }
        }
    }

    void close(Duration wait) {
        pool.close(wait);
    }

    private CompletableFuture<DeliveryOutcome> submit(int priority, Callable<CompletableFuture<DeliveryOutcome>> task) {
        CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
        try {
            Ticket<Boolean> ticket = pool.submit(priority, () -> run(task, outcome));
            DeliveryContext.whenDone(ticket.future(), (ran, failure) -> {
                if (failure != null) {
                    outcome.complete(DeliveryOutcome.CANCELLED); // the pool was closed first
                }
            });
        } catch (RejectedExecutionException refused) {
            outcome.complete(DeliveryOutcome.QUEUE_FULL);
        }
        return outcome;
    }

    /** Runs on a pool worker; the outcome may follow later, from the connection's event loop. */
    private Boolean run(Callable<CompletableFuture<DeliveryOutcome>> task, CompletableFuture<DeliveryOutcome> outcome)
            throws Exception {
        try {
            DeliveryContext.whenDone(
                    task.call(), (done, failure) -> outcome.complete(failure == null ? done : DeliveryOutcome.FAILED));
        } catch (RuntimeException fault) {
            context.metrics().buildFailed();
            context.fault("direct delivery", fault);
            outcome.complete(DeliveryOutcome.FAILED);
        }
        return true;
    }

    private CompletableFuture<DeliveryOutcome> direct(ConnectionJobs<W, J> connection, DirectCause cause)
            throws InterruptedException {
        JobTarget.TargetState state = connection.target.state();
        if (!state.open()) {
            return done(DeliveryOutcome.DISCONNECTED);
        }
        if (cause.idle() && context.ports.work().state().diverged()) {
            return done(DeliveryOutcome.NOT_NEEDED);
        }
        Deadline deadline = Deadline.after(context.config.bounds().direct(), context.ports.clock(), "direct delivery");
        CurrentWork.Purpose purpose = cause.idle() ? CurrentWork.Purpose.IDLE_RETARGET : CurrentWork.Purpose.DIRECT;
        CurrentWork.Request request = new CurrentWork.Request(connection.id, state.generations(), purpose);
        CurrentWork.Answer<W> answer = context.ports.work().prepare(request, deadline, CancelSignal.never());
        if (answer instanceof CurrentWork.Ready<W> ready) {
            return commit(connection, ready.work(), state.generations(), cause.alwaysClean(), cause.idle(), deadline);
        }
        if (((CurrentWork.NotNow<W>) answer).failure()) {
            context.metrics().buildFailed();
        }
        return done(DeliveryOutcome.NO_WORK);
    }

    private CompletableFuture<DeliveryOutcome> again(ConnectionJobs<W, J> connection, IssuedJob<J> job)
            throws InterruptedException {
        JobTarget.TargetState state = connection.target.state();
        if (!state.open() || context.ports.work().state().diverged()) {
            return done(DeliveryOutcome.NOT_NEEDED);
        }
        Deadline deadline =
                Deadline.after(context.config.bounds().direct(), context.ports.clock(), "keep-alive delivery");
        CurrentWork.Request request =
                new CurrentWork.Request(connection.id, state.generations(), CurrentWork.Purpose.KEEP_ALIVE);
        Optional<PreparedWork<W>> work = context.ports.work().sameWithNewestTime(request, job.key(), deadline);
        if (work.isEmpty()) {
            return done(DeliveryOutcome.NO_WORK);
        }
        CompletableFuture<DeliveryOutcome> outcome =
                commit(connection, work.get(), state.generations(), false, false, deadline);
        DeliveryContext.whenDone(outcome, (ended, failure) -> {
            if (ended == DeliveryOutcome.SENT) {
                context.metrics().keptAlive();
            }
        });
        return outcome;
    }

    private CompletableFuture<DeliveryOutcome> commit(
            ConnectionJobs<W, J> connection,
            PreparedWork<W> work,
            Generations generations,
            boolean clean,
            boolean tryOnly,
            Deadline deadline)
            throws InterruptedException {
        CurrentState now = context.ports.work().state();
        boolean validated = false;
        if (now.published().isPresent() && !now.authoritative()) {
            validated = context.ports.work().probe(work, deadline) == CurrentWork.LiveTip.EXTENDS_BEST;
            if (!validated) {
                context.guarded("refreshWanted", () -> context.ports.listener().refreshWanted());
                return done(DeliveryOutcome.STALE);
            }
        }
        boolean priority = now.pays(work.key()) && JobRules.tipAllows(work.key(), now, validated);
        DeliveryOrder.Policy policy = DeliveryOrder.Policy.direct(clean, priority, validated, tryOnly);
        DeliveryRun<W, J> run = DeliveryRun.start(
                context,
                connection,
                new DeliveryOrder<>(work, policy, Optional.of(generations), () -> !deadline.expired()));
        DeliveryContext.whenDone(run.outcome(), (outcome, failure) -> {
            if (outcome == DeliveryOutcome.STALE || outcome == DeliveryOutcome.GATE_REFUSED) {
                context.guarded("refreshWanted", () -> context.ports.listener().refreshWanted());
            }
        });
        return run.outcome();
    }

    private static CompletableFuture<DeliveryOutcome> done(DeliveryOutcome outcome) {
        return CompletableFuture.completedFuture(outcome);
    }
}
