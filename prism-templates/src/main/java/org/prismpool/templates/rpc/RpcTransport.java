package org.prismpool.templates.rpc;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Posts one request and reads the whole answer within one deadline, on the thread that asks.
 *
 * <p>No step waits for a pool of threads that others use: a call can't be held up by another one's work. The only
 * thread of its own closes the connections of calls whose deadline has passed. Block submissions, the tip wait and all
 * other calls use separate connections, so that none can stand in another's way. Thread-safe.
 */
final class RpcTransport implements AutoCloseable {

    private static final int OK = 200;
    private static final int SUBMISSIONS = 8; // the lane has at most two under way at a node

    private final RpcEndpoint endpoint;
    private final HostResolver resolver;
    private final ConnectionPool reads;
    private final ConnectionPool waits = new ConnectionPool(1);
    private final ConnectionPool submissions = new ConnectionPool(SUBMISSIONS);
    private final ScheduledThreadPoolExecutor alarms;

    RpcTransport(RpcEndpoint endpoint, HostResolver resolver) {
        this.endpoint = endpoint;
        this.resolver = resolver;
        this.reads = new ConnectionPool(endpoint.maxConnections());
        this.alarms = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "prism-templates-rpc-deadline");
            thread.setDaemon(true);
            return thread;
        });
        alarms.setRemoveOnCancelPolicy(true);
        alarms.setExecuteExistingDelayedTasksAfterShutdownPolicy(true); // calls under way keep their deadline
        alarms.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        long half = ConnectionPool.IDLE_NANOS / 2;
        ScheduledFuture<?> unused = alarms.scheduleWithFixedDelay(this::evict, half, half, TimeUnit.NANOSECONDS);
    }

    /**
     * One request.
     *
     * @param fresh whether it must not use a connection that was kept
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, handed on once
    record Request(RpcMethod method, String path, byte[] body, String authorization, boolean fresh) {}

    /** One answer, complete. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, handed on once
    record Answer(int status, byte[] body) {}

    /**
     * Sends a request at most once.
     *
     * @param reading makes the result; a connection whose answer it refuses is closed
     */
    <R> R post(Request request, Deadline deadline, CancelSignal cancel, Function<Answer, R> reading) {
        if (cancel.cancelled()) {
            throw notSent(request, "cancelled before the call");
        }
        if (deadline.expired()) {
            throw notSent(request, "deadline passed before the call");
        }
        ConnectionPool pool = pool(request.method());
        enter(pool, request, deadline, cancel);
        try {
            return exchange(pool, request, deadline, cancel, reading);
        } finally {
            pool.leave();
        }
    }

    private ConnectionPool pool(RpcMethod method) {
        return switch (method.kind()) {
            case SUBMIT -> submissions;
            case WAIT -> waits;
            case READ, READ_LARGE, MUTATING -> reads;
        };
    }

    private static void enter(ConnectionPool pool, Request request, Deadline deadline, CancelSignal cancel) {
        try {
            if (!pool.enter(deadline, cancel)) {
                throw notSent(request, cancel.cancelled() ? "cancelled" : "no free connection before the deadline");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notSent(request, "interrupted before the call");
        }
    }

    private <R> R exchange(
            ConnectionPool pool, Request request, Deadline deadline, CancelSignal cancel, Function<Answer, R> reading) {
        try (CallAttempt attempt = attempt(request, deadline, cancel)) {
            Optional<NodeConnection> kept = Optional.empty();
            try {
                NodeConnection connection = connection(pool, request, deadline, cancel, attempt);
                kept = Optional.of(connection);
                AnswerReader reader = talk(connection, request, attempt);
                Answer answer = reader.read();
                attempt.letGo();
                R result = reading.apply(answer);
                if (answer.status() == OK && reader.keepAlive()) {
                    pool.keep(connection);
                    kept = Optional.empty();
                }
                return result;
            } catch (IOException e) {
                throw new RpcException(request.method(), attempt.failure(e));
            } finally {
                kept.ifPresent(Quietly::close);
            }
        }
    }

    private CallAttempt attempt(Request request, Deadline deadline, CancelSignal cancel) {
        try {
            return new CallAttempt(deadline, cancel, alarms);
        } catch (RejectedExecutionException closed) {
            throw notSent(request, "node client closed");
        }
    }

    private NodeConnection connection(
            ConnectionPool pool, Request request, Deadline deadline, CancelSignal cancel, CallAttempt attempt)
            throws IOException {
        Optional<NodeConnection> kept = request.fresh() ? Optional.empty() : pool.take();
        if (kept.isPresent()) {
            attempt.hold(kept.get());
            return kept.get();
        }
        InetAddress address = address(deadline, cancel);
        NodeConnection connection = new NodeConnection();
        try {
            attempt.hold(connection);
            connection.connect(new InetSocketAddress(address, endpoint.port()));
            return connection;
        } catch (IOException e) {
            Quietly.close(connection);
            throw e;
        }
    }

    private InetAddress address(Deadline deadline, CancelSignal cancel) throws IOException {
        CompletableFuture<InetAddress> lookup = resolver.resolve();
        CancelSignal.Registration registration = cancel.onCancel(() -> lookup.cancel(false));
        try {
            return lookup.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | CancellationException e) {
            throw new ClosedChannelException(); // the attempt knows why
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            throw new UnknownHostException(endpoint.host());
        } finally {
            registration.close();
        }
    }

    private AnswerReader talk(NodeConnection connection, Request request, CallAttempt attempt) throws IOException {
        byte[] head = head(request);
        if (!attempt.maySend()) {
            throw new ClosedChannelException();
        }
        connection.send(head);
        connection.send(request.body());
        return new AnswerReader(connection, request.method().answerLimit());
    }

    private byte[] head(Request request) {
        String host = endpoint.host().indexOf(':') < 0 ? endpoint.host() : "[" + endpoint.host() + "]";
        String head = "POST " + request.path() + " HTTP/1.1\r\n"
                + "Host: " + host + ":" + endpoint.port() + "\r\n"
                + "Authorization: " + request.authorization() + "\r\n"
                + "Content-Type: application/json\r\n"
                + "Content-Length: " + request.body().length + "\r\n\r\n";
        return head.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static RpcException notSent(Request request, String message) {
        return new RpcException(request.method(), new RpcFailure.NotSent(message));
    }

    private List<ConnectionPool> pools() {
        return List.of(reads, waits, submissions);
    }

    private void evict() {
        pools().forEach(ConnectionPool::evict);
    }

    /** Closes kept connections and ends the threads; the owner has cancelled the calls under way. */
    @Override
    public void close() {
        pools().forEach(ConnectionPool::close);
        resolver.close();
        alarms.shutdown();
    }

    /** Waits for the threads to end. */
    boolean awaitEnd(long nanos) throws InterruptedException {
        return alarms.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    }
}
