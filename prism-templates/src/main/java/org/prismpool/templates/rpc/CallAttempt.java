package org.prismpool.templates.rpc;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/**
 * One attempt of a call: closes its connection at the deadline and on cancellation, and knows whether the node may have
 * got the request.
 *
 * <p>A closed connection wakes its reader and its writer, so no step needs a limit of its own, and no byte can follow.
 * State is guarded by this; connections are closed outside the lock.
 */
final class CallAttempt implements AutoCloseable {

    private enum End {
        DEADLINE("deadline passed"),
        CANCEL("cancelled");

        private final String text;

        End(String text) {
            this.text = text;
        }
    }

    private final Deadline deadline;
    private final CancelSignal cancel;
    private final Future<?> alarm;
    private final CancelSignal.Registration registration;
    private Optional<End> end = Optional.empty();
    private @Nullable Closeable connection;
    private boolean started;

    CallAttempt(Deadline deadline, CancelSignal cancel, ScheduledExecutorService alarms) {
        this.deadline = deadline;
        this.cancel = cancel;
        this.alarm = alarms.schedule(() -> end(End.DEADLINE), deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        this.registration = cancel.onCancel(() -> end(End.CANCEL));
    }

    private void end(End why) {
        Closeable closing;
        synchronized (this) {
            if (end.isPresent()) {
                return;
            }
            end = Optional.of(why);
            closing = connection;
        }
        close(closing);
    }

    private static void close(@Nullable Closeable closing) {
        if (closing != null) {
            Quietly.close(closing);
        }
    }

    /**
     * Takes a connection into the attempt's hands; {@link #letGo} ends that.
     *
     * @throws ClosedChannelException if the attempt is over; the connection is closed then
     */
    void hold(Closeable held) throws ClosedChannelException {
        boolean over;
        synchronized (this) {
            over = end.isPresent();
            connection = held;
        }
        if (over) {
            close(held);
            throw new ClosedChannelException();
        }
    }

    /** Leaves the connection open when the attempt ends later. */
    synchronized void letGo() {
        connection = null;
    }

    /** Asks for leave to send the first byte; after a yes only the node can tell what became of the request. */
    synchronized boolean maySend() {
        started = end.isEmpty() && !deadline.expired() && !cancel.cancelled();
        return started;
    }

    /** Says what a failed step means. */
    synchronized RpcFailure failure(IOException cause) {
        if (end.isPresent()) {
            End why = end.get();
            if (!started) {
                return new RpcFailure.NotSent(why.text);
            }
            return why == End.DEADLINE ? new RpcFailure.TimedOut(why.text) : new RpcFailure.Cancelled(why.text);
        }
        if (Thread.currentThread().isInterrupted()) {
            return started ? new RpcFailure.Cancelled("interrupted") : new RpcFailure.NotSent("interrupted");
        }
        if (cause instanceof AnswerReader.TooLongException) {
            return new RpcFailure.Protocol("answer exceeds the limit");
        }
        if (started) {
            return new RpcFailure.Transport(String.valueOf(cause.getMessage()));
        }
        return new RpcFailure.NotSent(beforeSending(cause));
    }

    private String beforeSending(IOException cause) {
        if (cause instanceof UnknownHostException) {
            return "host name not found";
        }
        if (cause instanceof ConnectException) {
            return "connection refused";
        }
        if (deadline.expired()) {
            return End.DEADLINE.text;
        }
        return cancel.cancelled() ? End.CANCEL.text : "no connection to the node";
    }

    @Override
    public void close() {
        alarm.cancel(false);
        registration.close();
    }
}
