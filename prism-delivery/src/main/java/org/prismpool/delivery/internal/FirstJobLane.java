package org.prismpool.delivery.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.delivery.DeliveryMetrics;
import org.prismpool.delivery.FirstJobOutcome;
import org.prismpool.delivery.JobTarget;
import org.prismpool.delivery.internal.FirstJobMachine.TaskEnd;
import org.prismpool.lifecycle.executor.ExecutorConfig;
import org.prismpool.lifecycle.executor.ExecutorStats;
import org.prismpool.lifecycle.executor.Ticket;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;

/**
 * The first-job lane: runs the effects of {@link FirstJobMachine} on a pool of its own, so that first jobs that cannot be
 * served never occupy what publications need.
 *
 * <p>The machine's state is guarded by this object's monitor, which is innermost; effects run after it is released.
 */
final class FirstJobLane<W, J> {

    private static final int PRIORITY = 0;

    /** A task that was handed to the pool. */
    private record Task(CancelSource cancel, Optional<Ticket<Boolean>> ticket) {}

    private final DeliveryContext<W, J> context;
    private final FirstJobRunner<W, J> runner;
    private final LazyExecutor pool;
    private final Map<Long, Task> tasks = new ConcurrentHashMap<>();
    private FirstJobMachine machine;

    FirstJobLane(DeliveryContext<W, J> context) {
        DeliveryConfig.FirstJobs limits = context.config.firstJobs();
        this.context = context;
        this.runner = new FirstJobRunner<>(context);
        this.pool = new LazyExecutor(
                ExecutorConfig.of("prism-delivery-first-job", limits.workers(), limits.pendingBound()));
        this.machine = FirstJobMachine.empty(limits.pendingBound());
    }

    FirstJobOutcome request(ConnectionJobs<W, J> connection) {
        JobTarget.TargetState state = connection.target.state();
        boolean served = state.open() && runner.served(connection, state.generations());
        long now = context.now();
        Duration timeout = context.config.firstJobs().timeout();
        OptionalLong deadline = timeout.isZero() ? OptionalLong.empty() : OptionalLong.of(now + timeout.toNanos());
        FirstJobMachine.Request request =
                new FirstJobMachine.Request(connection.id, state.generations(), now, deadline, state.open(), served);
        FirstJobMachine.Admission admission;
        synchronized (this) {
            admission = machine.request(request);
            machine = admission.next();
        }
        run(admission.effects());
        return admission.outcome();
    }

    void withdraw(long connection) {
        apply(state -> state.withdraw(connection));
    }

    /** Some lane delivered current work to a connection. */
    void served(long connection) {
        apply(state -> state.served(connection, context.now()));
    }

    void sweep() {
        apply(state -> state.swept(context.now()));
    }

    void close(Duration wait) {
        apply(FirstJobMachine::close);
        pool.close(wait);
    }

    synchronized int pending() {
        return machine.entries().size();
    }

    /** Since when the oldest request of the wanted connections is pending. */
    OptionalLong oldestRequestNanos(LongPredicate wanted) {
        FirstJobMachine now;
        synchronized (this) {
            now = machine;
        }
        return now.oldestRequestNanos(wanted);
    }

    Optional<ExecutorStats> poolStats() {
        return pool.stats();
    }

    private void apply(Function<FirstJobMachine, FirstJobMachine.Step> transition) {
        FirstJobMachine.Step step;
        synchronized (this) {
            step = transition.apply(machine);
            machine = step.next();
        }
        run(step.effects());
    }

    private void run(List<FirstJobMachine.Effect> effects) {
        for (FirstJobMachine.Effect effect : effects) {
            run(effect);
        }
    }

    private void run(FirstJobMachine.Effect effect) {
        if (effect instanceof FirstJobMachine.Submit submit) {
            submit(submit);
        } else if (effect instanceof FirstJobMachine.CancelTask cancel) {
            cancel(cancel.task());
        } else if (effect instanceof FirstJobMachine.Disconnect disconnect) {
            context.connection(disconnect.connection())
                    .ifPresent(connection ->
                            context.guarded("disconnect", () -> connection.target.disconnect(disconnect.reason())));
        } else if (effect instanceof FirstJobMachine.Vacate vacate) {
            vacate(vacate);
        } else if (effect instanceof FirstJobMachine.Count count) {
            context.metrics().firstJob(count.result());
        } else if (effect instanceof FirstJobMachine.CountTimeout) {
            context.metrics().firstJobTimedOut();
        } else if (effect instanceof FirstJobMachine.CountRejected) {
            context.metrics().firstJobRejected();
        } else if (effect instanceof FirstJobMachine.CountDelivered delivered) {
            context.metrics().firstJobDelivered(delivered.nanos());
        }
    }

    private synchronized void vacate(FirstJobMachine.Vacate vacate) {
        machine = machine.vacated(vacate.connection(), vacate.task());
    }

    private void submit(FirstJobMachine.Submit submit) {
        CancelSource cancel = new CancelSource();
        tasks.put(submit.task(), new Task(cancel, Optional.empty()));
        long queued = context.now();
        try {
            Ticket<Boolean> ticket = pool.submit(PRIORITY, () -> {
                context.metrics().stage(DeliveryMetrics.Stage.EXECUTOR_QUEUE, context.now() - queued);
                return work(submit, cancel);
            });
            Optional<Task> known = Optional.ofNullable(
                    tasks.computeIfPresent(submit.task(), (task, seen) -> new Task(cancel, Optional.of(ticket))));
            if (cancel.cancelled() || (known.isEmpty() && ticket.cancel())) {
                cancel(submit.task());
            }
        } catch (RejectedExecutionException refused) {
            tasks.remove(submit.task());
            apply(state -> state.refused(submit.connection(), submit.task()));
        }
    }

    /** Cancels a task wherever it is; a queued one gives its place back at once. */
    private void cancel(long task) {
        Optional<Task> known = Optional.ofNullable(tasks.get(task));
        known.ifPresent(found -> {
            found.cancel().cancel("first-job request withdrawn");
            if (found.ticket().map(Ticket::cancel).orElse(false)) {
                tasks.remove(task);
                context.metrics().queueCapacityReclaimed();
            }
        });
    }

    private Boolean work(FirstJobMachine.Submit submit, CancelSource cancel) throws InterruptedException {
        TaskEnd end = TaskEnd.FAILED;
        if (!start(submit)) {
            tasks.remove(submit.task());
            return false;
        }
        try {
            end = runner.run(submit.connection(), submit.entry().generations(), deadline(submit.entry()), cancel);
        } catch (RuntimeException fault) {
            context.fault("first job", fault);
        } finally {
            tasks.remove(submit.task());
            TaskEnd ended = end;
            apply(state -> state.finished(submit.connection(), submit.task(), ended, context.now()));
        }
        return end == TaskEnd.SENT;
    }

    private synchronized boolean start(FirstJobMachine.Submit submit) {
        Optional<FirstJobMachine> started = machine.started(submit.connection(), submit.task());
        started.ifPresent(next -> machine = next);
        return started.isPresent();
    }

    private Deadline deadline(FirstJobMachine.Entry entry) {
        OptionalLong end = entry.deadlineNanos();
        return end.isPresent()
                ? Deadline.after(Duration.ofNanos(end.getAsLong() - context.now()), context.ports.clock(), "first job")
                : Deadline.unbounded(context.ports.clock(), "first job");
    }
}
