package org.prismpool.templates.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.prismpool.templates.block.Candidates.PARENT;
import static org.prismpool.templates.block.Candidates.candidate;
import static org.prismpool.templates.block.Candidates.hash;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.templates.FakeNode;
import org.prismpool.templates.block.AccountingResult.RetryReason;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcFailure;
import org.prismpool.templates.rpc.RpcMethod;

class CandidateLaneTest {

    private static final AccountingResult LANDED = new AccountingResult.Submitted(true);
    private static final AccountingResult RETRY = new AccountingResult.Retry(RetryReason.INTERNAL_ERROR, "");
    private static final Hash256 OTHER = hash("other tip");

    private final LaneFixture fixture = new LaneFixture();
    private final BlockCandidate block = candidate(1, 100);

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static Optional<String> lost() {
        throw new RpcException(RpcMethod.SUBMIT_BLOCK, FakeNode.LOST);
    }

    @Test
    void aFoundBlockIsOfferedBeforeItIsAccounted() {
        fixture.start().node.submitAnswers("null");
        CompletableFuture<CandidateVerdict> verdict = fixture.lane.offer(block);
        OfferedCandidate handedOver = fixture.awaitAccounted(1);
        assertThat(handedOver.outcome()).isEqualTo(new OfferOutcome.Accepted());
        assertThat(fixture.journal).containsExactly("arm", "account Accepted");
        assertThat(fixture.node.calls()).containsExactly("submitblock");
        assertThat(verdict).isNotDone();
        fixture.lane.settle(block.hash(), LANDED);
        assertThat(verdict).isCompletedWithValue(CandidateVerdict.LANDED);
        assertThat(fixture.journal).endsWith("release");
        assertThat(fixture.lane.snapshot().pending()).isZero();
    }

    @Test
    void theOfferIsTimedFromTheMomentAtWhichItCouldBeMade() {
        fixture.node.submitAnswer(hex -> {
            fixture.clock.advance(Duration.ofMillis(40));
            return Optional.empty();
        });
        fixture.lane.offer(block);
        fixture.clock.advance(Duration.ofMillis(2));
        fixture.start();
        fixture.awaitAccounted(1);
        assertThat(fixture.counters.offerNanos).containsExactly(42_000_000L);
    }

    @Test
    void aLostAnswerIsNotTimedAndAskedForAgainAfterThePause() {
        fixture.start().node.submitAnswer(hex -> lost()).submitAnswers("duplicate");
        fixture.lane.offer(block);
        OfferedCandidate first = fixture.awaitAccounted(1);
        assertThat(first.outcome()).isInstanceOf(OfferOutcome.Undecided.class);
        assertThat(first.everOffered()).isTrue();
        assertThat(fixture.counters.offerNanos).isEmpty();
        fixture.lane.settle(block.hash(), RETRY);
        assertThat(fixture.lane.snapshot().backoffNanos()).hasValue(250_000_000L);
        fixture.advance(Duration.ofMillis(250));
        OfferedCandidate second = fixture.awaitAccounted(2);
        assertThat(second.outcome()).isEqualTo(new OfferOutcome.Duplicate());
        assertThat(second.pass()).isEqualTo(2);
        assertThat(fixture.counters.events).contains("retried");
    }

    @Test
    void aDefinitiveAcceptanceIsNotOfferedAgainByRetries() {
        fixture.start().node.submitAnswers("null");
        fixture.lane.offer(block);
        for (int pass = 1; pass <= 4; pass++) {
            assertThat(fixture.awaitAccounted(pass).outcome()).isEqualTo(new OfferOutcome.Accepted());
            fixture.lane.settle(block.hash(), RETRY);
            fixture.advance(Duration.ofSeconds(30));
        }
        assertThat(fixture.node.count(RpcMethod.SUBMIT_BLOCK)).isEqualTo(1);
    }

    @Test
    void threeBlocksInQuickSuccessionAreAllHandedOver() {
        fixture.start().node.submitAnswer(hex -> lost());
        BlockCandidate child = candidate(2, 101, block.hash());
        BlockCandidate grandchild = candidate(3, 102, child.hash());
        for (BlockCandidate each : List.of(block, child, grandchild)) {
            fixture.detected = Optional.of(each.parent());
            fixture.lane.offer(each);
            await().until(() ->
                    fixture.accounted.stream().anyMatch(seen -> seen.candidate().equals(each)));
        }
        fixture.lane.observeTip(grandchild.hash());
        assertThat(fixture.accounted).extracting(OfferedCandidate::candidate).containsExactly(block, child, grandchild);
    }

    @Test
    void aStalledAccountingDoesNotDelayTheNextOffer() {
        fixture.start().node.submitAnswers("null");
        fixture.lane.offer(block);
        fixture.awaitAccounted(1);
        fixture.advance(Duration.ofSeconds(60));
        int before = fixture.heartbeats.get();
        fixture.lane.offer(candidate(2, 100));
        assertThat(fixture.awaitAccounted(2).candidate()).isEqualTo(candidate(2, 100));
        await("the lane shows that it lives").until(() -> fixture.heartbeats.get() > before + 3);
        assertThat(fixture.journal).doesNotContain("restart required");
    }

    @Test
    void aBlockInItsPauseHoldsUpNoOther() {
        fixture.accounting = candidate -> Optional.of(candidate.candidate().equals(block) ? RETRY : LANDED);
        fixture.start().node.submitAnswer(hex -> lost()).submitAnswers("null");
        fixture.lane.offer(block);
        await().until(() -> fixture.lane.snapshot().backoffNanos().isPresent());

        CompletableFuture<CandidateVerdict> other = fixture.lane.offer(candidate(2, 101));

        await().untilAsserted(() -> assertThat(other).isCompletedWithValue(CandidateVerdict.LANDED));
        assertThat(fixture.lane.snapshot().pending())
                .as("the clock stood still: the first one waits")
                .isEqualTo(1);
        assertThat(fixture.accounted).hasSize(2);
    }

    @Test
    void aBlockThatTheNodeCanNotDecodeIsNoVerdictAndIsTriedAgain() {
        fixture.start().node.submitAnswer(hex -> {
            throw new RpcException(RpcMethod.SUBMIT_BLOCK, new RpcFailure.NodeError(-22, "Block decode failed", 500));
        });
        fixture.node.submitAnswers("null");
        fixture.lane.offer(block);
        assertThat(fixture.awaitAccounted(1).outcome()).isInstanceOf(OfferOutcome.Undecided.class);
        fixture.lane.settle(block.hash(), RETRY);
        fixture.advance(Duration.ofMillis(250));
        assertThat(fixture.awaitAccounted(2).outcome()).isEqualTo(new OfferOutcome.Accepted());
        assertThat(fixture.counters.offerNanos).hasSize(1);
    }

    @Test
    void aSecondWakeUpOfTheSameBlockJoinsTheFirst() {
        fixture.start().node.submitAnswers("null");
        CompletableFuture<CandidateVerdict> first = fixture.lane.offer(block);
        fixture.awaitAccounted(1);
        CompletableFuture<CandidateVerdict> second = fixture.lane.offer(block);
        fixture.lane.settle(block.hash(), LANDED);
        assertThat(first).isCompletedWithValue(CandidateVerdict.LANDED);
        assertThat(second).isCompletedWithValue(CandidateVerdict.LANDED);
        assertThat(fixture.lane.offer(block)).isCompletedWithValue(CandidateVerdict.LANDED);
        assertThat(fixture.node.count(RpcMethod.SUBMIT_BLOCK)).isEqualTo(1);
        assertThat(fixture.counters.events).containsExactly("coalesced", "coalesced");
    }

    @Test
    void aSolveThatTheOutboxHasEndedIsNotOffered() {
        fixture.start().lane.noteEnded(block.hash(), false);
        assertThat(fixture.lane.offer(block)).isCompletedWithValue(CandidateVerdict.ABANDONED);
        assertThat(fixture.node.calls()).isEmpty();
    }

    @Test
    void aRetryTellsTheSenderThatTheOutcomeIsOpen() {
        fixture.accounting = candidate -> Optional.of(RETRY);
        fixture.start().node.submitAnswer(hex -> lost());
        CompletableFuture<CandidateVerdict> verdict = fixture.lane.offer(block);
        await().untilAsserted(() -> assertThat(verdict).isCompletedWithValue(CandidateVerdict.PENDING));
        assertThat(fixture.lane.snapshot().pending()).isEqualTo(1);
    }

    @Test
    void anAbandonmentIsCountedOnce() {
        fixture.start().node.submitAnswers("rejected");
        fixture.lane.offer(block);
        fixture.awaitAccounted(1);
        AccountingResult given = new AccountingResult.Abandoned(AbandonReason.SUBMITBLOCK_REJECTED, "rejected");
        fixture.lane.settle(block.hash(), given);
        fixture.lane.settle(block.hash(), given);
        assertThat(fixture.counters.abandoned).containsExactly(AbandonReason.SUBMITBLOCK_REJECTED);
    }

    // Parent test: p is the parent, D the detected tip, P the published one.

    @Test
    void aParentThatIsTheDetectedTipIsOfferedWithoutAQuestion() {
        fixture.detected = Optional.of(PARENT);
        fixture.published = Optional.of(OTHER);
        assertOffered(List.of("submitblock"));
    }

    @Test
    void aPublishedParentIsOfferedWithoutAQuestionWhileNothingNewerIsDetected() {
        fixture.detected = Optional.empty();
        assertOffered(List.of("submitblock"));
    }

    @Test
    void aPublishedParentIsAskedForWhenAnotherTipIsDetected() {
        fixture.detected = Optional.of(OTHER);
        fixture.node.tips(PARENT);
        assertOffered(List.of("getbestblockhash", "submitblock"));
    }

    @Test
    void aPublishedParentIsOfferedWhenTheQuestionFails() {
        fixture.detected = Optional.of(OTHER);
        fixture.node.fails(RpcMethod.GET_BEST_BLOCK_HASH, FakeNode.LOST);
        assertOffered(List.of("getbestblockhash", "submitblock"));
    }

    @Test
    void aPublishedParentIsNotSentWhenTheNodeHasMovedOn() {
        fixture.detected = Optional.of(OTHER);
        fixture.node.tips(OTHER);
        assertNotSent(List.of("getbestblockhash"));
    }

    @Test
    void aParentThatIsNeitherIsNeverSent() {
        fixture.detected = Optional.of(OTHER);
        fixture.published = Optional.of(hash("third"));
        assertNotSent(List.of());
    }

    @Test
    void beforeTheFirstTipTheNodeIsAsked() {
        fixture.detected = Optional.empty();
        fixture.published = Optional.empty();
        fixture.node.tips(PARENT);
        assertOffered(List.of("getbestblockhash", "submitblock"));
    }

    private void assertOffered(List<String> calls) {
        fixture.start().node.submitAnswers("null");
        fixture.lane.offer(block);
        assertThat(fixture.awaitAccounted(1).outcome()).isEqualTo(new OfferOutcome.Accepted());
        assertThat(fixture.node.calls()).isEqualTo(calls);
    }

    private void assertNotSent(List<String> calls) {
        fixture.start().node.submitAnswers("null");
        fixture.lane.offer(block);
        OfferedCandidate handedOver = fixture.awaitAccounted(1);
        assertThat(handedOver.outcome()).isEqualTo(new OfferOutcome.NotOffered(AbandonReason.TIP_MOVED));
        assertThat(handedOver.everOffered()).isFalse();
        assertThat(fixture.node.calls()).isEqualTo(calls);
        assertThat(fixture.journal).containsExactly("account NotOffered");
    }

    @Test
    void aProcessThatHasLostItsLeaseOffersNothing() {
        fixture.leaseLost = true;
        fixture.start().node.submitAnswers("null");
        fixture.lane.offer(block);
        await().until(() -> fixture.lane.snapshot().backoffNanos().isPresent());
        assertThat(fixture.node.calls()).isEmpty();
        fixture.leaseLost = false;
        fixture.advance(Duration.ofSeconds(1));
        assertThat(fixture.awaitAccounted(1).outcome()).isEqualTo(new OfferOutcome.Accepted());
    }

    @Test
    void furtherNodesGetTheBlockAtTheSameTimeAndDecideNothing() throws Exception {
        CountDownLatch furtherAsked = new CountDownLatch(1);
        FakeNode further = new FakeNode();
        further.submitAnswer(hex -> {
            furtherAsked.countDown();
            return Optional.of("rejected");
        });
        try (LaneFixture withFurther = new LaneFixture(LaneConfig.DEFAULTS.withMaxBlocks(10, true), List.of(further))) {
            withFurther.node.submitAnswer(hex -> {
                // The primary's answer comes only after the further node was asked.
                awaitLatch(furtherAsked);
                return Optional.empty();
            });
            withFurther.start().lane.offer(block);
            assertThat(withFurther.awaitAccounted(1).outcome()).isEqualTo(new OfferOutcome.Accepted());
            await().until(() -> withFurther.counters.further.equals(List.of(false)));
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aBlockThatTheDatabaseDidNotTakeIsOfferedAndSpooledAndThenDurableOnce() {
        fixture.databaseDown = true;
        fixture.start().node.submitAnswers("null");
        fixture.lane.offerUnpersisted(block);
        fixture.awaitAccounted(1);
        await().until(() -> fixture.spooled.containsKey(block.hash()));
        assertThat(fixture.journal).contains("unpersisted 1");
        fixture.databaseDown = false;
        await().until(() -> fixture.spooled.isEmpty());
        await().until(() -> fixture.journal.contains("unpersisted 0"));
        assertThat(fixture.rows).containsOnlyKeys(block.hash().displayHex());
        assertThat(fixture.accounted).hasSize(1);
    }

    @Test
    void accountingThatWaitedForTheRowGoesOnAsSoonAsItIsThere() {
        fixture.databaseDown = true;
        fixture.accounting = candidate -> Optional.of(
                fixture.databaseDown
                        ? new AccountingResult.Retry(AccountingResult.RetryReason.INTERNAL_ERROR, "not durable yet")
                        : new AccountingResult.Submitted(true));
        fixture.start().node.submitAnswers("null");
        fixture.lane.offerUnpersisted(block);
        fixture.awaitAccounted(1);
        await().until(() -> fixture.spooled.containsKey(block.hash()));
        await("paced")
                .until(() -> fixture.lane.snapshot().backoffRemainingNanos().isPresent());

        fixture.databaseDown = false; // the clock of the pauses stands still

        fixture.awaitAccounted(2);
        await().until(() -> fixture.lane.snapshot().pending() == 0);
        assertThat(fixture.node.calls()).containsOnlyOnce("submitblock");
    }

    @Test
    void aBlockThatNeitherDatabaseNorDiskTookStaysAlarmingUntilTheDatabaseHasIt() {
        fixture.databaseDown = true;
        fixture.diskFull = true;
        fixture.node.submitAnswers("null");
        fixture.start().lane.offerUnpersisted(block);
        fixture.awaitAccounted(1);
        await().until(() -> fixture.journal.contains("disk full"));
        await().until(() -> fixture.journal.contains("unpersisted 1"));
        assertThat(fixture.journal).doesNotContain("unpersisted 0");
        fixture.databaseDown = false;
        await().until(() -> fixture.journal.contains("unpersisted 0"));
        assertThat(fixture.rows).containsOnlyKeys(block.hash().displayHex());
    }

    @Test
    void theSpoolOfAnEarlierProcessIsInsertedBeforeTheOutboxIsRead() {
        fixture.spooled.put(block.hash(), block);
        fixture.start().node.submitAnswers("null");
        assertThat(fixture.lane.replay(fixture.deadline())).isTrue();
        assertThat(fixture.spooled).isEmpty();
        OfferedCandidate handedOver = fixture.awaitAccounted(1);
        assertThat(handedOver.candidate()).isEqualTo(block);
        assertThat(handedOver.replayed()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "32", "33", "1500"})
    void allPendingRowsAreFoundBeforeTheGateOpens(int count) {
        for (int i = 0; i < count; i++) {
            fixture.row(candidate(i, 100), 0, false);
        }
        fixture.node.tips(PARENT); // none of them has lost to a sibling yet
        assertThat(fixture.lane.snapshot().enumerated()).isFalse();
        fixture.start();
        assertThat(fixture.lane.replay(fixture.deadline())).isTrue();
        assertThat(fixture.lane.snapshot().enumerated()).isTrue();
        assertThat(fixture.lane.snapshot().pending()).isEqualTo(count);
        assertThat(fixture.journal.stream().filter("arm"::equals)).hasSize(count);
    }

    @Test
    void theGateStaysClosedUntilTheDatabaseAnswers() {
        fixture.databaseDown = true;
        fixture.row(block, 0, false);
        fixture.start();
        assertThatIllegalStateException().isThrownBy(() -> fixture.lane.replay(fixture.deadline()));
        assertThat(fixture.lane.snapshot().enumerated()).isFalse();
        fixture.databaseDown = false;
        await().until(() -> fixture.lane.snapshot().enumerated());
        assertThat(fixture.awaitAccounted(1).candidate()).isEqualTo(block);
    }

    @Test
    void anUndecodableRowIsQuarantinedAndTheOthersAreReplayed() {
        fixture.row(candidate(1, 100), 1, false);
        fixture.undecodableRow("ab".repeat(32));
        fixture.row(candidate(2, 101), 1, false);
        fixture.start().node.submitAnswers("duplicate");
        fixture.lane.replay(fixture.deadline());
        fixture.awaitAccounted(2);
        assertThat(fixture.accounted)
                .extracting(OfferedCandidate::candidate)
                .containsExactlyInAnyOrder(candidate(1, 100), candidate(2, 101));
        assertThat(fixture.journal).contains("abandoned row: invalid durable candidate intent");
        assertThat(fixture.counters.events).contains("poisoned");
    }

    @Test
    void aReplayedBlockThatWasNeverOfferedIsOfferedByAccounting() {
        fixture.row(block, 0, false);
        fixture.start().node.submitAnswers("null");
        fixture.lane.replay(fixture.deadline());
        assertThat(fixture.awaitAccounted(1).outcome()).isEqualTo(new OfferOutcome.Unoffered());
        assertThat(fixture.node.calls()).isEmpty();
        assertThat(fixture.lane.offerFromAccounting(block, fixture.deadline())).isEqualTo(new OfferOutcome.Accepted());
        fixture.lane.settle(block.hash(), RETRY);
        fixture.advance(Duration.ofSeconds(1));
        assertThat(fixture.awaitAccounted(2).outcome()).isEqualTo(new OfferOutcome.Accepted());
        assertThat(fixture.node.count(RpcMethod.SUBMIT_BLOCK)).isEqualTo(1);
    }

    @Test
    void aWakeUpWithoutRoomIsReadFromTheOutboxLater() {
        for (int i = 0; i < 40; i++) {
            fixture.row(candidate(i, 100), 0, false);
            fixture.lane.offer(candidate(i, 100));
        }
        assertThat(fixture.counters.events.stream().filter("coalesced"::equals)).hasSize(8);
        fixture.accounting = candidate -> {
            fixture.endRow(candidate.candidate().hash());
            return Optional.of(LANDED);
        };
        fixture.node.submitAnswers("null");
        fixture.start();
        await().until(() -> fixture.accounted.size() == 40);
        assertThat(fixture.accounted).extracting(OfferedCandidate::candidate).doesNotHaveDuplicates();
    }

    @Test
    void aParkedBlockIsLookedAtOncePerPublishedTip() {
        park();
        fixture.node.place(block.hash(), 100, -1);
        fixture.lane.publishedTip(OTHER, 101);
        await().until(() -> fixture.node.count(RpcMethod.GET_BLOCK_HEADER) == 1);
        assertThat(fixture.lane.snapshot().parked()).isEqualTo(1);
        assertThat(fixture.lane.snapshot().pending()).isZero();
        fixture.node.place(block.hash(), 100, 1);
        fixture.lane.publishedTip(hash("third"), 102);
        OfferedCandidate back = fixture.awaitAccounted(2);
        assertThat(back.outcome()).isEqualTo(new OfferOutcome.Inconclusive("inconclusive"));
        assertThat(back.everOffered()).isTrue();
        assertThat(fixture.node.count(RpcMethod.SUBMIT_BLOCK)).isEqualTo(1);
    }

    @Test
    void aParkedBlockThatBecomesTheTipIsAccountedAtOnce() {
        park();
        fixture.lane.observeTip(block.hash());
        assertThat(fixture.awaitAccounted(2).candidate()).isEqualTo(block);
        fixture.lane.settle(block.hash(), LANDED);
        assertThat(fixture.counters.abandoned).isEmpty();
    }

    @Test
    void aParkedBlockIsGivenUpWhenItLiesAHundredBlocksDeep() {
        park();
        fixture.node.place(block.hash(), 100, -1);
        fixture.lane.publishedTip(OTHER, 199);
        await().until(() -> fixture.node.count(RpcMethod.GET_BLOCK_HEADER) == 1);
        assertThat(fixture.accounted).hasSize(1);
        fixture.lane.publishedTip(hash("third"), 200);
        assertThat(fixture.awaitAccounted(2).outcome()).isEqualTo(new OfferOutcome.Buried());
        fixture.lane.settle(block.hash(), new AccountingResult.Abandoned(AbandonReason.TIP_MOVED, "buried"));
        assertThat(fixture.counters.abandoned).containsExactly(AbandonReason.TIP_MOVED);
        assertThat(AbandonReason.TIP_MOVED.id()).isEqualTo("stale-job");
        assertThat(AbandonReason.TIP_MOVED.staleClass()).contains("tip_moved");
    }

    private void park() {
        fixture.start().node.submitAnswers("inconclusive");
        fixture.lane.offer(block);
        fixture.awaitAccounted(1);
        fixture.lane.settle(block.hash(), new AccountingResult.Parked());
        assertThat(fixture.journal).endsWith("release");
    }

    @Test
    void theLastAllowedBlockStopsThePool() {
        try (LaneFixture single = new LaneFixture(LaneConfig.DEFAULTS, List.of())) {
            single.start().node.submitAnswers("null");
            single.lane.offer(block);
            single.awaitAccounted(1);
            single.lane.settle(block.hash(), LANDED);
            assertThat(single.journal).contains("limit reached");
            assertThat(single.lane.snapshot().poolOpen()).isFalse();
            single.lane.offer(candidate(2, 101));
            assertThat(single.awaitAccounted(2).outcome())
                    .isEqualTo(new OfferOutcome.NotOffered(AbandonReason.POOL_CLOSED));
            assertThat(single.node.count(RpcMethod.SUBMIT_BLOCK)).isEqualTo(1);
        }
    }

    @Test
    void oneStuckCallIsBearableAndTwoAreNot() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        fixture.node.submitAnswer(hex -> {
            awaitLatch(release);
            return Optional.empty();
        });
        fixture.start().lane.offer(block);
        await().until(() -> fixture.node.count(RpcMethod.SUBMIT_BLOCK) == 1);
        fixture.advance(Duration.ofSeconds(31));
        fixture.lane.publishedTip(OTHER, 1);
        assertThat(fixture.journal).doesNotContain("restart required");
        fixture.lane.offer(candidate(2, 100));
        await().until(() -> fixture.node.count(RpcMethod.SUBMIT_BLOCK) == 2);
        fixture.advance(Duration.ofSeconds(29));
        assertThat(fixture.journal).doesNotContain("restart required");
        fixture.advance(Duration.ofSeconds(1));
        await().until(() -> fixture.journal.contains("restart required"));
        release.countDown();
    }

    @Test
    void anAccountingThatThrowsDoesNotLoseTheBlock() {
        fixture.accounting = candidate -> {
            if (candidate.pass() == 1) {
                throw new IllegalArgumentException("broken");
            }
            return Optional.of(LANDED);
        };
        fixture.start().node.submitAnswers("null");
        CompletableFuture<CandidateVerdict> verdict = fixture.lane.offer(block);
        await().untilAsserted(() -> assertThat(verdict).isCompletedWithValue(CandidateVerdict.PENDING));
        fixture.advance(Duration.ofSeconds(1));
        fixture.awaitAccounted(2);
        await().until(() -> fixture.lane.snapshot().pending() == 0);
    }

    @Test
    void closingEndsTheThreads() {
        fixture.start();
        fixture.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("prism-templates-offer") || name.equals("prism-templates-outbox"));
    }

    @Test
    void aResubmittedSolveWakesItsPacedRetryAtOnce() {
        fixture.start().node.submitAnswer(hex -> lost()).submitAnswers("duplicate");
        fixture.lane.offer(block);
        fixture.awaitAccounted(1);
        for (int pass = 1; pass <= 7; pass++) {
            fixture.lane.settle(block.hash(), RETRY);
            fixture.lane.wake(block.hash());
            fixture.awaitAccounted(pass + 1);
        }
        fixture.lane.settle(block.hash(), RETRY);
        assertThat(fixture.lane.snapshot().backoffNanos())
                .as("the pace is kept")
                .hasValue(30_000_000_000L);
    }

    @Test
    void wakingAHashThatOnlyTheOutboxKnowsReadsItFromThere() {
        fixture.start().node.submitAnswers("null");
        assertThat(fixture.lane.replay(fixture.deadline())).isTrue();
        fixture.lane.offer(candidate(7, 100)); // something is in hand, so nothing is read without a wish
        fixture.awaitAccounted(1);
        fixture.row(block, 0, false);
        fixture.lane.wake(block.hash());
        await().until(() ->
                fixture.accounted.stream().anyMatch(seen -> seen.candidate().equals(block)));
    }

    @Test
    void anIntentThatBecomesDurableAfterItsBlockEndedIsEndedToo() {
        fixture.databaseDown = true;
        fixture.start().node.submitAnswers("null");
        fixture.lane.offerUnpersisted(block);
        fixture.awaitAccounted(1);
        fixture.lane.settle(block.hash(), LANDED);
        fixture.databaseDown = false;
        assertThat(fixture.lane.replay(fixture.deadline())).isTrue();
        await().until(() -> fixture.spooled.isEmpty() && noRows());
        assertThat(fixture.accounted).hasSize(1);
    }

    private boolean noRows() {
        synchronized (fixture.rows) {
            return fixture.rows.isEmpty();
        }
    }
}
