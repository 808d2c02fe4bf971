package org.prismpool.stratum.internal;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ProtocolDetectionState;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import java.util.List;

/** Decodes the PROXY header; a connection that begins with anything else fails at once instead of waiting for a line end. */
final class ProxyHeaderDecoder extends HAProxyMessageDecoder {

    @Override
    protected void callDecode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (detectProtocol(in).state() == ProtocolDetectionState.INVALID) {
            throw new HAProxyProtocolException("the connection does not begin with a PROXY header");
        }
        super.callDecode(ctx, in, out);
    }
}
