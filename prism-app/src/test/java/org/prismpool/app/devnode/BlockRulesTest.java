package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.devnode.rpc.RpcAnswer;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;
import org.prismpool.templates.chain.VersionLayout;

/** Every reject reason of spec 03 §6.4 that the fixtures do not show, and the decoding rules of §7.4. */
class BlockRulesTest {

    /** Worked example B, first transaction: it spends a coin that does not exist. */
    private static final String PLAIN_TX =
            "020000000122222222222222222222222222222222222222222222222222222222222222220000000003222222ffffffff01e803000000"
                    + "000000225220222222222222222222222222222222222222222222222222222222222222222200000000";

    private static final String WITNESS_TX =
            "0200000000010144444444444444444444444444444444444444444444444444444444444444440000000003444444ffffffff01e80300"
                    + "00000000002252204444444444444444444444444444444444444444444444444444444444444444010544444444440000"
                    + "0000";

    private final DevNode node = DevNode.start(DevNodeConfig.forTests());

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void whatIsNoBlockIsADecodeError() {
        String good = new ExampleBlock().hex();

        for (String bad : List.of(
                "",
                "zz",
                good.substring(0, good.length() - 2),
                good.substring(0, 100),
                good + "00",
                good + "0",
                " " + good,
                // The transaction count in a longer form than needed.
                good.substring(0, 160) + "fd0100" + good.substring(162))) {
            RpcAnswer answer = submit(node, bad);
            assertThat(answer.errorCode()).as(bad).isEqualTo(-22);
            assertThat(((RpcAnswer.Failure) answer).message()).isEqualTo("Block decode failed");
        }
    }

    @Test
    void trailingBytesCanBeIgnoredLikeARealNodeDoes() {
        try (DevNode lenient = DevNode.start(DevNodeConfig.forTests().withRejectTrailingBytes(false))) {
            assertThat(submit(lenient, new ExampleBlock().hex() + "00").result().isNull())
                    .isTrue();
            assertThat(lenient.control().tip().height()).isEqualTo(1);
        }
    }

    @Test
    void mergedMinedBlocksAreRefusedByTheirFlag() {
        ExampleBlock ours = new ExampleBlock();
        ours.version = VersionLayout.auxPow(31_430, 0);
        ExampleBlock foreign = new ExampleBlock();
        foreign.version = VersionLayout.auxPow(47, 0);

        assertThat(reason(ours)).isEqualTo("bad-auxpow-missing-payload");
        assertThat(reason(foreign)).isEqualTo("bad-auxpow-chainid");
    }

    @Test
    void versionsAreJudgedByTheirLayout() {
        ExampleBlock topBits = new ExampleBlock();
        topBits.version = 0x40000000;
        ExampleBlock low = new ExampleBlock();
        low.version = 3;
        ExampleBlock rolled = new ExampleBlock();
        rolled.version = 0x20000000 | 0x1fffe000;

        assertThat(reason(topBits.solved())).isEqualTo("bad-version-topbits(0x40000000)");
        assertThat(reason(low.solved())).isEqualTo("bad-version(0x00000003)");
        assertThat(reason(rolled.solved())).isEqualTo("null");
    }

    @Test
    void aBlockWithoutCoinbaseOrWithTwoIsRefused() {
        ExampleBlock none = new ExampleBlock() {
            @Override
            List<Transaction> transactions() {
                return List.of(Transaction.parseHex(PLAIN_TX));
            }
        };
        ExampleBlock two = new ExampleBlock();
        ExampleBlock other = new ExampleBlock();
        other.value = 1;
        two.others = List.of(other.coinbase());

        assertThat(reason(none.solved())).isEqualTo("bad-cb-missing");
        assertThat(reason(two.solved())).isEqualTo("bad-cb-multiple");
    }

    @Test
    void anEmptyBlockHasABadLength() {
        ExampleBlock empty = new ExampleBlock() {
            @Override
            List<Transaction> transactions() {
                return List.of();
            }
        };
        empty.merkleRoot = Optional.of(Hash256.ZERO);

        assertThat(reason(empty.solved())).isEqualTo("bad-blk-length");
    }

    @Test
    void theCoinbaseScriptHasTwoToOneHundredBytes() {
        ExampleBlock tooShort = new ExampleBlock();
        tooShort.scriptSigHex = "51";
        ExampleBlock tooLong = new ExampleBlock();
        tooLong.scriptSigHex = "51" + "00".repeat(100);
        ExampleBlock longest = new ExampleBlock();
        longest.scriptSigHex = "51" + "00".repeat(99);

        assertThat(reason(tooShort.solved())).isEqualTo("bad-cb-length");
        assertThat(reason(tooLong.solved())).isEqualTo("bad-cb-length");
        assertThat(reason(longest.solved())).isEqualTo("null");
    }

    @Test
    void aTreeWithARepeatedPairIsMutated() {
        ExampleBlock block = new ExampleBlock();
        Transaction repeated = Transaction.parseHex(PLAIN_TX);
        // Coinbase, t, t, t: the second pair at the lowest level is equal.
        block.others = List.of(repeated, repeated, repeated);

        assertThat(reason(block.solved())).isEqualTo("bad-txns-duplicate");
    }

    @Test
    void transactionsMustBeWellFormed() {
        ExampleBlock negative = new ExampleBlock();
        negative.others = List.of(spending("33", 0, -1));
        ExampleBlock tooLarge = new ExampleBlock();
        tooLarge.others = List.of(spending("33", 0, Long.MAX_VALUE));
        ExampleBlock nullInput = new ExampleBlock();
        nullInput.others = List.of(Transaction.of(
                2,
                List.of(
                        input(Hash256.ZERO, TransactionInput.NULL_INDEX),
                        input(Hash256.ofDisplayHex("33".repeat(32)), 0)),
                List.of(output(1)),
                0));
        ExampleBlock twice = new ExampleBlock();
        TransactionInput same = input(Hash256.ofDisplayHex("33".repeat(32)), 0);
        twice.others = List.of(Transaction.of(2, List.of(same, same), List.of(output(1)), 0));

        assertThat(reason(negative.solved())).isEqualTo("bad-txns-vout-negative");
        assertThat(reason(tooLarge.solved())).isEqualTo("bad-txns-vout-toolarge");
        assertThat(reason(nullInput.solved())).isEqualTo("bad-txns-prevout-null");
        assertThat(reason(twice.solved())).isEqualTo("bad-txns-inputs-duplicate");
    }

    @Test
    void aWitnessNeedsACommitmentAndAReservedValueOf32Bytes() {
        ExampleBlock uncommitted = new ExampleBlock();
        uncommitted.withCommitment = false;
        ExampleBlock shortValue = new ExampleBlock();
        shortValue.committedReserved = Optional.of(new byte[32]);
        shortValue.reserved = new byte[31];

        assertThat(reason(uncommitted.solved())).isEqualTo("unexpected-witness");
        assertThat(reason(shortValue.solved())).isEqualTo("bad-witness-nonce-size");
    }

    @Test
    void aBlockWithoutCommitmentAndWithoutWitnessIsValid() {
        ExampleBlock block = new ExampleBlock();
        block.withCommitment = false;
        block.withWitness = false;

        assertThat(reason(block.solved())).isEqualTo("null");
    }

    @Test
    void theLastOfTwoCommitmentsCounts() {
        ExampleBlock block = new ExampleBlock();
        block.payoutScriptHex = "6a24aa21a9ed" + "55".repeat(32);

        assertThat(reason(block.solved())).isEqualTo("null");
    }

    @Test
    void unknownTransactionsSpendMissingCoins() {
        ExampleBlock block = new ExampleBlock();
        block.others = List.of(Transaction.parseHex(PLAIN_TX));

        assertThat(reason(block.solved())).isEqualTo("bad-txns-inputs-missingorspent");
    }

    @Test
    void declaredTransactionsAreValidAndTheirFeeMayBePaidOut() {
        node.control().addTransaction(Transaction.parseHex(PLAIN_TX), 700);
        node.control().addTransaction(Transaction.parseHex(WITNESS_TX), 300);
        ExampleBlock block = new ExampleBlock();
        block.others = List.of(Transaction.parseHex(PLAIN_TX), Transaction.parseHex(WITNESS_TX));
        block.value = ExampleBlock.SUBSIDY + 1_001;
        assertThat(reason(block.solved())).isEqualTo("bad-cb-amount");
        block.value = ExampleBlock.SUBSIDY + 1_000;

        assertThat(reason(block.solved())).isEqualTo("null");
        assertThat(node.call("getmempoolinfo").result().path("size").asInt()).isZero();
    }

    @Test
    void aDeclaredTransactionIsNotConfirmedTwice() {
        node.control().addTransaction(Transaction.parseHex(PLAIN_TX), 0);
        ExampleBlock first = new ExampleBlock();
        first.others = List.of(Transaction.parseHex(PLAIN_TX));
        assertThat(reason(first.solved())).isEqualTo("null");
        ExampleBlock second = childOf(first);
        second.others = List.of(Transaction.parseHex(PLAIN_TX));

        assertThat(reason(second.solved())).isIn("bad-txns-BIP30", "bad-txns-inputs-missingorspent");
    }

    @Test
    void aBlockAboveTheWeightIsRefusedAndOneAtItIsTaken() {
        int overhead = Hex.decode(new ExampleBlock().hex()).length;
        Transaction filler = Transaction.parseHex(PLAIN_TX);
        int room = 2_000_000 - overhead - filler.size();
        // One extra data output: value 8, script length 5 (0xfe form), script.
        ExampleBlock full = withData(room - 8 - 5);
        ExampleBlock over = withData(room - 8 - 5 + 1);
        assertThat(Hex.decode(full.hex())).hasSize(2_000_000);

        assertThat(reason(over.solved())).isEqualTo("bad-blk-weight");
        assertThat(reason(full.solved())).isEqualTo("null");
    }

    @Test
    void aBlockThatIsTooLongWithoutItsWitnessHasABadLength() {
        assertThat(reason(withData(1_999_900).solved())).isEqualTo("bad-blk-length");
    }

    @Test
    void aBlockThatIsHeavyOnlyWithItsWitnessHasABadWeight() {
        byte[] item = new byte[1_999_900];
        Transaction heavy = Transaction.of(
                2,
                List.of(new TransactionInput(
                        Hash256.ofDisplayHex("33".repeat(32)), 0, new byte[0], 0xffffffffL, List.of(item))),
                List.of(output(1)),
                0);
        node.control().addTransaction(heavy, 0);
        ExampleBlock block = new ExampleBlock();
        block.others = List.of(heavy);

        assertThat(reason(block.solved())).isEqualTo("bad-blk-weight");
    }

    @Test
    void outputRestrictionsCanBeSwitchedOff() {
        try (DevNode open = DevNode.start(DevNodeConfig.forTests().withRestrictedOutputs(false))) {
            ExampleBlock block = new ExampleBlock();
            block.payoutScriptHex = "51";

            assertThat(submit(open, block.solved().hex()).result().isNull()).isTrue();
        }
    }

    @Test
    void dataAnchorsAndReservedWitnessVersionsMayBePaid() {
        for (String script : List.of("6a00", "51024e73", "5320" + "00".repeat(32), "6002ffff")) {
            try (DevNode fresh = DevNode.start(DevNodeConfig.forTests())) {
                ExampleBlock block = new ExampleBlock();
                block.payoutScriptHex = script;
                assertThat(submit(fresh, block.solved().hex()).result().isNull())
                        .as(script)
                        .isTrue();
            }
        }
        for (String script :
                List.of("", "5120" + "00".repeat(32), "5214" + "00".repeat(20), "0014" + "00".repeat(20))) {
            try (DevNode fresh = DevNode.start(DevNodeConfig.forTests())) {
                ExampleBlock block = new ExampleBlock();
                block.payoutScriptHex = script;
                assertThat(submit(fresh, block.solved().hex()).result().asText())
                        .as(script)
                        .isEqualTo("bad-txns-output-not-p2mr");
            }
        }
    }

    @Test
    void signatureOperationsAreLimited() {
        try (DevNode open = DevNode.start(DevNodeConfig.forTests().withRestrictedOutputs(false))) {
            ExampleBlock limit = new ExampleBlock();
            limit.payoutScriptHex = "ac".repeat(80_000);
            ExampleBlock over = new ExampleBlock();
            over.payoutScriptHex = "ac".repeat(80_001);

            assertThat(submit(open, over.solved().hex()).result().asText()).isEqualTo("bad-blk-sigops");
            assertThat(submit(open, limit.solved().hex()).result().isNull()).isTrue();
        }
    }

    @Test
    void theOrderOfChecksIsTheNodes() {
        ExampleBlock manyFaults = new ExampleBlock();
        manyFaults.version = 0x20000200;
        manyFaults.time = 1;
        manyFaults.bits = 0x207ffffe;
        manyFaults.scriptSigHex = "5200";
        manyFaults.value = Long.MAX_VALUE;
        assertThat(reason(manyFaults.unsolved())).isEqualTo("high-hash");
        assertThat(reason(manyFaults.solved())).isEqualTo("bad-txns-vout-toolarge");
        manyFaults.value = ExampleBlock.SUBSIDY + 1;
        assertThat(reason(manyFaults.solved())).isEqualTo("bad-diffbits");
        manyFaults.bits = 0x207fffff;
        assertThat(reason(manyFaults.solved())).isEqualTo("time-too-old");
        manyFaults.time = ExampleBlock.TIME;
        assertThat(reason(manyFaults.solved())).startsWith("bad-version-reserved");
        manyFaults.version = 0x20000000;
        assertThat(reason(manyFaults.solved())).isEqualTo("bad-cb-height");
        manyFaults.scriptSigHex = "5100";
        assertThat(reason(manyFaults.solved())).isEqualTo("bad-cb-amount");
    }

    @Test
    void aBlockThatFailsWhileConnectingItsBranchLeavesTheOldTipActive() {
        ExampleBlock good = new ExampleBlock();
        assertThat(reason(good)).isEqualTo("null");
        ExampleBlock greedy = new ExampleBlock();
        greedy.value = ExampleBlock.SUBSIDY + 1;
        assertThat(reason(greedy.solved())).isEqualTo("inconclusive");

        ExampleBlock child = childOf(greedy);

        assertThat(reason(child.solved())).isEqualTo("inconclusive");
        assertThat(node.control().tip().hash()).isEqualTo(good.hash());
        assertThat(reason(greedy)).isEqualTo("duplicate-invalid");
        assertThat(reason(child)).isEqualTo("duplicate-invalid");
    }

    private ExampleBlock withData(int scriptLength) {
        byte[] script = new byte[scriptLength];
        Arrays.fill(script, (byte) 0x01);
        script[0] = 0x6a;
        Transaction base = Transaction.parseHex(PLAIN_TX);
        Transaction filled = Transaction.of(
                base.version(),
                base.inputs(),
                List.of(base.outputs().get(0), new TransactionOutput(0, script)),
                base.lockTime());
        node.control().addTransaction(filled, 0);
        ExampleBlock block = new ExampleBlock();
        block.others = List.of(filled);
        return block;
    }

    private static ExampleBlock childOf(ExampleBlock parent) {
        ExampleBlock child = new ExampleBlock();
        child.parent = parent.hash();
        child.scriptSigHex = "5200" + ExampleBlock.SCRIPT_SIG_TAIL;
        child.lockTime = 1;
        child.time = parent.time + 1;
        return child;
    }

    private static Transaction spending(String txidByte, long index, long value) {
        return Transaction.of(
                2, List.of(input(Hash256.ofDisplayHex(txidByte.repeat(32)), index)), List.of(output(value)), 0);
    }

    private static TransactionInput input(Hash256 txid, long index) {
        return new TransactionInput(txid, index, new byte[0], 0xffffffffL, List.of());
    }

    private static TransactionOutput output(long value) {
        return new TransactionOutput(value, Hex.decode("5220" + ExampleBlock.PROGRAM));
    }

    private String reason(ExampleBlock block) {
        RpcAnswer answer = submit(node, block.hex());
        assertThat(answer.errorCode()).isZero();
        return answer.result().isNull() ? "null" : answer.result().asText();
    }

    private static RpcAnswer submit(DevNode node, String hex) {
        return node.call("submitblock", hex);
    }
}
