package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.prismpool.lifecycle.shutdown.LeasePort.Outcome;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.lease.ExternalAuthority;
import org.prismpool.sharewriter.lease.LeaseConfig;
import org.prismpool.sharewriter.lease.LeaseEvents;
import org.prismpool.sharewriter.lease.LeaseHeldElsewhereException;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.LeaseTiming;
import org.prismpool.sharewriter.lease.LeaseVerdict;
import org.prismpool.sharewriter.lease.WriterFence;
import org.prismpool.sharewriter.lease.WriterLease;

@Execution(ExecutionMode.SAME_THREAD)
class WriterLeaseIT {

    private final String url = TestPostgres.database();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        TestPostgres.giveBack(url);
    }

    private final class Node {
        final PostgresDatabase database =
                PostgresDatabase.open(PostgresConfig.of(url), LedgerMetrics.NONE, MonotonicClock.system());
        volatile String lost = "";
        final WriterLease lease;
        volatile boolean adopted;

        Node(String id, long epoch, String token, Duration ttl) {
            this(id, epoch, token, ttl, Duration.ofSeconds(1));
        }

        Node(String id, long epoch, String token, Duration ttl, Duration lockTimeout) {
            open.add(database);
            LeaseConfig config = new LeaseConfig(
                    new LeaseIdentity(id, epoch, token),
                    ttl,
                    Duration.ofMillis(100),
                    lockTimeout,
                    5,
                    LeaseTiming.DEFAULTS);
            lease = new WriterLease(
                    database.leaseStore(),
                    config,
                    reason -> lost = reason,
                    new LeaseEvents() {
                        @Override
                        public void acquired(boolean wasAdopted, Duration waited) {
                            adopted = wasAdopted;
                        }
                    },
                    MonotonicClock.system());
            open.add(lease);
        }

        Node acquire() {
            lease.acquire(CancelSignal.never());
            return this;
        }
    }

    private Node node(String token) {
        return new Node("w", 1, token, Duration.ofSeconds(60));
    }

    private String lease(String column) {
        return TestPostgres.ask(url, "SELECT " + column + " FROM qbit_ledger_writer_lease");
    }

    @Test
    void guardKeysAreTheContracts() {
        assertThat(PostgresLeaseStore.guardKey("prism-coordinator", 1)).isEqualTo(8919494646263071840L);
        assertThat(PostgresLeaseStore.guardKey("prism-coordinator", 2)).isEqualTo(7939158005281066893L);
        assertThat(PostgresLeaseStore.guardKey("writer-a", 1)).isEqualTo(5399545528460587918L);
        assertThat(PostgresLeaseStore.guardKey("writer-b", 7)).isEqualTo(3692397849363609798L);
    }

    @Test
    void theFirstWriterHoldsTheLeaseAndItsWritesAreFencedByIt() {
        Node a = node("heartbeat-v1:a").acquire();
        var ledger = a.database.ledger(a.lease.fence());
        assertThat(a.lease.verdict()).isEqualTo(LeaseVerdict.HELD);
        assertThat(a.lease.verifyExternal()).isEqualTo(ExternalAuthority.GRANTED);
        assertThat(ledger.shares().append(batch(share("a", 1)))).hasSize(1);
        assertThat(TestPostgres.ask(
                        url,
                        "SELECT classid || ' ' || objid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1"
                                + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"))
                .isEqualTo((PostgresLeaseStore.guardKey("w", 1) >>> 32) + " "
                        + (PostgresLeaseStore.guardKey("w", 1) & 0xffffffffL));
    }

    @Test
    void anotherWriterFailsFastAndNamesTheHolder() {
        node("heartbeat-v1:a").acquire();
        Node other = new Node("x", 1, "heartbeat-v1:b", Duration.ofSeconds(60));

        assertThatThrownBy(other::acquire)
                .isInstanceOf(LeaseHeldElsewhereException.class)
                .hasMessageStartingWith("qbit ledger writer lease is held by w epoch=1 session=heartbeat-v1:a until ");
    }

    @Test
    void aTwinWaitsAtTheGuardAndAdoptsAfterASilence() throws Exception {
        Node a = node("heartbeat-v1:a").acquire();
        Node b = node("heartbeat-v1:b");
        CompletableFuture<Node> waiting = CompletableFuture.supplyAsync(b::acquire);
        await("b stays at the guard")
                .during(Duration.ofMillis(600))
                .atMost(Duration.ofSeconds(5))
                .until(() -> !waiting.isDone());

        long start = System.nanoTime();
        a.lease.close(); // the process is gone: its guard drops, its lease stays
        waiting.get(20, java.util.concurrent.TimeUnit.SECONDS);

        assertThat(b.adopted).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(4));
        assertThat(lease("writer_session_token")).isEqualTo("heartbeat-v1:b");
        WriterFence fenceOfA = new WriterFence(new LeaseIdentity("w", 1, "heartbeat-v1:a"), Duration.ofSeconds(60));
        assertThatThrownBy(() -> a.database.ledger(fenceOfA).shares().append(batch(share("late", 1))))
                .isInstanceOf(WriterFencedException.class)
                .hasMessage("writer lease is not active");
        assertThat(TestPostgres.ask(url, "SELECT count(*) FROM qbit_share_ledger"))
                .isEqualTo("0");
    }

    @Test
    void anIdleHolderRenewsByHeartbeatAlone() {
        Node a = new Node("w", 1, "heartbeat-v1:a", Duration.ofSeconds(6)).acquire();
        String first = lease("updated_at");
        await("renewed")
                .atMost(Duration.ofSeconds(20))
                .until(() -> !lease("updated_at").equals(first));
        assertThat(lease("lease_expires_at > clock_timestamp() + interval '4 seconds'"))
                .isEqualTo("t");
        assertThat(a.lost).isEmpty();
    }

    @Test
    void aLandingThatHoldsTheLeaseRowDoesNotEndTheProcess() throws Exception {
        Node a = node("heartbeat-v1:a").acquire();
        try (Connection landing = ownSession(a)) {
            landing.setAutoCommit(false);
            lockLease(landing);
            await("alive while the row is locked")
                    .during(Duration.ofSeconds(2))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> a.lost.isEmpty());
            assertThat(a.lease.verdict()).isEqualTo(LeaseVerdict.HELD);
            landing.rollback();
        }
        assertThat(a.lease.verifyExternal()).isEqualTo(ExternalAuthority.GRANTED);
    }

    @Test
    void anOwnWriteThatOutlastsTheLeaseWithholdsExternalCallsOnly() throws Exception {
        Node a = node("heartbeat-v1:a").acquire();
        TestPostgres.run(
                url, "UPDATE qbit_ledger_writer_lease SET lease_expires_at = clock_timestamp() - interval '1 s'");
        try (Connection landing = ownSession(a)) {
            landing.setAutoCommit(false);
            lockLeaseExpired(landing);
            await("deferred").until(() -> a.lease.verifyExternal() == ExternalAuthority.DEFERRED);
            assertThat(a.lease.verdict()).isEqualTo(LeaseVerdict.HELD_NO_EXTERNAL);
            assertThat(a.lease.verdict().mayOffer()).isTrue();
            landing.commit();
        }
        await("granted again").until(() -> a.lease.verifyExternal() == ExternalAuthority.GRANTED);
        assertThat(a.lost).isEmpty();
    }

    private Connection ownSession(Node node) throws Exception {
        Connection connection = TestPostgres.connect(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET application_name = '" + writerName(node) + "'");
        }
        return connection;
    }

    private String writerName(Node node) {
        node.database.ledger(node.lease.fence()).shares().append(batch(share("name", 1)));
        return TestPostgres.ask(
                url,
                "SELECT application_name FROM pg_stat_activity WHERE application_name LIKE 'qbit-prism-writer-%'"
                        + " AND datname = current_database() LIMIT 1");
    }

    private static void lockLease(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("UPDATE qbit_ledger_writer_lease SET updated_at = clock_timestamp()");
        }
    }

    /** Locks the row while the committed row is expired: repeated until the heartbeat did not renew in between. */
    private void lockLeaseExpired(Connection connection) throws Exception {
        for (int i = 0; i < 100; i++) {
            TestPostgres.run(
                    url, "UPDATE qbit_ledger_writer_lease SET lease_expires_at = clock_timestamp() - interval '1 s'");
            lockLease(connection);
            if (lease("lease_expires_at <= clock_timestamp()").equals("t")) {
                return;
            }
            connection.rollback();
        }
        throw new AssertionError("the heartbeat always renewed in between");
    }

    @Test
    void aForeignLockOnAnExpiredRowEndsTheProcess() throws Exception {
        Node a = node("heartbeat-v1:a").acquire();
        try (Connection claim = TestPostgres.connect(url)) {
            claim.setAutoCommit(false);
            lockLeaseExpired(claim);
            await("lost").until(() -> !a.lost.isEmpty());
            assertThat(a.lease.verdict()).isEqualTo(LeaseVerdict.LOST);
            assertThat(a.lease.verifyExternal()).isEqualTo(ExternalAuthority.REFUSED);
            claim.rollback();
        }
    }

    @Test
    void aTakenTokenEndsTheProcessAndFencesItsWrites() {
        Node a = node("heartbeat-v1:a").acquire();
        TestPostgres.run(url, "UPDATE qbit_ledger_writer_lease SET writer_session_token = 'other'");
        await("lost").until(() -> !a.lost.isEmpty());
        assertThatThrownBy(() -> a.database.ledger(a.lease.fence()).shares().append(batch(share("x", 1))))
                .isInstanceOf(WriterFencedException.class);
    }

    @Test
    void aKilledGuardSessionEndsTheProcess() {
        Node a = node("heartbeat-v1:a").acquire();
        TestPostgres.run(
                url,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'qbit-prism-guard'"
                        + " AND datname = current_database()");
        await("lost").atMost(Duration.ofSeconds(20)).until(() -> !a.lost.isEmpty());
    }

    @Test
    void releaseLetsTheNextWriterInAtOnceAndRefusesOwnWritesAfterwards() {
        Node a = node("heartbeat-v1:a").acquire();
        assertThat(a.lease.giveBack(Duration.ofSeconds(5))).isEqualTo(Outcome.SUCCESS);
        assertThat(a.lease.verdict()).isEqualTo(LeaseVerdict.RELEASED);
        assertThatThrownBy(() -> a.database.ledger(a.lease.fence()).shares().append(batch(share("x", 1))))
                .isInstanceOf(WriterFencedException.class);
        assertThat(lease("lease_expires_at < clock_timestamp()")).isEqualTo("t");

        Node other = new Node("x", 9, "heartbeat-v1:b", Duration.ofSeconds(60)).acquire();
        assertThat(other.adopted).isFalse();
        assertThat(a.lost).isEmpty();
    }

    @Test
    void aReleaseKeepsItsBoundWhileTheLeaseRowIsLocked() throws Exception {
        Node a = node("heartbeat-v1:a").acquire();
        try (Connection landing = TestPostgres.connect(url);
                Statement statement = landing.createStatement()) {
            landing.setAutoCommit(false);
            statement.execute("SELECT FROM qbit_ledger_writer_lease FOR UPDATE");
            a.lease.stopHeartbeat(Duration.ofSeconds(1), java.util.Set.of());
            String expires = lease("lease_expires_at");
            long start = System.nanoTime();

            Outcome outcome = a.lease.releaseFreshConnection(
                    Deadline.after(Duration.ofSeconds(1), MonotonicClock.system(), "watchdog"));

            assertThat(outcome).isIn(Outcome.TIMEOUT, Outcome.FAILURE);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            landing.rollback();
            assertThat(lease("lease_expires_at")).isEqualTo(expires);
        }
    }

    @Test
    void whenTheDatabasesClockJumpsPastTheLeaseAnotherWriterMayClaimItAndOursIsFenced() {
        Node a = node("heartbeat-v1:a").acquire();
        PostgresDatabase other =
                PostgresDatabase.open(PostgresConfig.of(url), LedgerMetrics.NONE, MonotonicClock.system());
        open.add(other);
        LeaseIdentity successor = new LeaseIdentity("x", 1, "heartbeat-v1:x");
        await("claim between two heartbeats").atMost(Duration.ofSeconds(20)).until(() -> {
            TestPostgres.run(
                    url,
                    "UPDATE qbit_ledger_writer_lease SET lease_expires_at = clock_timestamp() - interval '1 hour'"
                            + " WHERE writer_id = 'w'");
            return other.leaseStore()
                    .claim(successor, Duration.ofSeconds(60), Duration.ofSeconds(1))
                    .isEmpty();
        });

        assertThatThrownBy(() -> a.database.ledger(a.lease.fence()).shares().append(batch(share("x", 1))))
                .isInstanceOf(WriterFencedException.class);
        await("lost").until(() -> !a.lost.isEmpty());
        assertThat(lease("writer_id")).isEqualTo("x");
        assertThat(TestPostgres.ask(url, "SELECT count(*) FROM qbit_share_ledger"))
                .isEqualTo("0");
    }

    @Test
    void aForeignLeaseIsNotReleased() {
        Node a = node("heartbeat-v1:a").acquire();
        String before = lease("updated_at");
        a.lease.stopHeartbeat(Duration.ofSeconds(1), java.util.Set.of());
        TestPostgres.run(url, "UPDATE qbit_ledger_writer_lease SET writer_session_token = 'other'");
        String expires = lease("lease_expires_at");
        assertThat(a.lease.release(soon())).isEqualTo(Outcome.NOT_HELD);
        assertThat(lease("lease_expires_at")).isEqualTo(expires);
        assertThat(before).isNotEmpty();
    }

    @Test
    void anExpiredLeaseStillWritesAsLongAsNobodyClaimedIt() {
        try (TestLedger own = TestLedger.open(TestPostgres.database())) {
            TestPostgres.run(
                    own.url(),
                    "UPDATE qbit_ledger_writer_lease SET lease_expires_at = clock_timestamp() - interval '1 hour'");
            assertThat(own.ledger().shares().append(batch(share("x", 1)))).hasSize(1);
            assertThat(
                            TestPostgres.ask(
                                    own.url(),
                                    "SELECT lease_expires_at > clock_timestamp() + interval '55 s' FROM qbit_ledger_writer_lease"))
                    .isEqualTo("t");
        }
    }

    @Test
    void twoFirstWritersRaceAndOneOfThemHoldsTheLease() throws Exception {
        CompletableFuture<Object> a = race("a");
        CompletableFuture<Object> b = race("b");
        List<Object> results = List.of(
                a.get(20, java.util.concurrent.TimeUnit.SECONDS), b.get(20, java.util.concurrent.TimeUnit.SECONDS));
        assertThat(results.stream().filter(Node.class::isInstance)).hasSize(1);
        assertThat(results.stream().filter(LeaseHeldElsewhereException.class::isInstance))
                .hasSize(1);
    }

    private CompletableFuture<Object> race(String id) {
        Node node = new Node(id, 1, "heartbeat-v1:" + id, Duration.ofSeconds(60));
        return CompletableFuture.supplyAsync(() -> {
            try {
                return node.acquire();
            } catch (LeaseHeldElsewhereException held) {
                return held;
            }
        });
    }

    @Test
    void anOrphanedTransactionOnTheRowMakesTheAcquisitionFailVisibly() throws Exception {
        try (Connection orphan = TestPostgres.connect(url);
                Statement statement = orphan.createStatement()) {
            TestPostgres.run(
                    url,
                    "INSERT INTO qbit_ledger_writer_lease (writer_id, writer_epoch, writer_session_token, lease_expires_at)"
                            + " VALUES ('w', 1, 'old', clock_timestamp() - interval '1 hour')");
            orphan.setAutoCommit(false);
            statement.execute("SELECT FROM qbit_ledger_writer_lease FOR UPDATE");
            Node impatient = new Node("w", 1, "heartbeat-v1:a", Duration.ofSeconds(60), Duration.ofMillis(200));
            assertThatThrownBy(impatient::acquire)
                    .hasMessageContaining("5 attempts")
                    .hasMessageContaining("locked");
            orphan.rollback();
        }
        assertThat(node("heartbeat-v1:b").acquire().lease.verdict()).isEqualTo(LeaseVerdict.HELD);
    }

    @Test
    void aReadOnlyLedgerRefusesEveryWrite() {
        Node a = node("heartbeat-v1:a");
        var ledger = a.database.readOnly();
        assertThatThrownBy(() -> ledger.shares().append(batch(share("x", 1))))
                .isInstanceOf(WriterFencedException.class);
        assertThatThrownBy(() -> ledger.reorg().matureUpTo(1, soon())).isInstanceOf(WriterFencedException.class);
        assertThatThrownBy(() -> ledger.outbox().attempted("a", soon())).isInstanceOf(WriterFencedException.class);
        assertThatThrownBy(() -> ledger.integrity().rebuild(soon())).isInstanceOf(WriterFencedException.class);
        assertThat(ledger.balances().current(soon())).isEmpty();
    }
}
