package org.prismpool.sharewriter.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.Samples.T0;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.intent;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;
import static org.prismpool.sharewriter.contract.Samples.withAcceptedAt;
import static org.prismpool.sharewriter.contract.Samples.withNtime;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.AppendResult.ConflictKind;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.OutboxIntent;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareTotals;
import org.prismpool.sharewriter.StoredShare;

/** What every share log does. */
public interface ShareContract {

    Ledger ledger();

    private static AppendResult fresh(long seq) {
        return new AppendResult.New(seq, Optional.empty());
    }

    private static AppendResult replay(long seq) {
        return new AppendResult.Replayed(seq, Optional.empty());
    }

    @Test
    default void replaysKeepTheirSequenceAndConflictsConsumeNone() {
        var shares = ledger().shares();
        PendingShare s1 = share("s1", 101);
        PendingShare s2 = share("s2", 102);
        assertThat(shares.append(batch(s1, s2))).containsExactly(fresh(1), fresh(2));
        assertThat(shares.append(batch(withAcceptedAt(s2, T0 + 77), share("s3", 103))))
                .containsExactly(replay(2), fresh(3));

        List<AppendResult> mixed = shares.append(batch(withNtime(s2, 5)));

        assertThat(mixed).containsExactly(new AppendResult.Conflict(ConflictKind.SHARE));
        assertThat(shares.totals(soon())).isEqualTo(new ShareTotals(3, 1, 3));
        assertThat(shares.append(batch(share("s4", 104)))).containsExactly(fresh(4));
        assertThat(shares.find("s2", soon())).contains(new StoredShare(2, s2));
    }

    @Test
    default void aConflictFailsAloneAndTheRestOfItsBatchIsDurable() {
        var shares = ledger().shares();
        shares.append(batch(share("s1", 101)));

        List<AppendResult> results = shares.append(batch(share("a", 1), withNtime(share("s1", 101), 9), share("b", 1)));

        assertThat(results).containsExactly(fresh(2), new AppendResult.Conflict(ConflictKind.SHARE), fresh(3));
        assertThat(new AppendResult.Conflict(ConflictKind.SHARE).message())
                .isEqualTo("duplicate share_id payload mismatch");
        assertThat(shares.find("s1", soon()).orElseThrow().share().ntime()).isEqualTo(1_700_000_000L);
    }

    @Test
    default void anIdRepeatedInOneBatchIsOneRow() {
        var shares = ledger().shares();
        PendingShare s = share("s", 5);

        List<AppendResult> results = shares.append(batch(s, withAcceptedAt(s, T0 + 1), withNtime(s, 1), share("t", 1)));

        assertThat(results)
                .containsExactly(fresh(1), replay(1), new AppendResult.Conflict(ConflictKind.SHARE), fresh(2));
    }

    @Test
    default void everyFieldSurvivesExactly() {
        BigInteger largest = BigInteger.TEN.pow(78).subtract(BigInteger.ONE);
        PendingShare s = new PendingShare(
                "wörker%_:" + hash(0xab),
                "qbrt1-ü",
                "order\"\\",
                Samples.program(0xfe),
                largest,
                BigInteger.ONE,
                Long.MAX_VALUE,
                "job,{}",
                T0 + 123,
                T0 + 457,
                4_294_967_295L,
                CreditPolicy.STALE_GRACE);
        ledger().shares().append(batch(s));

        assertThat(ledger().shares().find(s.shareId(), soon())).contains(new StoredShare(1, s));
        assertThat(ledger().windows().range(1, 1, soon())).containsExactly(new StoredShare(1, s));
    }

    @Test
    default void anOrdinaryShareLeavesNoCandidate() {
        ledger().shares().append(batch(share("s", 1)));

        assertThat(ledger().outbox().pending(org.prismpool.sharewriter.block.OutboxPosition.START, 10, soon()))
                .isEmpty();
    }

    @Test
    default void aSolveStoresShareAndCandidateTogetherAndItsReplayTellsTheState() {
        var shares = ledger().shares();
        PendingShare s = share("w:" + hash(0xab), 7);
        AppendEntry solve = AppendEntry.solve(s, intent(0xab, "first"));
        assertThat(shares.append(List.of(solve)))
                .containsExactly(new AppendResult.New(1, Optional.of(CandidateState.PENDING)));

        // a resubmission has another acceptance time in its text but the same digest
        AppendEntry again = AppendEntry.solve(withAcceptedAt(s, T0 + 5), intent(0xab, "second"));
        assertThat(shares.append(List.of(again)))
                .containsExactly(new AppendResult.Replayed(1, Optional.of(CandidateState.PENDING)));
        assertThat(ledger().outbox().find(hash(0xab), soon()).orElseThrow().shareId())
                .contains(s.shareId());

        ledger().outbox().finish(hash(0xab), CandidateState.SUBMITTED, "", soon());
        assertThat(shares.append(List.of(solve)))
                .containsExactly(new AppendResult.Replayed(1, Optional.of(CandidateState.SUBMITTED)));
        assertThat(ledger().outbox().find(hash(0xab), soon()).orElseThrow().intentJson())
                .isEmpty();
    }

    @Test
    default void aContradictingCandidateWritesNothingOfItsEntry() {
        var shares = ledger().shares();
        PendingShare s = share("w:" + hash(0xab), 7);
        shares.append(List.of(AppendEntry.solve(s, intent(0xab, "x"))));

        OutboxIntent otherDigest = new OutboxIntent(hash(0xab), "{}", hash(0xd1));
        List<AppendResult> results = shares.append(List.of(
                AppendEntry.share(share("a", 1)),
                AppendEntry.solve(s, otherDigest),
                AppendEntry.solve(share("other", 1), intent(0xab, "x"))));

        assertThat(results)
                .containsExactly(
                        fresh(2),
                        new AppendResult.Conflict(ConflictKind.CANDIDATE),
                        new AppendResult.Conflict(ConflictKind.CANDIDATE));
        assertThat(shares.find("other", soon())).isEmpty();
    }

    @Test
    default void aCandidateStoredWithoutShareIsLinkedByItsCredit() {
        OutboxIntent intent = intent(0xab, "x");
        assertThat(ledger().outbox().insert(intent, soon()).inserted()).isTrue();
        assertThat(ledger().outbox().insert(intent, soon()).inserted()).isFalse();
        assertThat(ledger().outbox().find(hash(0xab), soon()).orElseThrow().shareId())
                .isEmpty();

        PendingShare s = share("w:" + hash(0xab), 7);
        assertThat(ledger().shares().append(List.of(AppendEntry.solve(s, intent))))
                .containsExactly(new AppendResult.New(1, Optional.of(CandidateState.PENDING)));

        assertThat(ledger().outbox().find(hash(0xab), soon()).orElseThrow().shareId())
                .contains(s.shareId());
    }

    @Test
    default void totalsAndMinersCountAcceptedShares() {
        ledger().shares().append(batch(share("a", "m1", 1, T0, T0), share("b", "m2", 1, T0, T0)));
        ledger().shares().append(batch(share("c", "m1", 1, T0, T0)));

        assertThat(ledger().shares().totals(soon())).isEqualTo(new ShareTotals(3, 2, 3));
        assertThat(ledger().shares().miners(soon())).containsExactlyInAnyOrder("m1", "m2");
    }
}
