package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.read.MinerReads.WorkerFilter;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.PoolStatistics.MinerSubject;
import org.prismpool.sharewriter.read.PoolStatistics.PoolSubject;
import org.prismpool.sharewriter.read.PoolStatistics.SeriesRange;
import org.prismpool.sharewriter.read.PublicReads;

/** What public pages cost on a long history: rows of their own window or miner, never the whole share log. */
@Execution(ExecutionMode.SAME_THREAD)
class PublicReadCostIT {

    private static final int SHARES = 60_000;
    private static final int SECONDS_APART = 43; // thirty days in all
    private static final int MINERS = 13;
    private static final int BLOCKS = 20;

    /** Shares that are accepted while a test runs, and the ends of windows. */
    private static final long SLACK = 60;

    private final String url = TestPostgres.emptyMigratedDatabase();

    /** Nothing is analysed, which is when a planner goes wrong. */
    @BeforeEach
    void history() {
        TestPostgres.run(
                url,
                "ALTER TABLE qbit_share_ledger SET (autovacuum_enabled = off)",
                "INSERT INTO qbit_share_ledger (share_id, miner_id, payout_order_key, p2mr_program, share_difficulty,"
                        + " network_difficulty, template_height, job_id, job_issued_at, accepted_at, ntime, writer_id,"
                        + " writer_epoch) SELECT 'm' || i % " + MINERS + " || '.rig:' || lpad(to_hex(i), 64, '0'),"
                        + " 'm' || i % " + MINERS + ", 'm', decode(repeat('01', 32), 'hex'), 1, 1, 1, 'j',"
                        + " clock_timestamp() - (" + SHARES + " - i) * interval '" + SECONDS_APART + " seconds',"
                        + " clock_timestamp() - (" + SHARES + " - i) * interval '" + SECONDS_APART + " seconds', 1,"
                        + " 'w', 1 FROM generate_series(1, " + SHARES + ") i",
                "INSERT INTO qbit_pool_blocks (block_hash, block_height, parent_hash, coinbase_txid,"
                        + " payout_manifest_sha256) SELECT lpad(to_hex(h * 100), 64, '0'), h, 'p', 'c', 'm'"
                        + " FROM generate_series(1, " + BLOCKS + ") h");
    }

    @AfterEach
    void drop() {
        TestPostgres.run(url, "TRUNCATE qbit_share_ledger CASCADE");
    }

    private static long sharesOf(Duration window) {
        return window.toSeconds() / SECONDS_APART;
    }

    private static Deadline patient() {
        return Deadline.after(Duration.ofMinutes(5), MonotonicClock.system(), "test");
    }

    /** Rows that scans of the share log took from its indexes and from the table itself. */
    private long rowsRead() {
        return Long.parseLong(TestPostgres.ask(
                url,
                "SELECT seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid)"
                        + " FROM pg_stat_user_tables t WHERE relname = 'qbit_share_ledger'"));
    }

    private void assertCost(String what, long shares, Consumer<PublicReads> read) {
        long before = rowsRead();
        try (ReadOnlyDatabase database =
                ReadOnlyDatabase.open(PostgresConfig.of(url), LedgerMetrics.NONE, MonotonicClock.system())) {
            read.accept(database.ledger().reads());
        }
        await("what a session read is counted when it ends")
                .atMost(Duration.ofSeconds(20))
                .until(() -> TestPostgres.ask(
                                url,
                                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'qbit-prism-reader'"
                                        + " AND datname = current_database()")
                        .equals("0"));
        assertThat(rowsRead() - before).as("rows read for %s", what).isBetween(0L, shares + SLACK);
    }

    private void assertCosts() {
        long day = sharesOf(Duration.ofDays(1));
        long threeHours = sharesOf(Duration.ofHours(3));
        PageRequest page = new PageRequest(1, 15);
        Instant weekAgo = Instant.now().minus(Duration.ofDays(7));
        assertCost(
                "the totals",
                day + threeHours,
                reads -> assertThat(reads.pool().totals(patient()).participants3h())
                        .isEqualTo(MINERS));
        assertCost(
                "a week of the pool",
                7 * day,
                reads -> assertThat(reads.pool().series(new PoolSubject(), new SeriesRange(weekAgo, 3600), patient()))
                        .hasSizeGreaterThan(160));
        assertCost(
                "a week of a miner",
                7 * day / MINERS,
                reads -> assertThat(
                                reads.pool().series(new MinerSubject("m3"), new SeriesRange(weekAgo, 3600), patient()))
                        .hasSizeGreaterThan(160));
        assertCost(
                "the board",
                threeHours + BLOCKS,
                reads -> assertThat(
                                reads.leaderboards().recent("", page, patient()).rows())
                        .hasSize(MINERS));
        assertCost(
                "the blocks",
                BLOCKS,
                reads -> assertThat(reads.blocks().page(page, patient()).rows())
                        .allMatch(block -> block.solver().isPresent()));
        assertCost(
                "a miner",
                day / MINERS,
                reads -> assertThat(reads.miners().activity("m3", patient()).lastShareAt())
                        .isPresent());
        assertCost(
                "a miner's workers",
                threeHours / MINERS,
                reads -> assertThat(reads.miners()
                                .workers("m3", WorkerFilter.ALL, page, patient())
                                .rows())
                        .hasSize(1));
    }

    @Test
    void readsAreBoundedByTheirWindowsWithoutStatisticsAndWithThem() {
        assertCosts();
        TestPostgres.run(url, "VACUUM (ANALYZE) qbit_share_ledger", "VACUUM (ANALYZE) qbit_pool_blocks");
        assertCosts();
    }
}
