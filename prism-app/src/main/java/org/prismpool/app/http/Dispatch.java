package org.prismpool.app.http;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a Jetty request into a query, asks the endpoints and writes the answer. */
final class Dispatch extends Handler.Abstract.NonBlocking {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatch.class);
    private static final int MAX_URL = 2048;
    private static final int PRIORITY = 0;

    private final List<HttpZone> zones;
    private final List<HttpEndpoint> immediate;
    private final List<HttpEndpoint> waiting;
    private final BoundedPriorityExecutor requests;
    private final Semaphore places; // one for each request that waits or is answered
    private final Runnable refused;
    private final LargeAnswers large = new LargeAnswers();

    /**
     * Creates a dispatcher.
     *
     * @param site whose requests are answered
     * @param requests answers what may wait; its queue holds all that have a place
     * @param most requests that may wait or be answered at a time
     * @param refused told of each one beyond that
     */
    Dispatch(HttpSite site, BoundedPriorityExecutor requests, int most, Runnable refused) {
        List<HttpEndpoint> endpoints = site.endpoints();
        this.zones = site.zones();
        this.immediate = endpoints.stream().filter(HttpEndpoint::immediate).toList();
        this.waiting =
                endpoints.stream().filter(endpoint -> !endpoint.immediate()).toList();
        this.requests = requests;
        this.places = new Semaphore(most);
        this.refused = refused;
    }

    int freePlaces() {
        return places.availablePermits();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = RequestLine.path(request.getHttpURI());
        Exchange exchange = Exchange.of(zones, path, request, response, callback);
        Optional<HttpAnswer> first = exchange.zone().first(exchange.head());
        if (first.isPresent()) {
            exchange.answer(first.get());
            return true;
        }
        String method = request.getMethod();
        if (!method.equals("HEAD") && !method.equals("GET")) {
            exchange.answer(exchange.zone()
                    .refusal(405, "method not allowed")
                    .withHeader("Allow", exchange.zone().methods()));
            return true;
        }
        if (request.getHttpURI().getPathQuery().length() > MAX_URL) {
            exchange.refuse(414, "URL is too long");
            return true;
        }
        HttpQuery query;
        try {
            query = new HttpQuery(
                    RequestLine.segments(path),
                    RequestLine.values(request.getHttpURI().getQuery()));
        } catch (IllegalArgumentException badEscape) {
            exchange.refuse(400, "malformed percent escape");
            return true;
        }
        ask(exchange, query);
        return true;
    }

    /** Answers what the server itself refuses, such as a malformed request line, without its page. */
    boolean broken(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        String path = RequestLine.path(TargetConnections.target(request).orElse("/"));
        Exchange.of(zones, path, request, response, callback)
                .refuse(status, HttpStatus.getMessage(status).toLowerCase(Locale.ROOT));
        return true;
    }

    private void ask(Exchange exchange, HttpQuery query) {
        Optional<HttpAnswer> known = ask(immediate, query, exchange.zone());
        if (known.isPresent() || waiting.isEmpty()) {
            known.ifPresentOrElse(answer -> send(exchange, answer), () -> unknown(exchange));
            return;
        }
        if (!places.tryAcquire()) {
            refused.run();
            exchange.refuse(503, "too many requests at a time");
            return;
        }
        try {
            requests.submit(PRIORITY, () -> {
                try {
                    ask(waiting, query, exchange.zone())
                            .ifPresentOrElse(answer -> send(exchange, answer), () -> unknown(exchange));
                } finally {
                    places.release();
                }
                return Boolean.TRUE;
            });
        } catch (RejectedExecutionException closed) {
            places.release();
            exchange.refuse(503, "shutting down");
        }
    }

    private void send(Exchange exchange, HttpAnswer answer) {
        Optional<Runnable> room = large.room(answer.body().length);
        if (room.isPresent()) {
            exchange.answer(answer, room.get());
        } else {
            refused.run();
            exchange.refuse(503, "too many large answers at a time");
        }
    }

    private static void unknown(Exchange exchange) {
        exchange.refuse(404, "unknown endpoint");
    }

    private static Optional<HttpAnswer> ask(List<HttpEndpoint> endpoints, HttpQuery query, HttpZone zone) {
        try {
            for (HttpEndpoint endpoint : endpoints) {
                Optional<HttpAnswer> answer = endpoint.answer(query);
                if (answer.isPresent()) {
                    return answer;
                }
            }
            return Optional.empty();
        } catch (BadRequestException bad) {
            return Optional.of(zone.refusal(400, bad.getMessage()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.of(zone.refusal(503, "shutting down"));
        } catch (Exception fault) {
            LOG.atWarn().setCause(fault).log("HTTP endpoint failed");
            // An exception may quote a connection string; its text stays in the log.
            return Optional.of(zone.refusal(500, "internal error"));
        }
    }
}
