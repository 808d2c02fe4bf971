package org.prismpool.app.composition.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

class WorkTipProbeTest {

    private final ManualClock clock = new ManualClock();
    private final AtomicInteger calls = new AtomicInteger();

    private Deadline deadline() {
        return Deadline.after(Duration.ofSeconds(10), clock, "test");
    }

    private WorkTipProbe.Answer answer() {
        return new WorkTipProbe.Answer(Hash256.ZERO, calls.incrementAndGet());
    }

    /** The common pool may have a single thread, and two callers must wait at once. */
    private static void onThreadOfItsOwn(Runnable call) {
        Thread thread = new Thread(call, "probing-caller");
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void anAnswerServesEveryoneForFiftyMilliseconds() throws Exception {
        WorkTipProbe probe = new WorkTipProbe(deadline -> answer(), clock);

        assertThat(probe.ask(deadline()).orElseThrow().sequence()).isEqualTo(1);
        clock.advance(Duration.ofMillis(50));
        assertThat(probe.ask(deadline()).orElseThrow().sequence()).isEqualTo(1);
        clock.advance(Duration.ofMillis(1));
        assertThat(probe.ask(deadline()).orElseThrow().sequence()).isEqualTo(2);
    }

    @Test
    void aQuestionUnderWayIsJoined() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        WorkTipProbe probe = new WorkTipProbe(
                deadline -> {
                    asked.countDown();
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return answer();
                },
                clock);
        CompletableFuture<Long> first =
                CompletableFuture.supplyAsync(() -> sequence(probe), WorkTipProbeTest::onThreadOfItsOwn);
        asked.await();
        CompletableFuture<Long> second =
                CompletableFuture.supplyAsync(() -> sequence(probe), WorkTipProbeTest::onThreadOfItsOwn);

        go.countDown();

        assertThat(first.get()).isEqualTo(1);
        assertThat(second.get()).isEqualTo(1);
    }

    private long sequence(WorkTipProbe probe) {
        try {
            return probe.ask(deadline()).orElseThrow().sequence();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aFailedQuestionIsAskedAgain() throws Exception {
        AtomicInteger failures = new AtomicInteger(1);
        WorkTipProbe probe = new WorkTipProbe(
                deadline -> {
                    if (failures.getAndDecrement() > 0) {
                        throw new IllegalStateException("down");
                    }
                    return answer();
                },
                clock);

        assertThatThrownBy(() -> probe.ask(deadline())).hasMessage("down");
        assertThat(probe.ask(deadline())).isEqualTo(Optional.of(new WorkTipProbe.Answer(Hash256.ZERO, 1)));
    }
}
