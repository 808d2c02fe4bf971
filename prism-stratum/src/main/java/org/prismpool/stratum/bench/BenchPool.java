package org.prismpool.stratum.bench;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.stratum.AcceptedShare;
import org.prismpool.stratum.BlockSolve;
import org.prismpool.stratum.CandidateSink;
import org.prismpool.stratum.CommitResult;
import org.prismpool.stratum.ConnectionLimits;
import org.prismpool.stratum.JobPolicy;
import org.prismpool.stratum.LandingResult;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.ProtocolLimits;
import org.prismpool.stratum.ShareSink;
import org.prismpool.stratum.SharedWork;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.StratumServer;
import org.prismpool.stratum.WorkLabels;
import org.prismpool.stratum.solo.FixedTip;
import org.prismpool.stratum.solo.LocalAddresses;
import org.prismpool.stratum.solo.SoloJobs;
import org.prismpool.stratum.vardiff.DifficultyRange;
import org.prismpool.stratum.vardiff.ResumePolicy;
import org.prismpool.stratum.vardiff.VardiffPace;
import org.prismpool.stratum.vardiff.VardiffPolicy;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.job.BlockTerms;
import org.prismpool.templates.job.CoinbaseSplit;
import org.prismpool.templates.job.TransactionSet;
import org.prismpool.templates.job.WorkTemplate;

/** A server whose ledger forgets everything and whose share target every hash meets. */
final class BenchPool implements AutoCloseable {

    private static final CompletionStage<CommitResult> DURABLE =
            CompletableFuture.completedFuture(new CommitResult.Durable(false));
    private static final String COINBASE =
            "020000000001010000000000000000000000000000000000000000000000000000000000000000ffffffff160290002f505249534d2f"
                    + "000000000000000000000000feffffff0200f2052a01000000225220aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                    + "aaaaaaaaaaaaaaaaaaaa0000000000000000266a24aa21a9ed99cba7078d342977081212052c308215101d65a56682b78bb35cbd"
                    + "42cd3e1105012000000000000000000000000000000000000000000000000000000000000000008f000000";

    private final FixedTip tips = new FixedTip();
    private final SharedWork work = work();
    final SoloJobs jobs = new SoloJobs(() -> Optional.of(work));
    final StratumServer server;
    final String username =
            P2mrAddress.of(Network.REGTEST, new byte[P2mrAddress.PROGRAM_SIZE]).text() + ".bench";

    BenchPool(int connections) {
        StratumConfig config = StratumConfig.of(listener())
                .with(ConnectionLimits.defaults().withCeilings(connections, 0, 0))
                .with(new ProtocolLimits(16384, 100, 1000, 100, 1 << 20, 64))
                .with(JobPolicy.fixed())
                .with(new StratumConfig.DifficultyConfig(false, Duration.ZERO, ResumePolicy.defaults()));
        Ledger ledger = new Ledger();
        server = StratumServer.builder(config)
                .addresses(new LocalAddresses(Network.REGTEST))
                .jobs(jobs, jobs)
                .shares(ledger, ledger)
                .tips(tips)
                .build();
        tips.publish(work.template().parent());
    }

    static BenchPool started(int connections) throws InterruptedException {
        BenchPool pool = new BenchPool(connections);
        pool.server.bind(CancelSignal.never());
        pool.server.start();
        return pool;
    }

    int port() {
        return server.port("default").orElseThrow();
    }

    /** A difficulty so small that every hash meets its target. */
    private static ListenerConfig listener() {
        String easiest = "0.0000000001";
        VardiffPolicy policy = new VardiffPolicy(DifficultyRange.of(easiest, easiest, "1024"), VardiffPace.defaults());
        ListenerConfig plain = ListenerConfig.plain("127.0.0.1", 0, new BigDecimal(easiest), policy);
        return new ListenerConfig(
                plain.name(),
                plain.bind(),
                0,
                4096,
                plain.heartbeat(),
                plain.fixedDifficulty(),
                policy,
                plain.floor(),
                0,
                plain.tls());
    }

    private static SharedWork work() {
        byte[] coinbase = Hex.decode(COINBASE);
        long now = System.currentTimeMillis() / 1000;
        WorkTemplate template = new WorkTemplate(
                new BlockTerms(
                        Hash256.ofDisplayHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
                        144,
                        5_000_000_000L,
                        0x20000000,
                        CompactTarget.ofHex("1d00ffff"),
                        new BlockTerms.TimeLimits(now, now - 3600, 600)),
                TransactionSet.of(List.of()),
                CoinbaseSplit.of(coinbase, Transaction.parse(coinbase).txid(), 8),
                1,
                "00".repeat(32));
        return new SharedWork(template, WorkLabels.NONE);
    }

    @Override
    public void close() {
        server.close();
    }

    /** Acknowledges every share at once. */
    private static final class Ledger implements ShareSink, CandidateSink {
        @Override
        public CompletionStage<CommitResult> commit(AcceptedShare share, Optional<BlockSolve> solve) {
            return DURABLE;
        }

        @Override
        public void enqueue(BlockSolve solve) {}

        @Override
        public CompletionStage<LandingResult> submitNow(BlockSolve solve) {
            return CompletableFuture.completedFuture(LandingResult.NOT_LANDED);
        }

        @Override
        public void offerUncredited(BlockSolve solve) {}

        @Override
        public void offerUnpersisted(BlockSolve solve) {}

        @Override
        public void wake(Hash256 hash) {}
    }
}
