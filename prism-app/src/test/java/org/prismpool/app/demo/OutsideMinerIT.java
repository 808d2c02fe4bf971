package org.prismpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.demo.miner.CpuMiner;
import org.prismpool.app.demo.miner.CpuMinerConfig;

/** A pool kept running for miners that it did not start. */
class OutsideMinerIT {

    private static final Pattern HOW_TO_MINE =
            Pattern.compile("-o stratum\\+tcp://127\\.0\\.0\\.1:(\\d+) -u (\\S+) -p x");

    @TempDir
    private Path directory;

    /** Not in the common pool, whose single thread on two cores the node client's answers pass through. */
    private static void onThreadOfItsOwn(Runnable demo) {
        Thread thread = new Thread(demo, "demo");
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void countsTheSharesOfMinersThatFollowItsHint() throws Exception {
        StringWriter out = new StringWriter();
        DemoRun run = new DemoRun(
                new DemoOptions(0, 1, Optional.empty(), 1, 0, true, true), new PrintWriter(out, true), false);
        CompletableFuture<DemoSummary> ended = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return run.run(directory);
                    } catch (DemoFailure | InterruptedException failed) {
                        throw new IllegalStateException(failed);
                    }
                },
                OutsideMinerIT::onThreadOfItsOwn);
        try {
            await().atMost(Duration.ofSeconds(60)).until(() -> hint(out).find());
            Matcher hint = hint(out);
            assertThat(hint.find()).isTrue();
            CpuMinerConfig config = CpuMinerConfig.forPool("127.0.0.1", Integer.parseInt(hint.group(1)), hint.group(2))
                    .withPassword("x")
                    .withThreads(1)
                    .withSeed(7);
            try (CpuMiner miner = new CpuMiner(config)) {
                miner.start();
                await().atMost(Duration.ofSeconds(90)).until(() -> miner.stats().accepted() > 0);
                await().atMost(Duration.ofSeconds(10))
                        .until(() -> out.toString().contains(" shares/s  shares "));
            }
        } finally {
            run.requestStop();
        }
        DemoSummary summary = ended.get(60, TimeUnit.SECONDS);

        assertThat(summary.ok()).as(out.toString()).isTrue();
        assertThat(summary.sharesAccepted()).isPositive().isEqualTo(summary.sharesInLedger());
    }

    private static Matcher hint(StringWriter out) {
        return HOW_TO_MINE.matcher(out.toString());
    }
}
