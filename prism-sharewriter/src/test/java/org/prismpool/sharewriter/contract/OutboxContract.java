package org.prismpool.sharewriter.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.intent;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.OutboxIntent;
import org.prismpool.sharewriter.block.CandidateInsert;
import org.prismpool.sharewriter.block.CandidateRow;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.OutboxPosition;

/** What every candidate outbox does. */
public interface OutboxContract {

    Ledger ledger();

    @Test
    default void aCandidateGoesOneWayFromPendingToTerminal() {
        var outbox = ledger().outbox();
        assertThat(outbox.insert(intent(0xab, "x"), soon()))
                .isEqualTo(new CandidateInsert(true, CandidateState.PENDING));
        assertThat(outbox.insert(intent(0xab, "x"), soon()))
                .isEqualTo(new CandidateInsert(false, CandidateState.PENDING));
        assertThatThrownBy(() -> outbox.insert(new OutboxIntent(hash(0xab), "{}", hash(0xd1)), soon()))
                .isInstanceOf(BlockMismatchException.class)
                .hasMessage("block candidate payload mismatch");

        assertThat(outbox.attempted(hash(0xab), soon())).isTrue();
        assertThat(outbox.finish(
                        hash(0xab).toUpperCase(java.util.Locale.ROOT), CandidateState.ABANDONED, "tip moved", soon()))
                .isTrue();
        assertThat(outbox.finish(hash(0xab), CandidateState.SUBMITTED, "", soon()))
                .isFalse();
        assertThat(outbox.attempted(hash(0xab), soon())).isFalse();

        CandidateRow row = outbox.find(hash(0xab), soon()).orElseThrow();
        assertThat(row.state()).isEqualTo(CandidateState.ABANDONED);
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.lastError()).contains("tip moved");
        assertThat(row.intentJson()).isEmpty();
        assertThat(outbox.insert(intent(0xab, "x"), soon()))
                .isEqualTo(new CandidateInsert(false, CandidateState.ABANDONED));
        assertThatThrownBy(() -> outbox.finish(hash(0xab), CandidateState.PENDING, "", soon()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void keysetPagesEnumerateEveryPendingRowOnceInOrder() {
        var outbox = ledger().outbox();
        for (int i = 0; i < 25; i++) {
            outbox.insert(intent(200 - i, "n" + i), soon());
        }
        outbox.finish(hash(190), CandidateState.SUBMITTED, "", soon());

        List<String> seen = new ArrayList<>();
        OutboxPosition after = OutboxPosition.START;
        List<CandidateRow> page;
        do {
            page = outbox.pending(after, 10, soon());
            page.forEach(row -> seen.add(row.blockHash()));
            after = page.isEmpty() ? after : page.get(page.size() - 1).position();
        } while (page.size() == 10);

        assertThat(seen).hasSize(24).doesNotHaveDuplicates();
        assertThat(seen.get(0)).isEqualTo(hash(200));
        assertThat(seen.get(23)).isEqualTo(hash(176));
    }

    @Test
    default void bulkAbandonLeavesLandedBlocksAlone() {
        var outbox = ledger().outbox();
        outbox.insert(intent(0x44, "landed"), soon());
        outbox.insert(intent(0x46, "lost"), soon());
        ledger().blocks().persist(Samples.block(0x44, 7, Samples.accrued("m", "m", 1, 1, 0)), soon());

        assertThat(outbox.abandonSuperseded(List.of(hash(0x44), hash(0x46), hash(0x47)), "sibling", soon()))
                .isEqualTo(Set.of(hash(0x46)));
        assertThat(outbox.pending(OutboxPosition.START, 10, soon()))
                .extracting(CandidateRow::landed)
                .containsExactly(java.util.Optional.of(ChainState.PREPARED));
        assertThat(outbox.find(hash(0x46), soon()).orElseThrow().landed()).isEmpty();
        assertThat(outbox.find(hash(0x44), soon()).orElseThrow().state()).isEqualTo(CandidateState.PENDING);
    }

    @Test
    default void gaugesLeaveParkedRowsOut() {
        var outbox = ledger().outbox();
        assertThat(outbox.gauges(Set.of(), soon()).pending()).isZero();
        assertThat(outbox.gauges(Set.of(), soon()).oldestPending()).isEmpty();
        outbox.insert(intent(0x44, "a"), soon());
        outbox.insert(intent(0x45, "b"), soon());
        outbox.attempted(hash(0x44), soon());

        var gauges = outbox.gauges(Set.of(), soon());
        assertThat(gauges.pending()).isEqualTo(2);
        assertThat(gauges.oldestPending().orElseThrow())
                .isGreaterThanOrEqualTo(gauges.oldestUnattempted().orElseThrow());
        var withoutParked = outbox.gauges(Set.of(hash(0x45)), soon());
        assertThat(withoutParked.pending()).isEqualTo(1);
        assertThat(withoutParked.oldestUnattempted()).isEmpty();
    }
}
