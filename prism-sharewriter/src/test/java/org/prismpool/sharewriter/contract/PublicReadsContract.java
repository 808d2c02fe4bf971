package org.prismpool.sharewriter.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.Samples.accrued;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.read.AcceptedWork;
import org.prismpool.sharewriter.read.FoundBlock;
import org.prismpool.sharewriter.read.Leaderboards.RecentBoard;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.PoolStatistics.MinerSubject;
import org.prismpool.sharewriter.read.PoolStatistics.PoolSubject;
import org.prismpool.sharewriter.read.PoolStatistics.SeriesBucket;
import org.prismpool.sharewriter.read.PoolStatistics.SeriesRange;
import org.prismpool.sharewriter.read.PoolTotals;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.WorkByWindow;

/** What every ledger answers to the pool's public pages. */
public interface PublicReadsContract {

    /** Everything that these tests write fits on it. */
    PageRequest FIRST = new PageRequest(1, 15);

    Ledger ledger();

    /** Appends a share that was accepted some seconds ago. */
    static void accept(Ledger ledger, String shareId, String miner, long difficulty, long secondsAgo) {
        long at = System.currentTimeMillis() - secondsAgo * 1000;
        ledger.shares().append(batch(share(shareId, miner, difficulty, at, at)));
    }

    /** Lands a block, whose share id ends with its hash. */
    static void land(Ledger ledger, int fill, long height) {
        ledger.blocks().persist(Samples.block(fill, height, accrued("m", "m", 1, 1000, 0)), soon());
    }

    static AcceptedWork work(long shares, long difficulty) {
        return new AcceptedWork(shares, BigInteger.valueOf(difficulty));
    }

    @Test
    default void anEmptyLedgerHasZeros() {
        PoolTotals totals = ledger().reads().pool().totals(soon());

        assertThat(totals.work().in(RateWindow.H24)).isEqualTo(AcceptedWork.NONE);
        assertThat(totals.participants3h()).isZero();
        assertThat(totals.blocksFound()).isZero();
        assertThat(totals.totalMinedSats()).isZero();
        assertThat(totals.latestBlock()).isEmpty();
        assertThat(ledger().reads().pool().series(new PoolSubject(), new SeriesRange(Instant.EPOCH, 300), soon()))
                .isEmpty();
        assertThat(ledger().reads().leaderboards().recent("", FIRST, soon()).rows())
                .isEmpty();
        assertThat(ledger().reads().blocks().page(FIRST, soon())).isEqualTo(new Paged<>(0, List.of()));
        assertThat(ledger().reads().blocks().latest(soon())).isEmpty();
    }

    @Test
    default void workIsSummedOverEveryWindowAndNeverBeyondNow() {
        long[] secondsAgo = {0, 120, 400, 1_800, 7_200, 40_000, 100_000, -3_600};
        for (int i = 0; i < secondsAgo.length; i++) {
            accept(ledger(), "s" + i, "miner-" + i % 3, 10L * (i + 1), secondsAgo[i]);
        }

        PoolTotals totals = ledger().reads().pool().totals(soon());

        WorkByWindow work = totals.work();
        assertThat(List.of(RateWindow.values()).stream().map(work::in))
                .containsExactly(work(1, 10), work(2, 30), work(3, 60), work(4, 100), work(5, 150), work(6, 210));
        assertThat(totals.participants3h()).isEqualTo(3);
        assertThat(work.asOf())
                .isBetween(Instant.now().minusSeconds(600), Instant.now().plusSeconds(600));
    }

    @Test
    default void aMinerOfYesterdayIsNoParticipant() {
        accept(ledger(), "s1", "here", 1, 60);
        accept(ledger(), "s2", "gone", 1, 20_000);

        assertThat(ledger().reads().pool().totals(soon()).participants3h()).isEqualTo(1);
    }

    @Test
    default void totalsCountEveryBlockButTheReversedAndTheEarningsOfConfirmedOnes() {
        land(ledger(), 0x44, 7);
        ledger().blocks().confirm(hash(0x44), 7, soon());
        land(ledger(), 0x46, 8);
        land(ledger(), 0x48, 9);
        ledger().reorg().reverseImmature(hash(0x48), 9, soon());

        PoolTotals totals = ledger().reads().pool().totals(soon());

        assertThat(totals.blocksFound()).isEqualTo(2);
        assertThat(totals.totalMinedSats()).isEqualTo(1000);
        assertThat(totals.latestBlock().map(FoundBlock::blockHash)).contains(hash(0x46));
        assertThat(ledger().reads().blocks().latest(soon())).isEqualTo(totals.latestBlock());
    }

    @Test
    default void aSeriesHasTheBucketsWithSharesOldestFirst() {
        long base = Instant.now().getEpochSecond() / 300 * 300 - 1200;
        long[] milliseconds = {600_000, 0, 299_999, 300_000, -1};
        for (int i = 0; i < milliseconds.length; i++) {
            long at = base * 1000 + milliseconds[i];
            ledger().shares().append(batch(share("s" + i, "miner-" + i % 2, 10L * (i + 1), at, at)));
        }
        accept(ledger(), "future", "miner-0", 1, -3_600);
        var pool = ledger().reads().pool();

        assertThat(pool.series(new PoolSubject(), new SeriesRange(Instant.ofEpochSecond(base), 300), soon()))
                .containsExactly(
                        new SeriesBucket(base, work(2, 50)),
                        new SeriesBucket(base + 300, work(1, 40)),
                        new SeriesBucket(base + 600, work(1, 10)));
        assertThat(pool.series(new PoolSubject(), new SeriesRange(Instant.EPOCH, 2_000_000_000), soon()))
                .extracting(bucket -> bucket.work().difficulty())
                .first()
                .isEqualTo(BigInteger.valueOf(150));
        assertThat(pool.series(new MinerSubject("miner-1"), new SeriesRange(Instant.EPOCH, 300), soon()))
                .containsExactly(new SeriesBucket(base, work(1, 20)), new SeriesBucket(base + 300, work(1, 40)));
        assertThat(pool.series(new MinerSubject("nobody"), new SeriesRange(Instant.EPOCH, 300), soon()))
                .isEmpty();
    }

    @Test
    default void theRecentBoardIsByDifficultyThenRecipient() {
        accept(ledger(), "s1", "miner-c", 50, 10);
        accept(ledger(), "s2", "miner-b", 20, 10);
        accept(ledger(), "s3", "miner-a", 20, 300);
        accept(ledger(), "s4", "miner-c", 5, 9_000);
        accept(ledger(), "s5", "Miner-B", 20, 10);
        accept(ledger(), "s6", "miner-d", 500, 20_000);

        RecentBoard board = ledger().reads().leaderboards().recent("", FIRST, soon());

        assertThat(board.rows())
                .extracting(row -> row.rank() + " " + row.recipientId() + " " + row.work())
                .containsExactly(
                        "1 miner-c " + work(2, 55),
                        "2 Miner-B " + work(1, 20),
                        "3 miner-a " + work(1, 20),
                        "4 miner-b " + work(1, 20));
        assertThat(board.totalDifficulty()).isEqualTo(115);
        assertThat(board.participants()).isEqualTo(4);
        assertThat(board.startedAt().plusSeconds(10_800)).isEqualTo(board.endedAt());
        assertThat(board.rows().get(2).lastShareAt())
                .isBefore(board.rows().get(0).lastShareAt());
    }

    @Test
    default void aSearchedBoardRanksAndSumsWhoMatches() {
        accept(ledger(), "s1", "alpha", 50, 10);
        accept(ledger(), "s2", "Beta", 20, 10);
        accept(ledger(), "s3", "alphabet", 10, 10);
        var boards = ledger().reads().leaderboards();

        RecentBoard board = boards.recent("BET", FIRST, soon());
        assertThat(board.rows())
                .extracting(row -> row.rank() + " " + row.recipientId())
                .containsExactly("1 Beta", "2 alphabet");
        assertThat(board.totalDifficulty()).isEqualTo(30);

        RecentBoard second = boards.recent("", new PageRequest(2, 2), soon());
        assertThat(second.rows())
                .extracting(row -> row.rank() + " " + row.recipientId())
                .containsExactly("3 alphabet");
        assertThat(second.participants()).isEqualTo(3);
        assertThat(boards.recent("", new PageRequest(Integer.MAX_VALUE, 100), soon())
                        .rows())
                .isEmpty();
        assertThat(boards.recent("%", FIRST, soon()).participants()).isZero();
    }

    @Test
    default void theSolverIsTheNewestShareThatEndsWithTheBlocksHash() {
        land(ledger(), 0x44, 7);
        land(ledger(), 0x46, 8);
        land(ledger(), 0x48, 9);
        accept(ledger(), "addr-a.rig.1:" + hash(0x44), "addr-a", 70, 30);
        accept(ledger(), "addr-b:" + hash(0x46), "addr-b", 80, 10);
        accept(ledger(), "addr-a.rig:" + hash(0x46), "addr-a", 90, 20);
        accept(ledger(), hash(0x48), "addr-a", 90, 20);

        Paged<FoundBlock> blocks = ledger().reads().blocks().page(FIRST, soon());

        assertThat(blocks.rows())
                .extracting(block -> block.height() + " " + block.solver().map(FoundBlock.Solver::recipientId) + " "
                        + block.solver().flatMap(FoundBlock.Solver::workerName))
                .containsExactly(
                        "9 " + Optional.empty() + " " + Optional.empty(),
                        "8 " + Optional.of("addr-b") + " " + Optional.empty(),
                        "7 " + Optional.of("addr-a") + " " + Optional.of("rig.1"));
        assertThat(blocks.rows().get(2).solver())
                .contains(new FoundBlock.Solver(
                        "addr-a", "addr-a.rig.1", BigInteger.valueOf(70), BigInteger.valueOf(1000)));
    }

    @Test
    default void aBlockShowsTheFactsOfItsBundle() {
        land(ledger(), 0x44, 7);

        FoundBlock block = ledger().reads().blocks().latest(soon()).orElseThrow();

        assertThat(block.height()).isEqualTo(7);
        assertThat(block.networkDifficulty()).contains(BigInteger.valueOf(1000));
        assertThat(block.bits()).contains("207fffff");
        assertThat(block.coinbaseValueSats()).isEqualTo(OptionalLong.of(5_000_000_000L));
        assertThat(block.auditBundleSha256()).contains(hash(0xf0));
        assertThat(block.payoutManifestSha256()).isEqualTo(hash(0xe0));
        assertThat(block.foundAt())
                .isBetween(Instant.now().minusSeconds(600), Instant.now().plusSeconds(600));
    }

    @Test
    default void blocksArePagedHighestFirstWithoutReversedOnes() {
        for (int i = 0; i < 5; i++) {
            land(ledger(), 0x40 + 2 * i, 7 + i);
        }
        ledger().reorg().reverseImmature(hash(0x42), 12, soon());
        ledger().blocks().rejectPrepared(hash(0x44), 12, soon());

        assertThat(ledger().reads().blocks().page(new PageRequest(1, 3), soon()))
                .satisfies(page -> assertThat(page.totalCount()).isEqualTo(4))
                .satisfies(page ->
                        assertThat(page.rows()).extracting(FoundBlock::height).containsExactly(11L, 10L, 9L));
        assertThat(ledger().reads().blocks().page(new PageRequest(2, 3), soon()).rows())
                .extracting(FoundBlock::height)
                .containsExactly(7L);
        assertThat(ledger().reads().blocks().page(new PageRequest(3, 3), soon()))
                .isEqualTo(new Paged<>(4, List.of()));
    }

    @Test
    default void blocksFoundGoToTheirSolvers() {
        for (int i = 0; i < 3; i++) {
            land(ledger(), 0x40 + 2 * i, 7 + i);
            accept(ledger(), "addr-" + i / 2 + ".rig:" + hash(0x40 + 2 * i), "addr-" + i / 2, 10, 30);
        }
        land(ledger(), 0x50, 10);
        accept(ledger(), "addr-0.rig:" + hash(0x52), "addr-0", 10, 30);

        assertThat(ledger().reads().leaderboards().blocksFound(soon())).isEqualTo(Map.of("addr-0", 2L, "addr-1", 1L));
        ledger().reorg().reverseImmature(hash(0x40), 10, soon());

        assertThat(ledger().reads().leaderboards().blocksFound(soon())).isEqualTo(Map.of("addr-0", 1L, "addr-1", 1L));
        assertThat(ledger().reads().leaderboards().recent("", FIRST, soon()).rows())
                .extracting(row -> row.recipientId() + " " + row.blocksFound())
                .containsExactly("addr-0 1", "addr-1 1");
    }
}
