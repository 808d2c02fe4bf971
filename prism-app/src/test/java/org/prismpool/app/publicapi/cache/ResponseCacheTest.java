package org.prismpool.app.publicapi.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.app.publicapi.cache.CachedBody.Source;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.lifecycle.time.MonotonicClock;

/** What is kept, for how long, and who computes (spec 08 §7.6, T45, T47). */
class ResponseCacheTest {

    private static final int TTL = 5;

    private final ManualClock clock = new ManualClock();
    private final ExecutorService threads = Executors.newFixedThreadPool(10);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private ResponseCache cache(int entries, int bytes) {
        return new ResponseCache(new CacheLimits(entries, bytes, CacheLimits.TOTAL_BYTES), clock);
    }

    private static CacheKey key(String name) {
        return new CacheKey(List.of(name), Map.of());
    }

    private static PublicBody body(int size) {
        return new PublicBody(new byte[size]);
    }

    private static Deadline deadline() {
        return Deadline.after(Duration.ofSeconds(60), MonotonicClock.system(), "test");
    }

    private Source ask(ResponseCache cache, String name, int ttlSeconds) throws InterruptedException {
        return cache.get(key(name), ttlSeconds, deadline(), d -> body(3)).source();
    }

    @Test
    void anExpiredAnswerIsDeletedWhenItIsAskedFor() throws Exception {
        ResponseCache cache = cache(10, 10);
        ask(cache, "a", TTL);
        clock.advance(Duration.ofSeconds(TTL));

        assertThat(cache.fresh(key("a"))).isEmpty();

        assertThat(cache.size()).isZero();
    }

    @Test
    void expiredAnswersGoBeforeTheOnesThatLive() throws Exception {
        ResponseCache cache = cache(2, 10);
        ask(cache, "lives", 60);
        ask(cache, "dies", TTL); // used last, so the one to stay if only the order of use counted
        clock.advance(Duration.ofSeconds(TTL));

        ask(cache, "new", TTL);

        assertThat(cache.fresh(key("lives"))).isPresent();
        assertThat(cache.fresh(key("new"))).isPresent();
        assertThat(cache.size()).isEqualTo(2);
    }

    @Test
    void theAnswerThatWasNotUsedForLongestMakesRoom() throws Exception {
        ResponseCache cache = cache(2, 10);
        ask(cache, "a", 60);
        ask(cache, "b", 60);
        ask(cache, "a", 60);

        ask(cache, "c", 60);

        assertThat(cache.fresh(key("b"))).isEmpty();
        assertThat(cache.fresh(key("a"))).isPresent();
    }

    @Test
    void allAnswersTogetherStayWithinTheirBytes() throws Exception {
        ResponseCache cache = new ResponseCache(new CacheLimits(100, 10, 25), clock);
        for (String name : List.of("a", "b", "c")) {
            cache.get(key(name), TTL, deadline(), d -> body(10));
        }

        assertThat(cache.size()).isEqualTo(2);
        assertThat(cache.fresh(key("a"))).isEmpty();
        assertThat(cache.fresh(key("c"))).isPresent();
    }

    @Test
    void nothingIsKeptWithoutRoomForABody() throws Exception {
        ResponseCache cache = cache(10, 0);

        assertThat(cache.get(key("a"), TTL, deadline(), d -> body(0)).source()).isEqualTo(Source.BYPASS);
        assertThat(cache.size()).isZero();
    }

    @Test
    void concurrentMissesOfOneKeyComputeOnceEvenIfTheAnswerIsNotKept() throws Exception {
        ResponseCache cache = cache(10, 10);
        AtomicInteger computed = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        List<Future<CachedBody>> asked = new ArrayList<>();
        AtomicInteger arrived = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            asked.add(threads.submit(() -> {
                arrived.incrementAndGet();
                return cache.get(key("big"), TTL, deadline(), d -> {
                    computed.incrementAndGet();
                    awaitQuietly(release);
                    return body(11);
                });
            }));
        }
        await("all ask").atMost(Duration.ofSeconds(20)).until(() -> arrived.get() == 10 && waiting() == 10);
        release.countDown();

        for (Future<CachedBody> one : asked) {
            assertThat(one.get(20, TimeUnit.SECONDS).source()).isEqualTo(Source.BYPASS);
        }
        assertThat(computed).hasValue(1);
        assertThat(cache.size()).isZero();
    }

    /** Threads of the pool that wait for something: the one that computes, and those that wait for it. */
    private static long waiting() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith("pool-"))
                .filter(thread -> List.of(thread.getValue()).stream()
                        .anyMatch(frame -> frame.getClassName().equals(ResponseCache.class.getName())
                                && List.of("fly", "await").contains(frame.getMethodName())))
                .filter(thread -> thread.getKey().getState() == Thread.State.WAITING
                        || thread.getKey().getState() == Thread.State.TIMED_WAITING)
                .count();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void whoWaitsGetsTheExceptionOfTheOneWhoComputesAndTheNextOneComputesAgain() throws Exception {
        ResponseCache cache = cache(10, 10);
        CountDownLatch computing = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<CachedBody> first = threads.submit(() -> cache.get(key("a"), TTL, deadline(), d -> {
            computing.countDown();
            awaitQuietly(release);
            throw new IllegalArgumentException("broken");
        }));
        awaitQuietly(computing);
        Future<CachedBody> second = threads.submit(() -> cache.get(key("a"), TTL, deadline(), d -> {
            throw new AssertionError("computed twice");
        }));
        await("the second waits").atMost(Duration.ofSeconds(20)).until(() -> waiting() == 2);
        release.countDown();

        for (Future<CachedBody> one : List.of(first, second)) {
            assertThatThrownBy(() -> one.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("broken");
        }
        assertThat(ask(cache, "a", TTL)).isEqualTo(Source.MISS);
    }

    @Test
    void whoWaitsForAnotherThreadDoesSoUntilItsOwnDeadline() throws Exception {
        ResponseCache cache = cache(10, 10);
        CountDownLatch computing = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<CachedBody> slow = threads.submit(() -> cache.get(key("a"), TTL, deadline(), d -> {
            computing.countDown();
            awaitQuietly(release);
            return body(1);
        }));
        awaitQuietly(computing);
        Deadline passed = Deadline.after(Duration.ZERO, MonotonicClock.system(), "impatient");

        assertThatThrownBy(() -> cache.get(key("a"), TTL, passed, d -> body(1)))
                .isInstanceOf(DeadlineExceededException.class);

        release.countDown();
        assertThat(slow.get(20, TimeUnit.SECONDS).source()).isEqualTo(Source.MISS);
    }

    @Test
    void theDeadlineReachesTheComputation() throws Exception {
        AtomicReference<String> owner = new AtomicReference<>("");

        cache(1, 1).get(key("a"), TTL, deadline(), d -> {
            owner.set(d.owner());
            return body(1);
        });

        assertThat(owner).hasValue("test");
    }
}
