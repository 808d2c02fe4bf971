package org.prismpool.payout.finalization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.payout.state.AppendTicket;
import org.prismpool.payout.state.PayoutSnapshot;
import org.prismpool.payout.state.RowStamp;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.AccountingResult;
import org.prismpool.templates.block.AccountingResult.RetryReason;
import org.prismpool.templates.block.BlockCandidate;
import org.prismpool.templates.block.ChainVerdict;
import org.prismpool.templates.block.OfferOutcome;
import org.prismpool.templates.block.OfferedCandidate;

class FinalizationPassTest {

    private final FakeWorld world = new FakeWorld();
    private final SolvedBlock block = SolvedBlock.first();

    @Test
    void anAcceptedBlockIsConfirmedPublishedAndCountedOnceInTheOrderOfItsPhases() {
        world.active(block);

        AccountingResult result = world.account(block, new OfferOutcome.Accepted());

        assertThat(result).isEqualTo(new AccountingResult.Submitted(true));
        assertThat(world.log)
                .containsExactly(
                        "attempted",
                        "row",
                        "store",
                        "persist",
                        "confirm",
                        "balances",
                        "counts",
                        "publish",
                        "submitted");
        assertThat(world.phases).containsExactly(FinalizationPhase.values());
        assertThat(world.published).containsEntry(block.hash(), 1L);
        assertThat(world.accounted).containsExactly(block.hash());
        assertThat(world.outboxRows).containsEntry(block.hash(), "submitted");
        assertThat(world.payout.parents().transitions()).isEmpty();
    }

    @Test
    void theBalancesAfterTheBlockAreTheNextPayoutGenerationBeforeAnyRowIsWritten() {
        world.active(block);
        long before = world.payout.published().generation();

        world.account(block, new OfferOutcome.Accepted());

        PayoutSnapshot now = world.payout.snapshot();
        assertThat(now.published().generation()).isEqualTo(before + 1);
        assertThat(now.published().artifact().balances()).isEqualTo(block.after());
        assertThat(now.open()).isTrue();
    }

    @Test
    void minerBsShareOfTheWorkIsCarriedForward() {
        // 1 of 3001 parts of 1 000 000 sats is 333, below the floor of 14 720; miner a gets it on top of its 999 667.
        assertThat(block.after())
                .containsExactly(
                        SolvedBlock.balance(SolvedBlock.MINER_A, 20_000 + 999_667 - 1_000_000),
                        SolvedBlock.balance(SolvedBlock.MINER_B, 333));
    }

    @Test
    void aReplayOfAConfirmedBlockKeepsItsOrdinalAndPublishesNoGeneration() {
        world.active(block);
        world.account(block, new OfferOutcome.Accepted());
        world.restart();
        long generation = world.payout.published().generation();
        world.log.clear();

        AccountingResult result = world.account(block, new OfferOutcome.Duplicate());

        assertThat(result).isEqualTo(new AccountingResult.Submitted(false));
        assertThat(world.log).contains("persist").doesNotContain("confirm");
        assertThat(world.published).containsEntry(block.hash(), 1L);
        assertThat(world.payout.published().generation()).isEqualTo(generation);
    }

    @Test
    void aDuplicateOnASideBranchIsParkedAndNotAccounted() {
        world.chain.put(block.hash(), ChainVerdict.OFF_CHAIN);

        assertThat(world.account(block, new OfferOutcome.Duplicate())).isEqualTo(new AccountingResult.Parked());

        assertThat(world.log).doesNotContain("persist", "abandoned", "submitted");
        assertThat(world.payout.parents().transitions()).isEmpty();
    }

    @Test
    void anInconclusiveBlockThatWinsLaterIsAccountedAsIssued() {
        world.chain.put(block.hash(), ChainVerdict.OFF_CHAIN);
        world.account(block, new OfferOutcome.Inconclusive("inconclusive"));
        world.active(block);

        assertThat(world.account(block, new OfferOutcome.Inconclusive("inconclusive")))
                .isEqualTo(new AccountingResult.Submitted(true));
    }

    @Test
    void aBuriedBlockIsGivenUpAsTipMoved() {
        world.chain.put(block.hash(), ChainVerdict.OFF_CHAIN);

        AccountingResult result = world.account(block, new OfferOutcome.Buried());

        assertThat(result)
                .isInstanceOfSatisfying(
                        AccountingResult.Abandoned.class,
                        a -> assertThat(a.reason()).isEqualTo(AbandonReason.TIP_MOVED));
    }

    @Test
    void aRefusedBlockThatTheChainHasIsAccountedAnyway() {
        world.active(block);

        assertThat(world.account(block, new OfferOutcome.Refused("bad-txns-unknown")))
                .isEqualTo(new AccountingResult.Submitted(true));
    }

    @Test
    void aRefusedBlockIsSealedBeforeItsOutboxRowEnds() {
        world.chain.put(block.hash(), ChainVerdict.UNKNOWN);

        AccountingResult result = world.account(block, new OfferOutcome.Refused("high-hash"));

        assertThat(result)
                .isEqualTo(new AccountingResult.Abandoned(
                        AbandonReason.SUBMITBLOCK_REJECTED, "submitblock returned high-hash"));
        assertThat(world.log).endsWith("sealed", "abandoned");
    }

    @Test
    void aBlockThatTheClosedPoolDidNotOfferIsAccountedWhenTheChainHasIt() {
        world.active(block);

        AccountingResult result = world.account(block, new OfferOutcome.NotOffered(AbandonReason.POOL_CLOSED));

        assertThat(result).isEqualTo(new AccountingResult.Submitted(true));
        assertThat(world.rows.get(block.hash())).isEqualTo(new BlockRow(BlockRow.State.CONFIRMED, 1));
        assertThat(world.log).doesNotContain("offer");
    }

    @Test
    void anObservationAloneDoesNotOpenTheClosedPool() {
        world.evidence = true;

        AccountingResult seen = world.account(block, new OfferOutcome.NotOffered(AbandonReason.POOL_CLOSED));
        world.evidence = false;
        AccountingResult unseen = world.account(block, new OfferOutcome.NotOffered(AbandonReason.POOL_CLOSED));

        assertThat(seen)
                .isInstanceOfSatisfying(
                        AccountingResult.Retry.class,
                        r -> assertThat(r.reason()).isEqualTo(RetryReason.ACCEPTED_PENDING_FINALIZATION));
        assertThat(unseen)
                .isInstanceOfSatisfying(
                        AccountingResult.Abandoned.class,
                        a -> assertThat(a.reason()).isEqualTo(AbandonReason.POOL_CLOSED));
        assertThat(world.log).doesNotContain("offer", "persist", "confirm");
        assertThat(world.rows).isEmpty();
    }

    @Test
    void anAcceptedBlockIsAccountedAsIssuedAlthoughAnEarlierShareBecameDurableMeanwhile() throws Exception {
        world.active(block);
        world.payout.appends().published(SolvedBlock.ANCHOR);
        long epoch = world.payout.appends().epoch();
        try (AppendTicket late =
                world.payout.appends().begin(List.of(new RowStamp(SolvedBlock.ANCHOR - 10, SolvedBlock.ANCHOR - 5)))) {
            late.committed();
        }
        assertThat(world.payout.appends().epoch()).isEqualTo(epoch + 1);

        AccountingResult result = world.account(block, new OfferOutcome.Accepted());

        assertThat(result).isEqualTo(new AccountingResult.Submitted(true));
        assertThat(world.persisted.get(block.hash()).work().shares()).isEqualTo(SolvedBlock.shares());
        assertThat(world.payout.published().artifact().balances()).isEqualTo(block.after());
    }

    @Test
    void evidenceOfAcceptanceDefersAnAbandonment() {
        world.evidence = true;

        AccountingResult result = world.account(block, new OfferOutcome.Refused("high-hash"));

        assertThat(result)
                .isInstanceOfSatisfying(
                        AccountingResult.Retry.class,
                        r -> assertThat(r.reason()).isEqualTo(RetryReason.ACCEPTED_PENDING_FINALIZATION));
        assertThat(world.outboxRows).containsEntry(block.hash(), "pending");
    }

    @Test
    void aBlockActiveAtAnotherHeightIsStale() {
        world.chain.put(block.hash(), ChainVerdict.WRONG_HEIGHT);

        assertThat(world.account(block, new OfferOutcome.Duplicate()))
                .isInstanceOfSatisfying(
                        AccountingResult.Abandoned.class,
                        a -> assertThat(a.reason()).isEqualTo(AbandonReason.BLOCK_STALE));
    }

    @Test
    void aLostAnswerStaysPendingWhileTheChainIsUnknown() {
        assertThat(world.account(block, new OfferOutcome.Undecided("timed out", true)))
                .isInstanceOfSatisfying(
                        AccountingResult.Retry.class,
                        r -> assertThat(r.reason()).isEqualTo(RetryReason.BACKEND_RPC_UNAVAILABLE));
    }

    @Test
    void aBlockThatLeavesTheChainBeforeConfirmationHasItsRowsRejectedAfterTheSeal() {
        world.active(block);
        world.nextProbes.add(ChainVerdict.ACTIVE);
        world.nextProbes.add(ChainVerdict.OFF_CHAIN);

        AccountingResult result = world.account(block, new OfferOutcome.Accepted());

        assertThat(result)
                .isInstanceOfSatisfying(
                        AccountingResult.Abandoned.class,
                        a -> assertThat(a.reason()).isEqualTo(AbandonReason.BLOCK_STALE));
        assertThat(world.log.indexOf("sealed")).isLessThan(world.log.indexOf("reject"));
        assertThat(world.rows.get(block.hash()).state()).isEqualTo(BlockRow.State.REJECTED);
        assertThat(world.payout.snapshot().fenced())
                .as("the preview is withdrawn")
                .isTrue();
    }

    @Test
    void aDisposedRowEndsTheCandidateWithoutStoppingThePool() {
        world.active(block);
        world.confirmationScripted = true;
        world.nextConfirmation = new Confirmation.Superseded();

        assertThat(world.account(block, new OfferOutcome.Accepted()))
                .isInstanceOfSatisfying(
                        AccountingResult.Abandoned.class,
                        a -> assertThat(a.reason()).isEqualTo(AbandonReason.LEDGER_CONFIRMATION_SUPERSEDED));
        assertThat(world.shutdowns).isEmpty();
    }

    @Test
    void anUnexplainedConfirmationStopsThePoolAndStaysPending() {
        world.active(block);
        world.confirmationScripted = true;
        world.nextConfirmation = new Confirmation.Unexplained();

        assertThat(world.account(block, new OfferOutcome.Accepted()))
                .isInstanceOfSatisfying(
                        AccountingResult.Retry.class,
                        r -> assertThat(r.reason()).isEqualTo(RetryReason.LEDGER_CONFIRMATION_FAILED));
        assertThat(world.shutdowns).containsExactly("ledger-confirmation-failed");
        assertThat(world.outboxRows).containsEntry(block.hash(), "pending");
    }

    @Test
    void aRebuildWithAnotherCoinbaseStopsThePoolBeforeAnyRowIsWritten() {
        world.active(block);
        // The submitted coinbase pays a program that the inputs do not.
        SolvedBlock cheated =
                block.withCoinbase(block.intent().solution().coinbaseHex().replace("aa".repeat(32), "ab".repeat(32)));
        AccountingResult result = world.account(cheated, new OfferOutcome.Accepted());

        assertThat(result)
                .isInstanceOfSatisfying(
                        AccountingResult.Retry.class,
                        r -> assertThat(r.reason()).isEqualTo(RetryReason.CANDIDATE_AUDIT_MISMATCH));
        assertThat(world.shutdowns).containsExactly("candidate-audit-mismatch");
        assertThat(world.log).doesNotContain("persist");
    }

    @Test
    void balancesThatDifferFromThePreviewStopThePool() {
        world.active(block);
        world.balancesAfter.put(block.hash(), List.of(SolvedBlock.balance(SolvedBlock.MINER_B, 20_000)));

        world.account(block, new OfferOutcome.Accepted());

        assertThat(world.shutdowns).containsExactly("ledger-confirmation-failed");
    }

    @Test
    void balancesAreComparedByProgramWhateverTheirNames() {
        world.active(block);
        world.balancesAfter.put(
                block.hash(),
                List.of(
                        SolvedBlock.balance(SolvedBlock.MINER_A, 19_667),
                        SolvedBlock.balance(new PayoutIdentity("other", "zz", "BB".repeat(32)), 333)));

        assertThat(world.account(block, new OfferOutcome.Accepted())).isEqualTo(new AccountingResult.Submitted(true));
        assertThat(world.shutdowns).isEmpty();
    }

    @Test
    void aFailedOutboxWriteIsRepeatedAloneWithoutSecondAccounting() {
        world.active(block);
        world.failOnceAt = "submitted";

        AccountingResult first = world.account(block, new OfferOutcome.Accepted());
        assertThat(world.accounted).as("told at once, for the refresh").containsExactly(block.hash());
        world.log.clear();
        AccountingResult second = world.account(block, new OfferOutcome.Accepted());

        assertThat(first).isInstanceOf(AccountingResult.Retry.class);
        assertThat(second).isEqualTo(new AccountingResult.Submitted(true));
        assertThat(world.log).containsExactly("submitted");
        assertThat(world.accounted).containsExactly(block.hash());
    }

    @Test
    void aFailedAttemptMarkLeavesEverythingUndone() {
        world.active(block);
        world.failOnceAt = "attempted";

        assertThat(world.account(block, new OfferOutcome.Accepted())).isInstanceOf(AccountingResult.Retry.class);

        assertThat(world.log).containsExactly("attempted");
    }

    @Test
    void anUncertainWriteClosesDeliveryUntilAReplayDecides() {
        world.active(block);
        world.failOnceAt = "confirm";

        assertThat(world.account(block, new OfferOutcome.Accepted())).isInstanceOf(AccountingResult.Retry.class);
        assertThat(world.payout.snapshot().fenced()).isTrue();

        assertThat(world.account(block, new OfferOutcome.Accepted())).isEqualTo(new AccountingResult.Submitted(true));
        assertThat(world.payout.snapshot().open()).isTrue();
    }

    @Test
    void theShareOfABlockFoundBelowItsTargetIsCreditedOnlyWhenTheBlockLands() {
        SolvedBlock crediting = block.crediting();
        world.active(crediting);

        world.account(crediting, new OfferOutcome.Accepted());

        assertThat(world.sharesCredited).containsExactly(block.hash());
    }

    @Test
    void aChildWaitsUntilItsAncestorIsDurable() {
        SolvedBlock child = SolvedBlock.at(11, SolvedBlock.hash(11), block.hash(), block.after());
        world.active(block);
        world.active(child);
        world.payout.parents().landed(block.hash(), block.height());

        assertThat(world.account(child, new OfferOutcome.Accepted())).isInstanceOf(AccountingResult.Retry.class);
        world.account(block, new OfferOutcome.Accepted());

        assertThat(world.account(child, new OfferOutcome.Accepted())).isEqualTo(new AccountingResult.Submitted(true));
        assertThat(world.confirmedInOrder).containsExactly(block.hash(), child.hash());
    }

    @Test
    void anUndecodableIntentIsQuarantinedAndOthersGoOn() {
        SolvedBlock good = block;
        world.active(good);
        OfferedCandidate broken = new OfferedCandidate(
                new BlockCandidate(
                        SolvedBlock.hash(77),
                        SolvedBlock.hash(76),
                        77,
                        "00",
                        "00",
                        "{}",
                        BlockCandidate.ShareCredit.NONE),
                new OfferOutcome.Accepted(),
                true,
                true,
                1,
                1);
        try {
            assertThat(world.pass.account(broken))
                    .isInstanceOfSatisfying(
                            AccountingResult.Abandoned.class,
                            a -> assertThat(a.message()).isEqualTo("invalid durable candidate intent"));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }

        assertThat(world.account(good, new OfferOutcome.Accepted())).isEqualTo(new AccountingResult.Submitted(true));
    }

    @Test
    void rowsThatCouldNotBeRejectedAtFirstAreRejectedByTheNextPass() {
        world.active(block);
        world.nextProbes.add(ChainVerdict.ACTIVE);
        world.nextProbes.add(ChainVerdict.OFF_CHAIN);
        world.failOnceAt = "reject";
        assertThat(world.account(block, new OfferOutcome.Accepted())).isInstanceOf(AccountingResult.Retry.class);
        assertThat(world.outboxRows).containsEntry(block.hash(), "pending");

        world.chain.put(block.hash(), ChainVerdict.OFF_CHAIN);
        AccountingResult second = world.account(block, new OfferOutcome.Buried());

        assertThat(second).isInstanceOf(AccountingResult.Abandoned.class);
        assertThat(world.rows.get(block.hash()).state()).isEqualTo(BlockRow.State.REJECTED);
        assertThat(world.outboxRows.get(block.hash())).startsWith("abandoned");
    }

    @ParameterizedTest
    @ValueSource(strings = {"balances", "counts", "publish"})
    void aBlockThatFailsAfterItsConfirmationIsStillCountedByTheProcessThatConfirmedIt(String step) {
        world.active(block);
        world.failOnceAt = step;
        assertThat(world.account(block, new OfferOutcome.Accepted())).isInstanceOf(AccountingResult.Retry.class);

        assertThat(world.account(block, new OfferOutcome.Accepted())).isEqualTo(new AccountingResult.Submitted(true));
        assertThat(world.confirmedInOrder).containsExactly(block.hash());
    }
}
