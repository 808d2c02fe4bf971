package org.prismpool.sharewriter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.Deadline;

class AcceptedStatsTest {

    private final ManualClock clock = new ManualClock();
    private final AcceptedStats stats = new AcceptedStats(clock);

    @Test
    void whatBecameDurableDuringTheAggregateIsCountedOnceBySequence() {
        stats.added(1, "a");
        ShareLedger slow = ledger(() -> {
            stats.added(2, "a"); // inside the snapshot
            stats.added(3, "b"); // after it
            return new ShareTotals(2, 1, 2);
        });

        stats.reconcile(slow, soon());

        assertThat(stats.totals()).isEqualTo(new ShareTotals(3, 2, 3));
    }

    @Test
    void theAgeStartsWithTheFirstConfirmation() {
        assertThat(stats.confirmedAge()).isEmpty();
        stats.reconcile(ledger(() -> new ShareTotals(0, 0, 0)), soon());
        clock.advance(Duration.ofSeconds(5));
        assertThat(stats.confirmedAge()).contains(Duration.ofSeconds(5));
    }

    private static ShareLedger ledger(java.util.function.Supplier<ShareTotals> totals) {
        return new ShareLedger() {
            @Override
            public List<AppendResult> append(List<AppendEntry> batch) {
                return List.of();
            }

            @Override
            public ShareTotals totals(Deadline deadline) {
                return totals.get();
            }

            @Override
            public Set<String> miners(Deadline deadline) {
                return Set.of("a");
            }

            @Override
            public Optional<StoredShare> find(String shareId, Deadline deadline) {
                return Optional.empty();
            }
        };
    }
}
