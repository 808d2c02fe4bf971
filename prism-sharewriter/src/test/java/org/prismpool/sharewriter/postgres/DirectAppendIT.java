package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.prismpool.sharewriter.contract.Samples.T0;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.program;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;
import static org.prismpool.sharewriter.contract.Samples.withAcceptedAt;
import static org.prismpool.sharewriter.contract.Samples.withNtime;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.AppendResult.ConflictKind;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.WriterFence;

/** Batches of new shares travel as one request; whatever that request cannot know makes the batch ask first. */
class DirectAppendIT {

    private static final String SEQUENCE = "SELECT last_value || ' ' || is_called FROM qbit_share_ledger_share_seq_seq";
    private static final String TRANSACTIONS_OF_ROWS =
            "SELECT count(DISTINCT xmin::text) || ' ' || count(*) FROM qbit_share_ledger";

    private final TestLedger postgres = TestLedger.open(TestPostgres.emptyMigratedDatabase());
    private final ShareLedger shares = postgres.ledger().shares();

    @AfterEach
    void close() {
        postgres.database().close();
    }

    private String ask(String sql) {
        return TestPostgres.ask(postgres.url(), sql);
    }

    private static AppendResult fresh(long sequence) {
        return new AppendResult.New(sequence, Optional.empty());
    }

    private static AppendResult replayed(long sequence) {
        return new AppendResult.Replayed(sequence, Optional.empty());
    }

    /** Aborted transactions of this database: a batch that turned out to hold a replay is one. */
    private long rolledBack() throws Exception {
        try (Connection connection = TestPostgres.connect(postgres.url());
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_stat_force_next_flush()");
            try (ResultSet row = statement.executeQuery(
                    "SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()")) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Test
    void sequencesOfBothWaysAreOneRow() {
        assertThat(shares.append(batch(share("a", 1)))).containsExactly(fresh(1));
        assertThat(shares.append(batch(share("b", 1), share("c", 2)))).containsExactly(fresh(2), fresh(3));
        assertThat(shares.append(batch(share("d", 1)))).containsExactly(fresh(4));

        assertThat(ask(SEQUENCE)).isEqualTo("4 true");
        assertThat(ask("SELECT string_agg(share_id || share_seq, ',' ORDER BY share_seq) FROM qbit_share_ledger"))
                .isEqualTo("a1,b2,c3,d4");
        assertThat(ask(TRANSACTIONS_OF_ROWS)).isEqualTo("3 4");
    }

    @Test
    void aReplayAmongNewSharesCostsNoSequenceAndKeepsItsRow() {
        shares.append(batch(share("a", 1)));
        shares.append(batch(share("b", 1)));

        assertThat(shares.append(batch(share("c", 1), withAcceptedAt(share("b", 1), T0 + 9), share("d", 1))))
                .containsExactly(fresh(3), replayed(2), fresh(4));
        assertThat(shares.append(batch(withNtime(share("a", 1), 7), share("e", 1))))
                .containsExactly(new AppendResult.Conflict(ConflictKind.SHARE), fresh(5));
        assertThat(ask(SEQUENCE)).isEqualTo("5 true");
        assertThat(ask("SELECT round(extract(epoch FROM accepted_at) * 1000)::bigint FROM qbit_share_ledger"
                        + " WHERE share_id = 'b'"))
                .isEqualTo(String.valueOf(T0));
    }

    @Test
    void aFlockOfReplaysIsTriedInVainOnce() throws Exception {
        shares.append(batch(share("a", 1)));
        long before = rolledBack();
        for (int i = 0; i < 20; i++) {
            assertThat(shares.append(batch(share("a", 1), share("n" + i, 1))))
                    .containsExactly(replayed(1), fresh(2 + i));
        }
        postgres.database().close(); // what a session did is counted when it ends, at the latest
        await("counted").atMost(Duration.ofSeconds(20)).until(() -> rolledBack() > before);
        assertThat(rolledBack() - before).isEqualTo(1);
    }

    @Test
    void anIdTwiceInABatchIsOneRow() {
        shares.append(batch(share("a", 1)));

        assertThat(shares.append(batch(share("b", 1), share("b", 1), share("c", 1))))
                .containsExactly(fresh(2), replayed(2), fresh(3));
        assertThat(shares.append(batch(share("d", 1)))).containsExactly(fresh(4));
    }

    @Test
    void aSequenceThatSomebodyElseDrewFromIsFollowed() {
        shares.append(batch(share("a", 1)));
        ask("SELECT nextval('qbit_share_ledger_share_seq_seq')");

        assertThat(shares.append(batch(share("b", 1), share("c", 1)))).containsExactly(fresh(3), fresh(4));
        assertThat(shares.append(batch(share("d", 1)))).containsExactly(fresh(5));
        ask("SELECT setval('qbit_share_ledger_share_seq_seq', 5, false)");
        assertThatThrownBy(() -> shares.append(batch(share("e", 1)))) // as any writer would fail here
                .hasMessageContaining("qbit_share_ledger_pkey");
        assertThat(shares.append(batch(share("f", 1)))).containsExactly(fresh(6));
    }

    @Test
    void aSessionThatLostTheLeaseWritesAndDrawsNothing() {
        shares.append(batch(share("a", 1)));
        shares.append(batch(share("b", 1)));
        TestPostgres.run(postgres.url(), "UPDATE qbit_ledger_writer_lease SET writer_session_token = 'heir'");

        assertThatThrownBy(() -> shares.append(batch(share("c", 1)))).isInstanceOf(WriterFencedException.class);

        assertThat(ask(SEQUENCE)).isEqualTo("2 true");
        assertThat(ask("SELECT count(*) FROM qbit_share_ledger")).isEqualTo("2");
    }

    /** Tokens may be fixed in tests; then they alone say nothing. */
    @Test
    void anHeirWithTheSameTokenButAHigherEpochIsAnother() {
        shares.append(batch(share("a", 1)));
        TestPostgres.run(postgres.url(), "UPDATE qbit_ledger_writer_lease SET writer_epoch = 2");

        assertThatThrownBy(() -> shares.append(batch(share("b", 1)))).isInstanceOf(WriterFencedException.class);

        assertThat(ask(SEQUENCE)).isEqualTo("1 true");
        assertThat(ask("SELECT count(*) FROM qbit_share_ledger")).isEqualTo("1");
    }

    /** What a role needs for the reference's statement is enough. */
    @Test
    void aRoleThatMayDrawFromTheSequenceButNotLookAtItAsksEveryTime() {
        String role = "drawer_" + ProcessHandle.current().pid();
        TestPostgres.run(
                postgres.url(),
                "CREATE ROLE " + role + " LOGIN",
                "GRANT SELECT, INSERT ON qbit_share_ledger TO " + role,
                "GRANT SELECT, UPDATE ON qbit_ledger_writer_lease TO " + role,
                "GRANT USAGE ON SEQUENCE qbit_share_ledger_share_seq_seq TO " + role);
        try (PostgresDatabase restricted = PostgresDatabase.open(
                PostgresConfig.of(postgres.url().replaceFirst("//[^@]*@", "//" + role + "@")),
                LedgerMetrics.NONE,
                MonotonicClock.system())) {
            ShareLedger log = restricted.ledger(postgres.fence()).shares();

            assertThat(log.append(batch(share("a", 1)))).containsExactly(fresh(1));
            assertThat(log.append(batch(share("b", 1)))).containsExactly(fresh(2));
            assertThat(log.append(batch(share("c", 1), share("d", 1)))).containsExactly(fresh(3), fresh(4));
        } finally {
            TestPostgres.run(postgres.url(), "DROP OWNED BY " + role, "DROP ROLE " + role);
        }
    }

    /** The columns that arrays carry, at their widest. */
    @Test
    void everyColumnArrivesEitherWay() {
        List<PendingShare> rows = List.of(wide("w1"), wide("w2"));
        shares.append(batch(rows.get(0)));
        shares.append(batch(rows.get(1)));

        for (PendingShare row : rows) {
            assertThat(shares.find(row.shareId(), soon()).orElseThrow().share()).isEqualTo(row);
        }
        assertThat(ask("SELECT count(DISTINCT (writer_id, writer_epoch, accepted, reject_reason, credit_policy))"
                        + " FROM qbit_share_ledger"))
                .isEqualTo("1");
    }

    private static PendingShare wide(String id) {
        return new PendingShare(
                id,
                "m\u00e4nner \"{,}\\' NULL",
                "NULL",
                program(0xfe),
                BigInteger.TEN.pow(78).subtract(BigInteger.ONE),
                BigInteger.TEN.pow(77),
                Long.MAX_VALUE,
                "j",
                T0 + 123,
                4_102_444_799_999L,
                0xffff_ffffL,
                CreditPolicy.STALE_GRACE);
    }

    @Test
    void anotherLedgerOnTheSameConnectionMakesTheFirstAskAgain() {
        LeaseIdentity identity = TestLedger.IDENTITY;
        ShareLedger other = postgres.database()
                .ledger(new WriterFence(identity, Duration.ofSeconds(60)))
                .shares();
        assertThat(shares.append(batch(share("a", 1)))).containsExactly(fresh(1));
        assertThat(other.append(batch(share("b", 1)))).containsExactly(fresh(2));
        assertThat(other.append(batch(share("c", 1)))).containsExactly(fresh(3));
        assertThat(shares.append(batch(share("d", 1)))).containsExactly(fresh(4));
        assertThat(shares.append(batch(share("e", 1)))).containsExactly(fresh(5));
    }
}
