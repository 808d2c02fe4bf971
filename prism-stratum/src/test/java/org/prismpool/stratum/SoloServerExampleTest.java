package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.stratum.solo.FixedTip;
import org.prismpool.stratum.solo.LocalAddresses;
import org.prismpool.stratum.solo.SoloJobs;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.StratumTestClient;
import org.prismpool.stratum.vardiff.DifficultyRange;
import org.prismpool.stratum.vardiff.VardiffPace;
import org.prismpool.stratum.vardiff.VardiffPolicy;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.job.WorkTemplate;

/** The embedding example of the README, compiled and run. */
class SoloServerExampleTest {

    private final RecordingShares blockLane = new RecordingShares();

    @Test
    void theExampleServesAMiner() throws Exception {
        AtomicReference<AcceptedShare> ledger = new AtomicReference<>();
        WorkTemplate template =
                WorkedExample.template(WorkedExample.PARENT, 144, 0x20000000, "207fffff", now(), now() - 600);

        // README: begin
        AtomicReference<SharedWork> newest = new AtomicReference<>(new SharedWork(template, WorkLabels.NONE));
        SoloJobs jobs = new SoloJobs(() -> Optional.of(newest.get()));
        FixedTip tip = new FixedTip();
        tip.publish(template.parent());
        VardiffPolicy vardiff =
                new VardiffPolicy(DifficultyRange.of("0.000000001", "1", "1024"), VardiffPace.defaults());
        StratumConfig config = StratumConfig.of(ListenerConfig.plain("127.0.0.1", 0, BigDecimal.ONE, vardiff));
        ShareSink shares = (share, solve) -> {
            ledger.set(share);
            return CompletableFuture.completedFuture(new CommitResult.Durable(false));
        };
        try (StratumServer server = StratumServer.builder(config)
                .addresses(new LocalAddresses(Network.REGTEST))
                .jobs(jobs, jobs)
                .shares(shares, blockLane)
                .tips(tip)
                .build()) {
            server.bind(CancelSignal.never());
            server.start();
            // on a new block: newest.set(...), tip.publish(...), jobs.publish(JobPurpose.NEW_WORK)
            // README: end
            try (StratumTestClient miner =
                    StratumTestClient.connect(server.port("default").orElseThrow())) {
                MinerJob job = miner.login(WorkedExample.USER, "x");
                mineOneShare(miner, job);
                assertThat(ledger.get().worker().username()).isEqualTo(WorkedExample.USER);

                jobs.publish(JobPurpose.NEW_WORK);
                assertThat(miner.nextJob().clean()).isTrue();
            }
        }
    }

    private static void mineOneShare(StratumTestClient miner, MinerJob job) throws Exception {
        for (int nonce = 0; nonce < 100; nonce++) {
            String answer = miner.submit(
                    WorkedExample.USER,
                    job.jobId(),
                    WorkedExample.EN2,
                    job.ntime(),
                    String.format("%08x", nonce),
                    Optional.empty());
            if (answer.contains("\"result\": true")) {
                return;
            }
            assertThat(answer).contains("low-difficulty");
        }
        throw new AssertionError("no share in 100 nonces");
    }

    private static long now() {
        return System.currentTimeMillis() / 1000;
    }
}
