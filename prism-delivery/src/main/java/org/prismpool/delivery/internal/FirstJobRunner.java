package org.prismpool.delivery.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.prismpool.delivery.CurrentWork;
import org.prismpool.delivery.DeliveryOutcome;
import org.prismpool.delivery.Generations;
import org.prismpool.delivery.JobTarget;
import org.prismpool.delivery.PreparedWork;
import org.prismpool.delivery.internal.FirstJobMachine.TaskEnd;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Brings one connection its first job: prepare, probe, deliver, and again after a back-off until the deadline. Runs on a
 * first-job worker; holds nothing while it waits.
 */
final class FirstJobRunner<W, J> {

    private static final Duration FIRST_BACKOFF = Duration.ofMillis(50);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration SLICE = Duration.ofMillis(100);

    private final DeliveryContext<W, J> context;

    FirstJobRunner(DeliveryContext<W, J> context) {
        this.context = context;
    }

    TaskEnd run(long connectionId, Generations generations, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        Duration backoff = FIRST_BACKOFF;
        while (true) {
            Optional<ConnectionJobs<W, J>> connection = context.connection(connectionId);
            if (cancel.cancelled() || connection.isEmpty() || !wants(connection.get(), generations)) {
                return TaskEnd.WITHDRAWN;
            }
            if (deadline.expired()) {
                return TaskEnd.FAILED;
            }
            if (served(connection.get(), generations)) {
                return TaskEnd.SENT;
            }
            Optional<TaskEnd> end = attempt(connection.get(), generations, deadline, cancel);
            if (end.isPresent()) {
                return end.get();
            }
            WorkerPause.pause(shorter(backoff, deadline.remaining()), cancel);
            backoff = shorter(backoff.multipliedBy(2), LONGEST_BACKOFF);
        }
    }

    /** Whether a connection already holds exactly the published work, issued to this tuple. */
    boolean served(ConnectionJobs<W, J> connection, Generations generations) {
        return JobRules.holdsPublishedWork(
                connection.current(), generations, context.ports.work().state());
    }

    private static boolean wants(ConnectionJobs<?, ?> connection, Generations generations) {
        JobTarget.TargetState state = connection.target.state();
        return state.open() && state.generations().equals(generations);
    }

    /** One try; empty if it is worth another. */
    private Optional<TaskEnd> attempt(
            ConnectionJobs<W, J> connection, Generations generations, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        CurrentWork.Request request =
                new CurrentWork.Request(connection.id, generations, CurrentWork.Purpose.FIRST_JOB);
        CurrentWork.Answer<W> answer;
        try {
            answer = context.ports.work().prepare(request, deadline, cancel);
        } catch (RuntimeException fault) {
            context.metrics().buildFailed();
            context.fault("prepare", fault);
            return Optional.empty();
        }
        if (answer instanceof CurrentWork.NotNow<W> notNow) {
            if (notNow.failure()) {
                context.metrics().buildFailed();
            }
            return Optional.empty();
        }
        PreparedWork<W> work = ((CurrentWork.Ready<W>) answer).work();
        CurrentWork.LiveTip live = context.ports.work().probe(work, deadline);
        if (live == CurrentWork.LiveTip.OBSOLETE || live == CurrentWork.LiveTip.UNKNOWN) {
            return Optional.empty();
        }
        BooleanSupplier current = () -> !cancel.cancelled() && !deadline.expired();
        DeliveryRun<W, J> run = DeliveryRun.start(
                context,
                connection,
                new DeliveryOrder<>(work, DeliveryOrder.Policy.firstJob(), Optional.of(generations), current));
        return end(await(run.outcome(), deadline, cancel));
    }

    private static Optional<TaskEnd> end(Optional<DeliveryOutcome> outcome) {
        if (outcome.isEmpty()) {
            return Optional.empty(); // the loop finds out whether it was cancelled or late
        }
        return switch (outcome.get()) {
            case SENT, NOT_NEEDED -> Optional.of(TaskEnd.SENT);
            case DISCONNECTED, CANCELLED -> Optional.of(TaskEnd.WITHDRAWN);
            case STALE, SLOT_BUSY, GATE_REFUSED, NO_WORK, QUEUE_FULL, FAILED -> Optional.empty();
        };
    }

    private static Optional<DeliveryOutcome> await(
            CompletableFuture<DeliveryOutcome> outcome, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        while (true) {
            try {
                return Optional.of(outcome.get(SLICE.toNanos(), TimeUnit.NANOSECONDS));
            } catch (TimeoutException notYet) {
                if (cancel.cancelled() || deadline.expired()) {
                    return Optional.empty();
                }
            } catch (ExecutionException broken) {
                return Optional.of(DeliveryOutcome.FAILED);
            }
        }
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
