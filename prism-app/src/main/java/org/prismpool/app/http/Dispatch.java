package org.prismpool.app.http;

import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
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

    private final List<HttpEndpoint> immediate;
    private final List<HttpEndpoint> waiting;
    private final BoundedPriorityExecutor requests;
    private final Semaphore places; // one for each request that waits or is answered
    private final Runnable refused;

    /**
     * Creates a dispatcher.
     *
     * @param requests answers what may wait; its queue holds all that have a place
     * @param most requests that may wait or be answered at a time
     * @param refused told of each one beyond that
     */
    Dispatch(List<HttpEndpoint> endpoints, BoundedPriorityExecutor requests, int most, Runnable refused) {
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
        boolean head = request.getMethod().equals("HEAD");
        if (!head && !request.getMethod().equals("GET")) {
            HttpAnswer refused = HttpAnswer.error(405, "method not allowed");
            write(refused.withHeader("Allow", "GET, HEAD"), false, response, callback);
            return true;
        }
        if (request.getHttpURI().getPathQuery().length() > MAX_URL) {
            write(HttpAnswer.error(414, "URL is too long"), head, response, callback);
            return true;
        }
        HttpQuery query;
        try {
            query = new HttpQuery(segments(request), parameters(request));
        } catch (IllegalArgumentException badEscape) {
            write(HttpAnswer.error(400, "malformed percent escape"), head, response, callback);
            return true;
        }
        Optional<HttpAnswer> known = ask(immediate, query);
        if (known.isPresent() || waiting.isEmpty()) {
            write(known.orElseGet(Dispatch::unknown), head, response, callback);
            return true;
        }
        if (!places.tryAcquire()) {
            refused.run();
            write(HttpAnswer.error(503, "too many requests at a time"), head, response, callback);
            return true;
        }
        try {
            requests.submit(PRIORITY, () -> {
                try {
                    write(ask(waiting, query).orElseGet(Dispatch::unknown), head, response, callback);
                } finally {
                    places.release();
                }
                return Boolean.TRUE;
            });
        } catch (RejectedExecutionException closed) {
            places.release();
            write(HttpAnswer.error(503, "shutting down"), head, response, callback);
        }
        return true;
    }

    private static HttpAnswer unknown() {
        return HttpAnswer.error(404, "unknown endpoint");
    }

    private static Optional<HttpAnswer> ask(List<HttpEndpoint> endpoints, HttpQuery query) {
        try {
            for (HttpEndpoint endpoint : endpoints) {
                Optional<HttpAnswer> answer = endpoint.answer(query);
                if (answer.isPresent()) {
                    return answer;
                }
            }
            return Optional.empty();
        } catch (BadRequestException bad) {
            return Optional.of(HttpAnswer.error(400, bad.getMessage()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.of(HttpAnswer.error(503, "shutting down"));
        } catch (Exception fault) {
            LOG.atWarn().setCause(fault).log("HTTP endpoint failed");
            // An exception may quote a connection string; its text stays in the log.
            return Optional.of(HttpAnswer.error(500, "internal error"));
        }
    }

    private static List<String> segments(Request request) {
        List<String> segments = new ArrayList<>();
        for (String raw : request.getHttpURI().getPath().split("/", -1)) {
            segments.add(URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8));
        }
        while (segments.size() > 1 && segments.get(segments.size() - 1).isEmpty()) {
            segments.remove(segments.size() - 1);
        }
        segments.remove(0); // the text before the leading slash
        return segments;
    }

    private static Map<String, String> parameters(Request request) {
        Map<String, String> parameters = new LinkedHashMap<>();
        String query = request.getHttpURI().getQuery();
        if (query != null) {
            for (String pair : query.split("&", -1)) {
                String[] sides = pair.split("=", 2);
                String value = sides.length > 1 ? URLDecoder.decode(sides[1], StandardCharsets.UTF_8) : "";
                if (!value.isBlank()) {
                    parameters.putIfAbsent(URLDecoder.decode(sides[0], StandardCharsets.UTF_8), value);
                }
            }
        }
        return parameters;
    }

    private static void write(HttpAnswer answer, boolean head, Response response, Callback callback) {
        response.setStatus(answer.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        response.getHeaders().put(new HttpField("X-Content-Type-Options", "nosniff"));
        response.getHeaders().put(new HttpField("Referrer-Policy", "no-referrer"));
        answer.headers().forEach((name, value) -> response.getHeaders().put(new HttpField(name, value)));
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().length);
        response.write(true, head ? null : ByteBuffer.wrap(answer.body()), callback);
    }
}
