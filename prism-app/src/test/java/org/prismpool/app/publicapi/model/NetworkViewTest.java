package org.prismpool.app.publicapi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.publicapi.UpstreamUnavailableException;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcFailure;
import org.prismpool.templates.rpc.RpcMethod;

class NetworkViewTest {

    private static final String TIP = "0000000000000000000abc123000000000000000000000000000000000000001";
    private static final RpcException DOWN =
            new RpcException(RpcMethod.GET_BLOCKCHAIN_INFO, new RpcFailure.NotSent("postgres://user:secret@host"));

    private final NodeRpc node = mock(NodeRpc.class);
    private final ManualClock clock = new ManualClock();
    private final NetworkView view = new NetworkView(node, Network.REGTEST, clock);

    @BeforeEach
    void aHealthyNode() {
        chain(info(OptionalLong.of(123_456), OptionalLong.of(123_460), Optional.of("1d00ffff")));
        template("181b32da");
        when(node.getConnections(any())).thenReturn(8L);
    }

    private void chain(ChainInfo info) {
        when(node.getShownBlockchainInfo(any())).thenReturn(info);
    }

    private static ChainInfo info(OptionalLong blocks, OptionalLong headers, Optional<String> bits) {
        return new ChainInfo(
                "qbit-signet", Optional.of(false), blocks, headers, Optional.of(Hash256.ofDisplayHex(TIP)), bits);
    }

    private void template(String bits) {
        JsonNode template = JsonNodeFactory.instance.objectNode().put("bits", bits);
        when(node.getBlockTemplate(any(), any())).thenReturn(template);
    }

    private NetworkState current() {
        return view.current(Bodies.soon());
    }

    @Test
    void theTemplatesBitsComeFirst() {
        NetworkState state = current();

        assertThat(state.bits().hex()).isEqualTo("181b32da");
        assertThat(state.bits().networkDifficulty()).isEqualTo("86812541144089706339356132");
        assertThat(state.height()).isEqualTo(123_456);
        assertThat(state.tipHash()).isEqualTo(TIP);
        assertThat(state.peers()).isEqualTo(8);
    }

    @Test
    void bitsThatAreNoneFallBackToTheTips() {
        template("181b32d");
        assertThat(current().bits().hex()).isEqualTo("1d00ffff");
    }

    @Test
    void aNodeWithoutTemplateAndPeersStillHasAPage() {
        when(node.getBlockTemplate(any(), any())).thenThrow(DOWN);
        when(node.getConnections(any())).thenThrow(DOWN);

        assertThat(current().bits().hex()).isEqualTo("1d00ffff");
        assertThat(current().peers()).isZero();
    }

    @Test
    void theHeightIsThatOfTheHeadersIfTheNodeNamesNoBlocks() {
        chain(info(OptionalLong.empty(), OptionalLong.of(7), Optional.empty()));
        assertThat(current().height()).isEqualTo(7);
    }

    @Test
    void whatIsAbsentHasTheContractsDefault() {
        chain(new ChainInfo(
                "main", Optional.empty(), OptionalLong.of(-5), OptionalLong.of(9), Optional.empty(), Optional.empty()));

        NetworkState state = current();
        assertThat(state.height()).isZero();
        assertThat(state.tipHash()).isEqualTo("0".repeat(64));
        assertThat(state.initialDownload()).isFalse();
    }

    @Test
    void withoutTheChainsStateOrWithoutBitsNothingIsShown() {
        template("00000000");
        chain(info(OptionalLong.of(1), OptionalLong.of(1), Optional.of("ff00ffff")));
        assertThatThrownBy(this::current).isInstanceOf(UpstreamUnavailableException.class);

        when(node.getShownBlockchainInfo(any())).thenThrow(DOWN);
        assertThatThrownBy(this::current)
                .isInstanceOf(UpstreamUnavailableException.class)
                .hasMessageNotContaining("secret");
    }

    @Test
    void oneAnswerServesTwoSecondsAndAFailureNobody() {
        current();
        clock.advance(Duration.ofMillis(1999));
        current();
        verify(node, times(1)).getShownBlockchainInfo(any());

        clock.advance(Duration.ofMillis(1));
        when(node.getShownBlockchainInfo(any())).thenThrow(DOWN);
        assertThatThrownBy(this::current).isInstanceOf(UpstreamUnavailableException.class);
        assertThatThrownBy(this::current).isInstanceOf(UpstreamUnavailableException.class);
        verify(node, times(3)).getShownBlockchainInfo(any());
    }

    @Test
    void manyRequestsAskOnceAndALateOneDoesNotWaitBeyondItsDeadline() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        when(node.getShownBlockchainInfo(any())).thenAnswer(call -> {
            asked.countDown();
            assertThat(answer.await(30, TimeUnit.SECONDS)).isTrue();
            return info(OptionalLong.of(1), OptionalLong.of(1), Optional.empty());
        });
        ExecutorService requests = Executors.newFixedThreadPool(5);
        try {
            List<Future<NetworkState>> answers = new ArrayList<>();
            answers.add(requests.submit(this::current));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() ->
                            view.current(Deadline.after(Duration.ofMillis(1), MonotonicClock.system(), "impatient")))
                    .isInstanceOf(UpstreamUnavailableException.class);
            for (int i = 0; i < 4; i++) {
                answers.add(requests.submit(this::current));
            }
            answer.countDown();
            for (Future<NetworkState> one : answers) {
                assertThat(one.get(30, TimeUnit.SECONDS).height()).isEqualTo(1);
            }
            verify(node, times(1)).getShownBlockchainInfo(any());
        } finally {
            answer.countDown();
            requests.shutdownNow();
            assertThat(requests.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
