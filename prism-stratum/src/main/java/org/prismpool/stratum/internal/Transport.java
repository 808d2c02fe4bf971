package org.prismpool.stratum.internal;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.net.ExtendedSocketOptions;

/** Event loops and socket options: epoll if its native library is on the class path, otherwise NIO. */
final class Transport {

    private static final int KEEPALIVE_IDLE_SECONDS = 60;
    private static final int KEEPALIVE_INTERVAL_SECONDS = 15;
    private static final int KEEPALIVE_PROBES = 4;
    private static final Duration GIVE_UP =
            Duration.ofSeconds(KEEPALIVE_IDLE_SECONDS + KEEPALIVE_PROBES * KEEPALIVE_INTERVAL_SECONDS);
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(16 * 1024, 64 * 1024);

    private final boolean epoll = Epoll.isAvailable();

    EventLoopGroup loops(int threads, String role) {
        AtomicInteger number = new AtomicInteger();
        ThreadFactory factory = task -> {
            String name = "prism-stratum-" + role + (threads == 1 ? "" : "-" + number.incrementAndGet());
            return new io.netty.util.concurrent.FastThreadLocalThread(task, name);
        };
        IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        return new MultiThreadIoEventLoopGroup(threads, factory, handlers);
    }

    ServerBootstrap bootstrap(EventLoopGroup accept, EventLoopGroup io, int backlog, Duration sendTimeout) {
        Class<? extends ServerChannel> type = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(accept, io)
                .channel(type)
                .option(ChannelOption.SO_BACKLOG, backlog)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK);
        return epoll ? epollDeadPeers(bootstrap, sendTimeout) : nioDeadPeers(bootstrap);
    }

    /**
     * Keepalive is silent while sent bytes are not acknowledged, and jobs are sent more often than it would probe: a peer that
     * vanished would be kept for the kernel's fifteen minutes of retransmissions. It gets the time that keepalive gives. The
     * kernel counts a full receive buffer too, so readers that may be slow for longer, or for ever, keep their time.
     */
    private static int unacknowledgedMillis(Duration sendTimeout) {
        Duration limit = sendTimeout.compareTo(GIVE_UP) > 0 ? sendTimeout : GIVE_UP;
        return sendTimeout.isZero() ? 0 : (int) Math.min(Integer.MAX_VALUE, limit.toMillis());
    }

    private static ServerBootstrap epollDeadPeers(ServerBootstrap bootstrap, Duration sendTimeout) {
        return bootstrap
                .childOption(EpollChannelOption.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS)
                .childOption(EpollChannelOption.TCP_KEEPINTVL, KEEPALIVE_INTERVAL_SECONDS)
                .childOption(EpollChannelOption.TCP_KEEPCNT, KEEPALIVE_PROBES)
                .childOption(EpollChannelOption.TCP_USER_TIMEOUT, unacknowledgedMillis(sendTimeout));
    }

    /** The JDK has no option for unacknowledged bytes; the kernel's own limit holds. */
    private static ServerBootstrap nioDeadPeers(ServerBootstrap bootstrap) {
        return bootstrap
                .childOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), KEEPALIVE_IDLE_SECONDS)
                .childOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), KEEPALIVE_INTERVAL_SECONDS)
                .childOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), KEEPALIVE_PROBES);
    }
}
