package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.devnode.rpc.RpcAnswer;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/** Coins that exist: maturity, spending, packages, reorganisations, the wallet's view. */
class MempoolAndWalletTest {

    private static final long SUBSIDY = 21_000_000_000L;
    private static final long FEE = 1_000;

    private final DevNode node = DevNode.start(DevNodeConfig.forTests().withCoinbaseMaturity(3));

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aCoinbaseIsSpendableWhenItIsMature() {
        Hash256 coin = mineToWallet();
        Transaction spend = spend(coin, 0, SUBSIDY - 1_000);
        node.control().mine(1);
        assertThat(send(spend))
                .isEqualTo(new RpcAnswer.Failure(
                        -26, "bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth 2"));

        node.control().mine(1);

        assertThat(send(spend).result().asText()).isEqualTo(spend.txid().displayHex());
        assertThat(send(spend).result().asText()).isEqualTo(spend.txid().displayHex());
        assertThat(template().path("coinbasevalue").asLong()).isEqualTo(SUBSIDY + 1_000);
        assertThat(node.call("getmempoolentry", spend.txid().displayHex())
                        .result()
                        .path("fees")
                        .path("base")
                        .decimalValue())
                .isEqualByComparingTo("0.00001");
    }

    @Test
    void theSpecifiedMaturityIsTheDefault() {
        try (DevNode real = DevNode.start(DevNodeConfig.forTests())) {
            assertThat(DevNodeConfig.forTests().rules().coinbaseMaturity()).isEqualTo(1_000);
            String address = real.call("getnewaddress").result().asText();
            real.call("generatetoaddress", 1, address);
            real.control().mine(998);
            assertThat(real.call("listunspent").result()).isEmpty();
            Transaction spend = spend(
                    real.control()
                            .block(real.control().activeAt(1).orElseThrow())
                            .orElseThrow()
                            .coinbase()
                            .txid(),
                    0,
                    SUBSIDY - FEE);
            assertThat(real.call("sendrawtransaction", spend.hex()))
                    .isEqualTo(new RpcAnswer.Failure(
                            -26, "bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth 999"));
            real.control().mine(1);
            assertThat(real.call("sendrawtransaction", spend.hex()).errorCode()).isZero();
        }
    }

    @Test
    void outputsAreGoneOnceSpentAndBackAfterAReorganisation() {
        Hash256 coin = mineToWallet();
        node.control().mine(2);
        Transaction spend = spend(coin, 0, SUBSIDY - FEE);
        send(spend);
        assertThat(node.call("gettxout", coin.displayHex(), 0).result().isNull())
                .isTrue();
        assertThat(node.call("gettxout", coin.displayHex(), 0, false).result().isNull())
                .isFalse();
        Hash256 parent = node.control().tip().hash();

        Hash256 block = node.control().mine(1).get(0);
        assertThat(node.call("gettxout", coin.displayHex(), 0, false).result().isNull())
                .isTrue();
        JsonNode created = node.call("gettxout", spend.txid().displayHex(), 0).result();
        assertThat(created.path("value").decimalValue()).isEqualByComparingTo("209.99999");
        assertThat(created.path("coinbase").asBoolean()).isFalse();
        assertThat(node.call("getrawmempool").result()).isEmpty();
        assertThat(send(spend)).isEqualTo(new RpcAnswer.Failure(-27, "Transaction outputs already in utxo set"));

        node.control().mineFork(parent, 2);

        assertThat(node.control().isActive(block)).isFalse();
        assertThat(node.call("getrawmempool").result().get(0).asText())
                .isEqualTo(spend.txid().displayHex());
        assertThat(node.call("gettxout", coin.displayHex(), 0, false).result().isNull())
                .isFalse();
    }

    @Test
    void aTransactionWhoseCoinLeftTheChainLeavesTheMempool() {
        Hash256 coin = mineToWallet();
        Hash256 funding = node.control().tip().hash();
        node.control().mine(2);
        send(spend(coin, 0, SUBSIDY - FEE));

        node.control().mineFork(Network.REGTEST.genesisHash(), 5);

        assertThat(node.control().isActive(funding)).isFalse();
        assertThat(node.call("getrawmempool").result()).isEmpty();
    }

    @Test
    void aBlockThatContradictsTheMempoolClearsIt() {
        Hash256 coin = mineToWallet();
        node.control().mine(2);
        Transaction first = spend(coin, 0, SUBSIDY - FEE);
        Transaction second = spend(coin, 0, SUBSIDY - 2 * FEE);
        send(first);
        assertThat(send(second)).isEqualTo(new RpcAnswer.Failure(-25, "bad-txns-inputs-missingorspent"));

        node.control().removeTransaction(first.txid());
        send(second);
        RpcAnswer mined = node.call("generateblock", address().text(), List.of(second.hex()));

        assertThat(mined.errorCode()).isZero();
        assertThat(node.call("getrawmempool").result()).isEmpty();
        assertThat(send(first).errorCode()).isEqualTo(-25);
    }

    @Test
    void badTransactionsAreRefusedWithTheNodesReason() {
        Hash256 coin = mineToWallet();
        node.control().mine(2);
        Transaction greedy = spend(coin, 0, SUBSIDY + 1);
        Transaction legacy =
                Transaction.of(2, List.of(input(coin, 0)), List.of(new TransactionOutput(1, Hex.decode("51"))), 0);
        Transaction early = Transaction.of(
                2,
                List.of(new TransactionInput(coin, 0, new byte[0], 0, List.of())),
                List.of(new TransactionOutput(1, address().script())),
                1_000);

        assertThat(send(greedy)).isEqualTo(new RpcAnswer.Failure(-26, "bad-txns-in-belowout"));
        assertThat(send(legacy)).isEqualTo(new RpcAnswer.Failure(-26, "bad-txns-output-not-p2mr"));
        assertThat(send(early)).isEqualTo(new RpcAnswer.Failure(-26, "non-final"));
        assertThat(node.call("sendrawtransaction", "00").errorCode()).isEqualTo(-22);
        JsonNode verdict =
                node.call("testmempoolaccept", List.of(greedy.hex())).result().get(0);
        assertThat(verdict.path("allowed").asBoolean()).isFalse();
        assertThat(verdict.path("reject-reason").asText()).isEqualTo("bad-txns-in-belowout");
        JsonNode good = node.call("testmempoolaccept", List.of(spend(coin, 0, 5).hex()))
                .result()
                .get(0);
        assertThat(good.path("allowed").asBoolean()).isTrue();
        assertThat(node.call("getrawmempool").result()).isEmpty();
    }

    @Test
    void aPackageOfParentAndChildIsTakenInOrder() {
        Hash256 coin = mineToWallet();
        node.control().mine(2);
        Transaction parent = spend(coin, 0, SUBSIDY);
        assertThat(send(parent)).isEqualTo(new RpcAnswer.Failure(-26, "min relay fee not met, 0 < 24"));
        Transaction child = spend(parent.txid(), 0, SUBSIDY - 5_000);

        JsonNode result =
                node.call("submitpackage", List.of(parent.hex(), child.hex())).result();

        assertThat(result.path("package_msg").asText()).isEqualTo("success");
        assertThat(result.path("tx-results")
                        .path(child.wtxid().displayHex())
                        .path("fees")
                        .path("base")
                        .decimalValue())
                .isEqualByComparingTo("0.00005");
        JsonNode entries = template().path("transactions");
        assertThat(entries).hasSize(2);
        assertThat(entries.get(1).path("depends").get(0).asInt()).isEqualTo(1);
        Transaction orphan = spend(Hash256.ofDisplayHex("77".repeat(32)), 0, 1);
        assertThat(node.call("submitpackage", List.of(orphan.hex()))
                        .result()
                        .path("package_msg")
                        .asText())
                .isEqualTo("transaction failed");
    }

    @Test
    void aChildReturnsAfterItsParentWhenABlockIsDisconnected() {
        Hash256 coin = mineToWallet();
        node.control().mine(2);
        Transaction parent = spend(coin, 0, SUBSIDY - FEE);
        Transaction child = spend(parent.txid(), 0, SUBSIDY - 2 * FEE);
        Hash256 before = node.control().tip().hash();
        send(parent);
        node.control().mine(1);
        send(child);

        node.control().mineFork(before, 2);

        assertThat(node.call("getrawmempool").result())
                .extracting(JsonNode::asText)
                .containsExactly(parent.txid().displayHex(), child.txid().displayHex());
    }

    @Test
    void anAnchorNeedsNoSignature() {
        Hash256 coin = mineToWallet();
        Hash256 parent = Hash256.ofDisplayHex("99".repeat(32));
        Transaction child = Transaction.of(
                3,
                List.of(input(parent, 2), input(coin, 0)),
                List.of(new TransactionOutput(1, address().script())),
                0);
        Map<String, Object> anchor =
                Map.of("txid", parent.displayHex(), "vout", 2, "scriptPubKey", "51024e73", "amount", 0);

        JsonNode alone = node.call("signrawtransactionwithwallet", child.hex()).result();
        JsonNode told = node.call("signrawtransactionwithwallet", child.hex(), List.of(anchor))
                .result();

        assertThat(alone.path("complete").asBoolean()).isFalse();
        assertThat(alone.path("errors")).hasSize(1);
        assertThat(told.path("complete").asBoolean()).isTrue();
        List<TransactionInput> inputs =
                Transaction.parseHex(told.path("hex").asText()).inputs();
        assertThat(inputs.get(0).witness()).isEmpty();
        assertThat(inputs.get(1).witness()).isNotEmpty();
    }

    @Test
    void theWalletListsItsMatureCoinsAndSignsThem() {
        Hash256 coin = mineToWallet();
        node.control().mine(2);
        assertThat(node.call("listunspent").result()).isEmpty();
        node.control().mine(1);

        JsonNode unspent = node.call("listunspent").result();

        assertThat(unspent).hasSize(1);
        assertThat(unspent.get(0).path("txid").asText()).isEqualTo(coin.displayHex());
        assertThat(unspent.get(0).path("amount").decimalValue()).isEqualByComparingTo("210");
        assertThat(node.call("listunspent", 5).result()).isEmpty();
        JsonNode signed = node.call(
                        "signrawtransactionwithwallet",
                        spend(coin, 0, SUBSIDY - FEE).hex())
                .result();
        assertThat(signed.path("complete").asBoolean()).isTrue();
        assertThat(send(Transaction.parseHex(signed.path("hex").asText())).errorCode())
                .isZero();
        Transaction foreign = spend(Hash256.ofDisplayHex("77".repeat(32)), 0, 1);
        assertThat(node.call("signrawtransactionwithwallet", foreign.hex())
                        .result()
                        .path("complete")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void aDeclaredTransactionComesBackWithItsFeeAfterAReorganisation() {
        Transaction declared = spend(Hash256.ofDisplayHex("88".repeat(32)), 0, 1);
        node.control().addTransaction(declared, 777);
        node.control().mine(1);
        assertThat(template().path("coinbasevalue").asLong()).isEqualTo(SUBSIDY);

        node.control().mineFork(Network.REGTEST.genesisHash(), 2);

        assertThat(template().path("coinbasevalue").asLong()).isEqualTo(SUBSIDY + 777);
    }

    private Hash256 mineToWallet() {
        String address = node.call("getnewaddress").result().asText();
        node.call("generatetoaddress", 1, address);
        Hash256 block = node.control().tip().hash();
        return node.control().block(block).orElseThrow().coinbase().txid();
    }

    private JsonNode template() {
        return node.call("getblocktemplate", Map.of("rules", List.of("segwit"))).result();
    }

    private RpcAnswer send(Transaction transaction) {
        return node.call("sendrawtransaction", transaction.hex());
    }

    private static Transaction spend(Hash256 txid, long index, long value) {
        return Transaction.of(
                2,
                List.of(input(txid, index)),
                List.of(new TransactionOutput(value, address().script())),
                0);
    }

    private static TransactionInput input(Hash256 txid, long index) {
        return new TransactionInput(txid, index, new byte[0], 0xffffffffL, List.of());
    }

    private static P2mrAddress address() {
        return P2mrAddress.ofProgramHex(Network.REGTEST, "aa".repeat(32));
    }
}
