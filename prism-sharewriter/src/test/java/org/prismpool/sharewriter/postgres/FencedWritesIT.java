package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.intent;
import static org.prismpool.sharewriter.contract.Samples.share;
import static org.prismpool.sharewriter.contract.Samples.soon;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.contract.Samples;
import org.prismpool.sharewriter.fanout.AttemptStatus;
import org.prismpool.sharewriter.fanout.BroadcastAttempt;
import org.prismpool.sharewriter.fanout.FanoutStatus;
import org.prismpool.sharewriter.lease.LeaseIdentity;

/** After a takeover, every write of the predecessor is refused and leaves no trace. */
class FencedWritesIT {

    private static final List<String> TABLES = List.of(
            "qbit_share_ledger",
            "qbit_block_candidate_outbox",
            "qbit_pool_blocks",
            "qbit_pool_payout_entries",
            "qbit_payout_carry_forward",
            "qbit_payout_carry_forward_current",
            "qbit_pool_audit_bundles",
            "qbit_ctv_fanout_sets",
            "qbit_ctv_fanout_artifacts",
            "qbit_ctv_fanout_broadcast_attempts",
            "qbit_ledger_writer_lease");

    private static final AcceptedBlock PREPARED = Samples.block(0x44, 7, Samples.accrued("m", "m", 1, 1, 0));

    private static Map<String, ThrowingCallable> writes(Ledger ledger) {
        Map<String, ThrowingCallable> writes = new LinkedHashMap<>();
        var blocks = ledger.blocks();
        var reorg = ledger.reorg();
        var outbox = ledger.outbox();
        var fanouts = ledger.fanouts();
        writes.put("append", () -> ledger.shares().append(batch(share("late", 1))));
        writes.put("append of a replay", () -> ledger.shares().append(batch(share("early", 1))));
        writes.put(
                "append of a solve",
                () -> ledger.shares().append(List.of(AppendEntry.solve(share("w", 1), intent(0x50, "x")))));
        writes.put("candidate intent", () -> outbox.insert(intent(0x51, "x"), soon()));
        writes.put("attempted", () -> outbox.attempted(hash(0x60), soon()));
        writes.put("finish", () -> outbox.finish(hash(0x60), CandidateState.SUBMITTED, "", soon()));
        writes.put("abandon", () -> outbox.abandonSuperseded(List.of(hash(0x60)), "sibling", soon()));
        writes.put("persist", () -> blocks.persist(Samples.block(0x45, 8), soon()));
        writes.put("persist of a replay", () -> blocks.persist(PREPARED, soon()));
        writes.put("check before the body", () -> blocks.checkBeforeBody(PREPARED, soon()));
        writes.put("confirm", () -> blocks.confirm(hash(0x44), 7, soon()));
        writes.put("reject", () -> blocks.rejectPrepared(hash(0x44), 8, soon()));
        writes.put("inactive", () -> reorg.markInactive(hash(0x40), 8, soon()));
        writes.put("reactivate", () -> reorg.reactivate(hash(0x40), 8, soon()));
        writes.put("reinstate", () -> reorg.reinstate(hash(0x40), soon()));
        writes.put("reverse", () -> reorg.reverseImmature(hash(0x40), 8, soon()));
        writes.put("mature", () -> reorg.matureUpTo(5000, soon()));
        writes.put(
                "externalise",
                () -> ledger.audits()
                        .externalise(hash(0x44), hash(0xf0), new AuditBundleRow.External("elsewhere", 1), soon()));
        writes.put("fanout set", () -> fanouts.persist(Samples.fanouts(0x44, 1), soon()));
        writes.put(
                "fanout status",
                () -> fanouts.updateStatus(
                        hash(0x60), FanoutStatus.AWAITING_MATURITY, FanoutStatus.BROADCASTABLE, soon()));
        writes.put("fanout attempt", () -> fanouts.recordAttempt(hash(0x60), attempt(), 20, soon()));
        writes.put("rebuild", () -> ledger.integrity().rebuild(soon()));
        return writes;
    }

    private static BroadcastAttempt attempt() {
        return new BroadcastAttempt(
                AttemptStatus.ACCEPTED,
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Duration.ofMinutes(5));
    }

    private static String contents(String url) {
        StringBuilder all = new StringBuilder();
        for (String table : TABLES) {
            all.append(TestPostgres.ask(
                            url, "SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM " + table + " t"))
                    .append('\n');
        }
        return all
                + TestPostgres.ask(url, "SELECT last_value FROM qbit_share_ledger_share_seq_seq")
                + TestPostgres.ask(url, "SELECT last_value FROM qbit_audit_publication_sequence_seq");
    }

    @Test
    void everyWriteOfAFencedSessionIsRefusedAndChangesNothing() {
        try (TestLedger postgres = TestLedger.open()) {
            Ledger ledger = postgres.ledger();
            ledger.shares().append(batch(share("early", 1)));
            ledger.outbox().insert(intent(0x60, "pending"), soon());
            ledger.blocks().persist(Samples.block(0x40, 6, Samples.accrued("m", "m", 1, 1, 0)), soon());
            ledger.blocks().confirm(hash(0x40), 6, soon());
            ledger.blocks().persist(PREPARED, soon());
            ledger.fanouts().persist(Samples.fanouts(0x40, 1), soon());
            TestPostgres.run(
                    postgres.url(), "UPDATE qbit_ledger_writer_lease SET lease_expires_at = clock_timestamp()");
            assertThat(postgres.database()
                            .leaseStore()
                            .claim(
                                    new LeaseIdentity("successor", 2, "heartbeat-v1:next"),
                                    Duration.ofSeconds(60),
                                    Duration.ofSeconds(5)))
                    .as("the successor holds the lease")
                    .isEmpty();
            String before = contents(postgres.url());

            writes(ledger)
                    .forEach((name, write) -> assertThatThrownBy(write)
                            .as(name)
                            .isInstanceOf(WriterFencedException.class)
                            .hasMessage("writer lease is not active"));

            assertThat(contents(postgres.url())).isEqualTo(before);
        }
    }

    @Test
    void everyWriteOfAReadOnlyLedgerIsRefusedByAWritableServer() {
        try (TestLedger postgres = TestLedger.open()) {
            postgres.ledger().blocks().persist(Samples.block(0x40, 6), soon());
            String before = contents(postgres.url());

            writes(postgres.database().readOnly())
                    .forEach((name, write) -> assertThatThrownBy(write)
                            .as(name)
                            .isInstanceOf(WriterFencedException.class)
                            .hasMessage("this ledger is read-only: it has no writer lease"));

            assertThat(contents(postgres.url())).isEqualTo(before);
        }
    }
}
