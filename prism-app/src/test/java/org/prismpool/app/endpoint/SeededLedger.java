package org.prismpool.app.endpoint;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.memory.MemoryLedger;

/** A ledger with three shares, one block and its two settlement transactions; every value is chosen by hand. */
final class SeededLedger {

    static final long T0 = 1_700_000_000_000L;
    static final String BLOCK = "44".repeat(32);
    static final String LEAF = "11".repeat(32);
    static final String FANOUT = "60".repeat(32);

    final MemoryLedger ledger = new MemoryLedger(() -> T0);
    final LedgerReads reads = new LedgerReads(ledger, Duration.ofSeconds(10), MonotonicClock.system());

    SeededLedger(AuditBundleRow bundle) {
        ledger.shares()
                .append(List.of(share(1, 100), share(2, 200), share(3, 300)).stream()
                        .map(AppendEntry::share)
                        .toList());
        ledger.blocks()
                .persist(
                        new AcceptedBlock(
                                BLOCK,
                                7,
                                "43".repeat(32),
                                "c0".repeat(32),
                                "e0".repeat(32),
                                bundle,
                                List.of(
                                        account("miner-a", "a", 0xaa, 1000, 0, PayoutAction.ACCRUED),
                                        account("miner-b", "b", 0xbb, 50000, 50000, PayoutAction.ONCHAIN))),
                        soon());
        ledger.blocks().confirm(BLOCK, 7, soon());
        ledger.fanouts().persist(fanouts(), soon());
    }

    static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(10), MonotonicClock.system(), "test");
    }

    private static PendingShare share(int number, long difficulty) {
        return new PendingShare(
                "share-" + number,
                "miner-" + number,
                "key-" + number,
                program(number),
                BigInteger.valueOf(difficulty),
                BigInteger.valueOf(1000),
                10,
                "job-" + number,
                T0 + number,
                T0 + 10 + number,
                1_700_000_000L,
                number == 2 ? CreditPolicy.STALE_GRACE : CreditPolicy.CURRENT);
    }

    private static P2mrProgram program(int fill) {
        return P2mrProgram.ofHex(String.format("%02x", fill).repeat(32));
    }

    private static PayoutAccount account(
            String miner, String order, int program, long gross, long onchain, PayoutAction action) {
        return new PayoutAccount(
                miner,
                order,
                program(program),
                gross,
                BigInteger.ZERO,
                BigInteger.valueOf(gross),
                onchain,
                0,
                BigInteger.valueOf(gross - onchain),
                action);
    }

    static AuditBundleRow bundle(AuditBundleRow.AuditBody body, String sha256) {
        return new AuditBundleRow(
                body,
                sha256,
                "01000000",
                AuditBundleRow.DEFAULT_SCHEMA,
                Optional.empty(),
                Optional.of(List.of(LEAF)),
                Optional.empty());
    }

    private static FanoutSet fanouts() {
        List<FanoutArtifact> artifacts = List.of(artifact(FANOUT, 0), artifact("61".repeat(32), 1));
        return new FanoutSet(
                BLOCK,
                "{\"set\":1}",
                "25".repeat(32),
                "ctv_fanout",
                "c0".repeat(32),
                "01000000",
                1800,
                2000,
                artifacts);
    }

    private static FanoutArtifact artifact(String txid, int chunk) {
        return new FanoutArtifact(
                txid,
                "{\"chunk\":" + chunk + "}",
                "21".repeat(32),
                "22".repeat(32),
                "23".repeat(32),
                "24".repeat(32),
                chunk,
                chunk + 1,
                "aa",
                "bb",
                chunk == 0 ? OptionalInt.of(0) : OptionalInt.empty(),
                1000,
                900);
    }
}
