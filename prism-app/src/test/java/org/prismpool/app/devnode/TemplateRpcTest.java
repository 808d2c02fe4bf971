package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.devnode.chain.DifficultyMode;
import org.prismpool.app.devnode.fault.ChainView;
import org.prismpool.app.devnode.rpc.RpcAnswer;
import org.prismpool.templates.TemplateFingerprint;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Transaction;

/** {@code getblocktemplate} in both of its modes (spec 03 §3.1 and §7.3). */
class TemplateRpcTest {

    private static final String GENESIS = "0ee96aa77c4b600850e349344fa21b107e805f5370ddc7a6189db12cf69acce6";
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
        assertThat(TemplateFingerprint.of(template).hex())
                .as("every member is the real node's")
                .isEqualTo("5c65c40e4672dee1bfd622f438f557a8a23c480e7c7c1def604cf2dcb663a531");
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
