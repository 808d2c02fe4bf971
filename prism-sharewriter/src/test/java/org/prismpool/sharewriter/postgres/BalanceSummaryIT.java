package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.Samples.account;
import static org.prismpool.sharewriter.contract.Samples.accrued;
import static org.prismpool.sharewriter.contract.Samples.block;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.MatureBlockException;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.memory.MemoryLedger;

/** Random lives of blocks: after every step the maintained summary equals the recomputation and the memory ledger. */
@Execution(ExecutionMode.SAME_THREAD)
class BalanceSummaryIT {

    @Test
    void theSummaryEqualsTheJournalAfterEveryStepOfRandomLives() {
        Random random = new Random(20);
        try (TestLedger postgres = TestLedger.open()) {
            Ledger memory = new MemoryLedger(System::currentTimeMillis);
            for (int step = 0; step < 250; step++) {
                int fill = 0x40 + random.nextInt(8);
                long height = fill - 0x40 + 5;
                int what = random.nextInt(7);
                long tip = random.nextInt(4) == 0 ? height + 990 + random.nextInt(20) : height + random.nextInt(3);
                assertThat(act(postgres.ledger(), fill, height, what, tip))
                        .isEqualTo(act(memory, fill, height, what, tip));
                assertThat(postgres.ledger().balances().current(soon()))
                        .isEqualTo(memory.balances().current(soon()));
                assertNoDrift(postgres, step);
                if (step % 10 == 0) {
                    assertThat(postgres.ledger().integrity().report(soon()))
                            .isEqualTo(memory.integrity().report(soon()));
                }
            }
        }
    }

    /** The summary against its recomputation from the journal. */
    private static void assertNoDrift(TestLedger postgres, int step) {
        assertThat(TestPostgres.ask(postgres.url(), "SELECT count(*) FROM qbit_carry_forward_current_drift()"))
                .as("step %d", step)
                .isEqualTo("0");
    }

    private static String act(Ledger ledger, int fill, long height, int what, long tip) {
        String hash = hash(fill);
        try {
            return switch (what) {
                case 0 -> String.valueOf(ledger.blocks().persist(block(fill, height, accounts(fill)), soon()));
                case 1, 2 ->
                    String.valueOf(ledger.blocks().confirm(hash, height, soon()).outcome());
                case 3 -> String.valueOf(ledger.reorg().markInactive(hash, tip, soon()));
                case 4 -> String.valueOf(ledger.reorg().reactivate(hash, tip, soon()));
                case 5 ->
                    ledger.blocks().rejectPrepared(hash, tip, soon()) + " "
                            + ledger.reorg().reinstate(hash, soon());
                default ->
                    tip > height + 900
                            ? String.valueOf(ledger.reorg().matureUpTo(tip, soon()))
                            : String.valueOf(ledger.reorg().reverseImmature(hash, tip, soon()));
            };
        } catch (MatureBlockException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static PayoutAccount[] accounts(int fill) {
        return new PayoutAccount[] {
            accrued("miner-" + (fill % 3), "k" + (fill % 3), 0x10 + fill % 3, 100L * fill, 0),
            account("miner-x", "x", 0x20, 50, 0, 10L * (fill % 9), 0),
            accrued("alias-" + fill, "k0", 0x10, 7, 0)
        };
    }

    @Test
    void reversingTheOnlyRowOfAPartitionLeavesItEmpty() {
        try (TestLedger postgres = TestLedger.open()) {
            postgres.ledger().blocks().persist(block(0x44, 7, accrued("m", "m", 1, 5, 0)), soon());
            postgres.ledger().blocks().confirm(hash(0x44), 7, soon());
            postgres.ledger().reorg().reverseImmature(hash(0x44), 8, soon());
            assertThat(TestPostgres.ask(
                            postgres.url(),
                            "SELECT balance_sats || ' ' || active_row_count FROM qbit_payout_carry_forward_current"))
                    .isEqualTo("0 0");
        }
    }

    @Test
    void aPoisonedSummaryIsReportedAndRebuilt() {
        try (TestLedger postgres = TestLedger.open()) {
            postgres.ledger().blocks().persist(block(0x44, 7, accrued("m", "m", 1, 5, 0)), soon());
            postgres.ledger().blocks().confirm(hash(0x44), 7, soon());
            TestPostgres.run(postgres.url(), "UPDATE qbit_payout_carry_forward_current SET balance_sats = 6");

            assertThat(postgres.ledger().integrity().report(soon()).drift()).hasSize(1);
            assertThat(postgres.ledger().integrity().rebuild(soon())).isEqualTo(1);
            assertThat(postgres.ledger().integrity().report(soon()).drift()).isEmpty();
        }
    }

    @Test
    void priorBalancesAndWindowsReadNoHistory() {
        try (TestLedger postgres = TestLedger.open()) {
            TestPostgres.run(
                    postgres.url(),
                    "INSERT INTO qbit_share_ledger (share_id, miner_id, payout_order_key, p2mr_program, share_difficulty,"
                            + " network_difficulty, template_height, job_id, job_issued_at, accepted_at, ntime, writer_id,"
                            + " writer_epoch) SELECT 's' || i, 'm', 'm', decode(repeat('01', 32), 'hex'), 1, 1, 1, 'j',"
                            + " '2020-01-01', '2020-01-01', 1, 'w', 1 FROM generate_series(1, 60000) i",
                    "ANALYZE qbit_share_ledger");
            String plan = TestPostgres.ask(
                    postgres.url(),
                    "SELECT plan FROM (SELECT 1) x, LATERAL (SELECT count(*) AS plan"
                            + " FROM qbit_prism_window('2021-01-01', 5000)) y");
            assertThat(plan).isEqualTo("5000");
            long start = System.nanoTime();
            assertThat(postgres.ledger()
                            .windows()
                            .snapshot(1_700_000_000_000L, java.math.BigInteger.valueOf(100), soon()))
                    .hasSize(100);
            assertThat(MonotonicClock.system().nanoTime() - start).isLessThan(10_000_000_000L);
            String buffers = TestPostgres.explain(
                    postgres.url(),
                    "SELECT share_seq FROM qbit_share_ledger WHERE accepted AND job_issued_at <= '2021-01-01'"
                            + " AND accepted_at <= '2021-01-01' ORDER BY share_seq DESC LIMIT 100");
            assertThat(buffers).contains("Index").doesNotContain("Sort");
        }
    }
}
