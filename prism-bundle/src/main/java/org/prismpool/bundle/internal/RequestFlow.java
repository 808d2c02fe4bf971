package org.prismpool.bundle.internal;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.prismpool.bundle.BundleException;
import org.prismpool.bundle.BundleFailure;
import org.prismpool.bundle.BundleRequest;
import org.prismpool.bundle.WorkBundle;
import org.prismpool.bundle.compile.CompileException;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;

/**
 * One caller's wish from its arrival to its answer: parked, being prepared, waiting for a promise, or done.
 *
 * <p>Thread-safe: {@code attempt} and {@code leave} are single-writer snapshots, the answer is given once by the future.
 */
final class RequestFlow {

    final BundleRequest request;
    final Deadline deadline;
    final CancelSignal cancel;
    final CompletableFuture<WorkBundle> answer = new CompletableFuture<>();
    final long arrivedNanos;
    final Deadline giveUp;

    /** Control of the preparation in progress; a reservation cancels it. */
    volatile Optional<BuildControl> preparing = Optional.empty();

    private volatile Runnable leave = () -> {};
    volatile Optional<Deadline> parkedUntil = Optional.empty();
    volatile boolean deferredCounted;
    volatile boolean subscribedCounted;

    RequestFlow(BundleRequest request, Deadline deadline, Deadline giveUp, CancelSignal cancel, long arrivedNanos) {
        this.request = request;
        this.deadline = deadline;
        this.giveUp = giveUp;
        this.cancel = cancel;
        this.arrivedNanos = arrivedNanos;
    }

    boolean done() {
        return answer.isDone();
    }

    void waitsFor(Runnable howToLeave) {
        leave = howToLeave;
        if (done()) {
            howToLeave.run();
        }
    }

    void fulfil(WorkBundle bundle) {
        answer.complete(bundle);
    }

    void fail(BundleException failure) {
        if (answer.completeExceptionally(failure)) {
            preparing.ifPresent(control -> control.cancel(failure.failure().name()));
            leave.run();
        }
    }

    /** Ends the flow if its caller left or its time is up; returns whether it is over. */
    boolean expire() {
        if (!done()) {
            if (cancel.cancelled()) {
                fail(new BundleException(
                        BundleFailure.CANCELLED,
                        "scheduler admission",
                        cancel.reason().orElse("cancelled")));
            } else if (deadline.expired() || giveUp.expired()) {
                fail(new BundleException(BundleFailure.PHASE_TIMEOUT, "bundle_preparation", "job build timed out"));
            }
        }
        return done();
    }

    /** Names any failure of a preparation or build in the service's terms. */
    static BundleException named(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof BundleException known) {
            return known;
        }
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof CancelledException cancelled) {
            return cancelled.reason().equals(Scheduler.TIMEOUT)
                    ? new BundleException(BundleFailure.PHASE_TIMEOUT, "bundle_builder", message, cause)
                    : new BundleException(BundleFailure.SUPERSEDED, "scheduler admission", cancelled.reason(), cause);
        }
        if (cause instanceof DeadlineExceededException late) {
            return new BundleException(BundleFailure.PHASE_TIMEOUT, late.phase(), message, cause);
        }
        if (cause instanceof CompileException) {
            return new BundleException(BundleFailure.BLOCKED, "bundle_builder", message, cause);
        }
        if (cause instanceof CancellationException) {
            return new BundleException(BundleFailure.CANCELLED, "scheduler admission", message, cause);
        }
        return new BundleException(BundleFailure.BLOCKED, "bundle_preparation", message, cause);
    }
}
