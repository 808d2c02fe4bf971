package org.prismpool.bundle.internal;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The running side of a flight: its promise, its control and its task. Mutable fields are guarded by the scheduler
 * shell's lock unless noted.
 */
final class FlightRun<B> {

    final long id;
    final BuildControl control;
    final Function<BuildControl, B> build;
    final CompletableFuture<B> promise = new CompletableFuture<>();
    final long requestedNanos;
    int waiters = 1;
    long startedNanos;
    boolean started;
    boolean queued;
    boolean wedged;

    @Nullable Future<?> task;

    private volatile @Nullable B result; // written by the build thread before its completion event
    private volatile @Nullable Throwable failure;

    FlightRun(long id, BuildControl control, Function<BuildControl, B> build, long requestedNanos) {
        this.id = id;
        this.control = control;
        this.build = build;
        this.requestedNanos = requestedNanos;
    }

    void succeeded(B value) {
        result = value;
    }

    void failed(Throwable cause) {
        failure = cause;
    }

    Optional<B> result() {
        return Optional.ofNullable(result);
    }

    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    boolean taskOver() {
        Future<?> running = task;
        return started && (running == null || running.isDone());
    }
}
