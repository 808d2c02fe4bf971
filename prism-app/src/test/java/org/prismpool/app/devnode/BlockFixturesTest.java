package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.devnode.rpc.RpcAnswer;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Transaction;

/** The fixtures of spec 03 §7.4: every answer was checked against a real node. */
class BlockFixturesTest {

    private static final String EXAMPLE_A = "165a93f1ab9c7be115e870e2246722e4da1e5a5e4b32824679426119139f8d46";
    private static final String EXAMPLE_A_HEX =
            "00000020e6cc9af62cb19d18a6c7dd70535f807e101ba24f3449e35008604b7ca76ae90e59cc747a70bf9ed4107df319371395005a"
                    + "2526c269d7489866f3e4ef9fd7e0b33eaaa267ffff7f200000000001020000000001010000000000000000000000000000"
                    + "000000000000000000000000000000000000ffffffff1551002f505249534d2f000000010000000000000000feffffff02"
                    + "0092b2e304000000225220000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f000000000000"
                    + "0000266a24aa21a9ede2f61c3f71d1defd3fa999dfa36953755c690689799962b48bebd836974e8cf90120000000000000"
                    + "000000000000000000000000000000000000000000000000000000000000";

    private final DevNode node = DevNode.start(DevNodeConfig.forTests());

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void theBuilderOfTheseTestsMakesExampleAByteForByte() {
        assertThat(new ExampleBlock().hex()).isEqualTo(EXAMPLE_A_HEX).hasSize(2 * 279);
        assertThat(new ExampleBlock().hash().displayHex()).isEqualTo(EXAMPLE_A);
    }

    @Test
    void exampleAIsAcceptedOnceAndADuplicateAfterwards() {
        assertAccepted(new ExampleBlock());
        assertThat(bestHash()).isEqualTo(EXAMPLE_A);
        assertThat(node.control().tip().height()).isEqualTo(1);

        assertReason(new ExampleBlock(), "duplicate");
    }

    @Test
    void aHashAboveTheTargetIsHighHash() {
        ExampleBlock block = new ExampleBlock();
        block.nonce = 1;

        assertThat(block.hash().displayHex())
                .isEqualTo("efa524aff5cacf4780a04f03400ef210686d69f28da2142aac77eaf4c34e32e4");
        assertReason(block, "high-hash");
    }

    @Test
    void aForeignMerkleRootIsBadTxnMerkleRoot() {
        ExampleBlock block = new ExampleBlock();
        byte[] root = new byte[32];
        Arrays.fill(root, (byte) 0x11);
        block.merkleRoot = Optional.of(Hash256.ofInternal(root));

        assertThat(block.hash().displayHex())
                .isEqualTo("09169bcd1629bdee8756a9ac5dc3fdeb662477b4146936349da616bd8902f28d");
        assertReason(block, "bad-txnmrklroot");
    }

    @Test
    void oneUnitTooMuchIsBadCoinbaseAmount() {
        ExampleBlock block = new ExampleBlock();
        block.value = 21_000_000_001L;
        block.nonce = 1;

        assertThat(block.hash().displayHex())
                .isEqualTo("7dbaf71d29c6e4868712b913329b0f6a9fb6511788f2aaf569e1dff9334523d6");
        assertReason(block, "bad-cb-amount");
        assertReason(block, "duplicate-invalid");
        assertThat(node.control().tip().height()).isZero();
    }

    @Test
    void reservedVersionBitsAreNamedWithTheVersion() {
        ExampleBlock block = new ExampleBlock();
        block.version = 0x20000200;
        block.nonce = 1;

        assertThat(block.hash().displayHex())
                .isEqualTo("60d36eb6cd55204c901b0f42202c0f3c0abed6b90eb545fd73314a794291459e");
        assertReason(block, "bad-version-reserved(0x20000200)");
    }

    @Test
    void theTimeOfTheParentIsTooOld() {
        ExampleBlock block = new ExampleBlock();
        block.time = 1_738_713_602L;
        block.nonce = 2;

        assertThat(block.hash().displayHex())
                .isEqualTo("058a6dd518335c0f888d864d373acd08a77dd3f24cea608dcf8c26d8f112230a");
        assertReason(block, "time-too-old");
    }

    @Test
    void aCoinbaseForTheNextHeightIsNotFinal() {
        ExampleBlock block = new ExampleBlock();
        block.scriptSigHex = "5200" + ExampleBlock.SCRIPT_SIG_TAIL;
        block.lockTime = 1;
        block.nonce = 7;

        assertThat(block.hash().displayHex())
                .isEqualTo("0d6b16b4f9d1a2f64fd6b4b0c2d9bf851b522cb82d4b98d8b6be57e85eb7f837");
        assertReason(block, "bad-txns-nonfinal");
    }

    @Test
    void anotherReservedValueWithItsCommitmentIsAccepted() {
        ExampleBlock block = withReserved(0x77);

        assertThat(block.hash().displayHex())
                .isEqualTo("5c0f620bbb7e9e9384198362dbcd48ce592c4bd28bfe96569d44de57f50546db");
        assertAccepted(block);
    }

    @Test
    void aReservedValueChangedAfterMiningNoLongerMatchesAndDoesNotCondemnTheHash() {
        ExampleBlock block = new ExampleBlock();
        block.committedReserved = Optional.of(new byte[32]);
        block.reserved = filled(0x01);

        assertThat(block.hash().displayHex()).isEqualTo(EXAMPLE_A);
        assertReason(block, "bad-witness-merkle-match");
        assertAccepted(new ExampleBlock());
    }

    @Test
    void aCoinbaseWithoutWitnessGetsTheZeroReservedValue() {
        ExampleBlock block = new ExampleBlock();
        block.withWitness = false;

        assertAccepted(block);
        assertThat(bestHash()).isEqualTo(EXAMPLE_A);
        assertThat(node.call("getblock", EXAMPLE_A, 0).result().asText()).isEqualTo(EXAMPLE_A_HEX);
    }

    @Test
    void anOutputThatIsNotP2mrIsRefused() {
        ExampleBlock block = new ExampleBlock();
        block.payoutScriptHex = "51";
        block.nonce = 1;

        assertThat(block.hash().displayHex())
                .isEqualTo("04d8656b3221d80edc2f8679a91f07661162089762b8ed4b303a20eca8fc7bdd");
        assertReason(block, "bad-txns-output-not-p2mr");
    }

    @Test
    void theWrongHeightWithAFinalLockTimeIsBadCoinbaseHeight() {
        ExampleBlock block = new ExampleBlock();
        block.scriptSigHex = "5200" + ExampleBlock.SCRIPT_SIG_TAIL;

        assertReason(block.solved(), "bad-cb-height");
    }

    @Test
    void aSecondBlockOfTheSameHeightIsStoredButInconclusive() {
        assertAccepted(new ExampleBlock());

        assertReason(withReserved(0x77), "inconclusive");
        assertThat(bestHash()).isEqualTo(EXAMPLE_A);
        assertReason(withReserved(0x77), "duplicate");
        assertThat(bestHash()).isEqualTo(EXAMPLE_A);
    }

    @Test
    void aChildOfTheSecondBlockWinsAndWakesWaitersOnce() throws Exception {
        assertAccepted(new ExampleBlock());
        assertReason(withReserved(0x77), "inconclusive");
        CompletableFuture<RpcAnswer> waiting = node.callLater(
                "waitfornewblock",
                JsonNodeFactory.instance.arrayNode().add(10_000).add(EXAMPLE_A));
        ExampleBlock child = childOfSecond();

        assertThat(child.hash().displayHex())
                .isEqualTo("3aca41f5f68cefcd2ee6f8a2a049e524f582d458dbe3d1d2bc2e8958d301cb6a");
        assertAccepted(child);

        assertThat(waiting.get(20, TimeUnit.SECONDS).result().path("hash").asText())
                .isEqualTo(child.hash().displayHex());
        assertThat(node.call("getblockheader", EXAMPLE_A)
                        .result()
                        .path("confirmations")
                        .asInt())
                .isEqualTo(-1);
        assertThat(node.call("getblockhash", 1).result().asText())
                .isEqualTo(withReserved(0x77).hash().displayHex());
    }

    @Test
    void otherBitsWithValidWorkAreBadDiffBits() {
        ExampleBlock block = new ExampleBlock();
        block.bits = 0x207ffffe;

        assertReason(block.solved(), "bad-diffbits");
    }

    @Test
    void aTimeAnHourAheadIsTooNew() {
        node.call("setmocktime", ExampleBlock.TIME);
        ExampleBlock block = new ExampleBlock();
        block.time = ExampleBlock.TIME + 3_600;

        assertReason(block.solved(), "time-too-new");
    }

    @Test
    void theFutureLimitItselfIsAllowed() {
        node.call("setmocktime", ExampleBlock.TIME);
        ExampleBlock early = new ExampleBlock();
        early.time = ExampleBlock.TIME + 601;
        ExampleBlock limit = new ExampleBlock();
        limit.time = ExampleBlock.TIME + 600;

        assertReason(early.solved(), "time-too-new");
        assertAccepted(limit.solved());
    }

    @Test
    void afterInvalidationTheFormerSiblingIsTheTipAndTheBlockIsADuplicateInvalid() {
        assertAccepted(new ExampleBlock());
        assertReason(withReserved(0x77), "inconclusive");

        assertThat(node.call("invalidateblock", EXAMPLE_A).errorCode()).isZero();

        assertThat(bestHash()).isEqualTo(withReserved(0x77).hash().displayHex());
        assertReason(new ExampleBlock(), "duplicate-invalid");
    }

    @Test
    void aKnownDescendantOfAnInvalidatedBlockIsADuplicateInvalidAndANewChildHasABadParent() {
        assertAccepted(new ExampleBlock());
        ExampleBlock known = childOf(new ExampleBlock(), 1);
        assertAccepted(known);
        ExampleBlock fresh = childOf(new ExampleBlock(), 2);

        node.call("invalidateblock", EXAMPLE_A);

        assertReason(known, "duplicate-invalid");
        assertReason(fresh, "bad-prevblk");
        assertThat(node.control().tip().height()).isZero();

        node.call("reconsiderblock", EXAMPLE_A);
        assertThat(bestHash()).isEqualTo(known.hash().displayHex());
    }

    @Test
    void anUnknownParentIsNotFound() {
        ExampleBlock block = new ExampleBlock();
        block.parent = Hash256.ofDisplayHex("22".repeat(32));

        assertReason(block.solved(), "prev-blk-not-found");
    }

    private static ExampleBlock withReserved(int filler) {
        ExampleBlock block = new ExampleBlock();
        block.reserved = filled(filler);
        return block;
    }

    private static ExampleBlock childOfSecond() {
        ExampleBlock child = new ExampleBlock();
        child.parent = withReserved(0x77).hash();
        child.scriptSigHex = "5200" + ExampleBlock.SCRIPT_SIG_TAIL;
        child.lockTime = 1;
        child.time = 1_738_713_722L;
        child.nonce = 2;
        return child;
    }

    private static ExampleBlock childOf(ExampleBlock parent, int distance) {
        ExampleBlock child = new ExampleBlock();
        child.parent = parent.hash();
        child.scriptSigHex = "5200" + ExampleBlock.SCRIPT_SIG_TAIL;
        child.lockTime = 1;
        child.time = parent.time + distance;
        return child.solved();
    }

    private static byte[] filled(int value) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private void assertAccepted(ExampleBlock block) {
        RpcAnswer answer = node.call("submitblock", block.hex());
        assertThat(answer.errorCode()).isZero();
        assertThat(answer.result().isNull()).as("answer %s", answer.result()).isTrue();
    }

    private void assertReason(ExampleBlock block, String reason) {
        RpcAnswer answer = node.call("submitblock", block.hex());
        assertThat(answer.errorCode()).isZero();
        assertThat(answer.result().asText()).isEqualTo(reason);
    }

    private String bestHash() {
        return node.call("getbestblockhash").result().asText();
    }

    @Test
    void theCoinbaseOfExampleAHasTheListedIds() {
        Transaction coinbase = new ExampleBlock().coinbase();

        assertThat(coinbase.txid().displayHex())
                .isEqualTo("b3e0d79fefe4f3669848d769c226255a0095133719f37d10d49ebf707a74cc59");
        assertThat(coinbase.wtxid().displayHex())
                .isEqualTo("1ca629dcf927acdda88a8ee5e72330b996cbd34742a3e0e3019a84b7edb65a59");
    }
}
