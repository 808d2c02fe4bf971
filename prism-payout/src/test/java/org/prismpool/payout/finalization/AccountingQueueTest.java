package org.prismpool.payout.finalization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.prismpool.templates.block.BlockCandidate;
import org.prismpool.templates.block.OfferOutcome;
import org.prismpool.templates.block.OfferedCandidate;

class AccountingQueueTest {

    private final AccountingQueue queue = new AccountingQueue();

    @Test
    void parentsComeBeforeChildrenAndEarlierArrivalsBeforeLater() {
        add(12, 1, new OfferOutcome.Accepted());
        add(11, 3, new OfferOutcome.Accepted());
        add(11, 2, new OfferOutcome.Accepted());

        assertThat(drain()).containsExactly("11/2", "11/3", "12/1");
    }

    @Test
    void acceptedBlocksComeFirstButAtMostFourBeforeOneThatWaits() {
        for (int i = 0; i < 6; i++) {
            add(20 + i, i, new OfferOutcome.Accepted());
        }
        add(10, 90, new OfferOutcome.Duplicate());
        add(10, 91, new OfferOutcome.Undecided("lost", true));

        assertThat(drain()).containsExactly("20/0", "21/1", "22/2", "23/3", "10/90", "24/4", "25/5", "10/91");
    }

    private void add(long height, long arrival, OfferOutcome outcome) {
        BlockCandidate candidate = new BlockCandidate(
                SolvedBlock.hash((int) (height * 100 + arrival)),
                SolvedBlock.hash(1),
                height,
                "00",
                "00",
                "{}",
                BlockCandidate.ShareCredit.COMMITTED);
        queue.add(new OfferedCandidate(candidate, outcome, true, false, arrival, 1));
    }

    private List<String> drain() {
        List<String> order = new ArrayList<>();
        while (queue.size() > 0) {
            OfferedCandidate next = queue.take().orElseThrow();
            order.add(next.candidate().height() + "/" + next.arrival());
        }
        return order;
    }
}
