package org.prismpool.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.fault.CallPoint;
import org.prismpool.app.devnode.fault.Fault;
import org.prismpool.app.devnode.fault.FaultPlan;
import org.prismpool.app.devnode.fault.Gate;
import org.prismpool.app.devnode.fault.SubmitScript;
import org.prismpool.payout.json.Sha256;
import org.prismpool.templates.chain.Hash256;

/**
 * The whole loop of a found block over the real coordinator, a real PostgreSQL and a node that misbehaves: whatever happens on
 * the way, ledger, payouts and audit files agree with the chain at the end.
 */
@ExtendWith(SharedPostgres.class)
class ChainChaosIT {

    private static final int MATURITY = 1000;

    @TempDir
    private Path directory;

    private TestPool pool;

    @BeforeEach
    void open(SharedPostgres.Server postgres, TestInfo test) throws Exception {
        DevNodeConfig node = DevNodeConfig.forTests();
        pool = new TestPool(
                postgres,
                directory,
                test.getTags().contains("restart") ? node.withDataDirectory(directory.resolve("node")) : node);
    }

    @AfterEach
    void close() throws Exception {
        pool.close();
    }

    private void quietTipDetection() {
        pool.node()
                .faults()
                .add("waitfornewblock", new Fault.RpcError(-32601, "Method not found"), FaultPlan.UNTIL_CLEARED);
    }

    private long submissions() {
        return pool.node().recorder().calls("submitblock").size();
    }

    private void awaitSubmissions(long count) {
        await("submissions").atMost(TestMiner.PATIENCE).until(() -> submissions() >= count);
    }

    @Test
    void threeBlocksInARowAreAccountedInOrder() throws Exception {
        pool.start();
        List<Hash256> landed = new ArrayList<>();
        for (int block = 0; block < 3; block++) {
            landed.add(pool.land());
        }
        assertThat(landed).extracting(pool.books::chainState).containsOnly("confirmed");
        assertThat(landed).extracting(pool.books::ordinal).containsExactly(1L, 2L, 3L);
        pool.assertBooksHold();
    }

    @Test
    void theMinerHasItsAnswerAndTheNodeTheBlockBeforeAnythingIsAccounted() throws Exception {
        pool.start();
        pool.land();
        Gate offered = pool.node().faults().hold("submitblock");

        Hash256 found = pool.find(); // with the miner's answer, while the node has not given its own

        assertThat(offered.awaitArrivals(1, TestMiner.PATIENCE)).isTrue();
        assertThat(pool.books.outboxState(found)).isEqualTo("pending");
        assertThat(pool.books.count("SELECT count(*) FROM qbit_share_ledger")).isEqualTo(2);
        assertThat(pool.books.chainState(found)).isEqualTo("absent");
        assertThat(pool.tip()).isNotEqualTo(found);
        pool.node().faults().clear();
        offered.release();
        pool.settled(found, "submitted");
        assertThat(pool.tip()).isEqualTo(found);
        assertThat(pool.books.ordinal(found)).isEqualTo(2);
        pool.assertBooksHold();
    }

    @Test
    void aBlockWhoseAnswerIsLostIsAccountedOnceFromTheChain() throws Exception {
        pool.start();
        pool.land();
        pool.node().faults().add("submitblock", new Fault.Drop(CallPoint.AFTER_PROCESSING), 1);
        Hash256 found = pool.land();
        assertThat(pool.books.chainState(found)).isEqualTo("confirmed");
        assertThat(pool.books.ordinal(found)).isEqualTo(2);
        pool.assertBooksHold();
    }

    @Test
    void threeBlocksWhoseAnswersAreAllLostAreAccountedParentsFirst() throws Exception {
        pool.start();
        pool.node().faults().add("submitblock", new Fault.Drop(CallPoint.AFTER_PROCESSING), FaultPlan.UNTIL_CLEARED);
        List<Hash256> found = new ArrayList<>();
        for (int block = 0; block < 3; block++) {
            Hash256 hash = pool.find();
            await("accepted without an answer")
                    .atMost(TestMiner.PATIENCE)
                    .until(() -> pool.tip().equals(hash));
            found.add(hash);
        }
        for (Hash256 each : found) {
            pool.settled(each, "submitted");
        }
        assertThat(found).extracting(pool.books::ordinal).containsExactly(1L, 2L, 3L);
        pool.assertBooksHold();
    }

    /** Lets a foreign block win the height of a solve, unseen by the pool; returns the solve's hash, parked. */
    private Hash256 foundOnASideBranch(boolean answerLost) throws Exception {
        TestMiner.Solve solve = pool.miner().solve(pool.miner().awaitJobOn(pool.tip()));
        Gate unseen = pool.node().faults().hold("getbestblockhash");
        assertThat(unseen.awaitArrivals(1, TestMiner.PATIENCE)).isTrue();
        pool.node().control().mine(1);
        long before = submissions();
        if (answerLost) {
            pool.node().faults().add("submitblock", new Fault.Drop(CallPoint.AFTER_PROCESSING), 1);
        }
        pool.submit(solve);
        awaitSubmissions(before + 1);
        pool.node().faults().clear();
        unseen.release();
        await("parked").atMost(TestMiner.PATIENCE).until(() -> attempts(solve.hash()) >= 1);
        assertThat(pool.books.outboxState(solve.hash())).isEqualTo("pending");
        return solve.hash();
    }

    private long attempts(Hash256 hash) {
        return pool.books.count(
                "SELECT attempt_count FROM qbit_block_candidate_outbox WHERE block_hash = ?", hash.displayHex());
    }

    private void startWithoutPush() throws Exception {
        quietTipDetection();
        pool.start();
        pool.land();
    }

    @Test
    void anInconclusiveBlockIsAccountedWhenAReorganisationMakesItActive() throws Exception {
        startWithoutPush();
        Hash256 side = foundOnASideBranch(false);
        assertThat(pool.books.chainState(side)).isEqualTo("absent");

        pool.node().control().mineFork(side, 1);

        pool.settled(side, "submitted");
        assertThat(pool.books.chainState(side)).isEqualTo("confirmed");
        pool.land();
        pool.assertBooksHold();
    }

    /** Trap T-47: the new tip is known, its work is not there yet. */
    @Test
    void aSolveOnThePublishedParentIsCreditedButNotSentOnceTheNodeHasAnotherTip() throws Exception {
        pool.start();
        pool.land();
        TestMiner.Solve solve = pool.miner().solve(pool.miner().awaitJobOn(pool.tip()));
        Gate noTemplate = pool.node().faults().hold("getblocktemplate");
        Hash256 newTip = pool.node().control().mine(1).get(0);
        String waitsForTheNext =
                Sha256.hex(("[5000,\"" + newTip.displayHex() + "\"]").getBytes(StandardCharsets.UTF_8));
        await("the pool knows the new tip")
                .atMost(TestMiner.PATIENCE)
                .until(() -> pool.node().recorder().calls("waitfornewblock").stream()
                        .anyMatch(call -> call.paramsSha256().equals(waitsForTheNext)));
        long before = submissions();

        Hash256 found = pool.submit(solve);

        pool.settled(found, "abandoned");
        assertThat(pool.books.outboxError(found)).contains("stale-job");
        assertThat(submissions()).isEqualTo(before);
        assertThat(pool.books.count(
                        "SELECT count(*) FROM qbit_share_ledger WHERE share_id = ?",
                        pool.miner().shareId(solve)))
                .isOne();
        pool.node().faults().clear();
        noTemplate.release();
        pool.land();
        pool.assertBooksHold();
    }

    @Test
    void aDuplicateOnASideBranchIsNotAccountedAndGivenUpWhenBuried() throws Exception {
        startWithoutPush();
        Hash256 side = foundOnASideBranch(true);
        pool.land();

        pool.node().control().mine(100);

        pool.settled(side, "abandoned");
        assertThat(pool.books.chainState(side)).isEqualTo("absent");
        assertThat(pool.books.outboxError(side)).contains("buried");
        pool.assertBooksHold();
    }

    @Test
    @Tag("restart")
    void aBlockOfferedWhileTheNodeRestartsLandsOnTheNodeThatComesBack() throws Exception {
        pool.start();
        pool.land();
        Gate offered = pool.node().faults().hold("submitblock");
        Hash256 found = pool.find();
        assertThat(offered.awaitArrivals(1, TestMiner.PATIENCE)).isTrue();

        pool.restartNode();

        pool.settled(found, "submitted");
        assertThat(pool.books.chainState(found)).isEqualTo("confirmed");
        pool.land();
        pool.assertBooksHold();
    }

    @Test
    void aReorganisationTenDeepTakesOwnBlocksBackAndTheNextOneReturnsThem() throws Exception {
        pool.start();
        Hash256 fork = pool.land();
        List<Hash256> lost = new ArrayList<>();
        for (int block = 0; block < 3; block++) {
            lost.add(pool.land());
            pool.node().control().mine(2);
        }
        lost.add(pool.land());
        Hash256 oldTip = pool.tip();

        pool.node().control().mineFork(fork, 12);
        for (Hash256 each : lost) {
            pool.chainState(each, "inactive");
        }
        assertThat(pool.books.chainState(fork)).isEqualTo("confirmed");
        Hash256 onTheNewBranch = pool.land();
        pool.assertBooksHold();

        pool.node().control().mineFork(oldTip, 5);
        for (Hash256 each : lost) {
            pool.chainState(each, "confirmed");
        }
        pool.chainState(onTheNewBranch, "inactive");
        assertThat(lost).extracting(pool.books::ordinal).containsExactly(2L, 3L, 4L, 5L);
        pool.land();
        pool.assertBooksHold();
    }

    @Test
    void aBlockIsMatureUnderExactlyAThousandOthers() throws Exception {
        pool.start();
        Hash256 found = pool.land();
        pool.stop(); // it need not see every one of the next blocks
        pool.node().control().mine(MATURITY - 1);
        pool.start();
        pool.miner().awaitJobOn(pool.tip());
        assertThat(pool.books.maturity(found)).as("one block short").isEqualTo("immature");
        pool.node().control().mine(1);
        await("mature")
                .atMost(TestMiner.PATIENCE)
                .until(() -> pool.books.maturity(found).equals("mature"));
        pool.assertBooksHold();
    }

    @Test
    void aReorganisationExactlyAtMaturityTakesTheBlockBackAndOneAfterItNeverDoes() throws Exception {
        pool.start();
        Hash256 below = pool.tip();
        Hash256 found = pool.land();
        pool.stop(); // it need not see every one of the next blocks
        pool.node().control().mine(MATURITY - 1);
        pool.start();
        pool.miner().awaitJobOn(pool.tip());
        assertThat(pool.books.maturity(found)).isEqualTo("immature");

        Hash256 oldTip = pool.tip();
        pool.node().control().mineFork(below, MATURITY + 1); // the height of maturity, without the block
        pool.chainState(found, "inactive");
        pool.miner().awaitJobOn(pool.tip());
        assertThat(pool.books.maturity(found)).isEqualTo("immature");
        pool.assertBooksHold();

        pool.node().control().mineFork(oldTip, 2); // back, and deep enough at once
        pool.chainState(found, "confirmed");
        await("mature")
                .atMost(TestMiner.PATIENCE)
                .until(() -> pool.books.maturity(found).equals("mature"));
        assertThat(pool.books.count(
                        "SELECT count(*) FROM qbit_pool_payout_entries WHERE block_hash = ? AND maturity_state <> 'mature'",
                        found.displayHex()))
                .isZero();
        pool.assertBooksHold();

        long reorganised = System.nanoTime();
        pool.node().control().invalidate(found);
        Hash256 withoutIt = pool.tip();
        pool.miner().awaitJob("new job", job -> job.parent().equals(withoutIt) && job.arrivedNanos() > reorganised);
        assertThat(pool.books.chainState(found)).as("never rewritten silently").isEqualTo("confirmed");
        assertThat(pool.books.maturity(found)).isEqualTo("mature");
    }

    @Test
    void aNewTipGivesWorkOnTheOwnBlockWithoutDelay() throws Exception {
        pool.start();
        pool.land();
        List<Long> waits = new ArrayList<>();
        for (int block = 0; block < 3; block++) {
            TestMiner.Solve solve = pool.miner().solve(pool.miner().awaitJobOn(pool.tip()));
            long submitted = System.nanoTime();
            Hash256 found = pool.submit(solve);
            pool.miner().awaitJobOn(found);
            pool.settled(found, "submitted");
            waits.add(Duration.ofNanos(pool.miner().firstJobNanos(found) - submitted)
                    .toMillis());
        }
        assertThat(waits).as("the best of three, on a machine that may be busy").anyMatch(wait -> wait < 2_000);
        pool.assertBooksHold();
    }

    /** A further node with a chain of its own: the first block is another one than the primary's. */
    private DevNode furtherNode(DevNodeConfig config) {
        DevNode further = DevNode.start(config);
        further.control().mine(1);
        return further;
    }

    @Test
    void theChainOfThePrimaryDecidesWhenAFurtherNodeDisagrees() throws Exception {
        try (DevNode stranger = furtherNode(DevNodeConfig.forTests()
                        .withWallClock(() -> Instant.now().minusSeconds(60)));
                DevNodeHttp front = TestPool.front(stranger, 0)) {
            pool.set("PRISM_BLOCK_SUBMIT_EXTRA_URLS", TestPool.url(front)).start();
            assertThat(stranger.control().tip().hash()).isNotEqualTo(pool.tip());

            Hash256 found = pool.land();

            await("the stranger was asked")
                    .atMost(TestMiner.PATIENCE)
                    .until(() -> stranger.recorder().calls("submitblock").size() == 1);
            assertThat(stranger.control().isActive(found)).isFalse();
            assertThat(pool.books.chainState(found)).isEqualTo("confirmed");
            pool.assertBooksHold();
        }
    }

    @Test
    void aFurtherNodeHasTheBlockWhileThePrimaryIsAwayAndThePrimaryTakesItInTheEnd() throws Exception {
        try (DevNode twin = DevNode.start(DevNodeConfig.forTests());
                DevNodeHttp front = TestPool.front(twin, 0)) {
            twin.control().submit(pool.node().control().block(pool.tip()).orElseThrow());
            pool.set("PRISM_BLOCK_SUBMIT_EXTRA_URLS", TestPool.url(front)).start();
            TestMiner.Solve solve = pool.miner().solve(pool.miner().awaitJobOn(pool.tip()));
            pool.http().refuseConnections();

            Hash256 found = pool.submit(solve);

            await("on the further node")
                    .atMost(TestMiner.PATIENCE)
                    .until(() -> twin.control().isActive(found));
            assertThat(pool.books.outboxState(found)).isEqualTo("pending");
            pool.http().acceptConnections();
            pool.settled(found, "submitted");
            assertThat(pool.tip()).isEqualTo(found);
            pool.land();
            pool.assertBooksHold();
        }
    }

    @Test
    void theSameBlockSubmittedAgainAndAgainIsOneBlockOneShareAndOneSettlement() throws Exception {
        pool.start();
        TestMiner.Solve solve = pool.miner().solve(pool.miner().awaitJobOn(pool.tip()));
        Hash256 found = pool.submit(solve);
        assertThat(pool.miner().submitted(solve).path("result").asBoolean()).isFalse();
        pool.settled(found, "submitted");
        try (TestMiner elsewhere = pool.connect(TestPool.MINER_A + ".rig")) {
            assertThat(elsewhere.submitted(solve).path("result").asBoolean()).isFalse();
        }
        assertThat(pool.books.count("SELECT count(*) FROM qbit_share_ledger")).isEqualTo(1);
        assertThat(pool.books.blocks()).hasSize(1);
        assertThat(submissions()).isEqualTo(1);
        pool.assertBooksHold();
    }

    /** Trap T-21: the coinbase carries the extranonce of the connection that the job was made for. */
    @Test
    void aBlockOnAJobOfAnEarlierConnectionIsPaidAsThatJobWasIssued() throws Exception {
        pool.start();
        pool.land();
        TestMiner.Solve solve = pool.miner().solve(pool.miner().awaitJobOn(pool.tip()));
        pool.miner().close();

        try (TestMiner again = pool.connect(TestPool.MINER_A + ".rig")) {
            assertThat(again.extranonce1()).isNotEqualTo(pool.miner().extranonce1());
            assertThat(again.submitted(solve).path("result").asBoolean()).isTrue();
            pool.acknowledged.add(again.shareId(solve));

            pool.settled(solve.hash(), "submitted");
        }
        assertThat(pool.books.chainState(solve.hash())).isEqualTo("confirmed");
        pool.assertBooksHold();
    }

    /** Trap T-49. */
    @Test
    void aBlockUnderAnotherWorkersNameIsOfferedAndAccountedWithoutAShare() throws Exception {
        pool.start();
        pool.land();
        TestMiner.Solve solve = pool.miner().solve(pool.miner().awaitJobOn(pool.tip()));

        JsonNode answer = pool.miner().submittedAs(TestPool.MINER_A + ".typo", solve);

        assertThat(answer.toString()).contains("unauthorized-worker");
        pool.settled(solve.hash(), "submitted");
        assertThat(pool.tip()).isEqualTo(solve.hash());
        assertThat(pool.books.chainState(solve.hash())).isEqualTo("confirmed");
        assertThat(pool.books.count("SELECT count(*) FROM qbit_share_ledger")).isOne();
        pool.land();
        pool.assertBooksHold();
    }

    /** Acceptance A-24: on a listener whose floor is above the network's difficulty a block counts as a share only when it lands. */
    @Test
    void aBlockBelowTheFloorOfItsListenerIsCreditedIfItLandsAndElseALowDifficultyShare() throws Exception {
        int floorPort = freePort();
        pool.set("PRISM_STRATUM_HIGHDIFF_PORT", Integer.toString(floorPort)).start();
        pool.land();
        try (TestMiner miner = new TestMiner(floorPort, TestPool.MINER_B + ".floor")) {
            TestMiner.Solve refused = miner.solve(miner.awaitJobOn(pool.tip()));
            pool.node().control().submitScript().set(List.of(new SubmitScript.Answer("bad-txns-vin-empty", false)));

            JsonNode answer = miner.submitted(refused);

            assertThat(answer.toString()).contains("low-difficulty");
            assertThat(pool.books.count("SELECT count(*) FROM qbit_share_ledger"))
                    .isOne();
            assertThat(pool.books.chainState(refused.hash())).isEqualTo("absent");

            pool.node().control().submitScript().set(List.of());
            TestMiner.Solve landed = miner.solve(miner.awaitJobOn(pool.tip()));

            assertThat(miner.submitted(landed).path("result").asBoolean()).isTrue();
            pool.acknowledged.add(miner.shareId(landed));
            pool.settled(landed.hash(), "submitted");
            assertThat(pool.tip()).isEqualTo(landed.hash());
            assertThat(pool.books.count("SELECT count(*) FROM qbit_share_ledger"))
                    .isEqualTo(2);
        }
        pool.land();
        pool.assertBooksHold();
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    @Test
    void ofTwoBlocksOnOneParentOneIsAccountedAndBothSharesCount() throws Exception {
        pool.start();
        pool.land();
        try (TestMiner other = pool.connect(TestPool.MINER_B + ".rig")) {
            TestMiner.Solve first = pool.miner().solve(pool.miner().awaitJobOn(pool.tip()));
            TestMiner.Solve second = other.solve(other.awaitJobOn(pool.tip()));
            CompletableFuture<JsonNode> answer = other.submit(second);
            pool.submit(first);
            assertThat(answer.join().path("result").asBoolean()).isTrue();
            pool.acknowledged.add(other.shareId(second));
            List<Hash256> both = List.of(first.hash(), second.hash());
            await("one is accounted")
                    .atMost(TestMiner.PATIENCE)
                    .until(() -> both.stream()
                            .anyMatch(each -> pool.books.outboxState(each).equals("submitted")));

            pool.node().control().mine(100); // a loser that the node has stored is given up only now

            await("both are settled")
                    .atMost(TestMiner.PATIENCE)
                    .until(() -> both.stream()
                            .map(pool.books::outboxState)
                            .sorted()
                            .toList()
                            .equals(List.of("abandoned", "submitted")));
            pool.assertBooksHold();
        }
    }
}
