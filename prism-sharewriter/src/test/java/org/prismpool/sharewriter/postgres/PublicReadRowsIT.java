package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.PublicReadsContract.FIRST;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.math.BigInteger;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.contract.Samples;
import org.prismpool.sharewriter.read.FoundBlock;
import org.prismpool.sharewriter.read.MinerReads.WorkerFilter;
import org.prismpool.sharewriter.read.PublicFanout;
import org.prismpool.sharewriter.read.PublicReads;

/** Public pages over rows that only a database holds: of older releases, and to the microsecond. */
class PublicReadRowsIT {

    private final TestLedger postgres = TestLedger.open();

    @AfterEach
    void close() {
        postgres.close();
    }

    @BeforeEach
    void landABlock() {
        postgres.ledger().blocks().persist(Samples.block(0x44, 7, Samples.accrued("addr-a", "a", 1, 1000, 0)), soon());
    }

    private PublicReads reads() {
        return postgres.ledger().reads();
    }

    @Test
    void theFactsOfAnInlineBundleAreReadFromItsBody() {
        TestPostgres.run(
                postgres.url(),
                "UPDATE qbit_pool_audit_bundles SET body_uri = NULL, found_block_network_difficulty = NULL,"
                        + " found_block_bits = NULL, found_block_coinbase_value_sats = NULL, audit_bundle ="
                        + " '{\"found_block\":{\"network_difficulty\":86812541144089706339356132,"
                        + "\"bits\":\"181b32da\",\"coinbase_value_sats\":250000000}}'");

        FoundBlock block = reads().blocks().latest(soon()).orElseThrow();

        assertThat(block.networkDifficulty()).contains(new BigInteger("86812541144089706339356132"));
        assertThat(block.bits()).contains("181b32da");
        assertThat(block.coinbaseValueSats()).isEqualTo(OptionalLong.of(250_000_000));
    }

    @Test
    void whatNoBundleTellsIsUnknown() {
        TestPostgres.run(postgres.url(), "DELETE FROM qbit_pool_audit_bundles");

        FoundBlock block = reads().blocks().latest(soon()).orElseThrow();

        assertThat(block.networkDifficulty()).isEmpty();
        assertThat(block.bits()).isEmpty();
        assertThat(block.coinbaseValueSats()).isEmpty();
        assertThat(block.auditBundleSha256()).isEmpty();
        assertThat(reads().settlements()
                        .ofBlock(hash(0x44), soon())
                        .orElseThrow()
                        .bundle())
                .isEmpty();
    }

    @Test
    void anAttemptOfAnOlderReleaseIsInItsDetailsOnly() {
        postgres.ledger().fanouts().persist(Samples.fanouts(0x44, 1), soon());
        TestPostgres.run(
                postgres.url(),
                "INSERT INTO qbit_ctv_fanout_broadcast_attempts (fanout_txid, attempted_at, attempt_status, error)"
                        + " SELECT fanout_txid, '2026-06-26 20:45:00.123456+00', 'failed', 'newest'"
                        + " FROM qbit_ctv_fanout_artifacts");

        PublicFanout fanout = reads().settlements().fanout(hash(0x60), soon()).orElseThrow();

        assertThat(fanout.lastAttemptAt()).contains(Instant.parse("2026-06-26T20:45:00.123456Z"));
        assertThat(fanout.lastError()).contains("newest");
    }

    @Test
    void timesKeepTheirMicroseconds() {
        String time = "2026-06-26 19:55:00.123456+00";
        TestPostgres.run(
                postgres.url(),
                "UPDATE qbit_pool_blocks SET found_at = '" + time + "'",
                "UPDATE qbit_pool_payout_entries SET created_at = '" + time + "'");
        Instant exact = Instant.parse("2026-06-26T19:55:00.123456Z");

        assertThat(reads().blocks().latest(soon()).orElseThrow().foundAt()).isEqualTo(exact);
        assertThat(reads().miners()
                        .earnings("addr-a", FIRST, soon())
                        .rows()
                        .get(0)
                        .foundAt())
                .isEqualTo(exact);
        assertThat(reads().miners()
                        .payouts("addr-a", FIRST, soon())
                        .rows()
                        .get(0)
                        .createdAt())
                .isEqualTo(exact);
    }

    @Test
    void aRejectedShareCountsNowhere() {
        TestPostgres.run(
                postgres.url(),
                "INSERT INTO qbit_share_ledger (share_id, miner_id, payout_order_key, p2mr_program, share_difficulty,"
                        + " network_difficulty, template_height, job_id, job_issued_at, accepted_at, ntime, writer_id,"
                        + " writer_epoch, accepted, reject_reason) VALUES ('addr-a.rig:" + hash(0x44)
                        + "', 'addr-a', 'a', decode(repeat('01', 32), 'hex'), 1, 1, 1, 'j', clock_timestamp(),"
                        + " clock_timestamp(), 1, 'w', 1, false, 'low-difficulty')");

        assertThat(reads().blocks().latest(soon()).orElseThrow().solver()).isEmpty();
        assertThat(reads().leaderboards().recent("", FIRST, soon()).participants())
                .isZero();
        assertThat(reads().pool().totals(soon()).participants3h()).isZero();
        assertThat(reads().miners().activity("addr-a", soon()).lastShareAt()).isEmpty();
        assertThat(reads().miners()
                        .workers("addr-a", WorkerFilter.ALL, FIRST, soon())
                        .totalCount())
                .isZero();
    }
}
