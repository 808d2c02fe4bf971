package org.prismpool.sharewriter.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.prismpool.sharewriter.contract.Samples.accrued;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.ConfirmResult.Outcome;
import org.prismpool.sharewriter.block.PoolBlocks;
import org.prismpool.sharewriter.contract.Samples;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutRows;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.faults.TcpProxy.Cut;
import org.prismpool.sharewriter.postgres.PostgresConfig;
import org.prismpool.sharewriter.postgres.PostgresDatabase;
import org.prismpool.sharewriter.postgres.TestLedger;

/**
 * Shares need the lease row that a landing locks, be it with a block or with its fanouts. It is locked by no landing that
 * waits for its client, only by one that makes rows; and before it no row is.
 */
class LandingAndSharesIT {

    // Calls that wait for each other: the pool that all share may have but one thread.
    private static final Executor THREADS = task -> new Thread(task, "landing-and-shares").start();

    private final TestLedger direct = TestLedger.open();
    private final TcpProxy proxy = TcpProxy.before(direct.url());
    private final PostgresDatabase database =
            PostgresDatabase.open(PostgresConfig.of(proxy.url()), LedgerMetrics.NONE, MonotonicClock.system());
    private final PoolBlocks blocks = database.ledger(direct.fence()).blocks();
    private final FanoutRows fanouts = database.ledger(direct.fence()).fanouts();

    @AfterEach
    void close() {
        database.close();
        proxy.close();
        direct.close();
    }

    private static AcceptedBlock block(int fill) {
        return Samples.block(fill, fill, accrued("m1", "a", 0x01, 10, 0), accrued("m2", "b", 0x02, 20, 0));
    }

    private static FanoutSet fanouts(int fill) {
        FanoutSet set = Samples.fanouts(fill, 2);
        return new FanoutSet(
                set.blockHash(),
                set.manifestSetJson(),
                set.manifestSetSha256(),
                set.settlementMode(),
                set.parentCoinbaseTxid(),
                set.parentCoinbaseTxHex(),
                set.fanoutOutputSumSats(),
                set.covenantOutputValueSats(),
                set.artifacts().stream().map(artifact -> of(fill, artifact)).toList());
    }

    private static FanoutArtifact of(int fill, FanoutArtifact artifact) {
        return new FanoutArtifact(
                hash(fill).substring(2) + "0" + artifact.chunkIndex(),
                artifact.manifestJson(),
                artifact.manifestSha256(),
                artifact.precommitmentSha256(),
                artifact.ctvHash(),
                artifact.commitmentWitnessLeafHex(),
                artifact.chunkIndex(),
                artifact.parentCoinbaseVout(),
                artifact.txTemplateHex(),
                artifact.txHex(),
                artifact.anchorVout(),
                artifact.covenantOutputValueSats(),
                artifact.fanoutOutputSumSats());
    }

    private Outcome land(int fill) {
        blocks.persist(block(fill), soon());
        Outcome outcome = blocks.confirm(hash(fill), fill, soon()).outcome();
        assertThat(fanouts.persist(fanouts(fill), soon())).isEqualTo(2);
        return outcome;
    }

    private int requestsOfALanding() {
        land(0x10); // with a new connection
        proxy.arm(1000, Cut.BEFORE_SEND);
        land(0x11);
        return 1000 - proxy.uncut();
    }

    private String ask(String sql) {
        return TestPostgres.ask(direct.url(), sql);
    }

    @Test
    void sharesAreCommittedWhicheverAnswerToALandingIsLate() throws Exception {
        int requests = requestsOfALanding();
        assertThat(requests)
                .as("each of the three has one for its budget and one for its rows")
                .isGreaterThan(5);
        for (int request = 1; request <= requests; request++) {
            int number = request;
            proxy.arm(request, Cut.LATE_ANSWER);
            CompletableFuture<Outcome> landing = CompletableFuture.supplyAsync(() -> land(0x20 + number), THREADS);
            await("it is on its way").atMost(Duration.ofSeconds(20)).until(() -> proxy.cuts() == number);

            CompletableFuture<List<AppendResult>> append = CompletableFuture.supplyAsync(
                    () -> direct.ledger().shares().append(batch(share("s" + number, 1))), THREADS);

            assertThat(append.get(10, TimeUnit.SECONDS).get(0)).isInstanceOf(AppendResult.New.class);
            assertThat(landing).isNotDone();
            proxy.letPass();
            assertThat(landing.get(20, TimeUnit.SECONDS)).isEqualTo(Outcome.CONFIRMED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE_SEND", "AFTER_ANSWER"})
    void aLandingCutAnywhereIsThereOnceAfterItsRepetition(Cut cut) {
        int requests = requestsOfALanding();
        for (int request = 1; request <= requests; request++) {
            proxy.arm(request, cut);
            try {
                land(0x20 + request);
            } catch (LedgerException lost) {
                assertThat(proxy.cuts()).isEqualTo(request);
            }
            assertThat(land(0x20 + request)).isIn(Outcome.CONFIRMED, Outcome.ALREADY_CONFIRMED);
            assertThat(proxy.cuts()).isEqualTo(request);
        }

        assertThat(ask("SELECT count(*) || ' ' || count(audit_publication_sequence) FROM qbit_pool_blocks"))
                .isEqualTo((2 + requests) + " " + (2 + requests));
        String rows = String.valueOf(2 * (2 + requests));
        assertThat(ask("SELECT count(*) FROM qbit_pool_payout_entries")).isEqualTo(rows);
        assertThat(ask("SELECT count(*) FROM qbit_payout_carry_forward")).isEqualTo(rows);
        assertThat(ask("SELECT count(*) FROM qbit_ctv_fanout_artifacts JOIN qbit_ctv_fanout_sets USING (block_hash)"))
                .isEqualTo(rows);
        assertThat(direct.ledger().integrity().report(soon()).drift()).isEmpty();
    }

    @Test
    void aLandingThatWaitsForTheLeaseHasLockedNoOtherRow() throws Exception {
        try (Successor successor = new Successor()) {
            CompletableFuture<Outcome> landing = successor.keepsWaiting(() -> land(0x30));

            successor.run("SAVEPOINT block; " + bareBlock(0x30) + "; ROLLBACK TO block");
            successor.takeOver();

            assertThatThrownBy(() -> landing.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(WriterFencedException.class);
        }
        assertThat(ask("SELECT count(*) FROM qbit_pool_blocks")).isEqualTo("0");
    }

    @Test
    void fanoutsThatWaitForTheLeaseHaveLockedNoOtherRow() throws Exception {
        blocks.persist(block(0x30), soon());
        try (Successor successor = new Successor()) {
            CompletableFuture<Integer> stored = successor.keepsWaiting(() -> fanouts.persist(fanouts(0x30), soon()));

            successor.run("SAVEPOINT fanouts; UPDATE qbit_pool_blocks SET block_hash = block_hash;"
                    + " INSERT INTO qbit_ctv_fanout_sets VALUES ('" + hash(0x30)
                    + "', '{}', '{}', '', 'ctv_fanout', '', '', 1, 0, 0); ROLLBACK TO fanouts");
            successor.takeOver();

            assertThatThrownBy(() -> stored.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(WriterFencedException.class);
        }
        assertThat(ask("SELECT count(*) FROM qbit_ctv_fanout_sets")).isEqualTo("0");
    }

    @Test
    void fanoutsFindABlockThatIsCommittedWhileTheyWaitForTheLease() throws Exception {
        try (Successor other = new Successor()) {
            CompletableFuture<Integer> stored = other.keepsWaiting(() -> fanouts.persist(fanouts(0x30), soon()));

            other.run(bareBlock(0x30));
            other.commit();

            assertThat(stored.get(20, TimeUnit.SECONDS)).isEqualTo(2);
        }
        assertThat(ask("SELECT count(*) FROM qbit_ctv_fanout_artifacts")).isEqualTo("2");
    }

    private static String bareBlock(int fill) {
        return "INSERT INTO qbit_pool_blocks (block_hash, block_height, parent_hash, coinbase_txid,"
                + " payout_manifest_sha256) VALUES ('" + hash(fill) + "', 1, '', '', '')";
    }

    /** Another session that has the lease row locked. */
    private final class Successor implements AutoCloseable {

        private final Connection connection = TestPostgres.connect(direct.url());

        Successor() throws SQLException {
            connection.setAutoCommit(false);
            run("SET LOCAL lock_timeout = '5s'; UPDATE qbit_ledger_writer_lease SET updated_at = clock_timestamp()");
        }

        void run(String statements) throws SQLException {
            try (Statement sql = connection.createStatement()) {
                sql.execute(statements);
            }
        }

        <T> CompletableFuture<T> keepsWaiting(Supplier<T> call) {
            CompletableFuture<T> result = CompletableFuture.supplyAsync(call, THREADS);
            await("it waits for the lease")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> ask("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                    + " AND wait_event_type = 'Lock'")
                            .equals("1"));
            return result;
        }

        void takeOver() throws SQLException {
            run("UPDATE qbit_ledger_writer_lease SET writer_id = 'successor'");
            commit();
        }

        void commit() throws SQLException {
            connection.commit();
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
