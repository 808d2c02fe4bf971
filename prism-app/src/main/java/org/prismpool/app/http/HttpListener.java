package org.prismpool.app.http;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/1.1 listener over a list of endpoints: GET and HEAD only, bounded threads, headers and URLs, never a stack trace.
 *
 * <p>Start and stop are called by its owner, each once. Source: spec 08 §7.1.
 */
public final class HttpListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
    private static final int THREADS = 16;
    private static final int ACCEPTING_THREADS = 4; // Jetty's acceptor, selector and reserve come out of the same pool
    private static final int MAX_HEADER_BYTES = 8192;
    private static final int MAX_URL = 2048;
    private static final Duration IDLE = Duration.ofSeconds(15);
    private static final Duration STOP = Duration.ofSeconds(1);

    private final String name;
    private final Server server;
    private final ServerConnector connector;

    /**
     * Creates a listener that is not yet bound.
     *
     * @param name thread name prefix
     * @param host address to bind
     * @param port port to bind, 0 for a free one
     * @param endpoints asked in order; the first that knows the path answers
     */
    public HttpListener(String name, String host, int port, List<HttpEndpoint> endpoints) {
        this.name = name;
        QueuedThreadPool threads = new QueuedThreadPool(THREADS + ACCEPTING_THREADS, 2);
        threads.setName(name);
        threads.setDaemon(true);
        this.server = new Server(threads);
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(true);
        configuration.setRequestHeaderSize(MAX_HEADER_BYTES);
        this.connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration));
        connector.setHost(host);
        connector.setPort(port);
        connector.setIdleTimeout(IDLE.toMillis());
        server.addConnector(connector);
        server.setHandler(new Dispatch(List.copyOf(endpoints)));
        server.setStopTimeout(STOP.toMillis());
    }

    /**
     * Binds and serves.
     *
     * @throws IOException if the port cannot be bound; the message names it
     */
    public void start() throws IOException {
        try {
            server.start();
        } catch (Exception e) {
            throw new IOException(
                    name + " cannot listen on " + connector.getHost() + ":" + connector.getPort() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * Returns the bound port.
     *
     * @return the local port, 0 or less before start
     */
    public int port() {
        return connector.getLocalPort();
    }

    /** Stops within one second; requests still running are cut off. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.atWarn().addKeyValue("listener", name).setCause(e).log("HTTP listener did not stop cleanly");
        }
    }

    /** Turns a Jetty request into a query, asks the endpoints and writes the answer. */
    private static final class Dispatch extends Handler.Abstract {
        private final List<HttpEndpoint> endpoints;

        private Dispatch(List<HttpEndpoint> endpoints) {
            this.endpoints = endpoints;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            boolean head = request.getMethod().equals("HEAD");
            HttpAnswer answer = head || request.getMethod().equals("GET")
                    ? answer(request)
                    : new HttpAnswer(
                            405,
                            "application/json",
                            "{\"error\": \"method not allowed\"}\n".getBytes(StandardCharsets.UTF_8),
                            Map.of("Allow", "GET, HEAD"));
            write(answer, head, response, callback);
            return true;
        }

        private HttpAnswer answer(Request request) {
            String url = request.getHttpURI().getPathQuery();
            if (url.length() > MAX_URL) {
                return error(414, "URL is too long");
            }
            try {
                HttpQuery query = new HttpQuery(segments(request), parameters(request));
                for (HttpEndpoint endpoint : endpoints) {
                    Optional<HttpAnswer> answer = endpoint.answer(query);
                    if (answer.isPresent()) {
                        return answer.get();
                    }
                }
                return error(404, "unknown endpoint");
            } catch (IllegalArgumentException badRequest) {
                return error(400, String.valueOf(badRequest.getMessage()));
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return error(503, "shutting down");
            } catch (Exception fault) {
                LOG.atWarn().setCause(fault).log("HTTP endpoint failed");
                // An exception may quote a connection string; its text stays in the log.
                return error(500, "internal error");
            }
        }

        private static HttpAnswer error(int status, String text) {
            String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("[\\x00-\\x1f]", " ");
            return HttpAnswer.json(status, "{\"error\": \"" + escaped + "\"}");
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
}
