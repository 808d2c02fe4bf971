package org.prismpool.app.devnode;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP front of a development node: JSON-RPC with basic authentication, as a node serves it, on {@code /} and
 * {@code /wallet/…}. Thread-safe. Closing it does not close the node.
 */
public final class DevNodeHttp implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DevNodeHttp.class);
    private static final int LARGEST_THREAD_COUNT = 32;
    private static final long IDLE_MILLIS = 600_000;

    private final DevNodeHttpConfig config;
    private final Server server;
    private final ServerConnector connector;
    private final Object listening = new Object();

    private DevNodeHttp(DevNodeHttpConfig config, DevNode node) {
        this.config = config;
        QueuedThreadPool threads = new QueuedThreadPool(LARGEST_THREAD_COUNT, 4);
        threads.setName("prism-devnode-http");
        threads.setDaemon(true);
        this.server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setIdleTimeout(IDLE_MILLIS);
        this.connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(config.host());
        connector.setPort(config.port());
        connector.setIdleTimeout(IDLE_MILLIS);
        server.addConnector(connector);
        server.setHandler(new RpcHttpHandler(config, node, new ControlCommands(node, this)));
    }

    /**
     * Binds and serves.
     *
     * @param config its settings
     * @param node what it serves
     * @return the running front
     * @throws UncheckedIOException when the port can't be bound
     */
    public static DevNodeHttp start(DevNodeHttpConfig config, DevNode node) {
        DevNodeHttp front = new DevNodeHttp(config, node);
        try {
            front.server.start();
            // From now on a restart of the listener takes the port that was picked first.
            front.connector.setPort(front.connector.getLocalPort());
        } catch (IOException e) {
            front.close();
            throw new UncheckedIOException("development node can't listen on port " + config.port(), e);
        } catch (Exception e) {
            front.close();
            throw new IllegalStateException("development node's HTTP front did not start", e);
        }
        return front;
    }

    /**
     * Returns the bound port.
     *
     * @return TCP port, also while connections are refused
     */
    public int port() {
        return connector.getPort();
    }

    /**
     * Returns where the node can be reached.
     *
     * @return for example {@code http://127.0.0.1:18452/}
     */
    public String url() {
        return "http://" + config.host() + ":" + port() + "/";
    }

    /** Closes every connection and refuses new ones, as if the node's process were gone, until {@link #acceptConnections}. */
    public void refuseConnections() {
        synchronized (listening) {
            try {
                connector.stop();
            } catch (Exception e) {
                throw new IllegalStateException("development node's listener did not stop", e);
            }
        }
    }

    /**
     * Listens again, on the same port.
     *
     * @throws IllegalStateException when the port was taken meanwhile
     */
    public void acceptConnections() {
        synchronized (listening) {
            try {
                connector.start();
            } catch (Exception e) {
                throw new IllegalStateException("development node's listener did not start", e);
            }
        }
    }

    /** Closes every connection and stops the threads. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.atWarn().setCause(e).log("development node's HTTP front did not stop cleanly");
        }
    }
}
