package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.contract.Samples;

class RestoreCheckIT {

    private final TestLedger postgres = TestLedger.open(TestPostgres.emptyMigratedDatabase());

    @BeforeEach
    void someHistory() {
        postgres.ledger().shares().append(batch(share("a", 1), share("b", 1)));
        postgres.ledger().blocks().persist(Samples.block(0x44, 7, Samples.accrued("m", "m", 1, 5, 0)), soon());
        postgres.ledger().blocks().confirm(hash(0x44), 7, soon());
    }

    @AfterEach
    void close() {
        postgres.database().close();
    }

    private RestoreCheck.Report check() {
        return RestoreCheck.run(PostgresTarget.parse(postgres.url()), Duration.ofSeconds(20));
    }

    @Test
    void aWholeLedgerHasNoFindings() {
        RestoreCheck.Report report = check();

        assertThat(report.findings()).isEmpty();
        assertThat(report.shares()).isEqualTo(2);
        assertThat(report.highestShareSeq()).isEqualTo(2);
        assertThat(report.bundledBlocks()).containsExactly(hash(0x44));
        assertThat(report.leased()).isTrue();
    }

    @Test
    void whatARestoreMayHaveLostIsNamed() {
        TestPostgres.run(
                postgres.url(),
                "SELECT setval('qbit_share_ledger_share_seq_seq', 1)",
                "SELECT setval('qbit_audit_publication_sequence_seq', 1, false)",
                "UPDATE qbit_payout_carry_forward_current SET balance_sats = 6",
                "DELETE FROM qbit_pool_audit_bundles",
                "UPDATE qbit_ledger_writer_lease SET lease_expires_at = clock_timestamp()");

        RestoreCheck.Report report = check();

        assertThat(report.findings())
                .containsExactly(
                        "sequence qbit_audit_publication_sequence_seq is behind its column",
                        "sequence qbit_share_ledger_share_seq_seq is behind its column",
                        "the summary of balances differs from its journal for 1 recipients",
                        "block " + hash(0x44) + " has no audit bundle row");
        assertThat(report.bundledBlocks()).isEmpty();
        assertThat(report.leased()).isFalse();
    }

    @Test
    void anIncompleteSchemaIsAllThatIsSaidOfIt() {
        TestPostgres.run(postgres.url(), "DROP INDEX qbit_pool_blocks_public_recent_idx");

        assertThat(check().findings()).containsExactly("the schema lacks index qbit_pool_blocks_public_recent_idx");
    }
}
