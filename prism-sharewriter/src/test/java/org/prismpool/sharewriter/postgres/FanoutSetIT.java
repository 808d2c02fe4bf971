package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.prismpool.sharewriter.contract.Samples.fanouts;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.soon;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.contract.Samples;
import org.prismpool.sharewriter.fanout.FanoutStatus;

/** A set of which only a part is there, as no ledger of ours leaves it but another release may have. */
class FanoutSetIT {

    private static final String ROWS = "SELECT string_agg((to_jsonb(a) - 'updated_at')::text, ' ' ORDER BY chunk_index)"
            + " FROM qbit_ctv_fanout_artifacts a";

    private final TestLedger postgres = TestLedger.open();

    @BeforeEach
    void storeASet() {
        postgres.ledger().blocks().persist(Samples.block(0x44, 7, Samples.accrued("m", "m", 1, 1, 0)), soon());
        assertThat(persist(3)).isEqualTo(3);
    }

    @AfterEach
    void close() {
        postgres.close();
    }

    private int persist(int count) {
        return postgres.ledger().fanouts().persist(fanouts(0x44, count), soon());
    }

    private String rows() {
        return TestPostgres.ask(postgres.url(), ROWS);
    }

    private void change(String sql) {
        TestPostgres.run(postgres.url(), sql);
    }

    @Test
    void missingTransactionsAreStoredAsTheWholeSetStoresThem() {
        String whole = rows();
        change("DELETE FROM qbit_ctv_fanout_artifacts WHERE chunk_index <> 1");

        assertThat(persist(3)).isEqualTo(3);
        assertThat(rows()).isEqualTo(whole);

        change("DELETE FROM qbit_ctv_fanout_artifacts");
        assertThat(persist(3)).isEqualTo(3);
        assertThat(rows()).isEqualTo(whole);
    }

    @Test
    void aRepetitionLeavesTheStatusOfStoredTransactions() {
        postgres.ledger()
                .fanouts()
                .updateStatus(hash(0x61), FanoutStatus.AWAITING_MATURITY, FanoutStatus.CONFIRMED, soon());
        String before = rows();

        assertThat(persist(3)).isEqualTo(3);

        assertThat(rows()).isEqualTo(before).contains("\"settlement_status\": \"confirmed\"");
    }

    @Test
    void otherTransactionsOfTheSameSetAreRefused() {
        change("UPDATE qbit_ctv_fanout_artifacts SET fanout_tx_hex = 'cc' WHERE chunk_index = 2");
        assertRefused();
        change(
                "UPDATE qbit_ctv_fanout_artifacts SET fanout_tx_hex = 'bb', fanout_txid = 'foreign' WHERE chunk_index = 2");
        assertRefused();
    }

    private void assertRefused() {
        String before = rows();
        assertThatThrownBy(() -> persist(3))
                .isInstanceOf(BlockMismatchException.class)
                .hasMessage("existing CTV fanout artifacts do not match payload");
        assertThat(rows()).isEqualTo(before);
    }
}
