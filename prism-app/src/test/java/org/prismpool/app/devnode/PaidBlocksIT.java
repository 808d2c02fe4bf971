package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.payout.coinbase.CoinbaseManifest;
import org.prismpool.payout.coinbase.CoinbaseOutput;
import org.prismpool.payout.ctv.ScriptTree;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.chain.Block;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/**
 * What the signed manifest says is what the chain pays: a node takes the block, and its chain holds the very bytes and
 * outputs of the manifest (spec 03, A-32). Runs against a development node, or against an outside one, as
 * {@link RegtestNode} says.
 */
class PaidBlocksIT {

    private static final byte[] OP_TRUE = {0x51};
    private static final byte[] ANYONE = ScriptTree.leafHash(OP_TRUE);
    private static final int FEE = 1_000;

    @AutoClose
    private static RegtestNode node;

    private static PaidBlock funding;

    @BeforeAll
    static void open() {
        node = RegtestNode.open();
        funding = matureCoins();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 500})
    void theChainPaysWhatTheManifestOfSoManyRecipientsSays(int recipients) throws Exception {
        TemplateObservation template = node.template();
        PaidBlock paid =
                PaidBlock.job(template, PaidBlock.recipients(recipients)).solved(7);

        assertThat(node.submit(paid.block().hex())).isEmpty();

        assertThat(paid.manifest().manifest().payoutCount()).isEqualTo(recipients);
        assertThat(paid.manifest().manifest().outputs().stream().mapToLong(CoinbaseOutput::amountSats))
                .allMatch(amount -> amount > 0);
        assertOnChain(paid, template);
    }

    @Test
    void aBlockWithFurtherTransactionsCommitsToTheirWitnesses() throws Exception {
        Transaction first = spending(fundingCoinbase(), 0, ANYONE, ANYONE);
        Transaction second = spending(first, 0, Hex.decode("f2".repeat(32)));
        Transaction third = spending(first, 1, Hex.decode("f3".repeat(32)));
        List<Transaction> further = List.of(first, second, third);
        assertThat(further).allSatisfy(spend -> assertThat(spend.wtxid()).isNotEqualTo(spend.txid()));
        TemplateObservation template = node.template();
        PaidBlock greedy = PaidBlock.job(template, PaidBlock.recipients(50), further, 3 * FEE + 1)
                .solved(1);
        PaidBlock paid = PaidBlock.job(template, PaidBlock.recipients(50), further, 3 * FEE)
                .solved(1);

        assertThat(node.submit(greedy.block().hex())).contains("bad-cb-amount");
        assertThat(node.submit(paid.hexWithForeignReservedValue())).contains("bad-witness-merkle-match");
        assertThat(node.submit(paid.block().hex())).isEmpty();

        assertOnChain(paid, template);
        List<Transaction> mined = onChain(paid).transactions();
        assertThat(mined.subList(mined.size() - 3, mined.size())).containsExactlyElementsOf(further);
        assertThat(output(first, 0).isNull()).as("spent in the same block").isTrue();
        assertThat(output(third, 0).path("value").decimalValue())
                .isEqualByComparingTo(coins(third.outputs().get(0).valueSats()));
    }

    /** Needs a node that relays such a transaction, which one of a chain without P2MR does not. */
    @Test
    void theTransactionsOfTheNodesTemplateAreInTheBlockThatEarnsTheirFees() throws Exception {
        Transaction spend = spending(fundingCoinbase(), 1, Hex.decode("f5".repeat(32)));
        assumeTrue(
                node.call("sendrawtransaction", spend.hex()).errorCode() == 0,
                "the node does not relay spends of this kind");
        TemplateObservation template = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> node.template(),
                        found -> found.template().transactions().txids().contains(spend.txid()));
        PaidBlock paid = PaidBlock.job(template, PaidBlock.recipients(50)).solved(3);

        assertThat(node.submit(paid.block().hex())).isEmpty();

        assertOnChain(paid, template);
        assertThat(onChain(paid).transactions()).contains(spend);
        assertThat(output(spend, 0).path("confirmations").asInt()).isEqualTo(1);
    }

    @Test
    void twoClientsOfOneJobFindDifferentBlocksThatAreBothValid() throws Exception {
        TemplateObservation template = node.template();
        PaidBlock.Job job = PaidBlock.job(template, PaidBlock.recipients(3));
        PaidBlock first = job.solved(1);
        PaidBlock second = job.solved(2);
        String tip = template.parent().displayHex();
        assertThat(first.block().hash()).isNotEqualTo(second.block().hash());
        assertThat(first.manifest().manifest().coinbaseTxHex().replace("00000001cafebabe", "00000002cafebabe"))
                .isEqualTo(second.manifest().manifest().coinbaseTxHex());

        assertThat(node.submit(first.block().hex())).isEmpty();
        node.ask("invalidateblock", first.block().hash().displayHex());
        assertThat(node.ask("getbestblockhash").asText()).isEqualTo(tip);
        assertThat(node.submit(second.block().hex())).isEmpty();

        assertOnChain(second, template);
    }

    @Test
    void aChainThatIsNotRegtestIsRefused() throws Exception {
        try (RegtestNode signet = RegtestNode.started(DevNodeConfig.forTests().withNetwork(Network.SIGNET))) {
            assertThatThrownBy(signet::requireRegtest)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has the chain signet, not regtest");
        }
    }

    private static void assertOnChain(PaidBlock paid, TemplateObservation template) throws Exception {
        CoinbaseManifest manifest = paid.manifest().manifest();
        String hash = paid.block().hash().displayHex();
        paid.manifest().verifySignature();
        assertThat(node.rpc().getBestBlockHash(RegtestNode.soon()))
                .isEqualTo(paid.block().hash());
        assertThat(node.rpc().getBlockHash(template.template().terms().height(), RegtestNode.soon()))
                .isEqualTo(paid.block().hash());

        assertThat(node.ask("getblock", hash, 0).asText())
                .isEqualTo(paid.block().hex());
        assertThat(onChain(paid).transactions().get(0).hex()).isEqualTo(manifest.coinbaseTxHex());
        JsonNode told = node.ask("getblock", hash, 2).path("tx").get(0);
        assertThat(told.path("hex").asText()).isEqualTo(manifest.coinbaseTxHex());
        assertThat(told.path("txid").asText()).isEqualTo(manifest.coinbaseTxid());
        assertThat(told.path("hash").asText()).isEqualTo(manifest.coinbaseWtxid());
        assertThat(told.path("vout")).hasSize(manifest.outputs().size() + 1);
        assertThat(told.path("vout")
                        .get(manifest.outputs().size())
                        .path("scriptPubKey")
                        .path("hex")
                        .asText())
                .isEqualTo(manifest.witnessCommitmentScriptHex());
        assertUnspent(manifest);
    }

    /** Every output of the manifest is a coin of the node's chain, the commitment is none, and together they are the value. */
    private static void assertUnspent(CoinbaseManifest manifest) throws Exception {
        long total = 0;
        for (CoinbaseOutput output : manifest.outputs()) {
            JsonNode coin = node.ask("gettxout", manifest.coinbaseTxid(), output.vout());
            assertThat(coin.path("value").decimalValue()).isEqualByComparingTo(coins(output.amountSats()));
            assertThat(coin.path("scriptPubKey").path("hex").asText()).isEqualTo(output.scriptPubkeyHex());
            assertThat(coin.path("coinbase").asBoolean()).isTrue();
            assertThat(coin.path("confirmations").asInt()).isEqualTo(1);
            total += output.amountSats();
        }
        assertThat(total).isEqualTo(manifest.coinbaseValueSats());
        assertThat(node.ask(
                                "gettxout",
                                manifest.coinbaseTxid(),
                                manifest.outputs().size())
                        .isNull())
                .isTrue();
    }

    private static Block onChain(PaidBlock paid) throws Exception {
        return Block.parse(Hex.decode(
                node.ask("getblock", paid.block().hash().displayHex(), 0).asText()));
    }

    /** Pays two coins that everybody can spend and buries them as deep as a coinbase must lie to be spent. */
    private static PaidBlock matureCoins() {
        PaidBlock mined = PaidBlock.job(
                        node.template(), List.of(PaidBlock.paying(ANYONE, 1), PaidBlock.paying(ANYONE, 1)))
                .solved(1);
        assertThat(node.submit(mined.block().hex())).isEmpty();
        for (int depth = 1; depth < Network.COINBASE_MATURITY; depth++) {
            PaidBlock next =
                    PaidBlock.job(node.template(), PaidBlock.recipients(1)).solved(1);
            assertThat(node.submit(next.block().hex())).isEmpty();
        }
        return mined;
    }

    private static Transaction fundingCoinbase() {
        return Transaction.parseHex(funding.manifest().manifest().coinbaseTxHex());
    }

    /** Spends a coin that everybody can spend in parts as equal as possible and pays the fee. */
    private static Transaction spending(Transaction from, int index, byte[]... programs) {
        TransactionInput input = new TransactionInput(
                from.txid(), index, new byte[0], 0xfffffffdL, List.of(OP_TRUE, ScriptTree.controlBlock(List.of())));
        long left = from.outputs().get(index).valueSats() - FEE;
        List<TransactionOutput> outputs = new ArrayList<>();
        for (int i = programs.length; i > 0; i--) {
            outputs.add(new TransactionOutput(left / i, ScriptTree.outputScript(programs[i - 1])));
            left -= left / i;
        }
        return Transaction.of(2, List.of(input), outputs, 0);
    }

    private static JsonNode output(Transaction transaction, int index) throws Exception {
        return node.ask("gettxout", transaction.txid().displayHex(), index);
    }

    private static BigDecimal coins(long sats) {
        return BigDecimal.valueOf(sats, 8);
    }
}
