package org.prismpool.stratum.internal;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.prismpool.stratum.ListenerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides about each accepted socket before anything is allocated for it (spec 02 §1.7). Runs on the accept loop.
 * Sharable because a bind may take several attempts, each with a channel of its own.
 */
@ChannelHandler.Sharable
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed close, write or timer to its own handlers
final class AcceptHandler extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(AcceptHandler.class);

    private final ServerContext server;
    private final ListenerConfig listener;
    private volatile boolean stopping;

    AcceptHandler(ServerContext server, ListenerConfig listener) {
        this.server = server;
        this.listener = listener;
    }

    void stop() {
        stopping = true;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Channel accepted = (Channel) message;
        boolean refused = stopping
                || server.ports().pool().shuttingDown()
                || !server.admission().enter();
        if (refused) {
            accepted.unsafe().closeForcibly();
        } else {
            accepted.closeFuture().addListener(closed -> server.admission().leave());
            ctx.fireChannelRead(accepted);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (exhausted(cause)) {
            server.ports().metrics().acceptExhausted();
            long backoff = server.config().connections().acceptBackoff().toNanos();
            ctx.channel().config().setAutoRead(false);
            ctx.executor().schedule(() -> ctx.channel().config().setAutoRead(true), backoff, TimeUnit.NANOSECONDS);
            return;
        }
        if (!stopping) {
            LOG.atError()
                    .setCause(cause)
                    .addKeyValue("listener", listener.name())
                    .log("listener stopped accepting");
            ctx.close();
            server.ports().watch().failed(listener.name(), cause);
        }
    }

    /** Recognizes EMFILE, ENFILE and ENOMEM, which the JDK tells by text only. */
    static boolean exhausted(Throwable cause) {
        if (!(cause instanceof IOException) || cause.getMessage() == null) {
            return false;
        }
        String text = cause.getMessage().toLowerCase(Locale.ROOT);
        return text.contains("too many open files") || text.contains("cannot allocate memory");
    }
}
