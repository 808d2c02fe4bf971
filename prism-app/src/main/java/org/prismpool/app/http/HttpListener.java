package org.prismpool.app.http;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.executor.CloseMode;
import org.prismpool.lifecycle.executor.ExecutorConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/1.1 listener over a list of endpoints: GET and HEAD only, bounded threads, headers and URLs, never a stack trace.
 *
 * <p>Sockets are read by few threads that wait for nothing; endpoints that may wait run on their own bounded pool, and requests
 * beyond it are refused with 503. Start is called once by its owner; close may be called at any time and more than once.
 * Source: spec 08 §7.1.
 */
public final class HttpListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
    private static final int SOCKET_THREADS =
            6; // one acceptor, one selector, a reserve, and those that parse and answer
    private static final int MAX_HEADER_BYTES = 8192;
    // Path parameters are decoded after splitting, so an escaped slash or percent sign has one meaning here.
    private static final UriCompliance ESCAPES = UriCompliance.DEFAULT.with(
            "PRISM", UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR, UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING);
    private static final Duration IDLE = Duration.ofSeconds(15);
    private static final Duration STOP = Duration.ofMillis(700); // together with the pool's below: within one second
    private static final Duration POOL_STOP = Duration.ofMillis(300);

    /** Where a listener is. */
    public enum State {
        /** Not started. */
        NEW,
        /** Being bound. */
        STARTING,
        /** Serving. */
        RUNNING,
        /** Being stopped. */
        STOPPING,
        /** Stopped, nothing left behind. */
        STOPPED,
        /** Stopped, a request's thread was left behind. */
        STOP_TIMEOUT,
        /** Serving ended by itself; the socket is closed. */
        EXITED;

        /**
         * Returns the word of the contract.
         *
         * @return the name in lower case
         */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        private boolean over() {
            return this == STOPPING || this == STOPPED || this == STOP_TIMEOUT;
        }
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    private final String name;
    private final BoundedPriorityExecutor requests;
    private final Server server;
    private final Dispatch dispatch;
    private final ServerConnector connector;

    /**
     * Creates a listener that is not yet bound, with the limits of the contract: 64 requests at a time on 16 threads.
     *
     * @param name thread name prefix
     * @param host address to bind
     * @param port port to bind, 0 for a free one
     * @param endpoints asked in order, the immediate ones first; the first that knows the path answers
     */
    public HttpListener(String name, String host, int port, List<HttpEndpoint> endpoints) {
        this(name, host, port, endpoints, () -> {});
    }

    /**
     * Creates the same and tells of what it refuses.
     *
     * @param name thread name prefix
     * @param host address to bind
     * @param port port to bind, 0 for a free one
     * @param endpoints asked in order, the immediate ones first; the first that knows the path answers
     * @param refused told of each request that was one too many; called on a socket thread, must not block
     */
    public HttpListener(String name, String host, int port, List<HttpEndpoint> endpoints, Runnable refused) {
        this(name, host, port, new HttpSite(endpoints, List.of()), refused);
    }

    /**
     * Creates a listener with zones of different rules.
     *
     * @param name thread name prefix
     * @param host address to bind
     * @param port port to bind, 0 for a free one
     * @param site what is served
     * @param refused told of each request that was one too many; called on a socket thread, must not block
     */
    public HttpListener(String name, String host, int port, HttpSite site, Runnable refused) {
        this(name, host, port, site, refused, new Limits(16, 64));
    }

    /**
     * Bounds of the requests that may wait.
     *
     * @param threads requests that are answered at a time
     * @param most these and those that wait for a thread
     */
    record Limits(int threads, int most) {}

    HttpListener(String name, String host, int port, HttpSite site, Runnable refused, Limits limits) {
        this.name = name;
        this.requests =
                BoundedPriorityExecutor.start(ExecutorConfig.of(name + "-request", limits.threads(), limits.most()));
        QueuedThreadPool sockets = new QueuedThreadPool(SOCKET_THREADS, 2);
        sockets.setName(name);
        sockets.setDaemon(true);
        sockets.setStopTimeout(STOP.toMillis());
        this.server = new Server(sockets);
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(true);
        configuration.setRequestHeaderSize(MAX_HEADER_BYTES);
        configuration.setUriCompliance(ESCAPES);
        this.connector = new WatchedConnector(server, new TargetConnections(configuration));
        connector.setHost(host);
        connector.setPort(port);
        connector.setIdleTimeout(IDLE.toMillis());
        server.addConnector(connector);
        this.dispatch = new Dispatch(site, requests, limits.most(), refused);
        server.setHandler(dispatch);
        server.setErrorHandler(dispatch::broken);
        server.setStopTimeout(0); // an idle keep-alive connection must not hold a stop
    }

    /**
     * Binds and serves.
     *
     * @throws IOException if the port cannot be bound, the message names it; or if the listener was closed before or meanwhile
     */
    public void start() throws IOException {
        if (!state.compareAndSet(State.NEW, State.STARTING)) {
            throw new IOException(name + " cannot start, it is " + state().id());
        }
        try {
            server.start();
        } catch (Exception e) {
            close();
            throw new IOException(
                    name + " cannot listen on " + connector.getHost() + ":" + connector.getPort() + ": "
                            + e.getMessage(),
                    e);
        }
        if (!state.compareAndSet(State.STARTING, State.RUNNING)) {
            stopServer(); // the one who closes it may have come too early for that
            throw new IOException(name + " was closed while it started");
        }
    }

    /**
     * Returns the name.
     *
     * @return what its threads are called after
     */
    public String name() {
        return name;
    }

    /**
     * Returns where the listener is.
     *
     * @return the state; it may have moved on when the caller looks at it
     */
    public State state() {
        return Objects.requireNonNull(state.get());
    }

    /**
     * Returns the bound port.
     *
     * @return the local port, 0 or less before start
     */
    public int port() {
        return connector.getLocalPort();
    }

    int freePlaces() {
        return dispatch.freePlaces();
    }

    /** Stops within one second; requests still running are cut off. */
    @Override
    public void close() {
        State before = state.getAndUpdate(now -> now.over() ? now : State.STOPPING);
        if (before.over()) {
            return;
        }
        stopServer();
        List<String> left = requests.close(CloseMode.CANCEL_QUEUED, POOL_STOP);
        if (!left.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("listener", name)
                    .addKeyValue("threads", left)
                    .log("requests are still running");
        }
        state.set(left.isEmpty() ? State.STOPPED : State.STOP_TIMEOUT);
    }

    private void stopServer() {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.atWarn().addKeyValue("listener", name).setCause(e).log("HTTP listener did not stop cleanly");
        }
    }

    /** Nobody accepts any more although nobody asked for that: the socket is closed, so that a restart can bind it. */
    private void exited(Throwable cause) {
        if (state.compareAndSet(State.RUNNING, State.EXITED)) {
            LOG.atError().addKeyValue("listener", name).setCause(cause).log("HTTP listener stopped accepting");
            connector.close();
        }
    }

    /** A connector that notices when its acceptor ends. */
    private final class WatchedConnector extends ServerConnector {

        private WatchedConnector(Server server, HttpConnectionFactory factory) {
            super(server, 1, 1, factory);
        }

        @Override
        public void accept(int acceptor) throws IOException {
            try {
                super.accept(acceptor);
            } catch (ClosedChannelException closed) {
                exited(closed);
                throw closed;
            }
        }
    }
}
