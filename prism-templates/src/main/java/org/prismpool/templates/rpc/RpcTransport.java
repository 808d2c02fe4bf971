package org.prismpool.templates.rpc;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Posts one request and reads the whole answer within one deadline.
 *
 * <p>Thread-safe. Block submissions, the tip wait and all other calls use separate clients, hence separate connections,
 * so that none can stand in another's way.
 */
final class RpcTransport {

    private final RpcEndpoint endpoint;
    private final HostResolver resolver;
    private final HttpClient readClient;
    private final HttpClient waitClient;
    private final HttpClient submitClient;
    private final Semaphore readSlots;
    private final Semaphore waitSlot = new Semaphore(1);

    RpcTransport(RpcEndpoint endpoint, HostResolver resolver, Executor executor) {
        this.endpoint = endpoint;
        this.resolver = resolver;
        this.readClient = client(executor);
        this.waitClient = client(executor);
        this.submitClient = client(executor);
        this.readSlots = new Semaphore(endpoint.maxConnections(), true);
    }

    private static HttpClient client(Executor executor) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .executor(executor)
                .build();
    }

    /** One request. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, handed on once
    record Request(RpcMethod method, String path, byte[] body, String authorization) {}

    /** One answer, complete. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, handed on once
    record Answer(int status, byte[] body) {}

    Answer post(Request request, Deadline deadline, CancelSignal cancel) {
        if (cancel.cancelled()) {
            throw failure(request, new RpcFailure.NotSent("cancelled before the call"));
        }
        if (deadline.expired()) {
            throw failure(request, new RpcFailure.NotSent("deadline passed before the call"));
        }
        if (request.method().kind() == RpcMethod.Kind.SUBMIT) {
            return exchange(submitClient, request, deadline, cancel);
        }
        boolean waiting = request.method().kind() == RpcMethod.Kind.WAIT;
        Semaphore slots = waiting ? waitSlot : readSlots;
        acquire(slots, request, deadline);
        try {
            return exchange(waiting ? waitClient : readClient, request, deadline, cancel);
        } finally {
            slots.release();
        }
    }

    private static void acquire(Semaphore slots, Request request, Deadline deadline) {
        try {
            if (!slots.tryAcquire(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
                throw failure(request, new RpcFailure.NotSent("no free connection before the deadline"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(request, new RpcFailure.NotSent("interrupted before the call"));
        }
    }

    private Answer exchange(HttpClient client, Request request, Deadline deadline, CancelSignal cancel) {
        InetAddress address = await(resolver.resolve(), request, null, deadline, cancel);
        deadlinePassed(request, deadline);
        GuardedBody body = new GuardedBody(request.body(), deadline, cancel);
        HttpRequest http = HttpRequest.newBuilder(uri(address, request.path()))
                .header("Authorization", request.authorization())
                .header("Content-Type", "application/json")
                .POST(body)
                .build();
        int limit = request.method().answerLimit();
        CompletableFuture<HttpResponse<byte[]>> exchange = client.sendAsync(http, info -> new LimitedBody(limit));
        HttpResponse<byte[]> response = await(exchange, request, body, deadline, cancel);
        return new Answer(response.statusCode(), response.body());
    }

    private URI uri(InetAddress address, String path) {
        String literal = address.getHostAddress();
        String host = address instanceof Inet6Address ? "[" + literal.replace("%", "%25") + "]" : literal;
        return URI.create("http://" + host + ":" + endpoint.port() + path);
    }

    private static void deadlinePassed(Request request, Deadline deadline) {
        if (deadline.expired()) {
            throw failure(request, new RpcFailure.NotSent("deadline passed before the request was sent"));
        }
    }

    /** Waits for a step of the call; {@code body} is null before there is a request that could have been sent. */
    private static <T> T await(
            CompletableFuture<T> step,
            Request request,
            @Nullable GuardedBody body,
            Deadline deadline,
            CancelSignal cancel) {
        CancelSignal.Registration registration = cancel.onCancel(() -> step.cancel(true));
        try {
            return step.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            boolean sent = abort(step, body);
            throw failure(request, sent ? new RpcFailure.TimedOut("deadline passed") : notSent("deadline passed"));
        } catch (CancellationException e) {
            boolean sent = abort(step, body);
            throw failure(request, sent ? new RpcFailure.Cancelled("cancelled") : notSent("cancelled"));
        } catch (InterruptedException e) {
            boolean sent = abort(step, body);
            Thread.currentThread().interrupt();
            throw failure(request, sent ? new RpcFailure.Cancelled("interrupted") : notSent("interrupted"));
        } catch (ExecutionException e) {
            boolean sent = abort(step, body);
            if (cancel.cancelled()) {
                throw failure(request, sent ? new RpcFailure.Cancelled("cancelled") : notSent("cancelled"));
            }
            throw failure(
                    request, classify(e.getCause(), sent || !request.method().mutating(), deadline));
        } finally {
            registration.close();
        }
    }

    /** Ends the step for good and tells whether the request may have reached the node. */
    private static boolean abort(CompletableFuture<?> step, @Nullable GuardedBody body) {
        if (body != null) {
            body.withdraw();
        }
        step.cancel(true);
        return body != null && body.started();
    }

    private static RpcFailure classify(@Nullable Throwable cause, boolean sent, Deadline deadline) {
        if (cause instanceof LimitedBody.TooLongException) {
            return new RpcFailure.Protocol("answer exceeds the limit");
        }
        if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
            return notSent("host name not found");
        }
        if (cause instanceof ConnectException) {
            return notSent("connection refused");
        }
        if (!sent) {
            return deadline.expired() ? notSent("deadline passed") : notSent("connection broke before the request");
        }
        String text = cause instanceof IOException ? String.valueOf(cause.getMessage()) : String.valueOf(cause);
        return new RpcFailure.Transport(text);
    }

    private static RpcFailure notSent(String message) {
        return new RpcFailure.NotSent(message);
    }

    private static RpcException failure(Request request, RpcFailure failure) {
        return new RpcException(request.method(), failure);
    }
}
