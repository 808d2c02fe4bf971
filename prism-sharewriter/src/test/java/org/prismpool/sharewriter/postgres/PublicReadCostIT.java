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

/** What public pages cost on a long history: rows of their own window, miner or page, never a whole table. */
@Execution(ExecutionMode.SAME_THREAD)
class PublicReadCostIT {

    private static final int SHARES = 60_000;
    private static final int SECONDS_APART = 43; // thirty days in all
    private static final int MINERS = 13;
    private static final int BLOCKS = 200;
    private static final int ACCOUNTS = 200; // of a block

    /** So often that the server goes over to plans that no longer see the parameters. */
    private static final int REPETITIONS = 10;

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
                        + " FROM generate_series(1, " + BLOCKS + ") h",
                rows("qbit_pool_payout_entries", "onchain_amount_sats, carry_forward_balance_sats", "1, 0"),
                rows(
                        "qbit_payout_carry_forward",
                        "gross_amount_sats, prior_balance_sats, candidate_balance_sats, onchain_amount_sats,"
                                + " carry_forward_balance_sats",
                        "1, 0, 1, 1, 0"));
    }

    private static String rows(String table, String amounts, String values) {
        return "INSERT INTO " + table + " (block_height, block_hash, miner_id, payout_order_key, p2mr_program, action, "
                + amounts + ") SELECT h, lpad(to_hex(h * 100), 64, '0'), 'm' || m, 'm',"
                + " decode(repeat('01', 32), 'hex'), 'onchain', " + values
                + " FROM generate_series(1, " + BLOCKS + ") h, generate_series(1, " + ACCOUNTS + ") m";
    }

    @AfterEach
    void drop() {
        TestPostgres.run(url, "TRUNCATE qbit_share_ledger, qbit_pool_blocks CASCADE");
    }

    private static long sharesOf(Duration window) {
        return window.toSeconds() / SECONDS_APART;
    }

    private static Deadline patient() {
        return Deadline.after(Duration.ofMinutes(5), MonotonicClock.system(), "test");
    }

    /** Rows that scans of a table took from its indexes and from the table itself. */
    private long rowsRead(String table) {
        return Long.parseLong(TestPostgres.ask(
                url,
                "SELECT seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid)"
                        + " FROM pg_stat_user_tables t WHERE relname = '" + table + "'"));
    }

    private void assertCost(String what, String table, long rows, Consumer<PublicReads> read) {
        long before = rowsRead(table);
        try (ReadOnlyDatabase database =
                ReadOnlyDatabase.open(oneConnection(), LedgerMetrics.NONE, MonotonicClock.system())) {
            for (int i = 0; i < REPETITIONS; i++) {
                read.accept(database.ledger().reads());
            }
        }
        await("what a session read is counted when it ends")
                .atMost(Duration.ofSeconds(20))
                .until(() -> TestPostgres.ask(
                                url,
                                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'qbit-prism-reader'"
                                        + " AND datname = current_database()")
                        .equals("0"));
        assertThat((rowsRead(table) - before) / REPETITIONS)
                .as("rows of %s read for %s", table, what)
                .isBetween(1L, rows + SLACK);
    }

    private PostgresConfig oneConnection() {
        PostgresConfig defaults = PostgresConfig.of(url);
        return new PostgresConfig(
                defaults.target(),
                1,
                defaults.operationTimeout(),
                defaults.connectTimeout(),
                defaults.idleInTransactionTimeout(),
                defaults.keepalives(),
                defaults.rewardWindowCache());
    }

    private void assertCosts() {
        long day = sharesOf(Duration.ofDays(1));
        long threeHours = sharesOf(Duration.ofHours(3));
        PageRequest page = new PageRequest(1, 15);
        Instant weekAgo = Instant.now().minus(Duration.ofDays(7));
        assertCost(
                "the totals",
                "qbit_share_ledger",
                day + threeHours,
                reads -> assertThat(reads.pool().totals(patient()).participants3h())
                        .isEqualTo(MINERS));
        assertCost(
                "a week of the pool",
                "qbit_share_ledger",
                7 * day,
                reads -> assertThat(reads.pool().series(new PoolSubject(), new SeriesRange(weekAgo, 3600), patient()))
                        .hasSizeGreaterThan(160));
        assertCost(
                "a week of a miner",
                "qbit_share_ledger",
                7 * day / MINERS,
                reads -> assertThat(
                                reads.pool().series(new MinerSubject("m3"), new SeriesRange(weekAgo, 3600), patient()))
                        .hasSizeGreaterThan(160));
        assertCost(
                "the board",
                "qbit_share_ledger",
                threeHours + 2 * BLOCKS,
                reads -> assertThat(
                                reads.leaderboards().recent("", page, patient()).rows())
                        .hasSize(MINERS));
        assertCost(
                "the blocks",
                "qbit_share_ledger",
                page.limit(),
                reads -> assertThat(reads.blocks().page(page, patient()).rows())
                        .allMatch(block -> block.solver().isPresent()));
        assertCost(
                "a miner",
                "qbit_share_ledger",
                day / MINERS,
                reads -> assertThat(reads.miners().activity("m3", patient()).lastShareAt())
                        .isPresent());
        assertCost(
                "a miner's workers",
                "qbit_share_ledger",
                threeHours / MINERS,
                reads -> assertThat(reads.miners()
                                .workers("m3", WorkerFilter.ALL, page, patient())
                                .rows())
                        .hasSize(1));
        assertCost(
                "the blocks",
                "qbit_pool_blocks",
                page.limit() + BLOCKS,
                reads -> reads.blocks().page(page, patient()));
        assertCost(
                "a miner's payouts",
                "qbit_pool_payout_entries",
                2 * BLOCKS,
                reads -> assertThat(
                                reads.miners().payouts("m3", page, patient()).totalCount())
                        .isEqualTo(BLOCKS));
        assertCost(
                "a miner's earnings, each with the sum of its block",
                "qbit_payout_carry_forward",
                2 * BLOCKS + page.limit() * ACCOUNTS,
                reads -> assertThat(
                                reads.miners().earnings("m3", page, patient()).totalCount())
                        .isEqualTo(BLOCKS));
        assertCost(
                "a miner's account",
                "qbit_payout_carry_forward",
                BLOCKS,
                reads -> assertThat(reads.miners().account("m3", patient()).lifetimeGrossSats())
                        .isEqualTo(BLOCKS));
    }

    @Test
    void readsAreBoundedByTheirWindowsWithoutStatisticsAndWithThem() {
        assertCosts();
        TestPostgres.run(url, "VACUUM (ANALYZE)");
        assertCosts();
    }
}
