package org.prismpool.stratum;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.stratum.solo.FixedTip;
import org.prismpool.stratum.solo.LocalAddresses;
import org.prismpool.stratum.solo.SoloJobs;
import org.prismpool.stratum.testing.StratumTestClient;
import org.prismpool.stratum.vardiff.DifficultyRange;
import org.prismpool.stratum.vardiff.VardiffPace;
import org.prismpool.stratum.vardiff.VardiffPolicy;
import org.prismpool.templates.chain.Network;

/** A server over real sockets with solo jobs and a recording ledger. */
final class Pool implements AutoCloseable {

    final RecordingShares shares = new RecordingShares();
    final RecordingMetrics metrics = new RecordingMetrics();
    final FixedTip tips = new FixedTip();
    volatile SharedWork work = WorkedExample.work();
    volatile boolean shuttingDown;
    final AtomicInteger beats = new AtomicInteger();
    final AtomicInteger listenerFailures = new AtomicInteger();
    final SoloJobs jobs = new SoloJobs(() -> Optional.of(work));
    final StratumServer server;

    Pool(StratumConfig config) {
        server = StratumServer.builder(config)
                .addresses(new LocalAddresses(Network.REGTEST))
                .jobs(jobs, jobs)
                .shares(shares, shares)
                .tips(tips)
                .metrics(metrics)
                .watch(new ListenerWatch() {
                    @Override
                    public void beat(String heartbeat) {
                        beats.incrementAndGet();
                    }

                    @Override
                    public void failed(String listener, Throwable cause) {
                        listenerFailures.incrementAndGet();
                    }
                })
                .pool(new PoolState() {
                    @Override
                    public boolean shuttingDown() {
                        return shuttingDown;
                    }
                })
                .build();
    }

    static Pool started(StratumConfig config) throws InterruptedException {
        Pool pool = new Pool(config);
        pool.tips.publish(WorkedExample.parent());
        pool.server.bind(CancelSignal.never());
        pool.server.start();
        return pool;
    }

    static ListenerConfig listener() {
        return ListenerConfig.plain("127.0.0.1", 0, new BigDecimal("0.000000001"), policy("0.000000001", "1024"));
    }

    static ListenerConfig highDifficulty() {
        return ListenerConfig.highDifficulty("127.0.0.1", 0, new BigDecimal("500000"), policy("500000", "4294967296"));
    }

    static VardiffPolicy policy(String min, String max) {
        return new VardiffPolicy(DifficultyRange.of(min, min, max), VardiffPace.defaults());
    }

    /** The defaults but without the time check, whose clock here is the real one. */
    static StratumConfig config(ListenerConfig... listeners) {
        SharePolicy d = SharePolicy.defaults();
        return StratumConfig.of(listeners)
                .with(JobPolicy.fixed())
                .with(new SharePolicy(d.staleGrace(), d.tipMaxAge(), d.divergenceLease(), 0, d.duplicateCapacity()));
    }

    int port() {
        return server.port("default").orElseThrow();
    }

    StratumTestClient connect() throws IOException {
        return StratumTestClient.connect(port());
    }

    @Override
    public void close() {
        server.close();
    }
}
