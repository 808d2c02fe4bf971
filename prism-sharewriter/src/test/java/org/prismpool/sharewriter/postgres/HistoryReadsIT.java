package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.contract.Samples;
import org.prismpool.sharewriter.window.ShareCursor;

/** Reads on a long history: what they cost follows what they return, and they hold nobody up. */
@Execution(ExecutionMode.SAME_THREAD)
class HistoryReadsIT {

    private static final long ANCHOR = 1_700_000_000_000L;

    /** One page more than needed at either end. */
    private static final long READ_IN_VAIN = 2 * 4096;

    private final TestLedger postgres = TestLedger.open(TestPostgres.emptyMigratedDatabase());

    @AfterEach
    void close() {
        postgres.database().close();
    }

    private static Deadline patient() {
        return Deadline.after(Duration.ofMinutes(5), MonotonicClock.system(), "test");
    }

    private void history(int shares) {
        TestPostgres.run(
                postgres.url(),
                "INSERT INTO qbit_share_ledger (share_id, miner_id, payout_order_key, p2mr_program, share_difficulty,"
                        + " network_difficulty, template_height, job_id, job_issued_at, accepted_at, ntime, writer_id,"
                        + " writer_epoch) SELECT 's' || i, 'm' || i % 13, 'm' || i % 13, decode(repeat('01', 32), 'hex'),"
                        + " 1, 1, 1, 'j', '2023-01-01'::timestamptz + i * interval '1 ms',"
                        + " '2023-01-01'::timestamptz + i * interval '1 ms', 1, 'w', 1 FROM generate_series(1, "
                        + shares
                        + ") i");
    }

    /** Rows that scans of the share log took from its indexes and from the table itself. */
    private long rowsRead() {
        return Long.parseLong(TestPostgres.ask(
                postgres.url(),
                "SELECT seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid)"
                        + " FROM pg_stat_user_tables t WHERE relname = 'qbit_share_ledger'"));
    }

    private void assertCostOfWindows(int history, List<Integer> windows) {
        long start = System.nanoTime();
        history(history);
        System.out.printf("history of %d shares made in %d s%n", history, (System.nanoTime() - start) / 1_000_000_000);
        for (int window : windows) {
            assertThat(rowsReadBy(reader -> assertThat(
                                    reader.windows().snapshot(ANCHOR, BigInteger.valueOf(window), patient()))
                            .hasSize(window)))
                    .as("rows read for a window of %d on a history of %d", window, history)
                    .isBetween((long) window, window + READ_IN_VAIN);
        }
    }

    private long rowsReadBy(Consumer<Ledger> read) {
        long before = rowsRead();
        try (PostgresDatabase reader =
                PostgresDatabase.open(PostgresConfig.of(postgres.url()), LedgerMetrics.NONE, MonotonicClock.system())) {
            read.accept(reader.readOnly());
        }
        await("what a session read is counted when it ends")
                .atMost(Duration.ofSeconds(20))
                .until(() -> TestPostgres.ask(
                                postgres.url(),
                                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'qbit-prism-reader'"
                                        + " AND datname = current_database()")
                        .equals("0"));
        return rowsRead() - before;
    }

    /** Nothing was analysed since the table grew, which is when a planner goes wrong. */
    @Test
    void aWindowReadsItsOwnRowsOnly() {
        TestPostgres.run(postgres.url(), "ALTER TABLE qbit_share_ledger SET (autovacuum_enabled = off)");
        assertCostOfWindows(60_000, List.of(100, 5_000, 30_000));
        assertThat(rowsReadBy(reader -> assertThat(reader.reads()
                                .rewardWindow(BigInteger.valueOf(625), patient())
                                .includedShares())
                        .isEqualTo(5_000)))
                .as("rows read for the public aggregate: once to find the end, once to sum up")
                .isBetween(10_000L, 10_000 + 2 * READ_IN_VAIN);
    }

    /** {@code -Dprism.soak.shares} makes the history shorter where time or disk is; ten million take 10 GB. */
    @Test
    @Tag("soak")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void aWindowReadsItsOwnRowsOnlyOutOfTenMillion() {
        TestPostgres.run(
                postgres.url(),
                "ALTER TABLE qbit_share_ledger SET (autovacuum_enabled = off)",
                "DROP INDEX qbit_share_ledger_accepted_miner_recent_idx, qbit_share_ledger_accepted_block_suffix_idx");
        assertCostOfWindows(Integer.getInteger("prism.soak.shares", 10_000_000), List.of(100, 30_000, 400_000));
    }

    @Test
    void aLongReadHoldsNoAppendUp() {
        history(20_000);
        List<ShareCursor> reads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            reads.add(postgres.ledger().windows().open(ANCHOR, BigInteger.valueOf(20_000), soon()));
        }

        assertThat(postgres.ledger().shares().append(batch(share("a", 1)))).hasSize(1);
        assertThat(postgres.ledger()
                        .blocks()
                        .persist(Samples.block(0x44, 7), soon())
                        .inserted())
                .isTrue();

        reads.forEach(ShareCursor::close);
        assertThat(postgres.ledger().windows().snapshot(ANCHOR, BigInteger.TEN, soon()))
                .hasSize(10);
    }

    @Test
    void anAbandonedReadIsNoLostConnectionToReport() {
        history(20_000);
        PrintStream usual = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (ShareCursor cursor = postgres.ledger().windows().open(ANCHOR, BigInteger.valueOf(20_000), soon())) {
            assertThat(cursor.advance(row -> {})).isTrue();
        } finally {
            System.setErr(usual);
        }
        assertThat(log.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(postgres.ledger().windows().snapshot(ANCHOR, BigInteger.TEN, soon()))
                .hasSize(10);
    }

    /** The summary answers; the journal, which only grows, is not touched. */
    @Test
    void balancesDoNotReadTheJournal() {
        String plan = TestPostgres.explain(postgres.url(), "SELECT * FROM qbit_current_carry_forward_balances()");
        assertThat(plan).doesNotContain("qbit_payout_carry_forward ");
        postgres.ledger().blocks().persist(Samples.block(0x44, 7, Samples.accrued("m", "m", 1, 5, 0)), soon());
        postgres.ledger().blocks().confirm(Samples.hash(0x44), 7, soon());
        TestPostgres.run(
                postgres.url(),
                "INSERT INTO qbit_payout_carry_forward (block_height, block_hash, miner_id, payout_order_key,"
                        + " p2mr_program, gross_amount_sats, prior_balance_sats, candidate_balance_sats,"
                        + " onchain_amount_sats, carry_forward_balance_sats, action)"
                        + " VALUES (9, NULL, 'm', 'm', decode(repeat('01', 32), 'hex'), 70, 0, 70, 0, 70, 'accrued'),"
                        + " (9, 'nowhere', 'm', 'm', decode(repeat('01', 32), 'hex'), 70, 0, 70, 0, 70, 'accrued')");

        assertThat(postgres.ledger().balances().current(soon()))
                .extracting(row -> row.balanceSats().longValueExact())
                .as("rows without a block of ours count for nothing")
                .containsExactly(5L);
        assertThat(postgres.ledger().integrity().report(soon()).drift()).isEmpty();
    }

    /** The shortest: the others tell what else the machine did. */
    private static Duration bestOf(int times, Runnable work) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            work.run();
            best = Math.min(best, System.nanoTime() - start);
        }
        return Duration.ofNanos(best);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void balancesOfAMillionRowsAnswerAtOnce() {
        TestPostgres.run(
                postgres.url(),
                "INSERT INTO qbit_pool_blocks (block_hash, block_height, parent_hash, coinbase_txid,"
                        + " payout_manifest_sha256, chain_state) SELECT 'b' || h, h, 'p', 'c', 'm', 'prepared'"
                        + " FROM generate_series(1, 1000) h",
                "INSERT INTO qbit_payout_carry_forward (block_height, block_hash, miner_id, payout_order_key,"
                        + " p2mr_program, gross_amount_sats, prior_balance_sats, candidate_balance_sats,"
                        + " onchain_amount_sats, carry_forward_balance_sats, action)"
                        + " SELECT h, 'b' || h, 'm' || m, 'm' || m, decode(lpad(to_hex(m), 64, '0'), 'hex'), 1, h - 1, h,"
                        + " 0, h, 'accrued' FROM generate_series(1, 1000) h, generate_series(1, 1000) m",
                // one transaction a block, as in life: the versions that a long one leaves cannot be cleared away
                "DO $$ BEGIN FOR h IN 1..1000 LOOP"
                        + " UPDATE qbit_pool_blocks SET chain_state = 'confirmed' WHERE block_height = h;"
                        + " COMMIT; END LOOP; END $$",
                "ANALYZE");
        Duration read = bestOf(
                20,
                () -> assertThat(postgres.ledger().balances().current(patient()))
                        .hasSize(1000));
        System.out.printf("balances out of a million rows: %d us%n", read.toNanos() / 1000);
        assertThat(read).isLessThan(Duration.ofMillis(50));

        var report = java.util.concurrent.CompletableFuture.supplyAsync(
                () -> postgres.ledger().integrity().report(patient()));
        long slowest = 0;
        for (int i = 0; !report.isDone() || i == 0; i++) {
            long sent = System.nanoTime();
            assertThat(postgres.ledger().shares().append(batch(share("s" + i, 1))))
                    .hasSize(1);
            slowest = Math.max(slowest, System.nanoTime() - sent);
        }
        System.out.printf("slowest append beside the integrity report: %d ms%n", slowest / 1_000_000);
        assertThat(report.join().mismatches()).isEmpty();
        assertThat(report.join().checkedActiveRows()).isEqualTo(1_000_000);
        assertThat(Duration.ofNanos(slowest)).isLessThan(Duration.ofSeconds(1));
    }
}
