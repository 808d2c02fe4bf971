package org.prismpool.stratum.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.stratum.WorkedExample.ADDRESS;
import static org.prismpool.stratum.WorkedExample.BITS;
import static org.prismpool.stratum.WorkedExample.EN2;
import static org.prismpool.stratum.WorkedExample.NTIME;
import static org.prismpool.stratum.WorkedExample.USER;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.stratum.AcceptedShare;
import org.prismpool.stratum.CommitResult;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.IdentityPolicy;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.JobPurpose;
import org.prismpool.stratum.LandingResult;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.SharedWork;
import org.prismpool.stratum.TipSnapshot;
import org.prismpool.stratum.WorkLabels;
import org.prismpool.stratum.WorkedExample;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Sha256d;

/** The checks of spec 02 §7 in their order: acceptance 24 to 38 and the traps and field cases about submits. */
class SubmitTest {

    private static final String GOOD = "1a2b3c51"; // passes with and without version bits on connection 42
    private static final String BAD = "1a2b3c50"; // fails with the bits of the example

    private final Rig rig = new Rig();
    private FakeWire miner;
    private String job;

    @BeforeEach
    void connectAsNumber42() {
        miner = rig.connectAs(42);
        Rig.configure(miner);
        Rig.login(miner, USER, "x");
        job = miner.lastJob().jobId();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[\"a\"]", "[\"a\",\"b\",\"c\",\"d\"]"})
    void tooFewParametersAreMalformed(String params) {
        miner.feed("{\"id\":5,\"method\":\"mining.submit\",\"params\":" + params + "}");

        assertThat(miner.last())
                .isEqualTo("{\"id\": 5, \"result\": null, \"error\": [20, \"submit params are incomplete\","
                        + " {\"reason_id\": \"malformed-submit\"}]}\n");
        assertThat(rig.metrics.count("submitted")).isZero();
    }

    @Test
    void anotherUsernameIsUnauthorizedEvenForTheSamePayoutAddress() {
        assertThat(Rig.submit(miner, ADDRESS, job, EN2, NTIME, GOOD))
                .contains("[20, \"submit username does not match authorized username\"")
                .contains("unauthorized-worker");
        assertThat(rig.metrics.count("submitted")).isZero();
        assertThat(rig.metrics.count("unauthorized-worker:" + USER)).isEqualTo(1);
    }

    @Test
    void withoutAnyIdentityAnEmptyNameEndsAsUnknownJob() {
        FakeWire anonymous = rig.connect();

        assertThat(Rig.submit(anonymous, "", job, EN2, NTIME, GOOD)).contains("unknown-job");
        assertThat(rig.metrics.count("unknown-job:-")).isEqualTo(1);
        assertThat(rig.metrics.count("submitted:_unauthenticated")).isEqualTo(1);
    }

    @Test
    void aClosedPoolRefusesWithoutCountingASubmit() {
        rig.pool.open = false;

        assertThat(submit(GOOD))
                .contains("[21, \"pool is no longer accepting shares\"")
                .contains("pool-closed");
        assertThat(miner.closedFor()).isEmpty();
        assertThat(rig.metrics.count("submitted")).isZero();
        assertThat(rig.metrics.count("pool-closed")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 8, 12, 14, 15, 17, 18, 32, 200})
    void anExtranonce2OfAnotherSizeIsInvalid(int digits) {
        assertThat(Rig.submit(miner, USER, job, "0".repeat(digits), NTIME, GOOD))
                .contains("[20, \"unexpected extranonce2 size\"")
                .contains("invalid-extranonce");
        assertThat(rig.metrics.count("submitted")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"6553f1, 1a2b3c51", "6553f105, a9a049c", "6553f105, 0", "6553f105, ''", "6553f105, 123456789"})
    void aTimeOrNonceOfAnotherSizeIsInvalid(String ntime, String nonce) {
        assertThat(Rig.submit(miner, USER, job, EN2, ntime, nonce))
                .contains("[20, \"ntime and nonce must be 4-byte hex strings\"")
                .contains("invalid-ntime-or-nonce");
        assertThat(rig.metrics.count("submitted")).isZero();
    }

    @Test
    void theLongFormOfAShortNonceIsAcceptedOnceAfterwards() {
        Rig.submit(miner, USER, job, EN2, NTIME, "a2b3c51");
        assertThat(submit(GOOD)).contains("\"result\": true");
        assertThat(submit(GOOD)).contains("duplicate-share");
    }

    @ParameterizedTest
    @CsvSource({
        "zz02030405060708, 6553f105, 1a2b3c51, '', extranonce2 must be hexadecimal",
        "01020304050607 8, 6553f105, 1a2b3c51, '', extranonce2 must be hexadecimal",
        "0102030405060708, 0x53f105, 1a2b3c51, '', ntime must be hexadecimal",
        "0102030405060708, 6553f105, 1a2b3c5g, '', nonce must be hexadecimal",
        "0102030405060708, 6553f105, 1a2b3c51, 0a5400, version_bits must be 4 bytes of hex",
        "0102030405060708, 6553f105, 1a2b3c51, zzzzzzzz, version_bits must be 4 bytes of hex",
        "0102030405060708, 6553f105, 1a2b3c51, 00000001, version_bits include bits outside the negotiated mask",
    })
    void whatIsNoHexIsMalformedAndCountedAsSubmitted(
            String en2, String ntime, String nonce, String bits, String detail) {
        assertThat(Rig.submit(miner, USER, job, en2, ntime, nonce, bits))
                .contains("[20, \"malformed submit: " + detail + "\"")
                .contains("malformed-submit");
        assertThat(rig.metrics.count("submitted")).isEqualTo(1);
    }

    @Test
    void withoutAMaskOnlyZeroBitsAreAllowed() {
        FakeWire plain = rig.connect();
        Rig.login(plain, USER, "x");
        String own = plain.lastJob().jobId();

        assertThat(Rig.submit(plain, USER, own, EN2, NTIME, GOOD, BITS)).contains("malformed-submit");
        assertThat(Rig.submit(plain, USER, own, EN2, NTIME, GOOD, "00000000")).doesNotContain("malformed");
    }

    @Test
    void anAbsentAndANullSixthParameterAreTheSame() {
        miner.feed("{\"id\":5,\"method\":\"mining.submit\",\"params\":[\"" + USER + "\",\"" + job + "\",\"" + EN2
                + "\",\"" + NTIME + "\",\"" + GOOD + "\",null]}");
        assertThat(miner.last()).contains("\"result\": true");
        assertThat(submit(GOOD)).contains("duplicate-share");
    }

    @Test
    void furtherParametersAreIgnored() {
        miner.feed("{\"id\":5,\"method\":\"mining.submit\",\"params\":[\"" + USER + "\",\"" + job + "\",\"" + EN2
                + "\",\"" + NTIME + "\",\"" + GOOD + "\",\"00000000\"" + ",1".repeat(500) + "]}");

        assertThat(miner.last()).contains("\"result\": true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[null,null,null,null,null]",
                "[[\"a\"],\"b\",\"c\",\"d\",\"e\"]",
                "[{},{},{},{},{}]",
                "[1,2,3,4,5]",
                "[true,true,true,true,true]"
            })
    void wrongTypesAreRefusedWithTheirId(String params) {
        miner.feed("{\"id\":77,\"method\":\"mining.submit\",\"params\":" + params + "}");

        assertThat(miner.last()).startsWith("{\"id\": 77, \"result\": null, \"error\": [20, ");
        assertThat(miner.closedFor()).isEmpty();
    }

    @Test
    void anUnknownJobIsRefusedBeforeTheNodeIsAsked() {
        rig.tips.snapshot = TipSnapshot.NONE;

        assertThat(Rig.submit(miner, USER, "prism-99", EN2, NTIME, GOOD))
                .isEqualTo(
                        "{\"id\": 5, \"result\": null, \"error\": [21, \"stale job\", {\"reason_id\": \"unknown-job\"}]}\n");
        assertThat(rig.tips.liveCalls).isZero();
        assertThat(rig.metrics.count("submitted")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "6553c9ef, too early", // mintime - 1
        "6553f359, too late", // curtime + 601 at a clock that stands at curtime
        "00000000, too early",
        "ffffffff, too late",
    })
    void timesOutsideTheWindowAreRefused(String ntime, String why) {
        assertThat(Rig.submit(miner, USER, job, EN2, ntime, GOOD))
                .as(why)
                .contains("[20, \"ntime out of range\"")
                .contains("invalid-ntime-or-nonce");
        assertThat(rig.shares.shares).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"6553c9f0", "6553f358"})
    void timesOnTheEdgesOfTheWindowAreEvaluated(String ntime) {
        assertThat(Rig.submit(miner, USER, job, EN2, ntime, GOOD)).doesNotContain("ntime");
    }

    @Test
    void ablockWithATimeTooLateIsOfferedWithoutCreditAndOneTooEarlyIsNot() {
        for (int nonce = 0; nonce < 16; nonce++) {
            Rig.submit(miner, USER, job, EN2, "ffffffff", String.format("%08x", nonce));
        }
        assertThat(rig.shares.uncredited).isNotEmpty();
        int offered = rig.shares.uncredited.size();
        for (int nonce = 0; nonce < 16; nonce++) {
            Rig.submit(miner, USER, job, EN2, "00000000", String.format("%08x", nonce));
        }
        assertThat(rig.shares.uncredited).hasSize(offered);
        assertThat(rig.shares.shares).isEmpty();
    }

    @Test
    void aBlockUnderAWrongNameIsOfferedWithoutCredit() {
        assertThat(Rig.submit(miner, ADDRESS + ".typo", job, EN2, NTIME, GOOD)).contains("unauthorized-worker");

        assertThat(rig.shares.uncredited).hasSize(1);
        assertThat(rig.shares.uncredited.get(0).creditShareOnAccept()).isFalse();
        assertThat(rig.shares.shares).isEmpty();
    }

    @Test
    void aFullOrFailingCommitIsAnsweredAndTheSameSubmitMaySucceedLater() {
        rig.shares.answer(new CommitResult.QueueFull());
        assertThat(submit(GOOD))
                .contains("[20, \"share ledger commit queue is full\"")
                .contains("internal-error");
        rig.shares.answer(new CommitResult.Failed("connection lost", true));
        assertThat(submit(GOOD)).contains("[20, \"share ledger commit failed: connection lost\"");
        assertThat(rig.metrics.count("internal-error:" + USER)).isEqualTo(2);
        rig.shares.answer(new CommitResult.Durable(false));

        assertThat(submit(GOOD)).contains("\"result\": true");
        assertThat(rig.shares.unpersisted).hasSize(2);
        assertThat(rig.shares.enqueued).hasSize(1);
    }

    @Test
    void aLedgerThatThrowsIsAnsweredAndLaterAnswersFollow() {
        rig.shares.fault(new IllegalStateException("broken"));
        assertThat(submit(GOOD)).contains("[20, \"share ledger commit failed: internal error\"");
        rig.shares.answer(new CommitResult.Durable(false));

        assertThat(submit(GOOD)).contains("\"result\": true");
    }

    @Test
    void aLostLeaseOffersNothing() {
        rig.shares.answer(new CommitResult.Failed("writer lease is not active", false));
        submit(GOOD);

        assertThat(rig.shares.unpersisted).isEmpty();
    }

    @Test
    void aReplayThatTheLedgerKnowsIsAcknowledgedWithoutCounting() {
        rig.shares.answer(new CommitResult.Existing(true));

        assertThat(submit(GOOD)).contains("\"result\": true");
        assertThat(rig.metrics.count("accepted")).isZero();
        assertThat(rig.shares.enqueued).as("the block was decided before").isEmpty();
    }

    @Test
    void aCommitThatMeetsTheShutdownIsAnsweredAsClosed() {
        rig.shares.answer(new CommitResult.ShuttingDown());

        assertThat(submit(GOOD)).contains("coordinator is shutting down").contains("pool-closed");
        assertThat(miner.closedFor()).contains(DisconnectReason.SHUTDOWN);
    }

    @Test
    void answersKeepTheOrderOfTheirRequests() {
        rig.shares.hold();
        feedSubmit(1, GOOD);
        feedSubmit(2, GOOD);
        miner.feed("{\"id\":3,\"method\":\"mining.extranonce.subscribe\",\"params\":[]}");
        feedSubmit(4, "00000001");
        int before = miner.sent.size();
        assertThat(rig.shares.heldCommits()).isEqualTo(1);
        rig.shares.release();

        assertThat(miner.sent.subList(before, miner.sent.size()).stream().map(line -> line.substring(0, 8)))
                .containsExactly("{\"id\": 1", "{\"id\": 2", "{\"id\": 3", "{\"id\": 4");
        assertThat(miner.sent.get(before + 1)).contains("duplicate-share");
    }

    @Test
    void aCommitThatEndsAfterTheDisconnectStillCountsAndOffersItsBlock() {
        rig.shares.hold();
        feedSubmit(1, GOOD);
        miner.close(DisconnectReason.PEER);
        rig.shares.release();

        assertThat(rig.metrics.count("accepted")).isEqualTo(1);
        assertThat(rig.shares.enqueued).hasSize(1);
    }

    @Test
    void aStaleJobIsRefusedWithoutAskingTheNodeWhenGraceIsOff() {
        Rig strict = new Rig(Rig.config(Rig.listener("0.000000001", "0.000000001", "1024"))
                .with(org.prismpool.stratum.SharePolicy.defaults().withStaleGrace(Duration.ZERO)));
        FakeWire other = strict.miner(USER, "x");
        strict.tips.publish(tip(9), true);

        assertThat(Rig.submit(other, USER, other.lastJob().jobId(), EN2, NTIME, GOOD))
                .contains("stale-job");
        assertThat(strict.tips.liveCalls + strict.tips.parentCalls).isZero();
        assertThat(strict.metrics.count("submitted")).isEqualTo(1);
    }

    @Test
    void aPriorTipShareIsCreditedInGraceAndItsBlockDropped() {
        rig.tips.publish(tip(9), true);

        assertThat(submit(GOOD)).contains("\"result\": true");
        AcceptedShare share = rig.shares.shares.get(0);
        assertThat(share.creditPolicy()).contains("stale-grace");
        assertThat(rig.shares.enqueued).isEmpty();
        assertThat(rig.shares.solves).isEmpty();
        assertThat(rig.metrics.count("solve-dropped")).isEqualTo(1);
        assertThat(rig.metrics.count("grace")).isEqualTo(1);
    }

    @Test
    void graceEndsAfterTheConnectionGotWorkForTheNewTip() {
        rig.tips.publish(tip(9), true);
        rig.work = WorkedExample.work(tip(9).displayHex());
        rig.jobs.publish(JobPurpose.NEW_WORK);
        advance("PT2.9S");
        assertThat(submit("00000000")).doesNotContain("stale-job");
        advance("PT0.2S");
        rig.tips.publish(tip(9), true);

        assertThat(submit(GOOD)).contains("stale-job");
    }

    @Test
    void aSameTipRefreshDoesNotExtendTheGrace() {
        rig.tips.publish(tip(9), true);
        rig.work = WorkedExample.work(tip(9).displayHex());
        rig.jobs.publish(JobPurpose.NEW_WORK);
        advance("PT2S");
        rig.jobs.publish(JobPurpose.SAME_TIP);
        advance("PT1.5S");

        assertThat(submit(GOOD)).contains("stale-job");
    }

    @Test
    void workTwoTipsBehindIsStale() {
        rig.tips.publish(tip(9), true);
        rig.tips.parent = CompletableFuture.completedFuture(tip(8));

        assertThat(submit(GOOD)).contains("stale-job");
        assertThat(rig.tips.parentCalls).isEqualTo(1);
    }

    @Test
    void aNodeThatCannotTellTheParentIsAnswered() {
        rig.tips.publish(tip(9), true);
        rig.tips.parent = CompletableFuture.failedFuture(new IllegalStateException("down"));

        assertThat(submit(GOOD))
                .contains("[20, \"failed to classify stale-grace parent tip\"")
                .contains("backend-rpc-unavailable");
        assertThat(miner.closedFor()).isEmpty();
    }

    @Test
    void anOldConfirmationAsksTheNodeOnce() {
        advance("PT11S");
        assertThat(submit(GOOD)).contains("\"result\": true");
        assertThat(rig.tips.liveCalls).isEqualTo(1);

        rig.tips.live = CompletableFuture.failedFuture(new IllegalStateException("down"));
        assertThat(submit("00000001"))
                .contains("[20, \"failed to read chain tip\"")
                .contains("backend-rpc-unavailable");
        assertThat(miner.closedFor()).isEmpty();
    }

    @Test
    void whileANewTipIsUnpublishedTheOldOneStaysInChargeForTheLease() {
        rig.tips.snapshot =
                new TipSnapshot(Optional.of(WorkedExample.parent()), 0, true, Optional.of(tip(9)), OptionalLong.of(0));
        advance("PT11S");
        assertThat(submit(GOOD)).contains("\"result\": true");
        assertThat(rig.tips.liveCalls).isZero();
        assertThat(rig.shares.enqueued)
                .as("offered: the lane asks the node itself")
                .hasSize(1);
        advance("PT110S");
        submit("00000001");
        assertThat(rig.tips.liveCalls).isEqualTo(1);
    }

    @Test
    void linesWaitWhileTheNodeIsAsked() {
        CompletableFuture<Hash256> slow = new CompletableFuture<>();
        rig.tips.live = slow;
        advance("PT11S");
        int before = miner.sent.size();
        feedSubmit(1, GOOD);
        miner.feed("{\"id\":2,\"method\":\"mining.extranonce.subscribe\",\"params\":[]}");
        assertThat(miner.sent).hasSize(before);
        slow.complete(WorkedExample.parent());

        assertThat(miner.sent.get(before)).startsWith("{\"id\": 1, \"result\": true");
        assertThat(miner.sent.get(before + 1)).startsWith("{\"id\": 2,");
    }

    @Test
    void aStaleBlockOnADetectedTipIsOfferedWithoutCredit() {
        rig.tips.snapshot =
                new TipSnapshot(Optional.of(tip(9)), 0, false, Optional.of(WorkedExample.parent()), OptionalLong.of(0));

        assertThat(submit(GOOD)).contains("stale-job");
        assertThat(rig.shares.uncredited).hasSize(1);
    }

    @Test
    void aPendingBlockIsWokenByItsDuplicate() {
        submit(GOOD);
        submit(GOOD);

        assertThat(rig.shares.woken).containsExactly(rig.shares.enqueued.get(0).hash());
    }

    @Test
    void aBlockBelowTheShareTargetLandsOrIsLowDifficulty() {
        ListenerConfig high = ListenerConfig.highDifficulty(
                "127.0.0.1", 0, new BigDecimal(500000), Rig.policy("500000", "500000", "4294967296"));
        Rig floor = new Rig(Rig.config(high));
        FakeWire big = floor.connectAs(42);
        Rig.login(big, USER, "x");
        String own = big.lastJob().jobId();
        assertThat(big.lastJob().difficulty().advertised()).isEqualTo(500000);

        assertThat(Rig.submit(big, USER, own, EN2, NTIME, GOOD)).contains("low-difficulty");
        assertThat(Rig.submit(big, USER, own, EN2, NTIME, GOOD)).contains("low-difficulty");
        floor.shares.landingAnswer(LandingResult.OPEN);
        assertThat(Rig.submit(big, USER, own, EN2, NTIME, GOOD))
                .contains("[20, \"block outcome pending\", {\"reason_id\": \"internal-error\"}]");
        assertThat(big.closedFor()).isEmpty();
        floor.shares.landingAnswer(LandingResult.LANDED);
        assertThat(Rig.submit(big, USER, own, EN2, NTIME, GOOD)).contains("\"result\": true");
        assertThat(Rig.submit(big, USER, own, EN2, NTIME, GOOD)).contains("duplicate-share");
        assertThat(floor.shares.landing).hasSize(4).allMatch(solve -> solve.creditShareOnAccept());
        assertThat(floor.metrics.count("accepted")).isEqualTo(1);
    }

    @Test
    void aReplacedJobIsCreditedToItsOwnWorkerAtItsOwnTarget() {
        Rig.authorize(miner, ADDRESS + ".second", "x");
        assertThat(Rig.submit(miner, ADDRESS + ".second", job, EN2, NTIME, GOOD))
                .contains("\"result\": true");

        assertThat(rig.shares.shares.get(0).worker().username()).isEqualTo(USER);
        assertThat(Rig.submit(miner, USER, job, EN2, NTIME, "00000000")).contains("unauthorized-worker");
        assertThat(rig.metrics.count("accepted_same_tip")).isEqualTo(1);
    }

    @Test
    void aRetainedShareReplayedUnderANewNameIsADuplicate() {
        submit(GOOD);
        Rig.authorize(miner, ADDRESS + ".second", "x");

        assertThat(Rig.submit(miner, ADDRESS + ".second", job, EN2, NTIME, GOOD))
                .contains("duplicate-share");
    }

    @Test
    void aReconnectOfTheSameNameMaySubmitOldWorkWithItsOwnMask() {
        miner.close(DisconnectReason.PEER);
        FakeWire again = rig.miner(USER, "x");

        assertThat(Rig.submit(again, USER, job, EN2, NTIME, GOOD, BITS)).contains("\"result\": true");
        assertThat(rig.shares.enqueued.get(0).share().submission().job().extranonce1Hex())
                .isEqualTo("0000002a");
        assertThat(rig.metrics.count("accepted_same_tip_cross_connection")).isEqualTo(1);
        FakeWire stranger = rig.miner(ADDRESS + ".other", "x");
        assertThat(Rig.submit(stranger, ADDRESS + ".other", job, EN2, NTIME, "00000000"))
                .contains("unknown-job");
    }

    @Test
    void aReconnectsOldWorkHasNoGrace() {
        miner.close(DisconnectReason.PEER);
        FakeWire again = rig.miner(USER, "x");
        rig.tips.publish(tip(9), true);

        assertThat(Rig.submit(again, USER, job, EN2, NTIME, GOOD)).contains("stale-job");
        assertThat(rig.tips.parentCalls).isZero();
    }

    @Test
    void laterMasksNeverCostSharesOfEarlierOnes() {
        miner.feed("{\"id\":9,\"method\":\"mining.configure\",\"params\":[[\"version-rolling\"],"
                + "{\"version-rolling.mask\":\"00000000\"}]}");
        assertThat(Rig.submit(miner, USER, job, EN2, NTIME, GOOD, BITS)).contains("\"result\": true");

        FakeWire late = rig.connect();
        Rig.login(late, USER, "x");
        Rig.configure(late);
        assertThat(Rig.submit(late, USER, late.lastJob().jobId(), EN2, NTIME, GOOD, BITS))
                .doesNotContain("malformed");
    }

    @Test
    void templateBitsInsideTheMaskAreClearedSoThatAllFormulasAgree() {
        rig.work = new SharedWork(
                WorkedExample.template(WorkedExample.PARENT, 144, 0x20800000, "207fffff"), WorkLabels.NONE);
        rig.jobs.publish(JobPurpose.NEW_WORK);
        JobContext cleared = miner.lastJob();
        assertThat(cleared.version()).isEqualTo(0x20000000);
        assertThat(miner.last()).contains("\"20000000\", \"207fffff\"");

        for (int nonce = 0; nonce < 8; nonce++) {
            Rig.submit(miner, USER, cleared.jobId(), EN2, NTIME, String.format("%08x", nonce), "00006000");
        }
        assertThat(rig.shares.shares)
                .isNotEmpty()
                .allMatch(share -> share.submission().version() == 0x20006000);
    }

    @Test
    void sharesOfARaisedDifficultyAreJudgedByTheirOwnJob() {
        Rig moving = new Rig(Rig.config(Rig.listener("0.000000001", "0.000000001", "1024")));
        moving.work = WorkedExample.workWithBits("1d00ffff");
        FakeWire climber = moving.connectAs(42);
        Rig.login(climber, USER, "x");
        JobContext easy = climber.lastJob();
        climber.feed("{\"id\":8,\"method\":\"mining.suggest_difficulty\",\"params\":[0.5]}");
        JobContext hard = climber.lastJob();

        String nonce = nonceBetween(moving, climber, easy);
        assertThat(moving.shares.shares.get(0).shareDifficulty()).isEqualTo(BigInteger.valueOf(2147516));
        assertThat(Rig.submit(climber, USER, hard.jobId(), "f".repeat(16), NTIME, nonce))
                .contains("low-difficulty");
    }

    /** Finds a nonce that meets the easy job; the hard one is 2^29 times harder. */
    private static String nonceBetween(Rig moving, FakeWire climber, JobContext easy) {
        for (int nonce = 0; nonce < 64; nonce++) {
            String text = String.format("%08x", nonce);
            if (Rig.submit(climber, USER, easy.jobId(), EN2, NTIME, text).contains("\"result\": true")) {
                return text;
            }
        }
        throw new AssertionError("no share in 64 nonces: " + moving.shares.shares);
    }

    @Test
    void onlyTheNewestSixteenJobsAreActiveAndOthersRetained() {
        for (int i = 0; i < 18; i++) {
            rig.jobs.publish(JobPurpose.SAME_TIP);
        }
        assertThat(miner.jobs).hasSize(19);
        assertThat(Rig.submit(miner, USER, miner.jobs.get(2).jobId(), EN2, NTIME, GOOD))
                .contains("\"result\": true");
        assertThat(rig.metrics.count("accepted_same_tip")).isEqualTo(1);
        assertThat(Rig.submit(miner, USER, miner.jobs.get(3).jobId(), EN2, NTIME, "00000000"))
                .doesNotContain("unknown");
        assertThat(rig.metrics.count("accepted_same_tip")).isEqualTo(1);
    }

    @Test
    void retainedJobsAreBoundedInNumberAndTime() {
        for (int i = 0; i < 65; i++) {
            rig.jobs.publish(JobPurpose.NEW_WORK);
        }
        assertThat(submit(GOOD)).as("65 replaced: the oldest is gone").contains("unknown-job");
        String second = miner.jobs.get(1).jobId();
        advance("PT30S");
        rig.tips.publish(WorkedExample.parent(), false);
        assertThat(Rig.submit(miner, USER, second, EN2, NTIME, GOOD)).contains("\"result\": true");
        advance("PT0.1S");
        assertThat(Rig.submit(miner, USER, second, EN2, NTIME, "00000000")).contains("unknown-job");
    }

    @Test
    void aRejectFloodPausesReadsButNeverCloses() {
        for (int i = 0; i < 1100; i++) {
            feedSubmit(i, "00");
        }
        assertThat(rig.metrics.count("throttled")).isEqualTo(1);
        assertThat(rig.metrics.count("invalid-ntime-or-nonce")).isEqualTo(1001);
        assertThat(miner.closedFor()).isEmpty();

        advance("PT0.1S");
        miner.runScheduled();
        assertThat(rig.metrics.count("invalid-ntime-or-nonce")).isBetween(1002, 1020);
    }

    @Test
    void weightsReplaceTheCreditedDifficulty() {
        Rig weighted = new Rig(Rig.config(Rig.listener("0.000000001", "0.000000001", "1024"))
                .with(new IdentityPolicy(
                        Optional.empty(), Map.of(USER, BigInteger.valueOf(7), ADDRESS, BigInteger.valueOf(9)), 100)));

        assertThat(weighted.miner(USER, "x").lastJob().difficulty().ledgerWeight())
                .isEqualTo(7);
        assertThat(weighted.miner(ADDRESS + ".b", "x").lastJob().difficulty().ledgerWeight())
                .isEqualTo(9);
    }

    @Test
    void collectionSolvesAreCounted() {
        rig.work = new SharedWork(WorkedExample.template(), new WorkLabels(1, 1, true, "origin"));
        FakeWire solo = rig.connectAs(42);
        Rig.login(solo, USER, "x");
        Rig.submit(solo, USER, solo.lastJob().jobId(), EN2, NTIME, GOOD);

        assertThat(rig.metrics.count("collection-solve")).isEqualTo(1);
        assertThat(rig.shares.enqueued).hasSize(1);
    }

    @Test
    void labelsComeOnlyFromProvenNamesAndAreBounded() {
        Rig few = new Rig(Rig.config(Rig.listener("0.000000001", "0.000000001", "1024"))
                .with(new IdentityPolicy(Optional.empty(), Map.of(), 2)));
        for (String name : new String[] {".a", ".b", ".c"}) {
            FakeWire worker = few.miner(ADDRESS + name, "x");
            Rig.submit(worker, "invented" + name, "x", EN2, NTIME, GOOD);
            Rig.submit(worker, ADDRESS + name, "x", EN2, NTIME, GOOD);
        }
        assertThat(few.metrics.count("submitted:" + ADDRESS + ".a")).isEqualTo(1);
        assertThat(few.metrics.count("submitted:" + ADDRESS + ".b")).isEqualTo(1);
        assertThat(few.metrics.count("submitted:_other")).isEqualTo(1);
        assertThat(few.metrics.count("unauthorized-worker:_other")).isEqualTo(1);
        assertThat(new WorkerLabels(0).label("x")).isEqualTo("_other");
        assertThat(new WorkerLabels(1).label("x".repeat(130))).hasSize(128);
    }

    private String submit(String nonce) {
        return Rig.submit(miner, USER, job, EN2, NTIME, nonce);
    }

    private void feedSubmit(int id, String nonce) {
        miner.feed("{\"id\":" + id + ",\"method\":\"mining.submit\",\"params\":[\""
                + String.join("\",\"", USER, job, EN2, NTIME, nonce) + "\"]}");
    }

    private void advance(String duration) {
        rig.clock.advance(Duration.parse(duration));
    }

    private static Hash256 tip(int seed) {
        return Sha256d.hash(new byte[] {(byte) seed});
    }
}
