package org.prismpool.payout.jmh;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.audit.JobSummary;
import org.prismpool.payout.audit.VerificationReport;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.IncrementalWindow;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WindowShare;

/** Job summaries, bundles and verification of windows as a large pool has them. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class PayoutBenchmark {

    private static final int CHANGED = 1000;
    private static final long START_MS = 1_700_000_000_000L;

    @Param({"100000", "400000"})
    private int shares;

    @Param("10000")
    private int miners;

    private final SigningSeed pool = SigningSeed.ofHex("42".repeat(32));
    private final SigningSeed ledger = SigningSeed.ofHex("43".repeat(32));
    private final AuditBundleBuilder builder = new AuditBundleBuilder(pool, ledger);
    private List<WindowShare> window = List.of();
    private List<WindowShare> changed = List.of();
    private U128 difficulty = U128.ONE;
    private byte[] bundle = {};
    private int round;

    /** Makes the shares once. */
    @Setup(Level.Trial)
    public void makeShares() {
        Random random = new Random(7);
        IdentityPool identities = new IdentityPool();
        List<PayoutIdentity> pooled = new ArrayList<>();
        for (int i = 0; i < miners; i++) {
            String program = hex(random);
            String address = "qb1z" + program.substring(0, 58);
            pooled.add(identities.identity(address, address, program));
        }
        List<WindowShare> made = new ArrayList<>();
        long weight = 0;
        for (int seq = 1; seq <= shares + CHANGED; seq++) {
            long each = 1000 + random.nextInt(1000);
            weight += seq <= shares ? each : 0;
            PayoutIdentity identity = pooled.get(seq <= miners ? seq - 1 : random.nextInt(miners));
            made.add(new WindowShare(
                    seq,
                    identity.recipientId() + ":" + hex(random),
                    identity,
                    U128.ofUnsigned(each),
                    U128.ONE,
                    100,
                    "prism-1-" + seq / 50,
                    START_MS + seq,
                    START_MS + seq,
                    1_700_000_000,
                    Optional.empty()));
        }
        window = List.copyOf(made.subList(0, shares));
        changed = List.copyOf(made.subList(shares, shares + CHANGED));
        difficulty = U128.ofUnsigned(weight / RewardWindow.MULTIPLIER);
        bundle = builder.build(new AuditBuildInput(window, terms(START_MS + shares)))
                .canonicalBytes();
    }

    /** A new incremental window for every measurement of an advance. */
    @Setup(Level.Invocation)
    public void rewind() {
        round++;
    }

    /** A window in memory, everything computed anew. */
    @Benchmark
    public JobSummary summaryOfFreshWindow() {
        return builder.summarize(new AuditBuildInput(window, terms(START_MS + shares)));
    }

    /** The same, but the counted shares are known: a new template of another value. */
    @Benchmark
    public JobSummary summaryOfKnownWindow(Known known) {
        return builder.summarize(known.window(this), terms(START_MS + shares));
    }

    /** Selection and sums after 1000 shares came in, without the two digests. */
    @Benchmark
    public RewardWindow advanceByThousandShares(Advancing advancing) {
        return advancing.advance(this);
    }

    /** Hashing as many bytes as the digests of a summary hash: what no implementation can be faster than. */
    @Benchmark
    public byte[] hashingAlone() {
        return Sha256.hash(bundle);
    }

    /** A whole bundle and its identity. */
    @Benchmark
    public String bundleWithIdentity() {
        AuditBundle built = builder.build(new AuditBuildInput(window, terms(START_MS + shares)));
        return built.sha256Hex();
    }

    /** Reading and verifying a whole bundle. */
    @Benchmark
    public VerificationReport readAndVerify() {
        AuditBundle read = AuditBundle.read(ExactReader.of(new ByteArrayInputStream(bundle)));
        return new AuditVerifier(ledger.publicKeyHex()).verify(read);
    }

    private BlockTerms terms(long anchorMs) {
        return BlockTerms.of(new FoundBlock(101, 21_000_000_000L + round, difficulty, anchorMs));
    }

    private static String hex(Random random) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** A computed window. */
    @State(Scope.Thread)
    public static class Known {

        private RewardWindow[] computed = {};

        RewardWindow window(PayoutBenchmark benchmark) {
            if (computed.length == 0) {
                computed = new RewardWindow[] {
                    RewardWindow.of(
                            benchmark.window,
                            benchmark.terms(START_MS + benchmark.shares).foundBlock())
                };
            }
            return computed[0];
        }
    }

    /** An incremental window that every invocation advances once more. */
    @State(Scope.Thread)
    public static class Advancing {

        private IncrementalWindow[] holder = {};
        private long seq;

        /** Starts over. */
        @Setup(Level.Iteration)
        public void restart() {
            holder = new IncrementalWindow[0];
        }

        RewardWindow advance(PayoutBenchmark benchmark) {
            if (holder.length == 0) {
                holder = new IncrementalWindow[] {
                    IncrementalWindow.rescanned(
                            benchmark.window,
                            new IncrementalWindow.Origin(benchmark.difficulty, START_MS + benchmark.shares, 0),
                            true)
                };
                seq = benchmark.shares;
            }
            List<WindowShare> next = new ArrayList<>(CHANGED);
            for (WindowShare share : benchmark.changed) {
                seq++;
                next.add(new WindowShare(
                        seq,
                        "s" + seq,
                        share.identity(),
                        share.shareDifficulty(),
                        U128.ONE,
                        100,
                        share.jobId(),
                        START_MS + seq,
                        START_MS + seq,
                        1_700_000_000,
                        Optional.empty()));
            }
            holder[0].advance(next, new IncrementalWindow.Origin(benchmark.difficulty, START_MS + seq, 0));
            return holder[0].rewardWindow(benchmark.terms(START_MS + seq).foundBlock());
        }
    }
}
