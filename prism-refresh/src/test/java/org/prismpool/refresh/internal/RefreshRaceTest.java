package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.RefreshRig.A;
import static org.prismpool.refresh.internal.RefreshRig.B;
import static org.prismpool.refresh.internal.RefreshRig.C;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.refresh.ActiveFanout;
import org.prismpool.refresh.BuiltWork;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.TemplateSnapshot;
import org.prismpool.refresh.ValidationToken;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.refresh.WorkIdentity;
import org.prismpool.refresh.WorkMode;

/** The races of spec 07 §9 on real threads: retry set against consume, token claim against produce, publication against detection. */
@NullUnmarked // test state is filled as it goes
class RefreshRaceTest {

    private static final int ROUNDS = 3_000;

    private final ExecutorService pair = Executors.newFixedThreadPool(2);

    @AfterEach
    void shutdown() {
        pair.shutdownNow();
    }

    /** Runs two bodies against each other, many times, each round from one barrier. */
    private void race(Runnable first, Runnable second, Runnable afterRound) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        for (int round = 0; round < ROUNDS; round++) {
            List<Future<?>> both = new ArrayList<>();
            for (Runnable body : List.of(first, second)) {
                both.add(pair.submit(() -> {
                    barrier.await(60, TimeUnit.SECONDS);
                    body.run();
                    return true;
                }));
            }
            for (Future<?> one : both) {
                one.get(60, TimeUnit.SECONDS);
            }
            afterRound.run();
        }
    }

    @Test
    void aRetryThatRacesItsConsumerIsNeitherLostNorRunTwice() throws Exception {
        RetrySignal signal = new RetrySignal();
        AtomicInteger taken = new AtomicInteger();

        race(signal::arm, () -> taken.addAndGet((int) signal.consume()), () -> {
            boolean left = signal.isArmed();
            assertThat(taken.getAndSet(0) + (left ? 1 : 0)).isEqualTo(1);
            signal.consume();
        });
    }

    @Test
    void aProducerThatRacesACompletingPassKeepsItsToken() throws Exception {
        PendingRefresh pending = new PendingRefresh();
        AtomicReference<Long> claim = new AtomicReference<>(pending.install(0));
        AtomicReference<Boolean> cleared = new AtomicReference<>(false);

        race(() -> pending.install(1), () -> cleared.set(pending.clear(claim.get())), () -> {
            assertThat(pending.pending())
                    .as("the producer's token survives in either order")
                    .isTrue();
            claim.set(pending.claim());
        });
    }

    @Test
    void aPassThatMarksItselfNeverReplacesAProducersToken() throws Exception {
        PendingRefresh pending = new PendingRefresh();
        AtomicReference<Long> claim = new AtomicReference<>(0L);
        AtomicReference<Long> produced = new AtomicReference<>(0L);

        race(
                () -> produced.set(pending.install(1)),
                () -> claim.set(pending.installUnlessNewer(claim.get(), 1)),
                () -> {
                    assertThat(pending.owns(Math.max(claim.get(), produced.get())))
                            .isTrue();
                    claim.set(pending.claim());
                });
    }

    @Test
    void aPublicationThatRacesANewerDetectionNeverHidesIt() throws Exception {
        AtomicReference<WorkAuthority<String, String>> cell = new AtomicReference<>();
        PayoutAuthority payout = new PayoutAuthority(1, Optional.of("d"), 0, false);
        WorkAuthority<String, String> publishedA = publish(WorkAuthority.empty(), A, 1, payout);
        WorkAuthority<String, String> detectedB = observe(publishedA, B, 2);
        cell.set(detectedB);

        race(
                () -> {
                    while (true) {
                        WorkAuthority<String, String> seen = cell.get();
                        WorkAuthority<String, String> next = publish(seen, B, 2, payout);
                        if (Identity.same(next, seen) || cell.compareAndSet(seen, next)) {
                            return;
                        }
                    }
                },
                () -> {
                    while (true) {
                        WorkAuthority<String, String> seen = cell.get();
                        if (cell.compareAndSet(seen, observe(seen, C, 3))) {
                            return;
                        }
                    }
                },
                () -> {
                    WorkAuthority<String, String> after = cell.get();
                    assertThat(after.newestKnownTip()).contains(C);
                    assertThat(after.divergenceNanos())
                            .as("whichever came first, C is known to be unpublished")
                            .isPresent();
                    assertThat(after.work().orElseThrow().snapshot().parent())
                            .isEqualTo(after.published().orElseThrow().hash());
                    cell.set(detectedB);
                });
    }

    private static WorkAuthority<String, String> observe(
            WorkAuthority<String, String> seen, org.prismpool.templates.chain.Hash256 tip, long sequence) {
        return TipObservation.of(seen, new TipObservation.Sight(tip, sequence, sequence, 1, false))
                .next();
    }

    private static WorkAuthority<String, String> publish(
            WorkAuthority<String, String> seen,
            org.prismpool.templates.chain.Hash256 tip,
            long sequence,
            PayoutAuthority payout) {
        TemplateSnapshot<String> snapshot = new TemplateSnapshot<>(tip, "f", sequence, "t");
        WorkIdentity key = new WorkIdentity(tip, "f", sequence, 1, "d", 0, WorkMode.READY);
        ValidationToken token = new ValidationToken(snapshot, sequence, 1, 0, Optional.of(key));
        PublicationFence<String, String> fence =
                new PublicationFence<>(token, snapshot, Optional.of(new BuiltWork<>(key, "t", "w")));
        return fence.publish(
                        seen, payout, false, Optional.empty(), new ActiveFanout(token, new CancelSource()), sequence)
                .orElse(seen);
    }

    @Test
    void aWaiterWakesForARetryThatIsArmedWhileItGoesToSleep() throws Exception {
        RetrySignal signal = new RetrySignal();

        race(
                signal::arm,
                () -> await(signal),
                () -> assertThat(signal.consume()).isEqualTo(1));
    }

    private static void await(RetrySignal signal) {
        try {
            signal.await(Duration.ofSeconds(60));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        assertThat(signal.isArmed()).isTrue();
    }
}
