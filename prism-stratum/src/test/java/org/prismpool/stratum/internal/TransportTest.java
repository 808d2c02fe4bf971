package org.prismpool.stratum.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Options of accepted sockets (spec 02 §1.6): prompt writes, and an end for peers that vanish without a word. */
class TransportTest {

    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();

    @Test
    void aPeerThatVanishesIsGivenUpAfterTwoMinutesWhetherItWasSilentOrOwedAcknowledgements() throws Exception {
        Transport transport = new Transport();
        EventLoopGroup loops = transport.loops(1, "options");
        try {
            Channel server = transport
                    .bootstrap(loops, loops, 10)
                    .childHandler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            accepted.complete(channel);
                        }
                    })
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .sync()
                    .channel();
            server.config().setAutoRead(true);
            int port = ((InetSocketAddress) server.localAddress()).getPort();
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                Channel channel = accepted.get(20, TimeUnit.SECONDS);
                assertThat(client.isConnected()).isTrue();
                assertThat(channel.config().getOption(ChannelOption.TCP_NODELAY))
                        .isTrue();
                assertThat(channel.config().getOption(ChannelOption.SO_KEEPALIVE))
                        .isTrue();
                if (Epoll.isAvailable()) {
                    assertThat(channel.config().getOption(EpollChannelOption.TCP_KEEPIDLE))
                            .isEqualTo(60);
                    assertThat(channel.config().getOption(EpollChannelOption.TCP_KEEPINTVL))
                            .isEqualTo(15);
                    assertThat(channel.config().getOption(EpollChannelOption.TCP_KEEPCNT))
                            .isEqualTo(4);
                    assertThat(channel.config().getOption(EpollChannelOption.TCP_USER_TIMEOUT))
                            .isEqualTo(120_000);
                }
            }
        } finally {
            loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
        }
    }
}
