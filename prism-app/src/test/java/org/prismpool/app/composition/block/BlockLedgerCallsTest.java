package org.prismpool.app.composition.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;

class BlockLedgerCallsTest {

    private final ManualClock clock = new ManualClock();
    private final BlockLedgerCalls calls = new BlockLedgerCalls(Duration.ofSeconds(30), Duration.ofSeconds(30), clock);
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void release() {
        release.countDown();
    }

    /** The common pool may have a single thread, and two calls must hang at once. */
    private static void onThreadOfItsOwn(Runnable call) {
        Thread thread = new Thread(call, "hanging-call");
        thread.setDaemon(true);
        thread.start();
    }

    private CompletableFuture<String> hang() {
        CountDownLatch inside = new CountDownLatch(1);
        CompletableFuture<String> call = CompletableFuture.supplyAsync(
                () -> calls.run(() -> {
                    inside.countDown();
                    Awaitility.await().until(() -> release.getCount() == 0);
                    return "done";
                }),
                BlockLedgerCallsTest::onThreadOfItsOwn);
        Awaitility.await("the call runs").until(() -> inside.getCount() == 0);
        return call;
    }

    @Test
    void oneStuckCallAloneNeedsNoRestartAndTwoDo() {
        hang();
        clock.advance(Duration.ofSeconds(61));
        assertThat(calls.stuck()).isEqualTo(1);
        assertThat(calls.restartNeeded()).isFalse();

        hang();
        clock.advance(Duration.ofSeconds(60));
        assertThat(calls.restartNeeded()).isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThat(calls.restartNeeded()).isTrue();
    }

    @Test
    void aCallThatEndedHoweverIsForgotten() {
        assertThat(calls.run(() -> "row")).isEqualTo("row");
        assertThatThrownBy(() -> calls.run(() -> {
                    throw new IllegalStateException("no row");
                }))
                .hasMessage("no row");

        clock.advance(Duration.ofHours(1));
        assertThat(calls.stuck()).isZero();
    }

    @Test
    void aCallThatComesBackAfterAllEndsTheAlarm() throws Exception {
        CompletableFuture<String> first = hang();
        hang();
        clock.advance(Duration.ofMinutes(2));
        assertThat(calls.restartNeeded()).isTrue();

        release.countDown();
        assertThat(first.get()).isEqualTo("done");
        Awaitility.await().until(() -> !calls.restartNeeded());
    }
}
