package org.prismpool.sharewriter.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.AppendResult.FailureReason;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.LedgerRefusedException;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.postgres.TestLedger;

@Execution(ExecutionMode.SAME_THREAD)
class RefusingServerIT {

    private final TestLedger postgres = TestLedger.open();
    private final ShareWriter writer = new ShareWriter(
            postgres.ledger().shares(),
            ShareWriterConfig.DEFAULTS,
            ShareWriter.Ports.none(MonotonicClock.system()),
            MonotonicClock.system());

    RefusingServerIT() {
        writer.start();
    }

    @AfterEach
    void close() {
        writer.close();
        postgres.close();
    }

    private AppendResult submit(String id) throws Exception {
        return writer.submit(AppendEntry.share(share(id, 1))).get(20, TimeUnit.SECONDS);
    }

    @Test
    void aFullDiskRefusesAndTheWriterRecoversWithTheSpace() throws Exception {
        TestPostgres.run(
                postgres.url(),
                "CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$"
                        + " BEGIN RAISE EXCEPTION 'could not extend file: No space left' USING ERRCODE = '53100'; END $$",
                "CREATE TRIGGER no_space BEFORE INSERT ON qbit_share_ledger EXECUTE FUNCTION no_space()");
        assertThat(submit("a"))
                .isEqualTo(new AppendResult.Failed(
                        FailureReason.COMMIT_FAILED,
                        "share ledger commit failed: could not extend file: No space left"));
        TestPostgres.run(postgres.url(), "DROP TRIGGER no_space ON qbit_share_ledger", "DROP FUNCTION no_space()");
        assertThat(submit("a")).isInstanceOf(AppendResult.New.class);
    }

    @Test
    void aReadOnlyServerRefusesAndNothingIsWritten() {
        String database = TestPostgres.ask(postgres.url(), "SELECT current_database()");
        TestPostgres.run(postgres.url(), "ALTER DATABASE " + database + " SET default_transaction_read_only = on");
        try (TestReader other = new TestReader(postgres)) {
            assertThatThrownBy(() -> other.append()).isInstanceOf(LedgerRefusedException.class);
        } finally {
            TestPostgres.run(
                    postgres.url(),
                    "SET default_transaction_read_only = off",
                    "ALTER DATABASE " + database + " RESET default_transaction_read_only");
        }
        assertThat(TestPostgres.ask(postgres.url(), "SELECT count(*) FROM qbit_share_ledger"))
                .isEqualTo("0");
    }

    /** A second set of connections on the same database, opened after a setting changed. */
    private static final class TestReader implements AutoCloseable {
        private final org.prismpool.sharewriter.postgres.PostgresDatabase database;
        private final TestLedger postgres;

        TestReader(TestLedger postgres) {
            this.postgres = postgres;
            this.database = org.prismpool.sharewriter.postgres.PostgresDatabase.open(
                    org.prismpool.sharewriter.postgres.PostgresConfig.of(postgres.url()),
                    org.prismpool.sharewriter.LedgerMetrics.NONE,
                    MonotonicClock.system());
        }

        void append() {
            database.ledger(postgres.fence()).shares().append(batch(share("a", 1)));
        }

        @Override
        public void close() {
            database.close();
        }
    }

    @Test
    void aCommitWaitsForTheDiskEvenIfTheRoleSaysOtherwise() throws Exception {
        String database = TestPostgres.ask(postgres.url(), "SELECT current_database()");
        TestPostgres.run(
                postgres.url(),
                "ALTER DATABASE " + database + " SET synchronous_commit = off",
                "CREATE TABLE seen (value text)",
                "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$"
                        + " BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$",
                "CREATE TRIGGER see AFTER INSERT ON qbit_share_ledger EXECUTE FUNCTION see()");
        try (TestReader other = new TestReader(postgres)) {
            other.append();
            assertThat(TestPostgres.ask(postgres.url(), "SELECT value FROM seen"))
                    .isEqualTo("on");
        } finally {
            TestPostgres.run(
                    postgres.url(),
                    "ALTER DATABASE " + database + " RESET synchronous_commit",
                    "DROP TRIGGER see ON qbit_share_ledger",
                    "DROP FUNCTION see()",
                    "DROP TABLE seen");
        }
    }

    @Test
    void aLandingEndsAtItsDeadlineWhileTheLeaseRowIsLocked() throws Exception {
        try (Connection other = TestPostgres.connect(postgres.url());
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT FROM qbit_ledger_writer_lease FOR UPDATE");
            Deadline brief = Deadline.after(Duration.ofMillis(300), MonotonicClock.system(), "outbox");
            long start = System.nanoTime();
            assertThatThrownBy(() -> postgres.ledger().outbox().attempted("a", brief))
                    .isInstanceOf(LedgerDeadlineException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            assertThat(TestPostgres.ask(
                            postgres.url(),
                            "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND wait_event_type = 'Lock'"
                                    + " AND datname = current_database()"))
                    .isEqualTo("0");
            other.rollback();
        }
        assertThat(postgres.ledger().outbox().attempted("a", soon())).isFalse();
    }

    @Test
    void aThousandConcurrentSubmittersGetContiguousSequencesThatAreVisibleWhenAnswered() throws Exception {
        List<CompletableFuture<Void>> checks = new ArrayList<>();
        Map<String, Long> seen = new java.util.concurrent.ConcurrentHashMap<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 20; t++) {
            int thread = t;
            threads.add(new Thread(() -> {
                for (int i = 0; i < 50; i++) {
                    String id = thread + "-" + i;
                    CompletableFuture<Void> check = writer.submit(AppendEntry.share(share(id, 1)))
                            .thenAccept(result -> seen.put(id, ((AppendResult.New) result).shareSeq()));
                    synchronized (checks) {
                        checks.add(check);
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        AppendResult answered = submit("visible");
        assertThat(TestPostgres.ask(
                        postgres.url(), "SELECT share_seq FROM qbit_share_ledger WHERE share_id = 'visible'"))
                .isEqualTo(String.valueOf(((AppendResult.New) answered).shareSeq()));
        seen.put("visible", ((AppendResult.New) answered).shareSeq());
        for (Thread thread : threads) {
            thread.join();
        }
        CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
        assertThat(seen.values().stream().sorted().toList())
                .isEqualTo(
                        java.util.stream.LongStream.rangeClosed(1, 1001).boxed().toList());
        assertThat(TestPostgres.ask(postgres.url(), "SELECT count(*) FROM qbit_share_ledger"))
                .isEqualTo("1001");
    }
}
