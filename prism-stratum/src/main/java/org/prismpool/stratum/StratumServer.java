package org.prismpool.stratum;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.stratum.internal.NettyServer;
import org.prismpool.stratum.session.SessionPorts;

/**
 * A Stratum V1 server: listeners, sessions, difficulty and share validation. Who is paid, which jobs exist and what becomes
 * of shares are ports.
 *
 * <p>Thread-safe. Order of use: {@link #bind}, then {@link #start} once work can be handed out, at last {@link #close}.
 * Between bind and start miners wait in the kernel's backlog instead of being refused.
 */
public final class StratumServer implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final NettyServer server;

    private StratumServer(NettyServer server) {
        this.server = server;
    }

    /**
     * Starts to describe a server.
     *
     * @param config its configuration
     * @return a builder that still needs the ports without a default
     */
    public static Builder builder(StratumConfig config) {
        return new Builder(config);
    }

    /**
     * Binds and listens on all listeners. An address in use is tried again for the configured time. Blocks.
     *
     * @param cancel ends the retry early
     * @throws java.io.UncheckedIOException if a listener cannot be bound; all are closed then
     * @throws org.prismpool.lifecycle.time.CancelledException if cancelled; all are closed then
     * @throws InterruptedException if interrupted; all are closed then
     */
    public void bind(CancelSignal cancel) throws InterruptedException {
        server.bind(cancel);
    }

    /** Starts to accept connections, including those that have waited since {@link #bind}. */
    public void start() {
        server.start();
    }

    /**
     * Returns the port of a listener.
     *
     * @param listener its name
     * @return the bound port, or empty if there is no such listener or it is not bound
     */
    public OptionalInt port(String listener) {
        return server.port(listener);
    }

    /**
     * Returns the connections that are open now.
     *
     * @return a copy, in no order
     */
    public Collection<StratumConnection> connections() {
        return server.connections();
    }

    /**
     * Returns the values of the gauges.
     *
     * @return a snapshot; costs time in proportion to the connections
     */
    public StratumStats stats() {
        return server.stats();
    }

    /** Stops accepting: listening sockets close, connections that wait in the backlog are dropped. */
    public void stopAccepting() {
        server.stopAccepting();
    }

    /**
     * Stops accepting, closes every connection and joins all threads, within about 5 seconds. Answers that were queued
     * before are still written. Without effect the second time.
     */
    @Override
    public void close() {
        server.close(CLOSE_LIMIT);
    }

    /** Collects the ports of a server. Not thread-safe. */
    public static final class Builder {

        private final StratumConfig config;
        private @Nullable PayoutAddresses addresses;
        private @Nullable JobIssuer issuer;
        private @Nullable JobDirectory directory;
        private @Nullable ShareSink shares;
        private @Nullable CandidateSink candidates;
        private @Nullable TipView tips;
        private PoolState pool = PoolState.ALWAYS_OPEN;
        private StratumMetrics metrics = StratumMetrics.NONE;
        private ListenerWatch watch = ListenerWatch.NONE;
        private MonotonicClock clock = MonotonicClock.system();
        private Clock wallClock = Clock.systemUTC();

        private Builder(StratumConfig config) {
            this.config = config;
        }

        /**
         * Sets who can be paid; required.
         *
         * @param port the port
         * @return this builder
         */
        public Builder addresses(PayoutAddresses port) {
            this.addresses = port;
            return this;
        }

        /**
         * Sets where jobs come from and are found again; required.
         *
         * @param jobIssuer hands jobs out
         * @param jobDirectory finds them for submits
         * @return this builder
         */
        public Builder jobs(JobIssuer jobIssuer, JobDirectory jobDirectory) {
            this.issuer = jobIssuer;
            this.directory = jobDirectory;
            return this;
        }

        /**
         * Sets where shares and solved blocks go; required.
         *
         * @param shareSink makes shares durable
         * @param candidateSink offers blocks
         * @return this builder
         */
        public Builder shares(ShareSink shareSink, CandidateSink candidateSink) {
            this.shares = shareSink;
            this.candidates = candidateSink;
            return this;
        }

        /**
         * Sets the view of the tip; required.
         *
         * @param port the port
         * @return this builder
         */
        public Builder tips(TipView port) {
            this.tips = port;
            return this;
        }

        /**
         * Sets the pool's state; always open unless set.
         *
         * @param port the port
         * @return this builder
         */
        public Builder pool(PoolState port) {
            this.pool = port;
            return this;
        }

        /**
         * Sets the counters; none unless set.
         *
         * @param port the port
         * @return this builder
         */
        public Builder metrics(StratumMetrics port) {
            this.metrics = port;
            return this;
        }

        /**
         * Sets the watchdog of the accept loops; none unless set.
         *
         * @param port the port
         * @return this builder
         */
        public Builder watch(ListenerWatch port) {
            this.watch = port;
            return this;
        }

        /**
         * Sets the clocks; those of the system unless set.
         *
         * @param monotonic for durations
         * @param wall for times of shares and jobs
         * @return this builder
         */
        public Builder clocks(MonotonicClock monotonic, Clock wall) {
            this.clock = monotonic;
            this.wallClock = wall;
            return this;
        }

        /**
         * Creates the server; nothing is bound yet.
         *
         * @return the server
         * @throws NullPointerException if a required port is missing
         */
        public StratumServer build() {
            SessionPorts ports = new SessionPorts(
                    Objects.requireNonNull(addresses, "addresses"),
                    Objects.requireNonNull(issuer, "jobs"),
                    Objects.requireNonNull(directory, "jobs"),
                    Objects.requireNonNull(shares, "shares"),
                    Objects.requireNonNull(candidates, "shares"),
                    Objects.requireNonNull(tips, "tips"),
                    pool,
                    metrics,
                    watch,
                    clock,
                    wallClock);
            return new StratumServer(new NettyServer(config, ports));
        }
    }
}
