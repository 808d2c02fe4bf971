package org.prismpool.sharewriter.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.prismpool.sharewriter.contract.Samples.T0;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.contractShare;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.read.RewardWindowAggregate;

/** What every window read does. */
public interface WindowContract {

    Ledger ledger();

    private List<StoredShare> snapshot(long anchor, long weight) {
        return ledger().windows().snapshot(anchor, BigInteger.valueOf(weight), soon());
    }

    private static String digest(List<StoredShare> rows) throws Exception {
        String json = rows.stream().map(Samples::canonical).collect(Collectors.joining(",", "[", "]"));
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(json.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    default void snapshotsMatchTheContractsDigests() throws Exception {
        ledger().shares().append(batch(contractShare(1), contractShare(2), contractShare(3)));
        long anchor = T0 + 1300;
        String one = "32c67662735e52844836bd9d712a1797e88bfe3129e5cd98bf0b70744cbf8d9a";
        String two = "c843bfc5d4c1953aef39b3b26b8a8ce2e112fabba9464068549011f9b609a240";
        String three = "63c4df580ecce789372429cdbca2147b3da22802d27dc957f1258e5b5ad77274";

        assertThat(digest(snapshot(anchor, 1))).isEqualTo(one);
        assertThat(digest(snapshot(anchor, 103))).isEqualTo(one);
        assertThat(digest(snapshot(anchor, 104))).isEqualTo(two);
        assertThat(digest(snapshot(anchor, 205))).isEqualTo(two);
        assertThat(digest(snapshot(anchor, 206))).isEqualTo(three);
        assertThat(digest(snapshot(anchor, 1_000_000_000))).isEqualTo(three);
        assertThat(snapshot(anchor, 0)).isEmpty();
    }

    @Test
    default void theOldestShareOfAnAuditWindowCountsInPart() {
        ledger().shares().append(batch(share("c", 40), share("b", 60), share("a", 100)));

        assertThat(counted(25)).containsExactly(100L, 60L, 40L);
        ledger().shares().append(batch(share("n1", 90), share("n2", 150)));
        assertThat(counted(25)).containsExactly(150L, 50L);
    }

    private List<Long> counted(long networkDifficulty) {
        return ledger().windows().auditWindow(T0, BigInteger.valueOf(networkDifficulty), soon()).stream()
                .map(row -> row.counted().longValueExact())
                .toList();
    }

    @Test
    default void aShareOfTheFutureOrOfALaterJobIsNotEligible() {
        ledger().shares()
                .append(batch(
                        share("old-job-late-accept", "m", 1, T0, T0 + 1),
                        share("late-job", "m", 1, T0 + 1, T0),
                        share("both", "m", 1, T0, T0)));

        assertThat(ids(snapshot(T0, 100))).containsExactly("both");
        assertThat(ids(snapshot(T0 + 1, 100))).containsExactly("old-job-late-accept", "late-job", "both");
        assertThat(ids(ledger().windows().delta(T0, T0 + 1, soon())))
                .containsExactly("old-job-late-accept", "late-job");
        assertThat(ledger().windows().delta(T0, T0, soon())).isEmpty();
        assertThatThrownBy(() -> ledger().windows().delta(T0 + 1, T0, soon()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static List<String> ids(List<StoredShare> rows) {
        return rows.stream().map(row -> row.share().shareId()).toList();
    }

    @Test
    default void windowsAcrossFetchPagesHoldExactlyTheirWork() {
        List<AppendEntry> entries = new ArrayList<>();
        for (int i = 0; i < 9000; i++) {
            entries.add(AppendEntry.share(share("s" + i, 1)));
        }
        for (int from = 0; from < entries.size(); from += 1000) {
            ledger().shares().append(entries.subList(from, from + 1000));
        }
        long[] weights = {4095, 4096, 4097, 8192, 8193, 9000, 12000};
        long[] rows = {4095, 4096, 4097, 8192, 8193, 9000, 9000};
        for (int i = 0; i < weights.length; i++) {
            assertThat(snapshot(T0, weights[i])).hasSize((int) rows[i]);
        }
        assertThat(counted(512)).hasSize(4096);
        assertThat(counted(1024)).hasSize(8192);
        assertThat(counted(1025)).hasSize(8200);
    }

    @Test
    default void advancingByDeltasEqualsTheFullSnapshot() throws Exception {
        assertAdvancesEqualSnapshots(2000, 40);
    }

    /** The acceptance form: ten thousand shares, two hundred anchors. */
    @Test
    @Tag("soak")
    default void advancingByManyDeltasEqualsTheFullSnapshot() throws Exception {
        assertAdvancesEqualSnapshots(10_000, 200);
    }

    /**
     * Takes the same random history at rising anchors, twice: as a window that grows by deltas and lets its oldest shares
     * go, and as a full read. A delta that reaches below the newest share of the window calls for a full read, as in the
     * coordinator.
     */
    private void assertAdvancesEqualSnapshots(int shares, int anchors) throws Exception {
        Random random = new Random(7);
        List<AppendEntry> entries = new ArrayList<>();
        for (int i = 0; i < shares; i++) {
            long accepted = T0 + i + (random.nextInt(50) == 0 ? random.nextInt(shares / anchors) : 0);
            entries.add(AppendEntry.share(
                    share("s" + i, "m" + (i % 7), 1 + random.nextInt(50), accepted - random.nextInt(300), accepted)));
        }
        for (int from = 0; from < shares; from += 1000) {
            ledger().shares().append(entries.subList(from, from + 1000));
        }
        long weight = 25L * shares / 8;
        List<StoredShare> window = new ArrayList<>();
        int advanced = 0;
        long previous = T0 - 1;
        for (int step = 1; step <= anchors; step++) {
            long anchor = T0 - 1 + (long) step * shares / anchors;
            List<StoredShare> fresh = ledger().windows().delta(previous, anchor, soon());
            if (window.isEmpty()
                    || fresh.isEmpty()
                    || fresh.get(0).shareSeq() > window.get(window.size() - 1).shareSeq()) {
                window.addAll(fresh);
                letGo(window, weight);
                advanced++;
            } else {
                window = new ArrayList<>(snapshot(anchor, weight));
            }
            previous = anchor;
            List<StoredShare> full = snapshot(anchor, weight);
            assertThat(window).isEqualTo(full);
            assertThat(digest(window)).isEqualTo(digest(full));
        }
        assertThat(advanced).isBetween(anchors / 3, anchors - 1);
        assertThat(window).hasSizeLessThan(shares / 4);
    }

    /** The oldest share stays while the rest alone does not carry the weight. */
    private static void letGo(List<StoredShare> window, long weight) {
        long total = window.stream()
                .mapToLong(row -> row.share().shareDifficulty().longValueExact())
                .sum();
        int gone = 0;
        while (gone < window.size()) {
            long oldest = window.get(gone).share().shareDifficulty().longValueExact();
            if (total - oldest < weight) {
                break;
            }
            total -= oldest;
            gone++;
        }
        window.subList(0, gone).clear();
    }

    @Test
    default void sharesSinceAHeightComeInOrder() {
        PendingShare low = share("low", 1);
        ledger().shares().append(batch(low, at("h11", 11), at("h12", 12)));
        List<String> seen = new ArrayList<>();
        try (var cursor = ledger().windows().openSinceTemplateHeight(11, soon())) {
            while (cursor.advance(row -> seen.add(row.share().shareId()))) {
                assertThat(seen).hasSizeLessThan(3);
            }
        }
        assertThat(seen).containsExactly("h11", "h12");
    }

    @Test
    default void aRangeHoldsItsSequencesInOrder() {
        ledger().shares().append(batch(share("a", 1), share("b", 1), share("c", 1), share("d", 1)));

        assertThat(ids(ledger().windows().range(2, 3, soon()))).containsExactly("b", "c");
        assertThat(ids(ledger().windows().range(4, Long.MAX_VALUE, soon()))).containsExactly("d");
        assertThat(ledger().windows().range(3, 2, soon())).isEmpty();
        assertThat(ledger().windows().range(5, 9, soon())).isEmpty();
    }

    @Test
    default void aReaderMayStopWheneverItLikes() {
        for (int from = 0; from < 3000; from += 1000) {
            List<AppendEntry> entries = new ArrayList<>();
            for (int i = from; i < from + 1000; i++) {
                entries.add(AppendEntry.share(share("s" + i, 1)));
            }
            ledger().shares().append(entries);
        }
        for (int stop = 0; stop < 12; stop++) {
            int rows = 0;
            try (var cursor = ledger().windows().openRange(1, 3000, soon())) {
                while (rows < stop && cursor.advance(row -> {})) {
                    rows++;
                }
            }
            assertThat(rows).isEqualTo(stop);
        }
        assertThat(ledger().windows().range(1, 3000, soon())).hasSize(3000);
    }

    private static PendingShare at(String id, long height) {
        PendingShare s = share(id, 1);
        return new PendingShare(
                id,
                s.minerId(),
                s.orderKey(),
                s.program(),
                s.shareDifficulty(),
                s.networkDifficulty(),
                height,
                s.jobId(),
                s.jobIssuedAtMs(),
                s.acceptedAtMs(),
                s.ntime(),
                s.creditPolicy());
    }

    @Test
    default void theRewardWindowAggregateSumsByMiner() {
        ledger().shares()
                .append(batch(
                        share("1", "m1", 100, T0, T0),
                        share("2", "m2", 60, T0, T0 + 5),
                        share("3", "m1", 40, T0, T0 + 9)));

        RewardWindowAggregate window = ledger().reads().rewardWindow(BigInteger.valueOf(20), soon());

        assertThat(window.requestedWeight()).isEqualTo(160);
        assertThat(window.countedWeight()).isEqualTo(160);
        assertThat(window.includedShares()).isEqualTo(3);
        assertThat(window.miners().stream()
                        .map(m -> m.minerId() + " " + m.counted())
                        .toList())
                .containsExactly("m1 100", "m2 60");
        assertThat(window.oldestAcceptedAtMs()).hasValue(T0);
        assertThat(window.newestAcceptedAtMs()).hasValue(T0 + 9);
        assertThat(ledger().reads().rewardWindow(BigInteger.valueOf(-1), soon()).miners())
                .isEmpty();
    }
}
