package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.app.devnode.fault.ChainView;
import org.prismpool.app.devnode.rpc.RpcAnswer;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;

/** The RPC surface of spec 03 §7.3. */
class RpcSurfaceTest {

    private static final String GENESIS = "0ee96aa77c4b600850e349344fa21b107e805f5370ddc7a6189db12cf69acce6";
    private static final String ADDRESS = "qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0s8kqqny";
    private static final String PLAIN_TX =
            "020000000122222222222222222222222222222222222222222222222222222222222222220000000003222222ffffffff01e803000000"
                    + "000000225220222222222222222222222222222222222222222222222222222222222222222200000000";

    private final DevNode node = DevNode.start(DevNodeConfig.forTests());

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void headersAreShownWithTheirPlaceInTheChain() {
        node.call("submitblock", new ExampleBlock().hex());
        String hash = new ExampleBlock().hash().displayHex();

        JsonNode header = node.call("getblockheader", hash).result();
        JsonNode genesis = node.call("getblockheader", GENESIS).result();

        assertThat(header.path("confirmations").asInt()).isEqualTo(1);
        assertThat(header.path("height").asInt()).isEqualTo(1);
        assertThat(header.path("version").asInt()).isEqualTo(0x20000000);
        assertThat(header.path("versionHex").asText()).isEqualTo("20000000");
        assertThat(header.path("merkleroot").asText())
                .isEqualTo("b3e0d79fefe4f3669848d769c226255a0095133719f37d10d49ebf707a74cc59");
        assertThat(header.path("time").asLong()).isEqualTo(1_738_713_662L);
        assertThat(header.path("mediantime").asLong()).isEqualTo(1_738_713_662L);
        assertThat(header.path("nonce").asLong()).isZero();
        assertThat(header.path("bits").asText()).isEqualTo("207fffff");
        assertThat(header.path("difficulty").asDouble()).isEqualTo(4.6565423739069247e-10);
        // Two blocks of floor(2^256 / (target + 1)) = 2 hashes each.
        assertThat(header.path("chainwork").asText()).isEqualTo("0".repeat(63) + "4");
        assertThat(header.path("nTx").asInt()).isEqualTo(1);
        assertThat(header.path("previousblockhash").asText()).isEqualTo(GENESIS);
        assertThat(header.has("nextblockhash")).isFalse();
        assertThat(genesis.path("nextblockhash").asText()).isEqualTo(hash);
        assertThat(genesis.has("previousblockhash")).isFalse();
        assertThat(node.call("getblockheader", hash, false).result().asText())
                .isEqualTo(new ExampleBlock().hex().substring(0, 160));
        assertThat(node.call("getblockheader", "33".repeat(32)).errorCode()).isEqualTo(-5);
        assertThat(node.call("getblockheader", "abc").errorCode()).isEqualTo(-8);
    }

    @Test
    void blocksAreShownAtThreeVerbosities() {
        node.call("submitblock", new ExampleBlock().hex());
        String hash = new ExampleBlock().hash().displayHex();

        assertThat(node.call("getblock", hash, 0).result().asText()).isEqualTo(new ExampleBlock().hex());
        JsonNode one = node.call("getblock", hash).result();
        assertThat(one.path("size").asInt()).isEqualTo(279);
        assertThat(one.path("weight").asInt()).isEqualTo(279);
        assertThat(one.path("strippedsize").asInt()).isEqualTo(80 + 1 + 162);
        assertThat(one.path("tx").get(0).asText())
                .isEqualTo("b3e0d79fefe4f3669848d769c226255a0095133719f37d10d49ebf707a74cc59");
        JsonNode two = node.call("getblock", hash, 2).result().path("tx").get(0);
        assertThat(two.path("vout").get(0).path("value").decimalValue()).isEqualByComparingTo("210");
        assertThat(two.path("vout").get(0).path("scriptPubKey").path("address").asText())
                .isEqualTo(ADDRESS);
        assertThat(two.path("vin").get(0).path("coinbase").asText()).isEqualTo("5100" + ExampleBlock.SCRIPT_SIG_TAIL);
        assertThat(two.path("hex").asText())
                .isEqualTo(new ExampleBlock().coinbase().hex());
    }

    @Test
    void theChainViewIsHealthyUntilItIsToldOtherwise() {
        JsonNode healthy = node.call("getblockchaininfo").result();
        assertThat(healthy.path("chain").asText()).isEqualTo("regtest");
        assertThat(healthy.path("initialblockdownload").isBoolean()).isTrue();
        assertThat(healthy.path("initialblockdownload").asBoolean()).isFalse();
        assertThat(healthy.path("headers").asInt())
                .isEqualTo(healthy.path("blocks").asInt());
        assertThat(node.call("getnetworkinfo").result().path("connections").asInt())
                .isPositive();

        node.control()
                .view(view -> view.withInitialDownload(ChainView.InitialDownload.BY_TIP_AGE)
                        .withHeadersAhead(3)
                        .withConnections(0)
                        .withChainName("main")
                        .withGenesis(Hash256.ofDisplayHex("44".repeat(32)))
                        .withFeeRate(new BigDecimal("0.00001")));

        JsonNode told = node.call("getblockchaininfo").result();
        assertThat(told.path("chain").asText()).isEqualTo("main");
        assertThat(told.path("initialblockdownload").asBoolean()).isTrue();
        assertThat(told.path("headers").asInt()).isEqualTo(3);
        assertThat(node.call("getnetworkinfo").result().path("connections").asInt())
                .isZero();
        assertThat(node.call("getblockhash", 0).result().asText()).isEqualTo("44".repeat(32));
        assertThat(node.call("estimatesmartfee", 6).result().path("feerate").decimalValue())
                .isEqualByComparingTo("0.00001");
    }

    @Test
    void aFreshBlockEndsTheDownloadOfAnOldChain() {
        node.control().view(view -> view.withInitialDownload(ChainView.InitialDownload.BY_TIP_AGE));
        assertThat(node.call("getblockchaininfo")
                        .result()
                        .path("initialblockdownload")
                        .asBoolean())
                .isTrue();

        node.control().mineIfTipIsOld();
        node.control().mineIfTipIsOld();

        assertThat(node.control().tip().height()).isEqualTo(1);
        assertThat(node.call("getblockchaininfo")
                        .result()
                        .path("initialblockdownload")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void feesAreThoseOfAFreshNode() {
        JsonNode info = node.call("getmempoolinfo").result();
        assertThat(info.path("mempoolminfee").decimalValue()).isEqualByComparingTo("0.0000025");
        assertThat(info.path("minrelaytxfee").decimalValue()).isEqualByComparingTo("0.0000025");
        JsonNode estimate = node.call("estimatesmartfee", 6).result();
        assertThat(estimate.path("errors")).hasSize(1);
        assertThat(estimate.path("blocks").asInt()).isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource({
        "qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0s8kqqny, ''",
        "QBRT1ZQQQSYQCYQ5RQWZQFPG9SCRGWPUGPZYSNZS23V9CCRYDPK8QARC0S8KQQNY, ''",
        "qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sj2svkx, "
                + "Version 1+ witness address must use Bech32m checksum",
        "qb1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sjq57mw, "
                + "Invalid or unsupported Segwit (Bech32) or Base58 encoding.",
        "bc1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sqfj5af, "
                + "Invalid or unsupported Segwit (Bech32) or Base58 encoding.",
        "qbrt1pqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0s0te0a0, "
                + "Address type is not supported on this chain; use a p2mr address.",
        "qbrt1rqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0scas9w6, "
                + "Address type is not supported on this chain; use a p2mr address.",
        "qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnh32x7f, "
                + "Address type is not supported on this chain; use a p2mr address.",
        "Qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0s8kqqny, "
                + "Invalid or unsupported Segwit (Bech32) or Base58 encoding."
    })
    void addressesGetTheNodesVerdict(String address, String error) {
        JsonNode verdict = node.call("validateaddress", address).result();

        assertThat(verdict.path("isvalid").asBoolean()).isEqualTo(error.isEmpty());
        assertThat(verdict.path("error").asText("")).isEqualTo(error);
        assertThat(P2mrAddress.check(Network.REGTEST, address).refusal().orElse(""))
                .as("the pool's own decoder")
                .isEqualTo(error);
        if (error.isEmpty()) {
            assertThat(verdict.path("address").asText()).isEqualTo(ADDRESS);
            assertThat(verdict.path("scriptPubKey").asText()).isEqualTo("5220" + ExampleBlock.PROGRAM);
            assertThat(verdict.path("witness_version").asInt()).isEqualTo(2);
            assertThat(verdict.path("witness_program").asText()).isEqualTo(ExampleBlock.PROGRAM);
        }
    }

    @Test
    void blocksCanBeGeneratedToAnAddress() {
        JsonNode hashes = node.call("generatetoaddress", 3, ADDRESS).result();

        assertThat(hashes).hasSize(3);
        assertThat(node.call("getblockcount").result().asInt()).isEqualTo(3);
        assertThat(node.call("getbestblockhash").result().asText())
                .isEqualTo(hashes.get(2).asText());
        assertThat(node.call("generatetoaddress", 1, "nonsense").errorCode()).isEqualTo(-5);
    }

    @Test
    void aBlockCanBeGeneratedWithChosenTransactions() {
        node.control().addTransaction(Transaction.parseHex(PLAIN_TX), 10);
        String txid = Transaction.parseHex(PLAIN_TX).txid().displayHex();

        JsonNode mined = node.call("generateblock", ADDRESS, List.of(txid)).result();

        JsonNode block = node.call("getblock", mined.path("hash").asText()).result();
        assertThat(block.path("tx")).extracting(JsonNode::asText).contains(txid).hasSize(2);
        JsonNode found = node.call("getrawtransaction", txid, true).result();
        assertThat(found.path("confirmations").asInt()).isEqualTo(1);
        assertThat(found.path("blockhash").asText())
                .isEqualTo(mined.path("hash").asText());
        assertThat(node.call("getrawtransaction", "33".repeat(32)).errorCode()).isEqualTo(-5);
        assertThat(node.call("generateblock", ADDRESS, List.of("33".repeat(32))).errorCode())
                .isEqualTo(-5);
        assertThat(node.call("generateblock", ADDRESS, List.of("zz".repeat(32))).errorCode())
                .isEqualTo(-22);
    }

    @Test
    void addressesComeFromACounterAndAreTheSameInEveryRun() {
        String first = node.call("getnewaddress").result().asText();
        String second = node.call("getnewaddress", "label", "p2mr").result().asText();
        try (DevNode other = DevNode.start(DevNodeConfig.forTests())) {
            assertThat(other.call("getnewaddress").result().asText()).isEqualTo(first);
        }

        assertThat(second).isNotEqualTo(first);
        assertThat(node.call("getaddressinfo", first).result().path("ismine").asBoolean())
                .isTrue();
        assertThat(node.call("getaddressinfo", ADDRESS).result().path("ismine").asBoolean())
                .isFalse();
        // SHA-256 of "devnode" and eight zero bytes, computed with sha256sum.
        assertThat(node.call("validateaddress", first)
                        .result()
                        .path("witness_program")
                        .asText())
                .isEqualTo("c0ff9b9208387043764609e365421aa02d795f6c57a887de0444ed5adf3d1e62");
    }

    @Test
    void unknownMethodsAndWrongParametersAreNamed() {
        assertThat(node.call("nosuchmethod")).isEqualTo(new RpcAnswer.Failure(-32601, "Method not found"));
        assertThat(node.call("getblockhash").errorCode()).isEqualTo(-1);
        assertThat(node.call("getblockhash", "text").errorCode()).isEqualTo(-3);
        assertThat(node.call("getblockhash", 1, 2, 3).errorCode()).isEqualTo(-1);
        assertThat(node.call("getblockhash", -1)).isEqualTo(new RpcAnswer.Failure(-8, "Block height out of range"));
        JsonNode unknownName = JsonNodeFactory.instance.objectNode().put("nosuchname", 1);
        assertThat(node.call("getblockhash", unknownName).errorCode()).isEqualTo(-8);
        assertThat(node.call("help").result().asText()).contains("submitblock", "waitfornewblock");
    }

    @Test
    void aHeaderCanComeBeforeItsBlock() {
        String hex = new ExampleBlock().hex();

        assertThat(node.call("submitheader", hex.substring(0, 160)).errorCode()).isZero();
        assertThat(node.control().tip().height()).isZero();
        assertThat(node.call("submitblock", hex).result().isNull()).isTrue();
        assertThat(node.call("submitheader", "00").errorCode()).isEqualTo(-22);
        ExampleBlock orphan = new ExampleBlock();
        orphan.parent = Hash256.ofDisplayHex("33".repeat(32));
        assertThat(node.call("submitheader", orphan.solved().hex().substring(0, 160))
                        .errorCode())
                .isEqualTo(-25);
    }

    @Test
    void aPreciousBlockWinsAgainstItsSibling() {
        List<Hash256> first = node.control().mineFork(Network.REGTEST.genesisHash(), 2);
        List<Hash256> second = node.control().mineFork(Network.REGTEST.genesisHash(), 2);
        assertThat(node.control().tip().hash()).isEqualTo(first.get(1));

        node.call("preciousblock", second.get(1).displayHex());

        assertThat(node.control().tip().hash()).isEqualTo(second.get(1));
        assertThat(node.call("preciousblock", "33".repeat(32)).errorCode()).isEqualTo(-5);
    }

    @Test
    void theSmallMethodsAnswer() {
        node.control().mine(2);

        assertThat(node.call("getmininginfo")
                        .result()
                        .path("next")
                        .path("height")
                        .asInt())
                .isEqualTo(3);
        assertThat(node.call("getdifficulty").result().asDouble()).isEqualTo(4.6565423739069247e-10);
        assertThat(node.call("getnetworkhashps").result().isNumber()).isTrue();
        assertThat(node.call("uptime").result().asLong()).isNotNegative();
        assertThat(node.call("getrawmempool").result()).isEmpty();
        assertThat(node.call("stop").errorCode()).isZero();
        assertThat(node.control().stopRequests()).isEqualTo(1);
    }
}
