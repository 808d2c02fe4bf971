package org.prismpool.payout.finalization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.AccountingResult;
import org.prismpool.templates.block.ChainVerdict;
import org.prismpool.templates.block.OfferOutcome;

/** The crash matrix of spec 03 §6.10: a process dies right after a durable step, its successor replays the candidate. */
class CrashReplayTest {

    private final FakeWorld world = new FakeWorld();
    private final SolvedBlock block = SolvedBlock.first();

    @ParameterizedTest
    @ValueSource(strings = {"attempted", "persist", "confirm", "publish"})
    void aBlockThatStaysOnTheChainIsAccountedOnceWhereverTheProcessDied(String step) {
        world.active(block);
        world.crashAfter = step;
        assertThatThrownBy(() -> world.account(block, new OfferOutcome.Accepted()))
                .isInstanceOf(FakeWorld.Crash.class);
        world.restart();

        AccountingResult result = world.account(block, new OfferOutcome.Duplicate());

        assertThat(result).isInstanceOf(AccountingResult.Submitted.class);
        assertThat(world.confirmedInOrder).containsExactly(block.hash());
        assertThat(world.rows.get(block.hash())).isEqualTo(new BlockRow(BlockRow.State.CONFIRMED, 1));
        assertThat(world.published).containsOnlyKeys(block.hash()).containsValue(1L);
        assertThat(world.outboxRows).containsEntry(block.hash(), "submitted");
        assertThat(world.accounted)
                .as("counted once in the process that ended it")
                .containsExactly(block.hash());
        assertThat(world.payout.published().artifact().balances()).isEqualTo(block.after());
        assertThat(world.payout.snapshot().open()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"attempted", "persist"})
    void aBlockThatWasOrphanedMeanwhileIsParkedAndLaterGivenUpWithItsRowsRejected(String step) {
        world.active(block);
        world.crashAfter = step;
        assertThatThrownBy(() -> world.account(block, new OfferOutcome.Accepted()))
                .isInstanceOf(FakeWorld.Crash.class);
        world.restart();
        world.chain.put(block.hash(), ChainVerdict.OFF_CHAIN);
        assertThat(world.account(block, new OfferOutcome.Duplicate())).isInstanceOf(AccountingResult.Parked.class);

        AccountingResult result = world.account(block, new OfferOutcome.Buried());

        assertThat(result)
                .isInstanceOfSatisfying(
                        AccountingResult.Abandoned.class,
                        a -> assertThat(a.reason()).isEqualTo(AbandonReason.TIP_MOVED));
        if (step.equals("persist")) {
            assertThat(world.rows.get(block.hash()).state()).isEqualTo(BlockRow.State.REJECTED);
            assertThat(world.log.indexOf("sealed")).isLessThan(world.log.lastIndexOf("reject"));
        }
        assertThat(world.confirmedInOrder).isEmpty();
    }

    @Test
    void aCrashBeforeTheOfferLeavesACandidateThatIsOfferedOnceItsWindowIsProven() {
        world.balancesAfter.put(block.hash(), block.after());
        world.nextProbes.add(ChainVerdict.UNKNOWN); // before the offer
        world.chain.put(block.hash(), ChainVerdict.ACTIVE); // after it

        AccountingResult result = world.account(block, new OfferOutcome.Unoffered());

        assertThat(result).isEqualTo(new AccountingResult.Submitted(true));
        assertThat(world.log.indexOf("window")).isLessThan(world.log.indexOf("offer"));
        assertThat(world.log.indexOf("offer")).isLessThan(world.log.indexOf("persist"));
    }

    @Test
    void threeBlocksInARowAreAccountedParentsFirstAfterARestart() {
        SolvedBlock second = SolvedBlock.at(11, SolvedBlock.hash(11), block.hash(), block.after());
        SolvedBlock third = SolvedBlock.at(12, SolvedBlock.hash(12), second.hash(), second.after());
        AccountingQueue queue = new AccountingQueue();
        for (SolvedBlock b : List.of(third, block, second)) {
            world.active(b);
            queue.add(b.offered(new OfferOutcome.Duplicate()));
        }

        while (queue.size() > 0) {
            try {
                assertThat(world.pass.account(queue.take().orElseThrow()))
                        .isInstanceOf(AccountingResult.Submitted.class);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        assertThat(world.confirmedInOrder).containsExactly(block.hash(), second.hash(), third.hash());
        assertThat(world.published).containsEntry(third.hash(), 3L);
        assertThat(world.payout.published().artifact().balances()).isEqualTo(third.after());
    }
}
