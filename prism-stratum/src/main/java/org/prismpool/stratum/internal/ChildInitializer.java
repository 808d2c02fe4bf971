package org.prismpool.stratum.internal;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.ProxyProtocol;
import org.prismpool.stratum.ProxyProtocol.Mode;
import org.prismpool.stratum.StratumMetrics.LimitScope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the pipeline and the session of an admitted socket. Runs on the connection's event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed close, write or timer to its own handlers
final class ChildInitializer extends ChannelInitializer<Channel> {

    private static final Logger LOG = LoggerFactory.getLogger(ChildInitializer.class);

    private final ServerContext server;
    private final ListenerConfig listener;
    private final Map<EventLoop, LoopState> loops;
    private final @Nullable TlsContexts tls;

    ChildInitializer(
            ServerContext server, ListenerConfig listener, Map<EventLoop, LoopState> loops, @Nullable TlsContexts tls) {
        this.server = server;
        this.listener = listener;
        this.loops = loops;
        this.tls = tls;
    }

    @Override
    protected void initChannel(Channel channel) {
        long id = server.nextId();
        OptionalInt extranonce1 = server.extranonces().take(id, server.now());
        if (extranonce1.isEmpty()) {
            server.admission().refuse(LimitScope.EXTRANONCE);
            channel.close();
            return;
        }
        boolean built = false;
        try {
            build(channel, id, extranonce1.getAsInt());
            built = true;
        } catch (RuntimeException failure) {
            LOG.atError().setCause(failure).log("connection set-up failed");
            server.ports().metrics().connectionSetupFailed();
            channel.close();
        } finally {
            // Also when an Error goes on to Netty: a value that no connection holds would never come back.
            if (!built && server.channels().get(id) == null) {
                server.extranonces().release(extranonce1.getAsInt(), false, server.now());
            }
        }
    }

    private void build(Channel channel, long id, int extranonce1) {
        LoopState loop = loops.get(channel.eventLoop());
        if (loop == null) {
            throw new IllegalStateException("unknown event loop");
        }
        MinerChannel miner = new MinerChannel(server, channel.eventLoop(), loop, listener, id, extranonce1);
        InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
        ProxyProtocol proxy = server.config().transport().proxyProtocol();
        boolean behindProxy = proxy.mode() != Mode.OFF
                && peer != null
                && proxy.trusted().stream().anyMatch(network -> network.contains(peer.getAddress()));
        if (behindProxy) {
            channel.pipeline().addLast(new ProxyHeaderDecoder(), new ProxyHeaderHandler(proxy.mode(), miner));
        }
        if (tls != null) {
            channel.pipeline().addLast(tls.current().newHandler(channel.alloc()));
        }
        channel.pipeline().addLast(miner);
        if (!behindProxy && peer != null) {
            miner.admit(peer.getAddress());
        }
    }
}
