package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.StandbyServer;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.contract.PublicReadsContract;
import org.prismpool.sharewriter.contract.Samples;
import org.prismpool.sharewriter.read.MinerReads.WorkerFilter;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.PoolStatistics.PoolSubject;
import org.prismpool.sharewriter.read.PoolStatistics.SeriesRange;
import org.prismpool.sharewriter.read.PublicReads;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.ReplicaState;

/** Public reads where nothing may be written. */
class ReadOnlyDatabaseIT {

    private static ReadOnlyDatabase open(String url) {
        return ReadOnlyDatabase.open(PostgresConfig.of(url), LedgerMetrics.NONE, MonotonicClock.system());
    }

    private static void fill(Ledger ledger) {
        PublicReadsContract.accept(ledger, "addr-a.rig:" + hash(0x44), "addr-a", 50, 10);
        ledger.blocks().persist(Samples.block(0x44, 7, Samples.accrued("addr-a", "addr-a", 1, 1000, 0)), soon());
        ledger.blocks().confirm(hash(0x44), 7, soon());
        ledger.fanouts().persist(Samples.fanouts(0x44, 1), soon());
    }

    private static void assertEverythingCanBeRead(Ledger ledger) {
        PublicReads reads = ledger.reads();
        assertThat(reads.pool().totals(soon()).totalMinedSats()).isEqualTo(1000);
        assertThat(reads.pool().series(new PoolSubject(), new SeriesRange(Instant.EPOCH, 300), soon()))
                .hasSize(1);
        assertThat(reads.leaderboards()
                        .recent("", PublicReadsContract.FIRST, soon())
                        .rows())
                .extracting(row -> row.recipientId() + " " + row.blocksFound())
                .containsExactly("addr-a 1");
        assertThat(reads.blocks().page(new PageRequest(1, 1), soon()).totalCount())
                .isEqualTo(1);
        assertThat(reads.rewardWindow(BigInteger.TEN, soon()).includedShares()).isEqualTo(1);
        assertThat(reads.blockCounts(soon()).owedAccounts()).isEqualTo(1);
        assertThat(reads.miners().activity("addr-a", soon()).lastShareAt()).isPresent();
        assertThat(reads.miners().account("addr-a", soon()).owedSats()).isEqualTo(1000);
        assertThat(reads.miners()
                        .earnings("addr-a", PublicReadsContract.FIRST, soon())
                        .totalCount())
                .isEqualTo(1);
        assertThat(reads.miners()
                        .payouts("addr-a", PublicReadsContract.FIRST, soon())
                        .totalCount())
                .isEqualTo(1);
        assertThat(reads.miners()
                        .workers("addr-a", WorkerFilter.ALL, PublicReadsContract.FIRST, soon())
                        .activeCount())
                .isEqualTo(1);
        assertThat(reads.settlements().ofBlock(hash(0x44), soon()).orElseThrow().fanouts())
                .hasSize(1);
        assertThat(reads.settlements()
                        .pendingFanouts(PublicReadsContract.FIRST, soon())
                        .totalCount())
                .isEqualTo(1);
        assertThat(reads.settlements().artifact(hash(0xf0), soon())).isPresent();
        assertThat(ledger.blocks().find(hash(0x44), soon())).isPresent();
        assertThat(ledger.audits().find(hash(0x44), soon())).isPresent();
        assertThat(ledger.shares().totals(soon()).acceptedShares()).isEqualTo(1);
    }

    private static void assertNothingCanBeWritten(Ledger ledger) {
        assertThatThrownBy(() -> ledger.shares().append(batch(share("x", 1))))
                .isInstanceOf(WriterFencedException.class)
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> ledger.blocks().persist(Samples.block(0x46, 8), soon()))
                .isInstanceOf(WriterFencedException.class);
        assertThatThrownBy(() -> ledger.reorg().matureUpTo(2000, soon())).isInstanceOf(WriterFencedException.class);
    }

    @Test
    void aRoleThatMayOnlySelectReadsEverythingOnReadOnlySessions() {
        String role = "prism_reader_" + ProcessHandle.current().pid();
        try (TestLedger writer = TestLedger.open()) {
            fill(writer.ledger());
            TestPostgres.run(
                    writer.url(),
                    "CREATE ROLE " + role + " LOGIN PASSWORD 'reads'",
                    "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + role);
            String url = "postgresql://" + role + ":reads@"
                    + writer.url().substring(writer.url().indexOf('@') + 1);
            try (ReadOnlyDatabase database = open(url)) {
                assertEverythingCanBeRead(database.ledger());
                assertNothingCanBeWritten(database.ledger());
                assertThat(database.replica().probe(soon()).inRecovery()).isFalse();
                assertThat(database.replica().probe(soon()).replayLag()).isEmpty();
                assertThat(TestPostgres.ask(
                                writer.url(),
                                "SELECT count(DISTINCT application_name) || min(application_name) FROM pg_stat_activity"
                                        + " WHERE usename = '" + role + "'"))
                        .as("no other session than those of the read pool")
                        .isEqualTo("1qbit-prism-reader");
            } finally {
                TestPostgres.run(writer.url(), "DROP OWNED BY " + role, "DROP ROLE " + role);
            }
        }
    }

    @Test
    void aReadThatAStandbyCancelledForItsReplayIsRepeatedOnce() {
        AtomicInteger calls = new AtomicInteger();
        String cancel = "DO $$ BEGIN RAISE EXCEPTION 'canceling statement due to conflict with recovery'"
                + " USING ERRCODE = '40001'; END $$";
        try (TestLedger writer = TestLedger.open();
                Transactions reads = Transactions.readOnly(
                        new Sessions(PostgresConfig.of(writer.url())).reads(), LedgerMetrics.NONE)) {
            assertThat(reads.<Integer>read(soon(), sql -> {
                        if (calls.incrementAndGet() == 1) {
                            sql.execute(cancel);
                        }
                        return calls.get();
                    }))
                    .isEqualTo(2);
            assertThatThrownBy(() -> reads.read(soon(), sql -> sql.execute(cancel)))
                    .isInstanceOf(LedgerDeadlineException.class)
                    .hasMessageContaining("conflict with recovery");
        }
    }

    @Test
    void aReadOfManyStatementsEndsWithItsDeadline() {
        try (TestLedger writer = TestLedger.open();
                Transactions reads = Transactions.readOnly(
                        new Sessions(PostgresConfig.of(writer.url())).reads(), LedgerMetrics.NONE)) {
            Deadline deadline = Deadline.after(Duration.ofSeconds(3), MonotonicClock.system(), "a test");
            assertThatThrownBy(() -> reads.read(deadline, sql -> {
                        for (int i = 0; i < 200; i++) {
                            sql.execute("SELECT pg_sleep(0.3)");
                        }
                        return true;
                    }))
                    .isInstanceOf(LedgerDeadlineException.class)
                    .hasMessageContaining("a test");
        }
    }

    @Test
    void aStandbyAnswersAndTellsHowFreshItIs(@TempDir Path directory) throws Exception {
        try (StandbyServer servers = StandbyServer.start(directory)) {
            new SchemaMigrator(PostgresTarget.parse(servers.primaryUrl())).up();
            PostgresDatabase primary = PostgresDatabase.open(
                    PostgresConfig.of(servers.primaryUrl()), LedgerMetrics.NONE, MonotonicClock.system());
            try (primary;
                    ReadOnlyDatabase standby = open(servers.standbyUrl())) {
                primary.leaseStore().claim(TestLedger.IDENTITY, Duration.ofSeconds(60), Duration.ofSeconds(5));
                fill(primary.ledger(
                        new org.prismpool.sharewriter.lease.WriterFence(TestLedger.IDENTITY, Duration.ofSeconds(60))));
                await("the standby has replayed the last write")
                        .atMost(Duration.ofSeconds(60))
                        .ignoreExceptions()
                        .until(() -> standby.ledger()
                                        .fanouts()
                                        .ofBlock(hash(0x44), soon())
                                        .size()
                                == 1);

                assertEverythingCanBeRead(standby.ledger());
                assertNothingCanBeWritten(standby.ledger());
                ReplicaState state = standby.replica().probe(soon());
                assertThat(state.inRecovery()).isTrue();
                assertThat(state.receiverMessageAge())
                        .get()
                        .satisfies(age -> assertThat(age).isLessThan(Duration.ofMinutes(5)));
                assertThat(state.replayLag()).isPresent();
                assertThat(state.backlogBytes()).isPresent();
                assertThat(standby.ledger()
                                .reads()
                                .pool()
                                .totals(soon())
                                .work()
                                .in(RateWindow.H24)
                                .shares())
                        .isEqualTo(1);
            }
        }
    }
}
