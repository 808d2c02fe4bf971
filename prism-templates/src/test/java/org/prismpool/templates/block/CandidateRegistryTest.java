package org.prismpool.templates.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.templates.block.Candidates.candidate;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.templates.block.AccountingResult.RetryReason;
import org.prismpool.templates.block.CandidateRegistry.Admission;
import org.prismpool.templates.block.CandidateRegistry.Settlement;
import org.prismpool.templates.block.CandidateRegistry.StepKind;

class CandidateRegistryTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final AccountingResult RETRY = new AccountingResult.Retry(RetryReason.INTERNAL_ERROR, "");

    private final BlockCandidate block = candidate(1, 100);

    private static CandidateRegistry registry(int maxBlocks) {
        return new CandidateRegistry(LaneConfig.DEFAULTS.withMaxBlocks(maxBlocks, true));
    }

    private static Admission live(CandidateRegistry registry, BlockCandidate candidate, long now) {
        return registry.admit(candidate, new CandidateState.Origin(false, now, 0), false, now);
    }

    private static Admission replayed(CandidateRegistry registry, BlockCandidate candidate, int attempts) {
        return registry.admit(candidate, new CandidateState.Origin(true, 0, attempts), false, 0);
    }

    private static OfferedCandidate offer(CandidateRegistry registry, OfferOutcome outcome, long now) {
        CandidateRegistry.Step step = registry.next(now).orElseThrow();
        return registry.offered(step.state().candidate().hash(), outcome, now);
    }

    @Test
    void aCandidateGoesFromOfferToAccountingToItsEnd() {
        CandidateRegistry registry = registry(10);
        assertThat(live(registry, block, 0)).isEqualTo(Admission.ADMITTED);
        assertThat(registry.next(0).orElseThrow().kind()).isEqualTo(StepKind.OFFER);
        OfferedCandidate handedOver = registry.offered(block.hash(), new OfferOutcome.Accepted(), 1);
        assertThat(handedOver.everOffered()).isTrue();
        assertThat(handedOver.pass()).isEqualTo(1);
        Settlement end = registry.settle(block.hash(), new AccountingResult.Submitted(true), 2);
        assertThat(end.terminal()).isTrue();
        assertThat(registry.states()).isEmpty();
        assertThat(registry.end(block.hash())).contains(true);
    }

    @Test
    void oneHashHasOneOwner() {
        CandidateRegistry registry = registry(10);
        live(registry, block, 0);
        assertThat(live(registry, block, 1)).isEqualTo(Admission.JOINED);
        registry.next(0);
        assertThat(registry.next(0)).isEmpty();
        assertThat(live(registry, block, 2)).isEqualTo(Admission.JOINED);
        registry.offered(block.hash(), new OfferOutcome.Accepted(), 3);
        registry.settle(block.hash(), new AccountingResult.Submitted(true), 4);
        assertThat(live(registry, block, 5)).isEqualTo(Admission.ENDED);
        assertThat(registry.next(5)).isEmpty();
    }

    @Test
    void aTerminalStateOfTheDatabaseIsNotOfferedAgain() {
        CandidateRegistry registry = registry(10);
        registry.rememberEnd(block.hash(), false);
        assertThat(live(registry, block, 0)).isEqualTo(Admission.ENDED);
    }

    @Test
    void newBlocksGoBeforeReplayedOnesAndLowerHeightsFirst() {
        CandidateRegistry registry = registry(10);
        replayed(registry, candidate(1, 90), 1);
        live(registry, candidate(2, 101), 0);
        live(registry, candidate(3, 100), 0);
        live(registry, candidate(4, 100), 0);
        assertThat(registry.next(0).orElseThrow().state().candidate()).isEqualTo(candidate(3, 100));
        assertThat(registry.next(0).orElseThrow().state().candidate()).isEqualTo(candidate(4, 100));
        assertThat(registry.next(0).orElseThrow().state().candidate()).isEqualTo(candidate(2, 101));
        assertThat(registry.next(0).orElseThrow().state().candidate()).isEqualTo(candidate(1, 90));
    }

    @ParameterizedTest
    @CsvSource({"1, 250", "2, 500", "3, 1000", "7, 16000", "8, 30000", "60, 30000"})
    void pausesDoubleUpToThirtySeconds(int retry, long millis) {
        RetryPacing pacing = new RetryPacing(TimeUnit.MILLISECONDS.toNanos(250), 30 * SECOND);
        assertThat(pacing.delayNanos(retry)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void aLostAnswerIsAskedAgainAfterThePause() {
        CandidateRegistry registry = registry(10);
        live(registry, block, 0);
        offer(registry, new OfferOutcome.Undecided("lost", true), 0);
        registry.settle(block.hash(), RETRY, 0);
        assertThat(registry.next(SECOND / 4 - 1)).isEmpty();
        assertThat(registry.nextDueNanos()).hasValue(SECOND / 4);
        CandidateRegistry.Step again = registry.next(SECOND / 4).orElseThrow();
        assertThat(again.kind()).isEqualTo(StepKind.OFFER);
        assertThat(again.state().trail().everOffered()).isTrue();
    }

    @Test
    void aDefinitiveAnswerIsNotAskedForAgain() {
        CandidateRegistry registry = registry(10);
        live(registry, block, 0);
        offer(registry, new OfferOutcome.Accepted(), 0);
        registry.settle(block.hash(), RETRY, 0);
        assertThat(registry.next(SECOND).orElseThrow().kind()).isEqualTo(StepKind.REUSE);
        OfferedCandidate again = registry.reused(block.hash(), SECOND);
        assertThat(again.outcome()).isEqualTo(new OfferOutcome.Accepted());
        assertThat(again.pass()).isEqualTo(2);
    }

    @Test
    void aRefusedAnswerIsAskedForAgain() {
        CandidateRegistry registry = registry(10);
        live(registry, block, 0);
        offer(registry, new OfferOutcome.Refused("rejected"), 0);
        registry.settle(block.hash(), RETRY, 0);
        assertThat(registry.next(SECOND).orElseThrow().kind()).isEqualTo(StepKind.OFFER);
    }

    @Test
    void theSecondOfTwoSolvesWaitsForTheOnlySlot() {
        CandidateRegistry registry = registry(1);
        BlockCandidate second = candidate(2, 100);
        live(registry, block, 0);
        live(registry, second, 0);
        offer(registry, new OfferOutcome.Undecided("lost", true), 0);
        assertThat(registry.next(0)).isEmpty();
        registry.settle(block.hash(), RETRY, 0);
        assertThat(registry.next(0)).isEmpty();
        offer(registry, new OfferOutcome.Refused("rejected"), SECOND);
        assertThat(registry.next(SECOND).orElseThrow().state().candidate()).isEqualTo(second);
    }

    @Test
    void aBlockAfterTheLastAllowedOneIsNotOfferedButLookedAt() {
        CandidateRegistry registry = registry(1);
        live(registry, block, 0);
        offer(registry, new OfferOutcome.Accepted(), 0);
        Settlement last = registry.settle(block.hash(), new AccountingResult.Submitted(true), 0);
        assertThat(last.limitReached()).isTrue();
        BlockCandidate late = candidate(2, 101);
        live(registry, late, 1);
        assertThat(registry.next(1).orElseThrow().kind()).isEqualTo(StepKind.CLOSED);
        registry.offered(late.hash(), new OfferOutcome.NotOffered(AbandonReason.POOL_CLOSED), 1);
        Settlement proven = registry.settle(late.hash(), new AccountingResult.Submitted(true), 2);
        assertThat(proven.limitReached()).isFalse();
        assertThat(registry.capacity().accepted()).isEqualTo(2);
    }

    @Test
    void aBlockThatAnEarlierProcessAccountedDoesNotCount() {
        CandidateRegistry registry = registry(1);
        replayed(registry, block, 1);
        offer(registry, new OfferOutcome.Duplicate(), 0);
        assertThat(registry.settle(block.hash(), new AccountingResult.Submitted(false), 0)
                        .limitReached())
                .isFalse();
        assertThat(registry.closed()).isFalse();
    }

    @Test
    void aReplayedBlockThatWasNeverOfferedGoesToAccountingFirst() {
        CandidateRegistry registry = registry(10);
        replayed(registry, block, 0);
        assertThat(registry.next(0).orElseThrow().kind()).isEqualTo(StepKind.HAND_OVER);
        OfferedCandidate handedOver = registry.offered(block.hash(), new OfferOutcome.Unoffered(), 0);
        assertThat(handedOver.everOffered()).isFalse();
        assertThat(handedOver.replayed()).isTrue();
        registry.offeredByAccounting(block.hash(), new OfferOutcome.Accepted(), 1);
        registry.settle(block.hash(), RETRY, 1);
        assertThat(registry.next(SECOND).orElseThrow().kind()).isEqualTo(StepKind.REUSE);
    }

    @Test
    void aReplayedBlockWithAttemptsIsOfferedAtOnce() {
        CandidateRegistry registry = registry(10);
        replayed(registry, block, 1);
        assertThat(registry.next(0).orElseThrow().kind()).isEqualTo(StepKind.OFFER);
    }

    @Test
    void aParkedBlockHasNoTimerAndNoSlotAndWakesWhenItBecomesTheTip() {
        CandidateRegistry registry = registry(1);
        live(registry, block, 0);
        offer(registry, new OfferOutcome.Inconclusive("inconclusive"), 0);
        Settlement parked = registry.settle(block.hash(), new AccountingResult.Parked(), 0);
        assertThat(parked.terminal()).isFalse();
        assertThat(parked.releaseBarrier()).isTrue();
        assertThat(registry.capacity().hasRoom()).isTrue();
        assertThat(registry.next(1000 * SECOND)).isEmpty();
        assertThat(registry.nextDueNanos()).isEmpty();
        Optional<OfferedCandidate> woken = registry.observeTip(block.hash(), 5);
        assertThat(woken.orElseThrow().outcome()).isEqualTo(new OfferOutcome.Inconclusive("inconclusive"));
        assertThat(registry.observeTip(block.hash(), 6)).isEmpty();
    }

    @Test
    void aBuriedBlockIsHandedOverToBeGivenUp() {
        CandidateRegistry registry = registry(1);
        live(registry, block, 0);
        offer(registry, new OfferOutcome.Inconclusive("inconclusive"), 0);
        registry.settle(block.hash(), new AccountingResult.Parked(), 0);
        assertThat(registry.unpark(block.hash(), true).orElseThrow().outcome()).isEqualTo(new OfferOutcome.Buried());
        Settlement end =
                registry.settle(block.hash(), new AccountingResult.Abandoned(AbandonReason.TIP_MOVED, "buried"), 0);
        assertThat(end.abandoned()).contains(AbandonReason.TIP_MOVED);
    }

    @Test
    void anObservationCountsForFiveMinutes() {
        CandidateRegistry registry = registry(1);
        live(registry, block, 0);
        offer(registry, new OfferOutcome.Undecided("lost", true), 0);
        registry.observeTip(block.hash(), SECOND);
        assertThat(registry.freshEvidence(block.hash(), 301 * SECOND)).isTrue();
        assertThat(registry.seal(block.hash(), false, 301 * SECOND)).isFalse();
        assertThat(registry.freshEvidence(block.hash(), 301 * SECOND + 1)).isFalse();
        assertThat(registry.seal(block.hash(), false, 301 * SECOND + 1)).isTrue();
    }

    @Test
    void anObservationAfterTheSealIsIgnored() {
        CandidateRegistry registry = registry(1);
        live(registry, block, 0);
        offer(registry, new OfferOutcome.Refused("rejected"), 0);
        assertThat(registry.seal(block.hash(), false, 1)).isTrue();
        registry.observeTip(block.hash(), 2);
        assertThat(registry.freshEvidence(block.hash(), 2)).isFalse();
    }

    @Test
    void aCandidateKeptForRetryMatchesObservationsAgain() {
        CandidateRegistry registry = registry(1);
        live(registry, block, 0);
        offer(registry, new OfferOutcome.Refused("rejected"), 0);
        registry.seal(block.hash(), false, 1);
        registry.settle(block.hash(), RETRY, 2);
        registry.observeTip(block.hash(), 3);
        assertThat(registry.freshEvidence(block.hash(), 3)).isTrue();
    }

    @Test
    void anImmutableFactOverridesAnObservation() {
        CandidateRegistry registry = registry(1);
        live(registry, block, 0);
        registry.observeTip(block.hash(), 0);
        assertThat(registry.seal(block.hash(), true, 0)).isTrue();
    }

    @Test
    void ledgerRowsOfAnEarlierProcessCountAsAnObservation() {
        CandidateRegistry registry = registry(1);
        registry.admit(block, new CandidateState.Origin(true, 0, 1), true, 0);
        assertThat(registry.freshEvidence(block.hash(), 0)).isTrue();
    }

    @Test
    void aSettlementWithoutHandOverChangesNothing() {
        CandidateRegistry registry = registry(1);
        live(registry, block, 0);
        assertThat(registry.settle(block.hash(), new AccountingResult.Submitted(true), 0))
                .isEqualTo(Settlement.NONE);
        assertThat(registry.state(block.hash())).isPresent();
        assertThat(registry.settle(candidate(9, 1).hash(), RETRY, 0)).isEqualTo(Settlement.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "duplicate, Duplicate, true",
        "inconclusive, Inconclusive, false",
        "duplicate-inconclusive, Inconclusive, false",
        "inconclusive-not-best-prevblk, Inconclusive, false",
        "duplicate-invalid, Refused, false",
        "high-hash, Refused, false",
        "bad-diffbits, Refused, false",
        "time-too-old, Refused, false",
        "time-too-new, Refused, false",
        "bad-version-reserved(0x20000200), Refused, false",
        "bad-version-topbits(0x40000000), Refused, false",
        "bad-prevblk, Refused, false",
        "prev-blk-not-found, Refused, false",
        "bad-txnmrklroot, Refused, false",
        "bad-txns-duplicate, Refused, false",
        "bad-cb-missing, Refused, false",
        "bad-cb-multiple, Refused, false",
        "bad-cb-length, Refused, false",
        "bad-cb-height, Refused, false",
        "bad-cb-amount, Refused, false",
        "bad-witness-nonce-size, Refused, false",
        "bad-witness-merkle-match, Refused, false",
        "unexpected-witness, Refused, false",
        "bad-blk-weight, Refused, false",
        "bad-blk-length, Refused, false",
        "bad-blk-sigops, Refused, false",
        "bad-txns-nonfinal, Refused, false",
        "bad-txns-output-not-p2mr, Refused, false",
        "bad-signet-blksig, Refused, false",
        "rejected, Refused, false",
        "stale-prevblk, Refused, false",
        "Duplicate, Refused, false",
        "a text of the future, Refused, false"
    })
    void answersOfTheNodeAreReadAsDocumented(String answer, String kind, boolean mayHaveLanded) {
        OfferOutcome outcome = OfferOutcome.ofAnswer(answer);
        assertThat(outcome.getClass().getSimpleName()).isEqualTo(kind);
        assertThat(outcome.mayHaveLanded()).isEqualTo(mayHaveLanded);
        assertThat(outcome.offered()).isTrue();
    }
}
