package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.devnode.fault.CallPoint;
import org.prismpool.app.devnode.fault.Fault;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;
import org.prismpool.templates.rpc.HttpNodeRpc;
import org.prismpool.templates.rpc.RpcCredentials;
import org.prismpool.templates.rpc.RpcEndpoint;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcFailure;
import org.prismpool.templates.rpc.WalletRpc;

/** The pool's own client understands every answer of the node that it asks for. */
class NodeClientIT {

    private static final String ADDRESS = "qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0s8kqqny";

    private final DevNode node = DevNode.start(DevNodeConfig.forTests().withCoinbaseMaturity(3));
    private final DevNodeHttp http =
            DevNodeHttp.start(DevNodeHttpConfig.onLoopback(HttpClientForTests.USER, HttpClientForTests.PASSWORD), node);
    private final HttpNodeRpc client = HttpNodeRpc.to(RpcEndpoint.of(
            "127.0.0.1",
            http.port(),
            new RpcCredentials.UserPassword(HttpClientForTests.USER, HttpClientForTests.PASSWORD)));

    @AfterEach
    void close() {
        client.close();
        http.close();
        node.close();
    }

    @Test
    void theTypedCallsOfAMiningPoolAreAnswered() {
        JsonNode template = client.getBlockTemplate(List.of("segwit"), soon());
        assertThat(template.path("height").asInt()).isEqualTo(1);
        assertThat(client.submitBlock(new ExampleBlock().hex(), soon())).isEmpty();
        assertThat(client.submitBlock(new ExampleBlock().hex(), soon())).contains("duplicate");

        Hash256 tip = new ExampleBlock().hash();
        Hash256 genesis = Network.REGTEST.genesisHash();
        assertThat(client.getBestBlockHash(soon())).isEqualTo(tip);
        assertThat(client.getBlockCount(soon())).isEqualTo(1);
        assertThat(client.getBlockHash(0, soon())).isEqualTo(genesis);
        assertThat(client.getBlockHeader(tip, soon())).hasValueSatisfying(place -> {
            assertThat(place.height()).isEqualTo(1);
            assertThat(place.active()).isTrue();
        });
        assertThat(client.getBlockHeader(Hash256.ofDisplayHex("33".repeat(32)), soon()))
                .isEmpty();
        assertThat(client.getBlockParent(tip, soon())).contains(genesis);
        assertThat(client.getBlockchainInfo(soon()).bestBlock()).contains(tip);
        assertThat(client.getConnections(soon())).isEqualTo(8);
        assertThat(client.getFeeFloors(soon()).highest().orElseThrow()).isEqualByComparingTo("0.0000025");
        assertThat(client.estimateSmartFee(6, soon()).feeRate()).isEmpty();
        assertThat(client.validateAddress(ADDRESS, soon())).contains("5220" + ExampleBlock.PROGRAM);
        assertThat(client.validateAddress("nonsense", soon())).isEmpty();
        assertThat(client.waitForNewBlock(Duration.ofSeconds(5), genesis, soon()))
                .contains(tip);
    }

    @Test
    void theTypedCallsOfSettlementAreAnswered() {
        WalletRpc wallet = client.wallet();
        String address = wallet.getNewAddress("pool", soon());
        String script = wallet.getAddressScript("pool", address, soon());
        node.call("generatetoaddress", 1, address);
        Hash256 block = node.control().tip().hash();
        node.control().mine(3);

        WalletRpc.WalletOutput coin = wallet.listUnspent("pool", soon()).get(0);
        assertThat(coin.amount()).isEqualByComparingTo("210");
        assertThat(wallet.isUnspent(coin.txid(), coin.index(), soon())).isTrue();
        Transaction unsigned = Transaction.of(
                2,
                List.of(new TransactionInput(coin.txid(), coin.index(), new byte[0], 0xfffffffdL, List.of())),
                List.of(new TransactionOutput(20_999_999_000L, Hex.decode(script))),
                0);
        WalletRpc.SignedTransaction signed = wallet.sign("pool", unsigned.hex(), List.of(), soon());
        assertThat(signed.complete()).isTrue();
        Hash256 txid = wallet.sendRawTransaction(signed.hex(), soon());

        assertThat(txid).isEqualTo(unsigned.txid());
        assertThat(wallet.getRawMempool(soon())).containsExactly(txid);
        assertThat(wallet.getConfirmations(txid, soon())).isEqualTo(OptionalLong.of(0));
        node.control().mine(1);
        assertThat(wallet.getConfirmations(txid, soon())).isEqualTo(OptionalLong.of(1));
        assertThat(wallet.getBlockConfirmations(block, soon())).isEqualTo(OptionalLong.of(5));
        assertThat(wallet.getBlockWithTransactions(block, soon())
                        .orElseThrow()
                        .path("tx")
                        .get(0)
                        .path("txid")
                        .asText())
                .isEqualTo(coin.txid().displayHex());
        assertThat(wallet.isUnspent(coin.txid(), coin.index(), soon())).isFalse();
    }

    @Test
    void aLostAnswerIsAnUnknownOutcomeAndTheChainKnowsBetter() {
        node.faults().add("submitblock", new Fault.Drop(CallPoint.AFTER_PROCESSING), 1);

        assertThatThrownBy(() -> client.submitBlock(new ExampleBlock().hex(), soon()))
                .isInstanceOfSatisfying(
                        RpcException.class,
                        lost -> assertThat(lost.failure()).isInstanceOf(RpcFailure.Transport.class));

        assertThat(node.recorder().calls("submitblock")).hasSize(1);
        assertThat(client.getBlockHash(1, soon())).isEqualTo(new ExampleBlock().hash());
        assertThat(client.submitBlock(new ExampleBlock().hex(), soon())).isEqualTo(Optional.of("duplicate"));
    }

    private static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(20), MonotonicClock.system(), "test");
    }
}
