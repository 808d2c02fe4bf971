package org.prismpool.sharewriter.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.Samples.accrued;
import static org.prismpool.sharewriter.contract.Samples.share;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.contract.Samples;
import org.prismpool.sharewriter.postgres.TestLedger;

/** Shares are answered while blocks with a thousand accounts land. */
@Tag("soak")
@Execution(ExecutionMode.SAME_THREAD)
class LandingUnderLoadIT {

    private static final long PACE = Duration.ofMillis(2).toNanos(); // 500 shares/s
    private static final int SHARES = 5000;

    /** More often than any pool finds blocks, so that more than one in a hundred shares meets a landing. */
    private static final long BETWEEN_LANDINGS = Duration.ofMillis(2500).toNanos();

    @Test
    void aLandingHardlyHoldsSharesUp() {
        try (TestLedger postgres = TestLedger.open();
                ShareWriter writer = new ShareWriter(
                        postgres.ledger().shares(),
                        ShareWriterConfig.DEFAULTS,
                        ShareWriter.Ports.none(MonotonicClock.system()),
                        MonotonicClock.system())) {
            writer.start();
            ninetyNinth(writer, "warm-up-");
            land(postgres, 0xf0); // and the classes that a first landing loads
            long alone = ninetyNinth(writer, "alone-");
            AtomicBoolean done = new AtomicBoolean();
            CompletableFuture<Integer> landings = CompletableFuture.supplyAsync(() -> land(postgres, done));

            long beside = ninetyNinth(writer, "beside-");

            done.set(true);
            System.out.printf(
                    "99th of 100 answers: %d ms, beside landings %d ms%n", alone / 1_000_000, beside / 1_000_000);
            assertThat(landings.join()).isGreaterThan(2);
            assertThat(Duration.ofNanos(beside - alone)).isLessThanOrEqualTo(Duration.ofMillis(50));
        }
    }

    private static int land(TestLedger postgres, AtomicBoolean done) {
        int landed = 0;
        for (; !done.get() && landed < 200; landed++) {
            land(postgres, 1 + landed);
            LockSupport.parkNanos(BETWEEN_LANDINGS);
        }
        return landed;
    }

    private static void land(TestLedger postgres, int block) {
        PayoutAccount[] accounts = new PayoutAccount[1000];
        for (int i = 0; i < accounts.length; i++) {
            accounts[i] = accrued("m" + i, String.format("%04d", i), 1 + i % 200, 10, 0);
        }
        postgres.ledger().blocks().persist(Samples.block(block, 10 + block, accounts), Samples.soon());
        postgres.ledger().blocks().confirm(Samples.hash(block), 10 + block, Samples.soon());
    }

    /** Submits at a steady pace; returns the 99th percentile of the times to the answer, in nanoseconds. */
    private static long ninetyNinth(ShareWriter writer, String prefix) {
        List<Long> times = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        long next = System.nanoTime();
        for (int i = 0; i < SHARES; i++) {
            next += PACE;
            for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            long sent = System.nanoTime();
            answers.add(writer.submit(AppendEntry.share(share(prefix + i, 1))).thenAccept(result -> {
                assertThat(result.durable()).isTrue();
                times.add(System.nanoTime() - sent);
            }));
        }
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
        List<Long> sorted = new ArrayList<>(times);
        Collections.sort(sorted);
        return sorted.get(sorted.size() * 99 / 100);
    }
}
