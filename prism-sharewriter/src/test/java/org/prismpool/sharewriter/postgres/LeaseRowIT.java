package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.share;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.lease.LeaseHolder;
import org.prismpool.sharewriter.lease.LeaseIdentity;

/** What a locked, forgotten or expired lease row does to the sessions around it. No heartbeat runs here. */
class LeaseRowIT {

    private static final LeaseIdentity OTHER = new LeaseIdentity("writer-b", 1, "heartbeat-v1:other");
    private static final Duration TTL = Duration.ofSeconds(60);

    private final TestLedger postgres = TestLedger.open();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        postgres.close();
    }

    private Connection session(PostgresConfig config) throws Exception {
        Connection session = new Sessions(config)
                .open("qbit-prism-writer-x", config.connectTimeout(), Duration.ofSeconds(30), Duration.ofSeconds(35));
        open.add(session);
        session.setAutoCommit(false);
        return session;
    }

    private Connection fencedTransaction(PostgresConfig config) throws Exception {
        Connection session = session(config);
        assertThat(Transactions.pass(session, postgres.fence())).isTrue();
        return session;
    }

    private CompletableFuture<Optional<LeaseHolder>> claimOfAnother() {
        return CompletableFuture.supplyAsync(
                () -> postgres.database().leaseStore().claim(OTHER, TTL, Duration.ofSeconds(20)));
    }

    private void expire() {
        TestPostgres.run(
                postgres.url(),
                "UPDATE qbit_ledger_writer_lease SET lease_expires_at = clock_timestamp() - interval '1 s'");
    }

    private void awaitClaimBehindTheLock() {
        await("the claim waits for the row")
                .atMost(Duration.ofSeconds(20))
                .until(() -> TestPostgres.ask(
                                postgres.url(),
                                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                        + " AND datname = current_database()")
                        .equals("1"));
    }

    @Test
    void aClaimBehindAWriteOfTheHolderLosesWhenThatWriteCommits() throws Exception {
        expire();
        Connection write = fencedTransaction(PostgresConfig.of(postgres.url()));
        CompletableFuture<Optional<LeaseHolder>> claim = claimOfAnother();
        awaitClaimBehindTheLock();

        write.commit();

        assertThat(claim.get(20, TimeUnit.SECONDS))
                .hasValueSatisfying(holder -> assertThat(holder.writerId()).isEqualTo("writer-a"));
        assertThat(postgres.ledger().shares().append(batch(share("a", 1)))).hasSize(1);
    }

    @Test
    void aClaimBehindAWriteOfTheHolderWinsWhenThatWriteRollsBack() throws Exception {
        expire();
        Connection write = fencedTransaction(PostgresConfig.of(postgres.url()));
        CompletableFuture<Optional<LeaseHolder>> claim = claimOfAnother();
        awaitClaimBehindTheLock();

        write.rollback();

        assertThat(claim.get(20, TimeUnit.SECONDS)).isEmpty();
        assertThatThrownBy(() -> postgres.ledger().shares().append(batch(share("a", 1))))
                .isInstanceOf(WriterFencedException.class);
    }

    @Test
    void aCrashInsideAFencedTransactionLeavesTheRowAsItWas() throws Exception {
        String before = row();
        Connection write = fencedTransaction(PostgresConfig.of(postgres.url()));
        String pid = ask(write, "SELECT pg_backend_pid()");

        TestPostgres.run(postgres.url(), "SELECT pg_terminate_backend(" + pid + ")");

        await("row is free")
                .atMost(Duration.ofSeconds(20))
                .until(() -> TestPostgres.ask(
                                postgres.url(), "SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid)
                        .equals("0"));
        assertThat(row()).isEqualTo(before);
    }

    @Test
    void aTransactionThatItsProcessForgotFreesTheRowByItself() throws Exception {
        PostgresConfig defaults = PostgresConfig.of(postgres.url());
        PostgresConfig brief = new PostgresConfig(
                defaults.target(),
                1,
                defaults.operationTimeout(),
                defaults.connectTimeout(),
                Duration.ofMillis(300),
                defaults.keepalives(),
                Duration.ZERO);
        expire();
        fencedTransaction(brief);

        assertThat(claimOfAnother().get(20, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void everyKindOfSessionHasTheContractsLimits() throws Exception {
        PostgresConfig config = PostgresConfig.of(postgres.url());
        assertLimits(session(config));
        Sessions sessions = new Sessions(config);
        for (SessionPool pool : List.of(sessions.landing(), sessions.outbox(), sessions.reads())) {
            open.add(pool);
            try (Connection pooled = pool.connection()) {
                assertLimits(pooled);
            }
        }
    }

    /** A scan would grow with the ledger, and a restricted plan that scans all the same looks dear enough to compile. */
    @ParameterizedTest
    @ValueSource(strings = {AppendProbe.PROBE, DirectAppend.ROWS, DirectAppend.DRAW})
    void aStatementOfAnAppendScansNothing(String sql) throws Exception {
        Connection session = session(PostgresConfig.of(postgres.url()));
        Matcher parameters = Pattern.compile("\\?").matcher(sql);
        int[] count = {0};
        String numbered = parameters.replaceAll(parameter -> "\\$" + ++count[0]);
        try (Statement statement = session.createStatement()) {
            statement.execute(WriterConnection.LOOKUPS_BY_KEY);
            statement.execute("PREPARE append AS " + numbered);
            StringBuilder plan = new StringBuilder();
            try (ResultSet lines = statement.executeQuery(
                    "EXPLAIN EXECUTE append (" + String.join(", ", Collections.nCopies(count[0], "NULL")) + ")")) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
            assertThat(plan.toString())
                    .contains("qbit_ledger_writer_lease_pkey")
                    .doesNotContain("Seq Scan on qbit_share_ledger ", "Seq Scan on qbit_ledger_writer_lease");
            if (!sql.equals(DirectAppend.ROWS)) {
                assertThat(plan.toString()).containsPattern("qbit_share_ledger_(share_id_|p)key");
            }
        }
    }

    private static void assertLimits(Connection session) throws Exception {
        assertThat(ask(session, "SHOW idle_in_transaction_session_timeout")).isEqualTo("15s");
        assertThat(ask(session, "SHOW tcp_keepalives_idle")).isEqualTo("30");
        assertThat(ask(session, "SHOW tcp_keepalives_interval")).isEqualTo("10");
        assertThat(ask(session, "SHOW tcp_keepalives_count")).isEqualTo("3");
        assertThat(ask(session, "SHOW TimeZone")).isEqualTo("UTC");
        assertThat(ask(session, "SHOW jit")).isEqualTo("off");
    }

    private static String ask(Connection session, String sql) throws Exception {
        try (Statement statement = session.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private String row() {
        return TestPostgres.ask(postgres.url(), "SELECT l::text FROM qbit_ledger_writer_lease l");
    }
}
