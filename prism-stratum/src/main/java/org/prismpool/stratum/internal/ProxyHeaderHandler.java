package org.prismpool.stratum.internal;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyProtocolVersion;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.ProxyProtocol.Mode;

/** Takes the client's address from the PROXY header of a trusted connection, then leaves the pipeline. */
final class ProxyHeaderHandler extends ChannelInboundHandlerAdapter {

    private final Mode mode;
    private final MinerChannel miner;

    ProxyHeaderHandler(Mode mode, MinerChannel miner) {
        this.mode = mode;
        this.miner = miner;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof HAProxyMessage header)) {
            ctx.fireChannelRead(message);
            return;
        }
        try {
            if (!allowed(header.protocolVersion())) {
                miner.close(DisconnectReason.FOREIGN_PROTOCOL);
                return;
            }
            InetAddress client =
                    client(header, (InetSocketAddress) ctx.channel().remoteAddress());
            if (miner.admit(client)) {
                ctx.pipeline().remove(this);
            }
        } finally {
            header.release();
        }
    }

    private boolean allowed(HAProxyProtocolVersion version) {
        return switch (mode) {
            case ANY -> true;
            case V1 -> version == HAProxyProtocolVersion.V1;
            case V2 -> version == HAProxyProtocolVersion.V2;
            case OFF -> false;
        };
    }

    /** The announced address, or the proxy's own if it announces none; a socket's path or a name is never looked up. */
    private static InetAddress client(HAProxyMessage header, InetSocketAddress peer) {
        String source = header.sourceAddress();
        InetAddress announced = source == null ? null : NetUtil.createInetAddressFromIpAddressString(source);
        return announced == null ? peer.getAddress() : announced;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        miner.close(DisconnectReason.FOREIGN_PROTOCOL);
    }
}
