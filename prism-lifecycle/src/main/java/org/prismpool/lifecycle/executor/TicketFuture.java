package org.prismpool.lifecycle.executor;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A future that only its executor completes and whose cancellation removes the queued entry. */
final class TicketFuture<T extends @Nullable Object> extends CompletableFuture<T> {

    private final Ticket<T> ticket;

    TicketFuture(Ticket<T> ticket) {
        this.ticket = ticket;
    }

    void succeed(T result) {
        super.complete(result);
    }

    void fail(Throwable failure) {
        super.completeExceptionally(failure);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return ticket.cancel() || isCancelled();
    }

    @Override
    public boolean complete(T value) {
        return false;
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return false;
    }

    @Override
    public void obtrudeValue(T value) {
        throw new IllegalStateException("only the executor decides the outcome of a ticket");
    }

    @Override
    public void obtrudeException(Throwable failure) {
        throw new IllegalStateException("only the executor decides the outcome of a ticket");
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
