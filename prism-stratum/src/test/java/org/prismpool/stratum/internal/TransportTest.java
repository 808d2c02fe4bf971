package org.prismpool.stratum.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of accepted sockets (spec 02 §1.6): prompt writes, and an end for peers that vanish without a word. */
class TransportTest {

    @Test
    void aPeerThatVanishesIsGivenUpAfterTwoMinutesWhetherItWasSilentOrOwedAcknowledgements() throws Exception {
        withAccepted(Duration.ofSeconds(20), channel -> {
            assertThat(channel.config().getOption(ChannelOption.TCP_NODELAY)).isTrue();
            assertThat(channel.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
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
        });
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "119, 120000", "121, 121000", "9999999, 2147483647"})
    void aReaderThatMayBeSlowForLongerKeepsItsTime(long sendTimeoutSeconds, int millis) throws Exception {
        assumeThat(Epoll.isAvailable()).isTrue();
        withAccepted(
                Duration.ofSeconds(sendTimeoutSeconds),
                channel -> assertThat(channel.config().getOption(EpollChannelOption.TCP_USER_TIMEOUT))
                        .isEqualTo(millis));
    }

    private static void withAccepted(Duration sendTimeout, Consumer<Channel> test) throws Exception {
        CompletableFuture<Channel> accepted = new CompletableFuture<>();
        Transport transport = new Transport();
        EventLoopGroup loops = transport.loops(1, "options");
        try {
            Channel server = transport
                    .bootstrap(loops, loops, 10, sendTimeout)
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
                test.accept(channel);
            }
        } finally {
            loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
        }
    }
}
