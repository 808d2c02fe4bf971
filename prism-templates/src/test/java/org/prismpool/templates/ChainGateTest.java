package org.prismpool.templates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.FeeFloors;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcMethod;

class ChainGateTest {

    private static final long NOW = 1_738_713_662L;

    private final ManualClock clock = new ManualClock();
    private final Deadline deadline = Deadline.unbounded(clock, "test");
    private final FakeNode node = new FakeNode();

    private ChainGate gate(Network network) {
        return gate(network, Optional.of(network.genesisHash()));
    }

    private ChainGate gate(Network network, Optional<Hash256> genesis) {
        return new ChainGate(ChainGate.Config.of(network, genesis), node, clock, () -> Instant.ofEpochSecond(NOW));
    }

    private static ChainInfo info(String chain, Optional<Boolean> download, long blocks, long headers) {
        return new ChainInfo(
                chain, download, OptionalLong.of(blocks), OptionalLong.of(headers), Optional.empty(), Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({"main, MAINNET", "test, TESTNET3", "testnet4, TESTNET4", "signet, SIGNET", "regtest, REGTEST"})
    void aNodeInStepOnTheConfiguredChainPasses(String chain, Network network) {
        node.chainInfo(info(chain, Optional.of(false), 7, 7)).genesis(network.genesisHash());
        assertThat(gate(network).checkIdentity(deadline).passed()).isTrue();
    }

    @Test
    void anotherChainIsRefused() {
        node.chainInfo(info("main", Optional.of(false), 7, 7));
        assertThat(gate(Network.TESTNET4).checkIdentity(deadline).refusal().orElse(""))
                .contains("QBIT_CHAIN");
    }

    @Test
    void anotherGenesisIsRefused() {
        node.chainInfo(info("regtest", Optional.of(false), 7, 7)).genesis(Hash256.ZERO);
        assertThat(gate(Network.REGTEST).checkIdentity(deadline).refusal().orElse(""))
                .contains("QBIT_EXPECTED_GENESIS_HASH");
        assertThat(gate(Network.REGTEST, Optional.empty())
                        .checkIdentity(deadline)
                        .passed())
                .isTrue();
    }

    @Test
    void theMainNetworkNeedsAnExpectedGenesis() {
        assertThatIllegalArgumentException().isThrownBy(() -> ChainGate.Config.of(Network.MAINNET, Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource({"main, main", "testnet4, testnet4", "signet, signet", "test, test", "testnet, test", "testnet3, test"})
    void aPublicNodeThatIsNotInStepIsRefused(String configured, String reported) {
        Network network = Network.ofName(configured).orElseThrow();
        node.genesis(network.genesisHash());
        assertThat(identity(network, info(reported, Optional.of(true), 7, 7))).contains("initialblockdownload");
        assertThat(identity(network, info(reported, Optional.empty(), 7, 7))).contains("initialblockdownload");
        assertThat(identity(network, info(reported, Optional.of(false), 7, 8))).contains("headers");
        assertThat(identity(network, info(reported, Optional.of(false), -1, -1)))
                .contains("negative");
        assertThat(identity(network, info(reported, Optional.of(false), 7, 7))).isEqualTo("passed");
        node.peers(0);
        assertThat(identity(network, info(reported, Optional.of(false), 7, 7))).contains("PRISM_MIN_PEERS");
    }

    private String identity(Network network, ChainInfo info) {
        node.chainInfo(info);
        return gate(network).checkIdentity(deadline).refusal().orElse("passed");
    }

    @Test
    void aRegtestNodeNeedsNeitherPeersNorTheEndOfItsDownload() {
        node.chainInfo(info("regtest", Optional.of(true), 0, 0))
                .genesis(Network.REGTEST.genesisHash())
                .peers(0);
        assertThat(gate(Network.REGTEST).checkIdentity(deadline).passed()).isTrue();
    }

    @Test
    void anUnreachableNodeIsRefusedNotTrusted() {
        node.fails(RpcMethod.GET_BLOCKCHAIN_INFO, FakeNode.DOWN);
        assertThat(gate(Network.REGTEST).checkIdentity(deadline).passed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"120, true", "121, false", "0, true", "-600, true"})
    void aTemplateMayBeTwoMinutesOldAndAnyAmountAhead(long age, boolean passes) {
        node.templates(template(NOW - age));
        assertThat(gate(Network.REGTEST).checkTemplate(deadline).passed()).isEqualTo(passes);
    }

    private static JsonNode template(long curtime) {
        return FakeNode.json("{\"previousblockhash\":\"" + "11".repeat(32) + "\",\"curtime\":" + curtime + "}");
    }

    @Test
    void aTemplateWithoutParentOrTimeIsRefused() {
        node.templates(FakeNode.json("{\"curtime\":1}"));
        assertThat(gate(Network.REGTEST).checkTemplate(deadline).passed()).isFalse();
        node.templates(FakeNode.json("{\"previousblockhash\":\"" + "11".repeat(32) + "\"}"));
        assertThat(gate(Network.REGTEST).checkTemplate(deadline).passed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0.00002, true", "0.000025, true", "0.0000199, false"})
    void theFeeRateIsHeldAgainstTheHigherFloor(BigDecimal rate, boolean passes) {
        node.floors(new FeeFloors(Optional.of(new BigDecimal("0.00001")), Optional.of(new BigDecimal("0.00002"))));
        assertThat(gate(Network.REGTEST).checkFeeRate(rate, deadline).passed()).isEqualTo(passes);
    }

    @Test
    void aNodeWithoutFloorsIsRefused() {
        assertThat(gate(Network.REGTEST).checkFeeRate(BigDecimal.ONE, deadline).passed())
                .isFalse();
    }

    @Test
    void regtestIsUntrustedWhileItCallsItselfInDownload() {
        node.chainInfo(info("regtest", Optional.of(true), 0, 0));
        ChainTrust trust = gate(Network.REGTEST).trust(deadline);
        assertThat(trust.trusted()).isFalse();
        assertThat(trust.distrust().orElse("")).contains("younger than 24 h");
        node.chainInfo(new ChainInfo(
                "regtest",
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty()));
        assertThat(gate(Network.REGTEST).trust(deadline).trusted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Network.class)
    void headersAheadAreNotTrustedOnAnyChain(Network network) {
        node.chainInfo(info(network.chainName(), Optional.of(false), 7, 8));
        assertThat(gate(network).trust(deadline).trusted()).isFalse();
        node.chainInfo(info(network.chainName(), Optional.of(false), -1, -1));
        assertThat(gate(network).trust(deadline).trusted()).isFalse();
        node.chainInfo(info(network.chainName(), Optional.of(false), 7, 7));
        assertThat(gate(network).trust(deadline).trusted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(value = Network.class, mode = EnumSource.Mode.EXCLUDE, names = "REGTEST")
    void aPublicNodeThatLeavesItsProgressOutIsNotTrusted(Network network) {
        node.chainInfo(info(network.chainName(), Optional.empty(), 7, 7));
        assertThat(gate(network).trust(deadline).trusted()).isFalse();
        node.chainInfo(new ChainInfo(
                network.chainName(),
                Optional.of(false),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty()));
        assertThat(gate(network).trust(deadline).trusted()).isFalse();
        node.fails(RpcMethod.GET_BLOCKCHAIN_INFO, FakeNode.DOWN);
        assertThatExceptionOfType(RpcException.class)
                .as("no verdict")
                .isThrownBy(() -> gate(network).trust(deadline));
    }

    @Test
    void theStartWaitsForTheNodeAndGivesUpInTime() {
        node.fails(RpcMethod.GET_BLOCK_COUNT, FakeNode.DOWN);
        GateVerdict verdict = patientGate(slowNode()).awaitNode(CancelSignal.never());
        assertThat(verdict.refusal().orElse("")).contains("connection refused");
        assertThat(node.count(RpcMethod.GET_BLOCK_COUNT)).isEqualTo(3);
        node.works(RpcMethod.GET_BLOCK_COUNT);
        assertThat(patientGate(node).awaitNode(CancelSignal.never()).passed()).isTrue();
    }

    @Test
    void theWaitForTheNodeCanBeCancelled() {
        node.fails(RpcMethod.GET_BLOCK_COUNT, FakeNode.DOWN);
        CancelSource cancel = new CancelSource();
        cancel.cancel("stopping");
        assertThat(patientGate(node).awaitNode(cancel).passed()).isFalse();
        assertThat(node.calls()).isEmpty();
    }

    private ChainGate patientGate(NodeRpc asked) {
        ChainGate.Config config = new ChainGate.Config(
                Network.REGTEST,
                Optional.empty(),
                1,
                Duration.ofMinutes(2),
                Duration.ofMinutes(1),
                Duration.ofMillis(1));
        return new ChainGate(config, asked, clock, () -> Instant.ofEpochSecond(NOW));
    }

    /** A node that takes 20 seconds of the test's clock for each answer. */
    private NodeRpc slowNode() {
        return new FakeNode() {
            @Override
            public long getBlockCount(Deadline deadline) {
                clock.advance(Duration.ofSeconds(20));
                return node.getBlockCount(deadline);
            }
        };
    }
}
