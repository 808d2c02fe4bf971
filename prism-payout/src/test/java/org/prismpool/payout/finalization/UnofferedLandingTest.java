package org.prismpool.payout.finalization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.payout.state.ParentPhase;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.AccountingResult;
import org.prismpool.templates.block.ChainVerdict;
import org.prismpool.templates.block.OfferOutcome;

class UnofferedLandingTest {

    private final FakeWorld world = new FakeWorld();
    private final SolvedBlock block = SolvedBlock.first();

    @BeforeEach
    void unknownToTheChain() {
        world.nextProbes.add(ChainVerdict.UNKNOWN);
        world.balancesAfter.put(block.hash(), block.after());
    }

    @Test
    void aWindowThatOmitsADurableShareIsGivenUpWithoutAnOffer() {
        List<WindowShare> more = new ArrayList<>(SolvedBlock.shares());
        more.add(SolvedBlock.share(32, SolvedBlock.MINER_B, 5));
        world.durableShares = more;

        assertThat(reason(world.account(block, new OfferOutcome.Unoffered())))
                .isEqualTo(AbandonReason.APPEND_EPOCH_STALE);
        assertThat(world.log).doesNotContain("offer");
    }

    @Test
    void aWindowWithMoreThanTheLedgerIsFine() {
        world.durableShares = SolvedBlock.shares().subList(0, 20);
        world.chain.put(block.hash(), ChainVerdict.ACTIVE);

        assertThat(world.account(block, new OfferOutcome.Unoffered())).isInstanceOf(AccountingResult.Submitted.class);
    }

    @Test
    void balancesThatMovedAreGivenUpWithoutAnOffer() {
        world.confirmedBalances = List.of(SolvedBlock.balance(SolvedBlock.MINER_A, 1));

        assertThat(reason(world.account(block, new OfferOutcome.Unoffered()))).isEqualTo(AbandonReason.BALANCE_STALE);
        assertThat(world.log).doesNotContain("offer");
    }

    @Test
    void anOfferedBlockIsAccountedAsIssuedWhateverHappenedToItsWindow() {
        world.nextProbes.clear();
        world.active(block);
        List<WindowShare> more = new ArrayList<>(SolvedBlock.shares());
        more.add(SolvedBlock.share(32, SolvedBlock.MINER_B, 5));
        world.durableShares = more;

        assertThat(world.account(block, new OfferOutcome.Duplicate())).isInstanceOf(AccountingResult.Submitted.class);
        assertThat(world.log).doesNotContain("window");
    }

    @Test
    void aLeaseThatIsNotProvablyHeldTakesTheLandedMarkBackAndRetries() {
        world.leaseHeld = false;
        world.payout.parents().pending(block.hash(), block.height());

        assertThat(world.account(block, new OfferOutcome.Unoffered())).isInstanceOf(AccountingResult.Retry.class);

        assertThat(world.log).doesNotContain("offer");
        assertThat(world.payout.parents().transition(block.hash()).orElseThrow().phase())
                .isEqualTo(ParentPhase.PENDING);
    }

    @Test
    void aDeadParentIsGivenUpWithTheLanesReason() {
        world.nextOffer = new OfferOutcome.NotOffered(AbandonReason.TIP_MOVED);

        assertThat(reason(world.account(block, new OfferOutcome.Unoffered()))).isEqualTo(AbandonReason.TIP_MOVED);
    }

    @Test
    void aLostAnswerKeepsTheBarrierOfABlockThatMayBeOnTheChain() {
        world.nextOffer = new OfferOutcome.Undecided("timed out", true);

        assertThat(world.account(block, new OfferOutcome.Unoffered())).isInstanceOf(AccountingResult.Retry.class);

        assertThat(world.payout.parents().transition(block.hash()).orElseThrow().landed())
                .isTrue();
    }

    @Test
    void aRefusedFallbackOfferEndsTheCandidate() {
        world.nextOffer = new OfferOutcome.Refused("bad-cb-amount");

        assertThat(reason(world.account(block, new OfferOutcome.Unoffered())))
                .isEqualTo(AbandonReason.SUBMITBLOCK_REJECTED);
    }

    @Test
    void aBlockThatIsActiveAlreadyIsNotOffered() {
        world.nextProbes.clear();
        world.active(block);

        assertThat(world.account(block, new OfferOutcome.Unoffered())).isInstanceOf(AccountingResult.Submitted.class);
        assertThat(world.log).doesNotContain("offer", "window");
    }

    private static AbandonReason reason(AccountingResult result) {
        assertThat(result).isInstanceOf(AccountingResult.Abandoned.class);
        return ((AccountingResult.Abandoned) result).reason();
    }
}
