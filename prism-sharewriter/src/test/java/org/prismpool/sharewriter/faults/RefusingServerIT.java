package org.prismpool.sharewriter.faults;

import static com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly;
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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
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
import org.prismpool.sharewriter.ShareLedger;
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
            assertThatThrownBy(() -> other.shares().append(batch(share("a", 1))))
                    .isInstanceOf(LedgerRefusedException.class);
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

        ShareLedger shares() {
            return database.ledger(postgres.fence()).shares();
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
            ShareLedger shares = other.shares();
            for (String id : List.of("asks-first", "one-request")) {
                shares.append(batch(share(id, 1)));
            }
            assertThat(TestPostgres.ask(postgres.url(), "SELECT string_agg(value, ',') FROM seen"))
                    .isEqualTo("on,on");
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
    void concurrentSubmittersGetContiguousSequencesAndEveryAnsweredShareIsVisible() throws Exception {
        assertVisibleWhenAnswered(100);
    }

    @Test
    @Tag("soak")
    void aThousandConcurrentSubmittersGetContiguousSequencesAndEveryAnsweredShareIsVisible() throws Exception {
        assertVisibleWhenAnswered(1000);
    }

    /** Every submitter is a thread; every answer is compared, where it is given, with what a new connection reads. */
    private void assertVisibleWhenAnswered(int submitters) throws Exception {
        CountDownLatch together = new CountDownLatch(1);
        Queue<CompletableFuture<Long>> answers = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < submitters; i++) {
            String id = "s" + i;
            Thread thread = new Thread(
                    () -> {
                        awaitUninterruptibly(together);
                        answers.add(writer.submit(AppendEntry.share(share(id, 1)))
                                .thenApply(result -> visibleSequence(id, result)));
                    },
                    "submitter-" + i);
            threads.add(thread);
            thread.start();
        }
        together.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(90, TimeUnit.SECONDS);
        assertThat(answers.stream().map(CompletableFuture::join).sorted().toList())
                .isEqualTo(LongStream.rangeClosed(1, submitters).boxed().toList());
        assertThat(TestPostgres.ask(postgres.url(), "SELECT count(*) FROM qbit_share_ledger"))
                .isEqualTo(String.valueOf(submitters));
    }

    private long visibleSequence(String id, AppendResult answered) {
        long sequence = ((AppendResult.New) answered).shareSeq();
        assertThat(TestPostgres.ask(
                        postgres.url(), "SELECT share_seq FROM qbit_share_ledger WHERE share_id = '" + id + "'"))
                .isEqualTo(String.valueOf(sequence));
        return sequence;
    }
}
