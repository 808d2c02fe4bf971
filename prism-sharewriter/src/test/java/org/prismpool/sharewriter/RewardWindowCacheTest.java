package org.prismpool.sharewriter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.read.RewardWindowAggregate;
import org.prismpool.sharewriter.read.RewardWindowCache;

class RewardWindowCacheTest {

    private static final BigInteger WEIGHT = BigInteger.valueOf(80);

    private final ManualClock clock = new ManualClock();
    private final RewardWindowCache cache = new RewardWindowCache(Duration.ofSeconds(30), clock);
    private final ExecutorService readers = Executors.newFixedThreadPool(50);
    private final AtomicInteger scans = new AtomicInteger();

    @AfterEach
    void stop() {
        readers.shutdownNow();
    }

    private static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(20), MonotonicClock.system(), "test");
    }

    private RewardWindowAggregate scan(BigInteger weight) {
        scans.incrementAndGet();
        return new RewardWindowAggregate(
                scans.get(), weight, BigInteger.ZERO, 0, OptionalLong.empty(), OptionalLong.empty(), List.of());
    }

    private RewardWindowAggregate get(BigInteger weight) {
        return cache.get(weight, soon(), () -> scan(weight));
    }

    @Test
    void fiftyReadersShareOneScan() throws Exception {
        CountDownLatch scanning = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        List<CompletableFuture<RewardWindowAggregate>> pages = new ArrayList<>();
        pages.add(CompletableFuture.supplyAsync(
                () -> cache.get(WEIGHT, soon(), () -> {
                    scanning.countDown();
                    awaitLatch(finish);
                    return scan(WEIGHT);
                }),
                readers));
        assertThat(scanning.await(10, TimeUnit.SECONDS)).isTrue();
        for (int i = 1; i < 50; i++) {
            pages.add(CompletableFuture.supplyAsync(() -> get(WEIGHT), readers));
        }
        finish.countDown();

        for (CompletableFuture<RewardWindowAggregate> page : pages) {
            assertThat(page.get(10, TimeUnit.SECONDS).anchorMs()).isEqualTo(1);
        }
        assertThat(scans).hasValue(1);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void theAggregateServesItsTimeAndOnlyItsWeight() {
        get(WEIGHT);
        clock.advance(Duration.ofMillis(29_999));
        assertThat(get(WEIGHT).anchorMs()).isEqualTo(1);
        assertThat(get(BigInteger.TEN).anchorMs()).isEqualTo(2);
        assertThat(get(BigInteger.TEN).anchorMs()).isEqualTo(2);
        clock.advance(Duration.ofSeconds(30));
        assertThat(get(BigInteger.TEN).anchorMs()).isEqualTo(3);
    }

    @Test
    void withoutATimeEveryReaderScans() {
        RewardWindowCache none = new RewardWindowCache(Duration.ZERO, clock);
        none.get(WEIGHT, soon(), () -> scan(WEIGHT));
        none.get(WEIGHT, soon(), () -> scan(WEIGHT));
        assertThat(scans).hasValue(2);
    }

    @Test
    void aFailedScanIsNotKept() {
        assertThatThrownBy(() -> cache.get(WEIGHT, soon(), () -> {
                    throw new LedgerUnavailableException("gone");
                }))
                .isInstanceOf(LedgerUnavailableException.class);
        assertThat(get(WEIGHT).anchorMs()).isEqualTo(1);
    }
}
