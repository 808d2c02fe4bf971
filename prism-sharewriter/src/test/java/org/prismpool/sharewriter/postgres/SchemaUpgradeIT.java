package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.prismpool.sharewriter.contract.Samples.hash;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.sharewriter.LedgerRefusedException;
import org.prismpool.sharewriter.TestPostgres;

class SchemaUpgradeIT {

    private static SchemaMigrator complete(String url) {
        SchemaMigrator migrator = new SchemaMigrator(PostgresTarget.parse(url));
        migrator.up();
        return migrator;
    }

    @ParameterizedTest
    @ValueSource(strings = {"to_1_1_0", "to_1_0_0", "to_0_1_2_3", "to_0_1_2", "to_older"})
    void anOlderShapeWithDataBecomesTheContract(String shape) {
        String url = OlderShapes.make(shape, true);
        SchemaMigrator migrator = new SchemaMigrator(PostgresTarget.parse(url));
        assertThat(migrator.status().complete()).isFalse();

        migrator.up();

        assertThat(migrator.status().missing()).isEmpty();
        assertThat(TestPostgres.ask(url, "SELECT string_agg(conname, ',') FROM pg_constraint WHERE NOT convalidated"))
                .as("checks that the rows of old were not held to: a large table is not scanned for one of them")
                .isIn("null", "qbit_share_ledger_credit_policy_check");
        assertThat(ordinals(url)).isEqualTo("b0=-,b1=1,b2=2,b3=3,b4=-");
        assertThat(TestPostgres.ask(
                        url, "SELECT last_value || ' ' || is_called FROM qbit_audit_publication_sequence_seq"))
                .isEqualTo("3 true");
        assertThat(TestPostgres.ask(
                        url,
                        "SELECT string_agg(miner_id || ' ' || balance_sats || ' ' || active_row_count, ',' ORDER BY 1)"
                                + " FROM qbit_payout_carry_forward_current"))
                .isEqualTo("a 0 2,c 40 1");
        assertThat(balances(url)).isEqualTo("c 40");
        assertThat(TestPostgres.ask(url, "SELECT count(*) FROM qbit_carry_forward_current_drift()"))
                .isEqualTo("0");

        String before = fingerprint(url);
        assertThat(migrator.up()).isEmpty();
        assertThat(fingerprint(url)).isEqualTo(before);

        // a writer that only knows the state column
        TestPostgres.run(url, "UPDATE qbit_pool_blocks SET chain_state = 'confirmed' WHERE block_hash = 'b4'");
        assertThat(ordinals(url)).endsWith("b4=4");
        assertThat(balances(url)).isEqualTo("c 49");
    }

    private static String ordinals(String url) {
        return TestPostgres.ask(
                url,
                "SELECT string_agg(block_hash || '=' || coalesce(audit_publication_sequence::text, '-'), ','"
                        + " ORDER BY block_hash) FROM qbit_pool_blocks");
    }

    private static String balances(String url) {
        return TestPostgres.ask(
                url,
                "SELECT string_agg(miner_id || ' ' || balance_sats, ',') FROM qbit_current_carry_forward_balances()");
    }

    private static String fingerprint(String url) {
        return TestPostgres.ask(
                url,
                "SELECT md5((SELECT string_agg(b::text, ',' ORDER BY block_hash) FROM qbit_pool_blocks b)"
                        + " || (SELECT string_agg(c::text, ',' ORDER BY miner_id)"
                        + " FROM qbit_payout_carry_forward_current c)"
                        + " || (SELECT last_value FROM qbit_audit_publication_sequence_seq))");
    }

    @Test
    void unfencedFunctionsOfOlderReleasesAreGone() {
        String url = OlderShapes.make("to_older", false);
        complete(url);
        assertThat(TestPostgres.ask(
                        url,
                        "SELECT count(*) FROM pg_proc WHERE proname IN ('qbit_reverse_immature_pool_block',"
                                + " 'qbit_confirm_pool_block')"))
                .isEqualTo("2");
    }

    @Test
    void aPoisonedSummaryIsRepairedByTheNextRun() {
        String url = OlderShapes.make("to_1_1_0", true);
        TestPostgres.run(url, "UPDATE qbit_payout_carry_forward_current SET balance_sats = balance_sats + 1");
        assertThat(TestPostgres.ask(url, "SELECT count(*) FROM qbit_carry_forward_current_drift()"))
                .isNotEqualTo("0");

        complete(url);

        assertThat(TestPostgres.ask(url, "SELECT count(*) FROM qbit_carry_forward_current_drift()"))
                .isEqualTo("0");
    }

    @Test
    void aConflictingObjectAbortsAndLeavesTheDatabaseUnchanged() {
        String url = OlderShapes.make("to_1_0_0", true);
        TestPostgres.run(url, "ALTER TABLE qbit_pool_blocks ADD COLUMN audit_publication_sequence integer");
        String before = objects(url);
        SchemaMigrator migrator = new SchemaMigrator(PostgresTarget.parse(url));

        assertThatThrownBy(migrator::up)
                .isInstanceOf(LedgerRefusedException.class)
                .hasMessageContaining("audit_publication_sequence exists with another definition");

        assertThat(objects(url)).isEqualTo(before);
        TestPostgres.run(url, "ALTER TABLE qbit_pool_blocks DROP COLUMN audit_publication_sequence");
        migrator.up();
        assertThat(migrator.status().complete()).isTrue();
    }

    private static String objects(String url) {
        return TestPostgres.ask(
                url, "SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class WHERE relname LIKE 'qbit_%'");
    }

    @Test
    void aForgottenCoordinatorMakesTheUpgradeFailVisibly() throws SQLException {
        String url = OlderShapes.make("to_1_1_0", true);
        try (Connection forgotten = TestPostgres.connect(url);
                Statement statement = forgotten.createStatement()) {
            forgotten.setAutoCommit(false);
            statement.execute("SELECT FROM qbit_pool_blocks");
            statement.execute("LOCK TABLE qbit_pool_blocks IN ROW EXCLUSIVE MODE");
            assertThatThrownBy(() -> new SchemaMigrator(PostgresTarget.parse(url)).up())
                    .isInstanceOf(LedgerRefusedException.class)
                    .hasMessageContaining("lock timeout");
            forgotten.rollback();
        }
        assertThat(complete(url).status().complete()).isTrue();
    }

    @Test
    void theOrdinalCanBeTakenBackAndAssignedAnew() {
        String url = OlderShapes.make("to_1_1_0", true);
        SchemaMigrator migrator = complete(url);
        TestPostgres.run(url, "UPDATE qbit_pool_blocks SET chain_state = 'confirmed' WHERE block_hash = 'b4'");

        assertThat(migrator.revertPublicationOrdinal()).isTrue();
        assertThat(migrator.revertPublicationOrdinal()).isFalse();
        assertThat(migrator.status().missing())
                .contains(
                        "sequence qbit_audit_publication_sequence_seq",
                        "index qbit_pool_blocks_audit_publication_sequence_idx");
        assertThatThrownBy(migrator::verify)
                .isInstanceOf(LedgerRefusedException.class)
                .hasMessageContaining("qbit_audit_publication_sequence_seq");

        assertThat(migrator.up()).isNotEmpty();
        assertThat(migrator.status().complete()).isTrue();
        assertThat(ordinals(url)).isEqualTo("b0=-,b1=1,b2=2,b3=3,b4=4");
    }

    @Test
    void theOrdinalIsNotTakenBackUnderALiveLeaseOrAForeignDependant() {
        String url = OlderShapes.make("to_1_1_0", true);
        SchemaMigrator migrator = complete(url);
        TestPostgres.run(url, "UPDATE qbit_ledger_writer_lease SET lease_expires_at = now() + interval '1 minute'");
        assertThatThrownBy(migrator::revertPublicationOrdinal).hasMessageContaining("lease is active");
        TestPostgres.run(url, "UPDATE qbit_ledger_writer_lease SET lease_expires_at = now()");
        TestPostgres.run(url, "CREATE VIEW foreign_view AS SELECT audit_publication_sequence FROM qbit_pool_blocks");
        assertThatThrownBy(migrator::revertPublicationOrdinal).isInstanceOf(LedgerRefusedException.class);
        assertThat(ordinals(url)).isEqualTo("b0=-,b1=1,b2=2,b3=3,b4=-");
        assertThat(migrator.status().complete()).isTrue();
    }

    @Test
    void anIncompleteSchemaIsRefusedNamingWhatIsMissing() {
        SchemaMigrator migrator = new SchemaMigrator(PostgresTarget.parse(TestPostgres.emptyDatabase()));
        assertThatThrownBy(migrator::verify)
                .isInstanceOf(LedgerRefusedException.class)
                .hasMessageContaining("qbit_share_ledger")
                .hasMessageNotContaining(hash(1));
    }

    @Test
    void whatAnOlderScriptTookAwayComesBackWithTheNextRun() {
        String url = TestPostgres.emptyDatabase();
        SchemaMigrator migrator = complete(url);
        TestPostgres.run(url, "DROP INDEX qbit_share_ledger_template_height_idx");
        assertThat(migrator.status().missing()).containsExactly("index qbit_share_ledger_template_height_idx");
        assertThat(migrator.up()).isNotEmpty();
        assertThat(migrator.status().complete()).isTrue();
    }
}
