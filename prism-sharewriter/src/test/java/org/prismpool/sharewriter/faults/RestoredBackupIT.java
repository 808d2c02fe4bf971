package org.prismpool.sharewriter.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.prismpool.sharewriter.contract.Samples.T0;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.contract.Samples;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.WriterFence;
import org.prismpool.sharewriter.postgres.PostgresConfig;
import org.prismpool.sharewriter.postgres.PostgresDatabase;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.sharewriter.postgres.RestoreCheck;
import org.prismpool.sharewriter.postgres.SchemaMigrator;
import org.prismpool.sharewriter.postgres.TestLedger;

/** The restore drill of the contract (§9.2) on a server that really was restored, from a backup taken under load. */
@Execution(ExecutionMode.SAME_THREAD)
class RestoredBackupIT {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final LeaseIdentity RAISED =
            new LeaseIdentity(TestLedger.IDENTITY.writerId(), TestLedger.IDENTITY.epoch() + 1, "heartbeat-v1:raised");
    private static final BigInteger DIFFICULTY = BigInteger.valueOf(100);

    @TempDir
    Path folder;

    @Test
    void aBackupTakenUnderLoadPassesItsDrill() throws Exception {
        drill(4000);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void aBackupTakenUnderLongLoadPassesItsDrill() throws Exception {
        drill(300_000);
    }

    private static EmbeddedPostgres server(Path data) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPGStartupWait(Duration.ofSeconds(120))
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
    }

    private static String url(EmbeddedPostgres server) {
        return "postgresql://postgres@localhost:" + server.getPort() + "/postgres";
    }

    private void drill(int shares) throws Exception {
        Path copy = folder.resolve("restored");
        try (EmbeddedPostgres lost = server(folder.resolve("lost"))) {
            new SchemaMigrator(PostgresTarget.parse(url(lost))).up();
            try (PostgresDatabase database = open(url(lost))) {
                database.leaseStore().claim(TestLedger.IDENTITY, TTL, Duration.ofSeconds(5));
                Ledger ledger = database.ledger(new WriterFence(TestLedger.IDENTITY, TTL));
                ledger.blocks().persist(Samples.block(0x44, 7, Samples.accrued("m", "m", 1, 5, 0)), soon());
                ledger.blocks().confirm(hash(0x44), 7, soon());
                long covered = backUpUnderLoad(ledger, url(lost), copy, shares);
                try (EmbeddedPostgres restored = server(copy)) {
                    assertDrillPasses(ledger, url(restored), covered);
                }
            }
        }
    }

    private static PostgresDatabase open(String url) {
        return PostgresDatabase.open(PostgresConfig.of(url), LedgerMetrics.NONE, MonotonicClock.system());
    }

    /** Returns the last sequence that was acknowledged before the backup was complete. */
    private static long backUpUnderLoad(Ledger ledger, String url, Path copy, int shares) throws Exception {
        AtomicLong acknowledged = new AtomicLong();
        AtomicLong covered = new AtomicLong();
        try (ShareWriter writer = new ShareWriter(
                ledger.shares(),
                ShareWriterConfig.DEFAULTS,
                ShareWriter.Ports.none(MonotonicClock.system()),
                MonotonicClock.system())) {
            writer.start();
            CompletableFuture<Void> load = CompletableFuture.runAsync(() -> submit(writer, shares, acknowledged));
            await("half of the load")
                    .atMost(Duration.ofMinutes(10))
                    .until(() -> acknowledged.get() >= shares / 2 || load.isDone());
            BaseBackup.take(url, copy, () -> covered.set(acknowledged.get()));
            load.get(10, TimeUnit.MINUTES);
        }
        assertThat(acknowledged.get()).isEqualTo(shares);
        return covered.get();
    }

    private static void submit(ShareWriter writer, int shares, AtomicLong acknowledged) {
        Semaphore inFlight = new Semaphore(200);
        for (int i = 1; i <= shares; i++) {
            inFlight.acquireUninterruptibly();
            writer.submit(AppendEntry.share(share("s" + i, "m" + i % 5, 1 + i % 3, T0, T0 + i)))
                    .thenAccept(result -> {
                        acknowledged.set(((AppendResult.New) result).shareSeq()); // in order: one thread answers
                        inFlight.release();
                    });
        }
        inFlight.acquireUninterruptibly(200);
    }

    private static void assertDrillPasses(Ledger lost, String url, long covered) {
        RestoreCheck.Report report = RestoreCheck.run(PostgresTarget.parse(url), Duration.ofSeconds(60));
        assertThat(report.findings()).isEmpty();
        assertThat(report.highestShareSeq()).isGreaterThanOrEqualTo(covered);
        assertThat(report.shares()).isEqualTo(report.highestShareSeq());
        assertThat(report.bundledBlocks()).containsExactly(hash(0x44));
        try (PostgresDatabase database = open(url)) {
            Ledger copy = database.readOnly();
            assertThat(covered).isGreaterThan(DIFFICULTY.longValueExact() * 8);
            assertThat(copy.windows().auditWindow(T0 + covered, DIFFICULTY, soon()))
                    .isNotEmpty()
                    .isEqualTo(lost.windows().auditWindow(T0 + covered, DIFFICULTY, soon()));
            assertThat(copy.balances().current(soon()))
                    .isNotEmpty()
                    .isEqualTo(lost.balances().current(soon()));
            assertTheRaisedEpochGoesOn(database, url, report.highestShareSeq());
        }
    }

    /** The lease still names the session that was backed up: its time ends by itself or by the operator's hand. */
    private static void assertTheRaisedEpochGoesOn(PostgresDatabase database, String url, long highest) {
        TestPostgres.run(
                url, "UPDATE qbit_ledger_writer_lease SET lease_expires_at = clock_timestamp() + interval '60 s'");
        assertThat(database.leaseStore().claim(RAISED, TTL, Duration.ofSeconds(5)))
                .hasValueSatisfying(holder -> assertThat(holder.epoch()).isEqualTo(TestLedger.IDENTITY.epoch()));
        TestPostgres.run(url, "UPDATE qbit_ledger_writer_lease SET lease_expires_at = clock_timestamp()");
        assertThat(database.leaseStore().claim(RAISED, TTL, Duration.ofSeconds(5)))
                .isEmpty();

        assertThatThrownBy(() -> database.ledger(new WriterFence(TestLedger.IDENTITY, TTL))
                        .shares()
                        .append(batch(share("of-the-dead", 1))))
                .isInstanceOf(WriterFencedException.class);
        List<AppendResult> results =
                database.ledger(new WriterFence(RAISED, TTL)).shares().append(batch(share("s1", "m1", 2, T0, T0)));
        assertThat(results).singleElement().isInstanceOf(AppendResult.Replayed.class);
        assertThat(database.ledger(new WriterFence(RAISED, TTL)).shares().append(batch(share("after", 1))))
                .singleElement()
                .isInstanceOfSatisfying(
                        AppendResult.New.class,
                        added -> assertThat(added.shareSeq()).isGreaterThan(highest));
    }
}
