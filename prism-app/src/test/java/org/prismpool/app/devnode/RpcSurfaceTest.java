package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.app.devnode.chain.DifficultyMode;
import org.prismpool.app.devnode.fault.ChainView;
import org.prismpool.app.devnode.rpc.RpcAnswer;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
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
    void theTemplateOfTheFirstBlockIsThatOfExampleA() {
        node.call("setmocktime", ExampleBlock.TIME);

        JsonNode template = template();

        assertThat(template.path("previousblockhash").asText()).isEqualTo(GENESIS);
        assertThat(template.path("height").asInt()).isEqualTo(1);
        assertThat(template.path("coinbasevalue").asLong()).isEqualTo(21_000_000_000L);
        assertThat(template.path("bits").asText()).isEqualTo("207fffff");
        assertThat(template.path("target").asText()).isEqualTo("7fffff" + "0".repeat(58));
        assertThat(template.path("version").asInt()).isEqualTo(536_870_912);
        assertThat(template.path("curtime").asLong()).isEqualTo(1_738_713_662L);
        assertThat(template.path("mintime").asLong()).isEqualTo(1_738_713_603L);
        assertThat(template.path("transactions")).isEmpty();
        assertThat(template.path("default_witness_commitment").asText())
                .isEqualTo("6a24aa21a9ede2f61c3f71d1defd3fa999dfa36953755c690689799962b48bebd836974e8cf9");
        assertThat(template.path("versionrollingmask").asText()).isEqualTo("1fffe000");
        assertThat(template.path("rules")).extracting(JsonNode::asText).containsExactly("csv", "!segwit", "taproot");
        assertThat(template.path("capabilities")).extracting(JsonNode::asText).containsExactly("proposal");
        assertThat(template.path("noncerange").asText()).isEqualTo("00000000ffffffff");
        assertThat(template.path("sigoplimit").asInt()).isEqualTo(80_000);
        assertThat(template.path("sizelimit").asInt()).isEqualTo(2_000_000);
        assertThat(template.path("weightlimit").asInt()).isEqualTo(2_000_000);
        assertThat(template.path("longpollid").asText()).startsWith(GENESIS);
        assertThat(template.path("vbavailable")).isEmpty();
        assertThat(template.path("vbrequired").asInt()).isZero();
        assertThat(template.path("coinbaseaux")).isEmpty();
        assertThat(template.path("future_block_time").path("limit_seconds").asInt())
                .isEqualTo(600);
        assertThat(template.path("p2mr_validation_weight").path("per_sigop").asInt())
                .isEqualTo(3_683);
    }

    @Test
    void theTemplateTimeNeverFallsBehindTheMedian() {
        node.call("setmocktime", 1_000);

        assertThat(template().path("curtime").asLong()).isEqualTo(1_738_713_603L);
    }

    @Test
    void theSegwitRuleIsDemanded() {
        assertThat(node.call("getblocktemplate").errorCode()).isEqualTo(-8);
        assertThat(node.call("getblocktemplate", Map.of("rules", List.of("csv")))
                        .errorCode())
                .isEqualTo(-8);
    }

    @Test
    void signetDemandsItsRuleAndShowsItsChallenge() {
        DevNodeConfig config = DevNodeConfig.forTests()
                .withNetwork(Network.SIGNET)
                .withDifficulty(new DifficultyMode.Fixed(0x1f00ffff));
        try (DevNode signet = DevNode.start(config)) {
            assertThat(signet.call("getblocktemplate", Map.of("rules", List.of("segwit")))
                            .errorCode())
                    .isEqualTo(-8);
            JsonNode template = signet.call("getblocktemplate", Map.of("rules", List.of("segwit", "signet")))
                    .result();
            assertThat(template.path("signet_challenge").asText()).isEqualTo("51");
            assertThat(template.path("rules")).extracting(JsonNode::asText).contains("!signet");
            assertThat(signet.call("getblockhash", 0).result().asText())
                    .isEqualTo("0000000a5698c727f05cbdaeaff3e48b48ab187aeb03414e783ea81fed14d65c");
        }
    }

    @Test
    void theMainNetworkHandsOutNoWorkWithoutPeersOrBlocks() {
        DevNodeConfig config = DevNodeConfig.forTests()
                .withNetwork(Network.MAINNET)
                .withDifficulty(new DifficultyMode.Fixed(0x1a7f1ab5));
        try (DevNode main = DevNode.start(config)) {
            Map<String, List<String>> request = Map.of("rules", List.of("segwit"));
            assertThat(main.call("getblocktemplate", request).errorCode()).isZero();
            main.control().view(view -> view.withConnections(0));
            assertThat(main.call("getblocktemplate", request).errorCode()).isEqualTo(-9);
            main.control().view(view -> view.withConnections(1).withInitialDownload(ChainView.InitialDownload.YES));
            assertThat(main.call("getblocktemplate", request).errorCode()).isEqualTo(-10);
        }
    }

    @Test
    void templatesCarryMempoolTransactionsInOrderOfArrival() {
        Transaction transaction = Transaction.parseHex(PLAIN_TX);
        node.control().addTransaction(transaction, 1_000);

        JsonNode template = template();

        assertThat(template.path("coinbasevalue").asLong()).isEqualTo(21_000_001_000L);
        JsonNode entry = template.path("transactions").get(0);
        assertThat(entry.path("data").asText()).isEqualTo(PLAIN_TX);
        assertThat(entry.path("txid").asText())
                .isEqualTo("1f6443e6c1c144534b346817009e8e76b5b4189c8f219624f84247d7fb89df7b");
        assertThat(entry.path("hash").asText()).isEqualTo(entry.path("txid").asText());
        assertThat(entry.path("fee").asLong()).isEqualTo(1_000);
        assertThat(entry.path("weight").asInt()).isEqualTo(PLAIN_TX.length() / 2);
        assertThat(entry.path("sigops").asInt()).isZero();
        assertThat(entry.path("depends")).isEmpty();
        assertThat(node.control().removeTransaction(transaction.txid())).isTrue();
        assertThat(template().path("transactions")).isEmpty();
    }

    @Test
    void aBumpChangesTheTemplateAndNothingElse() {
        node.call("setmocktime", ExampleBlock.TIME);
        JsonNode before = template();

        node.control().bumpMempool();
        JsonNode after = template();

        assertThat(after.path("coinbaseaux")).isNotEqualTo(before.path("coinbaseaux"));
        assertThat(after.path("longpollid")).isNotEqualTo(before.path("longpollid"));
        assertThat(after.path("coinbasevalue")).isEqualTo(before.path("coinbasevalue"));
    }

    @Test
    void heldTemplatesIgnoreTheMempoolUntilTheirAge() {
        try (DevNode held = DevNode.start(DevNodeConfig.forTests().withTemplateHoldSeconds(5))) {
            held.call("setmocktime", ExampleBlock.TIME);
            held.call("getblocktemplate", Map.of("rules", List.of("segwit")));
            held.control().addTransaction(Transaction.parseHex(PLAIN_TX), 0);
            held.call("setmocktime", ExampleBlock.TIME + 5);
            JsonNode young = held.call("getblocktemplate", Map.of("rules", List.of("segwit")))
                    .result();
            held.call("setmocktime", ExampleBlock.TIME + 6);
            JsonNode old = held.call("getblocktemplate", Map.of("rules", List.of("segwit")))
                    .result();

            assertThat(young.path("transactions")).isEmpty();
            assertThat(young.path("curtime").asLong()).isEqualTo(ExampleBlock.TIME + 5);
            assertThat(old.path("transactions")).hasSize(1);
        }
    }

    @Test
    void proposalsAreJudgedWithoutWork() {
        ExampleBlock block = new ExampleBlock();
        block.nonce = 1;
        ExampleBlock greedy = new ExampleBlock();
        greedy.value++;
        ExampleBlock elsewhere = new ExampleBlock();
        elsewhere.parent = Hash256.ofDisplayHex("33".repeat(32));

        assertThat(propose(block.hex()).isNull()).isTrue();
        assertThat(propose(greedy.hex()).asText()).isEqualTo("bad-cb-amount");
        assertThat(propose(elsewhere.hex()).asText()).isEqualTo("inconclusive-not-best-prevblk");
        assertThat(node.control().tip().height()).isZero();
        node.call("submitblock", new ExampleBlock().hex());
        assertThat(propose(new ExampleBlock().hex()).asText()).isEqualTo("duplicate");
        assertThat(node.call("getblocktemplate", Map.of("mode", "proposal", "data", "00"))
                        .errorCode())
                .isEqualTo(-22);
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

    private JsonNode template() {
        RpcAnswer answer = node.call("getblocktemplate", Map.of("rules", List.of("segwit")));
        assertThat(answer.errorCode()).isZero();
        return answer.result();
    }

    private JsonNode propose(String hex) {
        return node.call("getblocktemplate", Map.of("mode", "proposal", "data", hex))
                .result();
    }
}
