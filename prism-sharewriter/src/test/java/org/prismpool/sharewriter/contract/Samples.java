package org.prismpool.sharewriter.contract;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.OutboxIntent;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutSet;

/** Rows for tests; every value is chosen by hand. */
public final class Samples {

    public static final long T0 = 1_700_000_000_000L;

    private Samples() {}

    public static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(20), MonotonicClock.system(), "test");
    }

    /** Share i of the contract's snapshot example. */
    public static PendingShare contractShare(int i) {
        long[] issued = {T0 + 500, T0, T0};
        long[] accepted = {T0 + 1000, T0 + 1100, T0 + 1300};
        return new PendingShare(
                "share-" + i,
                "miner-" + i,
                String.format("%04d", i),
                program(i),
                BigInteger.valueOf(100 + i),
                BigInteger.valueOf(1000),
                10,
                "job-" + i,
                issued[i - 1],
                accepted[i - 1],
                1_700_000_000L + i,
                CreditPolicy.CURRENT);
    }

    public static PendingShare share(String id, long difficulty) {
        return share(id, "miner-a", difficulty, T0, T0);
    }

    public static PendingShare share(String id, String miner, long difficulty, long issuedMs, long acceptedMs) {
        return new PendingShare(
                id,
                miner,
                miner,
                program(miner.hashCode() & 0x7f),
                BigInteger.valueOf(difficulty),
                BigInteger.valueOf(1000),
                10,
                "job",
                issuedMs,
                acceptedMs,
                1_700_000_000L,
                CreditPolicy.CURRENT);
    }

    public static PendingShare withAcceptedAt(PendingShare s, long acceptedMs) {
        return new PendingShare(
                s.shareId(),
                s.minerId(),
                s.orderKey(),
                s.program(),
                s.shareDifficulty(),
                s.networkDifficulty(),
                s.templateHeight(),
                s.jobId(),
                s.jobIssuedAtMs(),
                acceptedMs,
                s.ntime(),
                s.creditPolicy());
    }

    public static PendingShare withNtime(PendingShare s, long ntime) {
        return new PendingShare(
                s.shareId(),
                s.minerId(),
                s.orderKey(),
                s.program(),
                s.shareDifficulty(),
                s.networkDifficulty(),
                s.templateHeight(),
                s.jobId(),
                s.jobIssuedAtMs(),
                s.acceptedAtMs(),
                ntime,
                s.creditPolicy());
    }

    public static List<AppendEntry> batch(PendingShare... shares) {
        return List.of(shares).stream().map(AppendEntry::share).toList();
    }

    public static String hash(int fill) {
        return String.format("%02x", fill).repeat(32);
    }

    public static OutboxIntent intent(int fill, String note) {
        return new OutboxIntent(hash(fill), "{\"note\":\"" + note + "\"}", hash(0xd0));
    }

    public static P2mrProgram program(int fill) {
        return P2mrProgram.ofHex(hash(fill));
    }

    public static PayoutAccount accrued(String miner, String order, int program, long gross, long prior) {
        return account(miner, order, program, gross, prior, 0, 0);
    }

    public static PayoutAccount account(
            String miner, String order, int program, long gross, long prior, long onchain, long fee) {
        return new PayoutAccount(
                miner,
                order,
                program(program),
                gross,
                BigInteger.valueOf(prior),
                BigInteger.valueOf(prior + gross),
                onchain,
                fee,
                BigInteger.valueOf(prior + gross - onchain),
                onchain > 0 ? PayoutAction.ONCHAIN : PayoutAction.ACCRUED);
    }

    public static AcceptedBlock block(int fill, long height, PayoutAccount... accounts) {
        return new AcceptedBlock(
                hash(fill), height, hash(fill - 1), hash(0xc0), hash(0xe0), bundle(hash(0xf0)), List.of(accounts));
    }

    public static AuditBundleRow bundle(String sha256) {
        return new AuditBundleRow(
                new AuditBundleRow.External("prism-audit-body-" + sha256 + ".json", 1234),
                sha256,
                "01000000",
                AuditBundleRow.DEFAULT_SCHEMA,
                Optional.of(new AuditBundleRow.FoundBlockFacts(BigInteger.valueOf(1000), "207fffff", 5_000_000_000L)),
                Optional.of(List.of(hash(0x11), hash(0x12))),
                Optional.empty());
    }

    public static FanoutSet fanouts(int block, int count) {
        List<FanoutArtifact> artifacts = new java.util.ArrayList<>();
        for (int i = 0; i < count; i++) {
            artifacts.add(new FanoutArtifact(
                    hash(0x60 + i),
                    "{\"chunk\":" + i + "}",
                    hash(0x21),
                    hash(0x22),
                    hash(0x23),
                    hash(0x24),
                    i,
                    i + 1,
                    "aa",
                    "bb",
                    i == 0 ? OptionalInt.of(0) : OptionalInt.empty(),
                    1000,
                    900));
        }
        return new FanoutSet(
                hash(block),
                "{\"set\":1}",
                hash(0x25),
                "ctv_fanout",
                hash(0xc0),
                "01000000",
                900L * count,
                1000L * count,
                artifacts);
    }

    /** Canonical JSON of a stored share as bundles export it. */
    public static String canonical(StoredShare row) {
        PendingShare s = row.share();
        String policy = s.creditPolicy()
                .text()
                .map(t -> "\"credit_policy\":\"" + t + "\",")
                .orElse("");
        return "{\"accepted_at_ms\":" + s.acceptedAtMs() + "," + policy + "\"job_id\":\"" + s.jobId()
                + "\",\"job_issued_at_ms\":" + s.jobIssuedAtMs() + ",\"miner_id\":\"" + s.minerId()
                + "\",\"network_difficulty\":" + s.networkDifficulty() + ",\"ntime\":" + s.ntime()
                + ",\"order_key\":\"" + s.orderKey() + "\",\"p2mr_program_hex\":\""
                + s.program().hex()
                + "\",\"share_difficulty\":" + s.shareDifficulty() + ",\"share_id\":\"" + s.shareId()
                + "\",\"share_seq\":" + row.shareSeq() + ",\"template_height\":" + s.templateHeight() + "}";
    }

    public static <T> List<T> times(int n, T value) {
        return Collections.nCopies(n, value);
    }
}
