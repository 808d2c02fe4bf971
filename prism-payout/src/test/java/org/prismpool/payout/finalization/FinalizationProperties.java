package org.prismpool.payout.finalization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.prismpool.templates.block.AccountingResult;
import org.prismpool.templates.block.OfferOutcome;

class FinalizationProperties {

    private static final List<String> CALLS = List.of(
            "attempted", "row", "store", "persist", "confirm", "balances", "counts", "publish", "submitted", "");
    private static final List<String> CRASHES = List.of("attempted", "persist", "confirm", "publish", "", "");

    @Property(tries = 60)
    void whateverFailsAndWhereverTheProcessDiesTheBlockEndsAccountedExactlyOnce(@ForAll long seed) {
        Random random = new Random(seed);
        FakeWorld world = new FakeWorld();
        SolvedBlock block = SolvedBlock.first();
        world.active(block);
        AccountingResult result = new AccountingResult.Parked();
        for (int attempt = 0; attempt < 12 && !(result instanceof AccountingResult.Submitted); attempt++) {
            boolean faulty = attempt < 10;
            world.failOnceAt = faulty ? CALLS.get(random.nextInt(CALLS.size())) : "";
            world.crashAfter = faulty ? CRASHES.get(random.nextInt(CRASHES.size())) : "";
            try {
                result =
                        world.account(block, attempt == 0 ? new OfferOutcome.Accepted() : new OfferOutcome.Duplicate());
            } catch (FakeWorld.Crash died) {
                world.restart();
            }
        }

        assertThat(result).isInstanceOf(AccountingResult.Submitted.class);
        assertThat(world.confirmedInOrder).containsExactly(block.hash());
        assertThat(world.published).containsOnlyKeys(block.hash()).containsValue(1L);
        assertThat(world.outboxRows).containsEntry(block.hash(), "submitted");
        assertThat(world.shutdowns).isEmpty();
        assertThat(world.payout.parents().transitions()).isEmpty();
        assertThat(world.payout.snapshot().open()).isTrue();
        assertThat(world.payout.published().artifact().balances()).isEqualTo(block.after());
    }
}
