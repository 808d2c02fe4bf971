package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;
import org.prismpool.templates.job.CoinbaseScript;

/**
 * How a node answers blocks that break one rule, on top of whatever its tip is. The fixtures of {@link BlockFixturesTest}
 * say what the development node answers; this test asks the same of an outside node when one is named
 * ({@link RegtestNode}), so that both can be held against each other.
 */
class RefusedBlocksIT {

    private static final int LONGER_THAN_ANY_FUTURE_LIMIT = 3 * 3_600;

    @AutoClose
    private static RegtestNode node;

    private JsonNode template;

    @BeforeAll
    static void open() {
        node = RegtestNode.open();
    }

    @BeforeEach
    void look() throws Exception {
        assertThat(node.submit(next().solved().hex())).isEmpty();
        template = fetched();
    }

    @Test
    void proofAndRoot() throws Exception {
        assertReason(next().unsolved(), "high-hash");
        ExampleBlock foreignRoot = next();
        foreignRoot.merkleRoot = Optional.of(Hash256.ofInternal(filled(0x11)));
        assertReason(foreignRoot.solved(), "bad-txnmrklroot");
        ExampleBlock otherBits = next();
        otherBits.bits = 0x207ffffe;
        assertReason(otherBits.solved(), "bad-diffbits");
        ExampleBlock orphan = next();
        orphan.parent = Hash256.ofDisplayHex("22".repeat(32));
        assertReason(orphan.solved(), "prev-blk-not-found");
        assertThat(node.call("submitblock", "00".repeat(80)).errorCode()).isEqualTo(-22);
    }

    @Test
    void times() throws Exception {
        ExampleBlock early = next();
        early.time = template.path("mintime").asLong() - 1;
        assertReason(early.solved(), "time-too-old");
        ExampleBlock late = next();
        late.time = template.path("curtime").asLong() + LONGER_THAN_ANY_FUTURE_LIMIT;
        assertReason(late.solved(), "time-too-new");
        ExampleBlock earliest = next();
        earliest.time = template.path("mintime").asLong();
        assertAccepted(earliest.solved());
    }

    @Test
    void coinbases() throws Exception {
        ExampleBlock tooLong = next();
        tooLong.scriptSigHex = heightPush(0) + "00".repeat(101 - heightPush(0).length() / 2);
        assertReason(tooLong.solved(), "bad-cb-length");
        ExampleBlock longest = next();
        longest.scriptSigHex = heightPush(0) + "00".repeat(100 - heightPush(0).length() / 2);
        assertAccepted(longest.solved());

        template = fetched();
        ExampleBlock two = next();
        two.others.add(two.coinbase());
        assertReason(two.solved(), "bad-cb-multiple");
        ExampleBlock notFinal = next();
        notFinal.scriptSigHex = heightPush(1) + ExampleBlock.SCRIPT_SIG_TAIL;
        notFinal.lockTime++;
        assertReason(notFinal.solved(), "bad-txns-nonfinal");
        ExampleBlock otherHeight = next();
        otherHeight.scriptSigHex = heightPush(1) + ExampleBlock.SCRIPT_SIG_TAIL;
        assertReason(otherHeight.solved(), "bad-cb-height");
        ExampleBlock greedy = next();
        greedy.value++;
        assertReason(greedy.solved(), "bad-cb-amount");
        assertReason(greedy, "duplicate-invalid");
        ExampleBlock modest = next();
        modest.value--;
        assertAccepted(modest.solved());
    }

    @Test
    void witnesses() throws Exception {
        ExampleBlock changed = next();
        changed.committedReserved = Optional.of(filled(0x77));
        changed.reserved = filled(0x78);
        assertReason(changed.solved(), "bad-witness-merkle-match");
        ExampleBlock tooShort = next();
        tooShort.committedReserved = Optional.of(new byte[32]);
        tooShort.reserved = new byte[31];
        assertReason(tooShort.solved(), "bad-witness-nonce-size");
        ExampleBlock uncommitted = next();
        uncommitted.withCommitment = false;
        assertReason(uncommitted.solved(), "unexpected-witness");
        changed.reserved = filled(0x77); // the header is the same: the refusal did not condemn it
        assertAccepted(changed);

        template = fetched();
        ExampleBlock without = next();
        without.withWitness = false;
        assertAccepted(without.solved());
        String stored = node.ask("getblock", without.hash().displayHex(), 0).asText();
        without.withWitness = true;
        assertThat(stored).as("with the zero value put in").isEqualTo(without.hex());
    }

    @Test
    void coins() throws Exception {
        ExampleBlock unknown = next();
        unknown.others.add(spending(Hash256.ofDisplayHex("33".repeat(32)), 1));
        assertReason(unknown.solved(), "bad-txns-inputs-missingorspent");
        Transaction tip = Transaction.parseHex(
                node.ask("getblock", template.path("previousblockhash").asText(), 2)
                        .path("tx")
                        .get(0)
                        .path("hex")
                        .asText());
        ExampleBlock premature = next();
        premature.others.add(spending(tip.txid(), tip.outputs().get(0).valueSats()));
        assertReason(premature.solved(), "bad-txns-premature-spend-of-coinbase");
        ExampleBlock twice = next();
        Transaction repeated = spending(Hash256.ofDisplayHex("44".repeat(32)), 1);
        twice.others.addAll(List.of(repeated, repeated));
        twice.others.add(repeated);
        assertReason(twice.solved(), "bad-txns-duplicate");
    }

    @Test
    void siblingsAndInvalidatedBranches() throws Exception {
        ExampleBlock first = next().solved();
        ExampleBlock second = next();
        second.reserved = filled(0x77);
        assertAccepted(first);
        assertReason(first, "duplicate");
        assertReason(second.solved(), "inconclusive");
        assertReason(second, "duplicate");
        assertThat(node.ask("getbestblockhash").asText()).isEqualTo(first.hash().displayHex());
        ExampleBlock child = childOf(second, 1).solved();
        assertAccepted(child);
        assertThat(node.ask("getblockheader", first.hash().displayHex())
                        .path("confirmations")
                        .asInt())
                .isEqualTo(-1);

        node.ask("invalidateblock", second.hash().displayHex());
        assertThat(node.ask("getbestblockhash").asText()).isEqualTo(first.hash().displayHex());
        assertReason(second, "duplicate-invalid");
        assertReason(child, "duplicate-invalid");
        assertReason(childOf(second, 2).solved(), "bad-prevblk");
    }

    @Test
    void rulesThatOnlyThisChainHas() throws Exception {
        assumeTrue(node.hasOurRules(), "another chain of the family");
        ExampleBlock reserved = next();
        reserved.version = 0x20000200;
        assertReason(reserved.solved(), "bad-version-reserved(0x20000200)");
        ExampleBlock anyone = next();
        anyone.payoutScriptHex = "51";
        assertReason(anyone.solved(), "bad-txns-output-not-p2mr");
    }

    /** A valid block but for its proof of work, on the tip of the template. */
    private ExampleBlock next() throws Exception {
        if (template == null) {
            template = fetched();
        }
        ExampleBlock block = new ExampleBlock();
        block.parent = Hash256.ofDisplayHex(template.path("previousblockhash").asText());
        block.scriptSigHex = heightPush(0) + ExampleBlock.SCRIPT_SIG_TAIL;
        block.lockTime = template.path("height").asLong() - 1;
        block.value = template.path("coinbasevalue").asLong();
        block.time = template.path("curtime").asLong();
        return block;
    }

    private ExampleBlock childOf(ExampleBlock parent, int seconds) throws Exception {
        ExampleBlock child = next();
        child.parent = parent.hash();
        child.scriptSigHex = heightPush(1) + ExampleBlock.SCRIPT_SIG_TAIL;
        child.lockTime = parent.lockTime + 1;
        child.time = parent.time + seconds;
        child.value = 1; // the subsidy may step down at this height
        return child;
    }

    private String heightPush(int further) {
        return Hex.encode(CoinbaseScript.heightPush(template.path("height").asLong() + further));
    }

    private static JsonNode fetched() throws Exception {
        JsonNode template = node.ask("getblocktemplate", Map.of("rules", List.of("segwit")));
        assertThat(template.path("bits").asText()).as("an easy chain").isEqualTo("207fffff");
        return template;
    }

    private static Transaction spending(Hash256 txid, long value) {
        return Transaction.of(
                2,
                List.of(new TransactionInput(txid, 0, new byte[0], 0xffffffffL, List.of())),
                List.of(new TransactionOutput(value, Hex.decode("5220" + ExampleBlock.PROGRAM))),
                0);
    }

    private static byte[] filled(int value) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static void assertAccepted(ExampleBlock block) {
        assertThat(node.submit(block.hex())).isEmpty();
        assertThat(node.rpc().getBestBlockHash(RegtestNode.soon())).isEqualTo(block.hash());
    }

    private static void assertReason(ExampleBlock block, String reason) {
        assertThat(node.submit(block.hex())).contains(reason);
    }
}
