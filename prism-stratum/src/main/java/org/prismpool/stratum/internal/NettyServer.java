package org.prismpool.stratum.internal;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.StratumConnection;
import org.prismpool.stratum.StratumStats;
import org.prismpool.stratum.session.Session;
import org.prismpool.stratum.session.SessionPorts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listening sockets, event loops and periodic work of a server. Life-cycle methods are guarded by this. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed close, write or timer to its own handlers
public final class NettyServer {

    private static final Logger LOG = LoggerFactory.getLogger(NettyServer.class);
    private static final long TICK_MILLIS = 1000;
    private static final long BIND_POLL_MILLIS = 100;

    /** A bound listener. */
    private record Bound(
            ListenerConfig config,
            Channel channel,
            AcceptHandler handler,
            @Nullable TlsContexts tls) {}

    private final ServerContext server;
    private final Transport transport = new Transport();
    private final IdleQueue idle;
    private final EventLoopGroup acceptLoop;
    private final EventLoopGroup ioLoops;
    private final Map<EventLoop, LoopState> loops = new HashMap<>();
    private final List<Bound> bound = new ArrayList<>(); // guarded by this
    private boolean started; // guarded by this
    private boolean closed; // guarded by this

    /**
     * Creates a server and its event loops; nothing is bound yet.
     *
     * @param config its configuration
     * @param ports its ports
     */
    public NettyServer(StratumConfig config, SessionPorts ports) {
        this.server = new ServerContext(config, ports);
        this.idle = new IdleQueue(server);
        this.acceptLoop = transport.loops(1, "accept");
        this.ioLoops = transport.loops(config.transport().ioThreads(), "io");
        for (EventExecutor loop : ioLoops) {
            loops.put((EventLoop) loop, new LoopState());
        }
    }

    /**
     * Binds all listeners.
     *
     * @param cancel ends the retry early
     * @throws InterruptedException if interrupted
     */
    public synchronized void bind(CancelSignal cancel) throws InterruptedException {
        try {
            for (ListenerConfig listener : server.config().listeners()) {
                bound.add(bind(listener, cancel));
            }
        } catch (InterruptedException | RuntimeException failure) {
            stopAccepting();
            throw failure;
        }
    }

    private Bound bind(ListenerConfig listener, CancelSignal cancel) throws InterruptedException {
        TlsContexts tls = listener.tls().map(TlsContexts::new).orElse(null);
        AcceptHandler handler = new AcceptHandler(server, listener);
        Deadline deadline = Deadline.after(
                server.config().connections().bindRetry(), server.ports().clock(), "stratum bind");
        CountDownLatch cancelled = new CountDownLatch(1);
        CancelSignal.Registration registration = cancel.onCancel(cancelled::countDown);
        try {
            ChannelFuture future = attempt(listener, handler, tls);
            while (!future.isSuccess()) {
                cancel.throwIfCancelled();
                if (!addressInUse(future.cause()) || deadline.expired()) {
                    throw new UncheckedIOException(
                            "cannot bind listener " + listener.name(), new IOException(future.cause()));
                }
                boolean stop = cancelled.await(BIND_POLL_MILLIS, TimeUnit.MILLISECONDS);
                future = stop ? future : attempt(listener, handler, tls);
            }
            return new Bound(listener, future.channel(), handler, tls);
        } finally {
            registration.close();
        }
    }

    /** The native transport has an exception of its own for this, which is no {@link BindException}. */
    private static boolean addressInUse(@Nullable Throwable cause) {
        return cause instanceof BindException
                || (cause instanceof IOException
                        && String.valueOf(cause.getMessage()).contains("Address already in use"));
    }

    private ChannelFuture attempt(ListenerConfig listener, AcceptHandler handler, @Nullable TlsContexts tls)
            throws InterruptedException {
        return transport
                .bootstrap(
                        acceptLoop,
                        ioLoops,
                        listener.backlog(),
                        server.config().connections().sendTimeout())
                .handler(handler)
                .childHandler(new ChildInitializer(server, listener, loops, tls))
                .bind(new InetSocketAddress(listener.bind(), listener.port()))
                .await();
    }

    /** Starts to accept. */
    public synchronized void start() {
        if (started || closed) {
            return;
        }
        started = true;
        loops.forEach((loop, state) -> loop.scheduleAtFixedRate(
                () -> guarded(() -> tick(state)), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS));
        Duration sweep = server.config().difficulty().idleSweep();
        if (server.config().difficulty().vardiff() && !sweep.isZero()) {
            loops.forEach((loop, state) -> loop.scheduleAtFixedRate(
                    () -> guarded(() -> sweepIdle(state)), sweep.toNanos(), sweep.toNanos(), TimeUnit.NANOSECONDS));
        }
        long beat = server.config().transport().heartbeat().toNanos();
        for (Bound listener : bound) {
            listener.channel().config().setAutoRead(true);
            acceptLoop.next().scheduleAtFixedRate(() -> guarded(() -> beat(listener)), 0, beat, TimeUnit.NANOSECONDS);
        }
    }

    /** A periodic task that throws would never run again. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException fault) {
            LOG.atError().setCause(fault).log("periodic work failed unexpectedly");
        }
    }

    private void tick(LoopState loop) {
        long now = server.now();
        for (MinerChannel channel : loop.snapshot()) {
            channel.tick(now);
        }
    }

    private void beat(Bound listener) {
        if (listener.channel().isOpen()) {
            server.ports().watch().beat(listener.config().heartbeat());
            if (listener.tls() != null) {
                listener.tls().reloadIfChanged();
            }
        }
    }

    private void sweepIdle(LoopState loop) {
        long start = server.now();
        int inspected = 0;
        boolean diverged = server.ports().tips().snapshot().diverged();
        for (MinerChannel channel : loop.snapshot()) {
            Session session = channel.session();
            inspected++;
            if (!diverged && session.idle()) {
                idle.offer(session);
            }
        }
        server.ports().metrics().idleSweep(inspected, server.now() - start);
    }

    /**
     * Returns the port of a bound listener.
     *
     * @param listener its name
     * @return its port, or empty
     */
    public synchronized OptionalInt port(String listener) {
        for (Bound candidate : bound) {
            if (candidate.config().name().equals(listener)
                    && candidate.channel().localAddress() instanceof InetSocketAddress address) {
                return OptionalInt.of(address.getPort());
            }
        }
        return OptionalInt.empty();
    }

    /**
     * Returns the open connections.
     *
     * @return a copy
     */
    public Collection<StratumConnection> connections() {
        List<StratumConnection> connections = new ArrayList<>();
        server.channels().values().forEach(channel -> connections.add(channel.session()));
        return connections;
    }

    /**
     * Returns the gauges.
     *
     * @return a snapshot
     */
    public StratumStats stats() {
        int subscribed = 0;
        int authorized = 0;
        int atMaximum = 0;
        for (MinerChannel channel : server.channels().values()) {
            Session session = channel.session();
            subscribed += session.view().subscribed() ? 1 : 0;
            authorized += session.view().worker().isPresent() ? 1 : 0;
            atMaximum += session.atMaximum() ? 1 : 0;
        }
        Map<String, Double> rates = new HashMap<>();
        server.config()
                .listeners()
                .forEach(
                        listener -> rates.put(listener.name(), server.services().acceptedPerSecond(listener.name())));
        return new StratumStats(
                server.admission().active(),
                server.config().connections().maxConnections(),
                server.admission().peak(),
                subscribed,
                authorized,
                server.config().transport().ioThreads(),
                atMaximum,
                server.services().rememberedDifficulties(),
                idle.queued(),
                idle.running(),
                server.services().coinbaseBytes(),
                server.services().notifyBytes(),
                Map.copyOf(rates));
    }

    /** Closes the listening sockets. */
    public synchronized void stopAccepting() {
        for (Bound listener : bound) {
            listener.handler().stop();
            listener.channel().close().awaitUninterruptibly(TICK_MILLIS);
        }
    }

    /** Closes every connection after what it is owed was written; an event loop that ends would drop that. */
    private void drain(Deadline deadline) {
        List<MinerChannel> open = List.copyOf(server.channels().values());
        for (MinerChannel channel : open) {
            channel.execute(() -> channel.closeAfterWrites(DisconnectReason.SHUTDOWN));
        }
        for (MinerChannel channel : open) {
            channel.closeFuture()
                    .ifPresent(closing -> closing.awaitUninterruptibly(
                            Math.max(1, deadline.remaining().toMillis())));
        }
    }

    /**
     * Closes everything and joins the threads.
     *
     * @param limit longest wait
     */
    public synchronized void close(Duration limit) {
        if (closed) {
            return;
        }
        closed = true;
        stopAccepting();
        Deadline deadline = Deadline.after(limit, server.ports().clock(), "stratum close");
        long half = limit.toMillis() / 2;
        drain(Deadline.after(Duration.ofMillis(half), server.ports().clock(), "stratum drain"));
        long rest = Math.max(100, deadline.remaining().toMillis() / 2);
        ioLoops.shutdownGracefully(0, rest, TimeUnit.MILLISECONDS);
        acceptLoop.shutdownGracefully(0, rest, TimeUnit.MILLISECONDS);
        boolean ended = ioLoops.terminationFuture()
                        .awaitUninterruptibly(deadline.remaining().toMillis())
                && acceptLoop
                        .terminationFuture()
                        .awaitUninterruptibly(Math.max(100, deadline.remaining().toMillis()));
        if (!ended) {
            LOG.atWarn().log("event loops did not end in time");
        }
    }
}
