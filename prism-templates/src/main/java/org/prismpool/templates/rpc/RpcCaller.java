package org.prismpool.templates.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Makes one logical call: its id, its effective deadline, its credentials, and the one retry that a read has.
 *
 * <p>Thread-safe; the cached authorization is a volatile snapshot.
 */
final class RpcCaller {

    private static final Duration WAIT_GRACE = Duration.ofSeconds(10);

    private final RpcEndpoint endpoint;
    private final RpcTransport transport;
    private final RpcMetrics metrics;
    private final JsonRpcCodec codec = new JsonRpcCodec();
    private final String idPrefix =
            Integer.toHexString(ThreadLocalRandom.current().nextInt()) + "-";
    private final AtomicLong nextId = new AtomicLong();
    private volatile String authorization = ""; // empty: not read yet

    RpcCaller(RpcEndpoint endpoint, RpcTransport transport, RpcMetrics metrics) {
        this.endpoint = endpoint;
        this.transport = transport;
        this.metrics = metrics;
    }

    /** What is asked of the node. */
    record Call(RpcMethod method, String path, Function<String, byte[]> body, Duration limit) {}

    Call call(RpcMethod method, String path, List<?> params) {
        return new Call(method, path, id -> codec.request(id, method, params), endpoint.callTimeout());
    }

    Call submit(String blockHex) {
        RpcMethod method = RpcMethod.SUBMIT_BLOCK;
        return new Call(method, "/", id -> codec.hexRequest(id, method, blockHex), endpoint.submitTimeout());
    }

    Call waiting(Duration wait, List<?> params) {
        RpcMethod method = RpcMethod.WAIT_FOR_NEW_BLOCK;
        return new Call(method, "/", id -> codec.request(id, method, params), wait.plus(WAIT_GRACE));
    }

    JsonNode send(Call call, Deadline outer, CancelSignal cancel) {
        long begun = System.nanoTime();
        RpcMetrics.Outcome outcome = RpcMetrics.Outcome.PROTOCOL; // of a fault of ours
        metrics.started(call.method());
        try {
            JsonNode answer = retrying(call, outer, cancel);
            outcome = RpcMetrics.Outcome.OK;
            return answer;
        } catch (RpcException e) {
            outcome = e.failure().outcome();
            throw e;
        } finally {
            metrics.ended(call.method(), outcome, System.nanoTime() - begun);
        }
    }

    private JsonNode retrying(Call call, Deadline outer, CancelSignal cancel) {
        Deadline deadline = outer.within(call.limit(), call.method().wireName());
        String used = currentAuthorization(call.method());
        try {
            return once(call, used, deadline, cancel, false);
        } catch (RpcException e) {
            if (e.failure() instanceof RpcFailure.Unauthorized) {
                String fresh = rereadAuthorization(call.method());
                if (call.method().mutating() || fresh.equals(used)) {
                    throw e;
                }
                metrics.retried(call.method());
                return once(call, fresh, deadline, cancel, true);
            }
            if (call.method().mutating() || !(e.failure() instanceof RpcFailure.Transport)) {
                throw e;
            }
            metrics.retried(call.method());
            return once(call, used, deadline, cancel, true);
        }
    }

    private JsonNode once(Call call, String header, Deadline deadline, CancelSignal cancel, boolean freshConnection) {
        String id = idPrefix + nextId.incrementAndGet();
        byte[] body = call.body().apply(id);
        RpcTransport.Request request =
                new RpcTransport.Request(call.method(), call.path(), body, header, freshConnection);
        return transport.post(request, deadline, cancel, answer -> codec.result(id, call.method(), answer));
    }

    private String currentAuthorization(RpcMethod method) {
        String known = authorization;
        return known.isEmpty() ? rereadAuthorization(method) : known;
    }

    private String rereadAuthorization(RpcMethod method) {
        try {
            String header = endpoint.credentials().authorization();
            authorization = header;
            return header;
        } catch (IOException e) {
            throw new RpcException(method, new RpcFailure.NotSent("RPC cookie file can't be read"));
        }
    }
}
