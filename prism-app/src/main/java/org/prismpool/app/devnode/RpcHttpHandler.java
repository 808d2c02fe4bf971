package org.prismpool.app.devnode;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Invocable;
import org.prismpool.app.devnode.http.RpcCall;
import org.prismpool.app.devnode.http.RpcEnvelope;
import org.prismpool.app.devnode.rpc.RpcAnswer;

/** Takes requests off the wire and calls through the node. A call that waits holds no thread. */
final class RpcHttpHandler extends Handler.Abstract {

    private static final int LARGEST_BODY = 32 << 20;

    private final DevNodeHttpConfig config;
    private final DevNode node;
    private final ControlCommands control;
    private final RpcEnvelope envelope = new RpcEnvelope();
    private final byte[] credentials;

    RpcHttpHandler(DevNodeHttpConfig config, DevNode node, ControlCommands control) {
        this.config = config;
        this.node = node;
        this.control = control;
        String pair = config.user() + ":" + config.password();
        this.credentials = Base64.getEncoder().encode(pair.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        HttpReply reply = new HttpReply(request, response, callback, node.threads());
        String path = Request.getPathInContext(request);
        boolean controls = config.controlEnabled() && path.equals("/control");
        if (!path.equals("/") && !path.startsWith("/wallet/") && !controls) {
            reply.send(404, "text/plain", "");
        } else if (!request.getMethod().equals("POST")) {
            reply.send(405, "text/plain", "JSONRPC server handles only POST requests");
        } else if (!isAuthorized(request)) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Basic realm=\"jsonrpc\"");
            reply.send(401, "text/plain", "");
        } else {
            CompletableFuture<byte[]> body = new CompletableFuture<>();
            Content.Source.asByteArrayAsync(request, LARGEST_BODY, into(body));
            CompletableFuture<Void> unused = body.thenCompose(
                            bytes -> controls ? control(bytes, reply) : rpc(bytes, reply))
                    .whenComplete((nothing, failure) -> reply.failIfNeeded(failure));
        }
        return true;
    }

    private static Promise.Invocable<byte[]> into(CompletableFuture<byte[]> body) {
        return Promise.Invocable.from(Invocable.InvocationType.BLOCKING, (bytes, failure) -> {
            if (failure == null) {
                body.complete(bytes);
            } else {
                body.completeExceptionally(failure);
            }
        });
    }

    private boolean isAuthorized(Request request) {
        String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        if (header == null || !header.startsWith("Basic ")) {
            return false;
        }
        byte[] given = header.substring(6).strip().getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(given, credentials);
    }

    private CompletableFuture<Void> control(byte[] body, HttpReply reply) {
        ControlCommands.Outcome outcome = control.run(body);
        reply.send(outcome.ok() ? 200 : 400, "application/json", outcome.json());
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> rpc(byte[] body, HttpReply reply) {
        Optional<RpcEnvelope.Request> request = envelope.read(body);
        if (request.isEmpty()) {
            send(envelope.parseError(), reply);
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<List<Exchange>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (RpcCall call : request.get().calls()) {
            all = all.thenCompose(done -> exchange(call).thenApply(end -> {
                done.add(end);
                return done;
            }));
        }
        return all.thenAccept(ends -> finish(request.get(), ends, reply));
    }

    private CompletableFuture<Exchange> exchange(RpcCall call) {
        Optional<RpcAnswer> malformed = RpcEnvelope.malformed(call);
        if (malformed.isPresent()) {
            return CompletableFuture.completedFuture(new Exchange.Answered(malformed.get()));
        }
        JsonNode params = call.params();
        return node.exchange(call.method(), params);
    }

    /** The first fault of the transport among the calls of a batch decides about the whole response. */
    private void finish(RpcEnvelope.Request request, List<Exchange> ends, HttpReply reply) {
        List<RpcAnswer> answers = new ArrayList<>();
        Optional<Exchange.Dripped> dripped = Optional.empty();
        for (Exchange end : ends) {
            if (end instanceof Exchange.Answered answered) {
                answers.add(answered.answer());
            } else if (end instanceof Exchange.Dripped slow) {
                answers.add(slow.answer());
                dripped = dripped.isPresent() ? dripped : Optional.of(slow);
            } else {
                fail(end, reply);
                return;
            }
        }
        RpcEnvelope.Response response = envelope.write(request, answers);
        if (dripped.isPresent()) {
            reply.drip(
                    response.status(),
                    "application/json",
                    response.bytes(),
                    dripped.get().interval());
        } else {
            send(response, reply);
        }
    }

    private static void fail(Exchange end, HttpReply reply) {
        if (end instanceof Exchange.Raw raw) {
            reply.send(raw.status(), raw.contentType(), raw.body());
        } else if (end instanceof Exchange.Hung hung) {
            reply.hang(hung.headersFirst());
        } else {
            reply.drop();
        }
    }

    private static void send(RpcEnvelope.Response response, HttpReply reply) {
        reply.send(response.status(), "application/json", response.body());
    }
}
